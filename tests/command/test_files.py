"""What `check`, `init`, `report` and `demo` say of prediction files, and what they write."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from costcurves.formats import amount
from costcurves.predictions.asking import of_files
from costcurves.predictions.kinds import KINDS
from costcurves.predictions.sources import study_name
from costcurves.study.initial import find_datasets
from costcurves.study.reading import read_study
from tests.command import ended
from tests.small_study import ROOT, contents, family, folds_of, scored

ROWS = folds_of(24, 2, 3, seed=1)
BAYES = scored(ROWS, "Bayes", 2.0, 2)
NAMED = BAYES.replace({"label": {0: "well", 1: "ill"}})
NUMBER, POSITIVE = BAYES["instance"].astype(int), BAYES["label"].eq(1)
SHAPE = "24 instances, 12 of them positive, 2 repeats, 6 folds in all"


@pytest.fixture(autouse=True)
def folder(folder: Path) -> Path:
    """Where the command runs."""
    BAYES.to_csv("bayes.csv", index=False)
    scored(ROWS, "Trees", 1.0, 3).to_csv("trees.csv", index=False)
    family(ROWS, "Boosted", 4).to_parquet("boosted.parquet")
    NAMED.assign(dataset="clinic").to_csv("clinic.csv", index=False)
    return folder


def several(columns: str = "decision", cells: str = "red") -> None:
    """Write predictions of three classes."""
    pairs = [(fold, label) for fold in (0, 1) for label in ("red", "tea: b", "x")]
    rows = "".join(f"NB,{fold},{label},{label}{fold},{cells}\n" for fold, label in pairs)
    Path("tea.csv").write_text(f"model,fold,label,instance,{columns}\n{rows}")


CLAIM = "- {claim: So., kind: cheaper, models: [Bayes, %s]}\n"
CONFIG = "study: s\ndatasets: [{name: d, predictions: [bayes.csv, trees.csv]}]\nclaims:\n"
EACH = "check init report"
MANY = "many: 33 models are 528 pairs, which share the error of a level of 0.9"
REFUSED = [
    (EACH, "bayes.csv missing.csv gone.csv", 3, "2 findings:"),
    (EACH, "clinic.csv", 3, ": which is positive ('positive:' or --pos"),
    (EACH, "bayes.csv --positive ill", 3, "--positive is 'ill', but labels of dataset 'bayes' "),
    (EACH, "bayes.csv bayes.csv", 2, "'bayes.csv' is given twice"),
    (EACH, "bayes.csv --study ../x", 2, "--study is '../x', expected letters, digits"),
    (EACH, "tea.csv --positive red", 3, "all but 'red' negative ('classes: rest' or --classes"),
    (EACH, "bayes.csv --column label", 2, "--column is 'label', expected a role and a column"),
    (EACH, "bayes.csv --delimiter ;;", 2, "--delimiter is ';;', expected"),
    ("check", "twice.csv", 3, "twice.csv line 50"),
    ("check", "s.yaml", 3, "claims[1].models: dataset 'd' has no model 'Tree'; did you mean"),
    ("report", "many.csv", 3, MANY),
]


@pytest.mark.parametrize(("commands", "words", "status", "message"), REFUSED)
def test_what_cannot_be_used(
    folder: Path, commands: str, words: str, status: int, message: str
) -> None:
    several()
    lines = Path("bayes.csv").read_text().splitlines()
    Path("twice.csv").write_text("\n".join([*lines, lines[1], ""]))
    Path("s.yaml").write_text(CONFIG + CLAIM % "Trees" + CLAIM % "Tree")
    pd.concat([scored(ROWS, f"M{i}", 1.0, i) for i in range(33)]).to_csv("many.csv", index=False)
    before = contents(folder)
    for command in commands.split():
        result, out, err = ended(command, *words.split())
        assert (result, message in err, "Traceback" in out + err) == (status, True, False), err
    assert contents(folder) == before


def test_checking_lists_what_is_there() -> None:
    each = {"Bayes": "scores", "Trees": "scores", "Boosted": "decisions, a family of 3 members"}
    lines = "".join(f"    {model}: {SHAPE}, {kind}\n" for model, kind in each.items())
    checked = ended("check", "bayes.csv", "trees.csv", "boosted.parquet")[:2]
    assert checked == (0, f"bayes: fine\n  240 predictions by 3 models\n{lines}")
    rows = BAYES[~POSITIVE | (NUMBER % 2 == 1)].assign(weight=1 + NUMBER % 2)
    cluster = rows["label"].astype(str) + rows["instance"].str[-1]
    rows.assign(cluster=cluster).to_csv("rare.csv", index=False)
    once = rows.drop_duplicates("instance")["weight"]
    effective = once.sum() ** 2 / (once**2).sum()
    parts = f"15 clusters, weighted: as good as {effective:.0f}, 2 repeats, 6 folds in all, scores"
    line = f"    Bayes: 18 instances, 6 of them positive, {parts}\n"
    assert line in ended("check", "rare.csv")[1]
    # A positive class is taken that labels say otherwise: else its curves would be those of 1.
    assert "positive is the label '0'" in ended("check", "bayes.csv", "--positive", "0")[1]
    document = json.loads(ended("check", "bayes.csv", "--json")[1])
    counts = {"Bayes": {"instance": 24, "repeat": 2, "fold": 3}}
    assert document == {"datasets": [{"dataset": "bayes", "models": counts, "findings": []}]}


# Possible problems


def test_what_is_grave_fails_if_strict_and_can_be_expected(folder: Path) -> None:
    """Of a model whose scores are those of the other class, and one that is a coin."""
    rows = folds_of(120, 2, 3, seed=5)
    good, chance = scored(rows, "Good", 2.0, 2), scored(rows, "Chance", 0.0, 3)
    turned = good.assign(model="Backwards", score=-good["score"])
    pd.concat([good, chance, turned]).to_csv("three.csv", index=False)
    status, text, _ = ended("check", "three.csv")
    assert (status, text.partition("\n")[0]) == (0, "three: can be read, but see below")
    graves = re.findall(r"\n  grave \((.*)\): (.*) \(AUC 0\.0", text)
    assert graves == [("reversed", "Ranks worse than chance: Backwards")]
    assert text.endswith("can be said in a configuration: 'expected: [reversed]'\n")
    end = "1 grave finding, expected none: mend them, or say what is meant\n"
    assert ended("check", "three.csv", "--strict") == (3, text, end)
    status, out, err = ended("check", "three.csv", "--json", "--strict", "--quiet")
    (finding,) = json.loads(out)["datasets"][0]["findings"]
    assert (status, err, finding["name"], finding["grade"]) == (3, end, "reversed", "grave")
    assert ended("init", "three.csv")[0] == 0
    content = yaml.safe_load((folder / "three.yaml").read_text())
    content["datasets"][0] |= {"expected": ["reversed"], "models": ["Backwards"], "prior": 0.2}
    (folder / "three.yaml").write_text(yaml.safe_dump(content))
    status, text, _ = ended("check", "three.yaml", "--strict")
    assert (status, "240 predictions by 1 model\n" in text) == (0, True)
    assert "Expected, by the configuration." in text
    reference = (ROOT / "docs" / "messages.md").read_text("utf-8")
    assert re.findall(r"^\| `[a-z-]+` \|.*", reference, re.MULTILINE) == [
        f"| `{name}` | {kind.grade} | {kind.what}. | {kind.mend} |" for name, kind in KINDS.items()
    ]


# A configuration


def test_init_writes_a_study_and_never_over_one(folder: Path) -> None:
    wrote = "Wrote bayes.yaml; build its report with: costcurves report bayes.yaml\n"
    seen = "  'bayes': models 'Bayes', 'Trees'; labels '0', '1'\n"
    assert ended("init", "bayes.csv", "trees.csv")[:2] == (0, wrote + seen)
    study = read_study("bayes.yaml")
    assert (study.name, study.datasets[0].predictions) == ("bayes", ("bayes.csv", "trees.csv"))
    before = contents(folder)
    status, _, text = ended("init", "trees.csv", "--output", "bayes.yaml")
    assert (status, contents(folder)) == (2, before)
    assert text == "bayes.yaml: exists and is left as it is; name another file\n"
    money = ["--cost-fn", "500", "--cost-fp", "20", "--unit", "EUR"]
    assert ended("init", "bayes.csv", "--output", "money.yaml", *money)[0] == 0
    (condition,) = read_study("money.yaml").operating_conditions
    assert (condition.cost_ratio, condition.unit) == (25, "EUR")
    for wrong in ("--cost-fn 5", "--cost-fn 0 --cost-fp 1", "--unit EUR"):
        status, _, text = ended("init", "trees.csv", *wrong.split())
        assert (status, text.startswith("trees: operating_conditions[0]")) == (2, True), text
    # Files without datasets join the only dataset.
    BAYES.assign(dataset="clinic").to_csv("of clinic.csv", index=False)
    (clinic,) = find_datasets(of_files(["trees.csv", "of clinic.csv"]))
    assert (clinic.name, [*clinic.files]) == ("clinic", ["trees.csv", "of clinic.csv"])
    assert study_name("/x/CON.csv").startswith("CON-")


@pytest.mark.parametrize(("kind", "names"), [("at most", "bayes"), ("cheaper", "bayes trees")])
def test_what_is_commented_out_can_be_said(kind: str, names: str) -> None:
    """Every `# key:` is one that a configuration has."""
    files = [f"{name}.csv" for name in names.split()]
    assert ended("init", "--output=alive.yaml", *files)[0] == 0
    text = Path("alive.yaml").read_text()
    Path("alive.yaml").write_text(re.sub(r"(?m)^( *)# (?= *(?:- \w|[a-z_]+:))", r"\1", text))
    study, models = read_study("alive.yaml"), tuple(names.title().split())
    assert (study.appendix, study.datasets[0].models) == (True, models)
    assert [(claim.kind, claim.models) for claim in study.claims] == [(kind, models)]
    (condition,) = study.operating_conditions
    assert (condition.cost_ratio, condition.unit) == (25, "EUR")


CLASSES = [
    ("score_x,score_red,score_tea: b", "0.5,0.2,0.3", ["x", "red", "tea: b"]),
    ("decision", "red", ["red", "tea: b", "x"]),
    ("score_calibrated", "0.5", []),
]


@pytest.mark.parametrize(("columns", "cells", "order"), CLASSES)
def test_several_classes_are_positive_in_turn(columns: str, cells: str, order: list[str]) -> None:
    """But not scores of classes that no label names."""
    several(columns, cells)
    status, out, err = ended("check", "tea.csv")
    assert (status, err.startswith("tea.csv: ")) == (0 if order else 3, not order)
    assert re.findall("(.*): fine\n", out) == [f"tea: {name}" for name in order]
    if order:
        assert out.count("6 instances, 2 of them positive") == 3
        assert ended("init", "tea.csv")[0] == 0
        made = read_study("tea.yaml").datasets
        assert [(part.positive, part.of) for part in made] == [(name, "tea") for name in order]
        assert [part.score for part in made] == [f"score_{name}" for name in order]


# What rows say is in the configuration: costs, the positive class, folds of one instance.

MISS = np.where(POSITIVE, 700.0 - NUMBER**2, np.nan)
ALARM = np.where(POSITIVE, np.nan, 1.0 + NUMBER**2)
THIRD = BAYES["instance"] == "003"
PAID, PAID_NAMED = (rows.assign(cost_fp=ALARM, cost_fn=MISS) for rows in (BAYES, NAMED))
BOTH = ["cost_fp", "cost_fn"]
SEEN = [  # the rows, the positive class, the costs that are listed, and whether they are used
    (PAID, None, BOTH, True),
    (PAID.assign(cost_fp=np.nan), None, ["cost_fn"], False),
    (PAID.assign(cost_fp=np.where(THIRD, np.nan, ALARM)), None, BOTH, False),
    (PAID.assign(cost_fp=np.where(THIRD, 0, ALARM)), None, BOTH, False),
    (PAID_NAMED.assign(cost_fn=9), "ill", BOTH, True),
    (PAID_NAMED.assign(cost_fn=9), "well", ["cost_fn"], False),
    (BAYES.assign(fold=BAYES["instance"]), None, [], False),
]


@pytest.mark.parametrize(("rows", "positive", "known", "used"), SEEN)
def test_what_rows_say_is_in_the_configuration(
    rows: pd.DataFrame, positive: str | None, known: list[str], used: bool
) -> None:
    """Costs are used where each case has them for the mistake that can be made of its class."""
    rows.to_csv("seen.csv", index=False)
    options = ["--positive", positive] if positive else []
    status, text, _ = ended("check", "seen.csv", *options)
    assert (status, re.findall(r"on average \((\w+)\)", text)) == (0, known)
    assert (f"  positive is the label '{positive}'\n" in text) == bool(positive)
    unused = "these costs are used with 'costs:' in a configuration, which here there is not"
    assert (unused in text) == (bool(known) and not used)
    once = rows.drop_duplicates("instance")
    for name in known if positive is None else []:
        of = {"cost_fp": "negative", "cost_fn": "positive"}[name]
        low, mean, high = map(amount, once[name].agg(["min", "mean", "max"]))
        assert f"a mistake on a {of} costs {low} to {high}, {mean} on average ({name})" in text
    end = "; costs of mistakes\n" if known else "; one instance in each fold\n"
    assert ended("init", "seen.csv", *options)[1].endswith(end)
    (dataset,) = read_study("seen.yaml").counted
    assert (dataset.costs is not None, dataset.positive) == (used, positive)
    assert (dataset.folds_without_a_class == "pool") == (not known)


# An example


def test_an_example_is_small_and_the_same_and_can_be_checked(folder: Path) -> None:
    place, other = "predictions.csv", "a folder/b/predictions.csv"
    wrote = "Wrote {}; build its report with: costcurves report {}\n"
    assert ended("demo") == (0, wrote.format(place, place), "")
    assert ended("demo", "a folder/b") == (0, wrote.format(other, f"'{other}'"), "")
    text = (folder / place).read_text()
    assert ((folder / other).read_text() == text, len(text) < 30_000) == (True, True)
    shape = "300 instances, 75 of them positive, 1 repeat, 5 folds in all"
    each = {"forest": "scores", "logit": "scores", "rule": "decisions"}
    lines = [f"    {model}: {shape}, {kind}\n" for model, kind in each.items()]
    fine = "predictions: fine\n  900 predictions by 3 models\n"
    assert ended("check", place, "--strict")[:2] == (0, fine + "".join(lines))
    why = "exists and is left as it is"
    for where, reason in ((".", why), ("bayes.csv", why), ("x" * 300, "can't be written (File")):
        before = contents(folder)
        status, _, message = ended("demo", where)
        assert (status, contents(folder)) == (2, before)
        assert message.startswith(f"{Path(where, place)}: {reason}")
        assert message.endswith("; name another file\n")
