"""What `check` and `init` say of data, and the part of a configuration that follows from them."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from costcurves.command import main
from costcurves.formats import amount
from costcurves.predictions.findings import KINDS
from costcurves.study.reading import read_study
from tests.small_study import folds_of, scored

ROWS = folds_of(24, 2, 3, seed=1)
BAYES = scored(ROWS, "Bayes", 2.0, 2)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the command runs."""
    monkeypatch.chdir(tmp_path)
    BAYES.to_csv("bayes.csv", index=False)
    return tmp_path


def ended(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The status, and all that was said."""
    status = main.main(arguments)
    said = capsys.readouterr()
    return status, said.out + said.err


# What looks wrong


@pytest.fixture
def backwards() -> str:
    """A file with a model whose scores are those of the other class, and one that is a coin."""
    rows = folds_of(120, 2, 3, seed=5)
    good, chance = scored(rows, "Good", 2.0, 2), scored(rows, "Chance", 0.0, 3)
    turned = good.assign(model="Backwards", score=-good["score"])
    pd.concat([good, chance, turned]).to_csv("three.csv", index=False)
    return "three.csv"


def test_what_is_grave_is_told_and_fails_if_strict(
    backwards: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, said = ended(capsys, "check", backwards)
    (grave,) = (line for line in said.splitlines() if line.startswith("  grave (reversed): "))
    assert (status, said.splitlines()[0]) == (0, "three: can be read, but see below")
    assert re.fullmatch(
        r"  grave \(reversed\): Ranks worse than chance: Backwards \(AUC 0\.0\d\d\)\. Its "
        r"ranking is probably reversed, and so are its costs\. Does a low score mean positive, or "
        r"is it of the other class\? Say 'higher_is: negative' \(--higher-is negative\)\. Are the "
        r"labels swapped\? Mend them, or 'positive:'\.",
        grave,
    )
    meant = "in a configuration: 'expected: [reversed]'"
    assert said.endswith(f"  what of this is meant can be said {meant}\n")
    status, strict = ended(capsys, "check", backwards, "--strict")
    end = "1 grave finding, expected none: mend them, or say what is meant\n"
    assert (status, strict) == (3, said + end)


def test_a_configuration_is_checked_with_all_that_it_says(
    backwards: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(capsys, "init", backwards)[0] == 0
    assert ended(capsys, "check", "three.yaml", "--strict")[0] == 3
    content = yaml.safe_load((folder / "three.yaml").read_text())
    content["datasets"][0] |= {"expected": ["reversed"], "models": ["Backwards"], "prior": 0.2}
    (folder / "three.yaml").write_text(yaml.safe_dump(content))
    status, said = ended(capsys, "check", "three.yaml", "--strict")
    assert (status, "240 predictions by 1 model\n" in said) == (0, True)
    assert "Expected, by the configuration." in said


OPTIONS = [
    (["three.yaml", "--positive", "1"], "three.yaml: a configuration is given alone, and says"),
    (["three.yaml", "bayes.csv"], "three.yaml: a configuration is given alone, and says"),
    (["three.yaml"], "three.yaml: can't be read (No such file or directory)"),
]


@pytest.mark.parametrize(("arguments", "said"), OPTIONS)
def test_options_that_cannot_be_used(
    capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    status, message = ended(capsys, "check", *arguments)
    assert (status, said in message) == (2, True), message


def test_each_finding_is_in_the_reference() -> None:
    text = (Path(__file__).parents[2] / "docs" / "messages.md").read_text("utf-8")
    rows = [line for line in text.splitlines() if re.match(r"\| `[a-z-]+` \|", line)]
    assert rows == [
        f"| `{name}` | {kind.grade} | {kind.what}. | {kind.mend} |" for name, kind in KINDS.items()
    ]


# What follows for a configuration

COSTED = BAYES.assign(cost_fp=3.5, cost_fn=np.where(ROWS["label"], 9, np.nan))


def test_costs_are_said_of_their_class_from_the_least_to_the_most(
    capsys: pytest.CaptureFixture[str],
) -> None:
    number = ROWS["instance"].astype(int)
    paid = BAYES.assign(
        cost_fp=np.where(ROWS["label"], np.nan, 1.0 + number**2),
        cost_fn=np.where(ROWS["label"], 700.0 - number**2, np.nan),
    )
    paid.to_csv("uneven.csv", index=False)
    _, said = ended(capsys, "check", "uneven.csv")
    once = paid.drop_duplicates("instance")
    for name, of in (("cost_fp", "negative"), ("cost_fn", "positive")):
        low, mean, high = (amount(one) for one in once[name].agg(["min", "mean", "max"]))
        assert mean != amount(once[name].median())
        assert f"a mistake on a {of} costs {low} to {high}, {mean} on average ({name})" in said
    assert "    Bayes: 24 instances, 12 of them positive, 2 repeats, 6 folds in all, scores" in said


def test_two_grave_findings_are_a_plural_and_a_note_excuses_none(
    backwards: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = pd.read_csv(backwards)
    ids = rows["label"].astype(str) + "-" + rows["instance"].astype(str).str.zfill(4)
    twins = [rows, rows[rows["model"] == "Good"].assign(model="Copy")]
    pd.concat(twins).assign(instance=pd.concat([ids, ids[rows["model"] == "Good"]])).to_csv(
        "two.csv", index=False
    )
    status, said = ended(capsys, "check", "two.csv", "--strict")
    grades = re.findall(r"^  (grave|look|note) \(", said, re.MULTILINE)
    assert "grave" in grades
    assert said.startswith("two: can be read, but see below\n")
    count = grades.count("grave")
    many = f"{count} grave finding{'s' if count > 1 else ''}, expected none"
    assert (status, many in said) == (3, True)


def test_costs_in_the_files_are_used(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    COSTED.to_csv("paid.csv", index=False)
    status, said = ended(capsys, "check", "paid.csv")
    lines = said.splitlines()
    assert status == 0
    assert lines[3:5] == [
        "  a mistake on a negative costs 3.5 to 3.5, 3.5 on average (cost_fp)",
        "  a mistake on a positive costs 9 to 9, 9 on average (cost_fn)",
    ]
    _, found = ended(capsys, "init", "paid.csv")
    assert found.endswith("  'paid': models 'Bayes'; labels '0', '1'; costs of mistakes\n")
    study = read_study("paid.yaml")
    own = study.operating_conditions[-1]
    assert own.name == "costs of paid"
    assert own.at(0.5) == pytest.approx(2.571 / 3.571)
    assert study.datasets[0].costs is not None
    written = yaml.safe_load((folder / "paid.yaml").read_text())
    assert written["datasets"][0]["costs"] == {"unit": ""}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"cost_fp": np.nan}, ["cost_fn"]),
        ({"cost_fp": np.where(ROWS["instance"] == "003", np.nan, 2)}, ["cost_fp", "cost_fn"]),
        ({"cost_fp": np.where(ROWS["instance"] == "003", 0, 2)}, ["cost_fp", "cost_fn"]),
    ],
)
def test_costs_that_are_lacking_are_offered_with_the_reason(
    folder: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, float], said: list[str]
) -> None:
    COSTED.assign(**changes).to_csv("paid.csv", index=False)
    status, message = ended(capsys, "check", "paid.csv")
    assert status == 0
    assert re.findall(r"on average \((\w+)\)", message) == said
    assert "these costs are used with 'costs:' in a configuration, which here there is" in message
    assert main.main(["init", "paid.csv"]) == 0
    text = (folder / "paid.yaml").read_text()
    assert "  # costs:  # its files say what mistakes cost, but not of each, or it is 0\n" in text
    assert read_study("paid.yaml").datasets[0].costs is None
    assert len(read_study("paid.yaml").operating_conditions) == 3


def test_the_cost_ratio_follows_the_positive_class(capsys: pytest.CaptureFixture[str]) -> None:
    """A cost of a false negative is one of those whose label is the positive one."""
    named = COSTED.assign(cost_fn=9).replace({"label": {0: "well", 1: "ill"}})
    named.assign(cost_fp=np.where(ROWS["label"], 1.0, 3e-5)).to_csv("paid.csv", index=False)
    for positive, ratio in (("ill", "300000"), ("well", "9")):
        _, said = ended(capsys, "check", "paid.csv", "--positive", positive)
        assert f"  positive is the label '{positive}'\n" in said
        options = "--positive", positive, "--output", f"{positive}.yaml"
        assert main.main(["init", "paid.csv", *options]) == 0
        written = Path(f"{positive}.yaml").read_text()
        assert f"  cost_ratio: {ratio}.0\n" in written
        assert f"\n  positive: {positive}\n" in written


def test_leave_one_out_is_pooled(capsys: pytest.CaptureFixture[str]) -> None:
    BAYES.assign(fold=BAYES["instance"]).to_csv("alone.csv", index=False)
    assert ended(capsys, "check", "alone.csv")[0] == 0
    assert ended(capsys, "init", "alone.csv")[1].endswith("; one instance in each fold\n")
    assert read_study("alone.yaml").folds_without_a_class == "pool"


# What is claimed of data


def claimed(folder: Path, *claims: dict[str, object], **keys: object) -> str:
    """A configuration of a study with claims about a model with scores, one with decisions."""
    crisp = BAYES.assign(model="Rule", decision=BAYES["label"], score=np.nan)
    few = crisp[crisp["repeat"] == 1].assign(model="Few")
    pd.concat([BAYES, crisp, few]).astype({"decision": "Int64"}).to_csv("three.csv", index=False)
    content = {
        "study": "s",
        "pairing": "unpaired",
        "datasets": [{"name": "d", "predictions": ["three.csv"]}],
        "claims": [{"claim": "It is so.", "kind": "cheaper", **one} for one in claims],
    }
    (folder / "study.yaml").write_text(yaml.safe_dump(content | keys))
    return "study.yaml"


def test_a_claim_about_a_model_that_is_not_there_is_told_before_any_job(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = claimed(folder, {"models": ["Bayes", "Rule"]}, {"models": ["Bayes", "Rules"]})
    message = "claims[1].models: dataset 'd' has no model 'Rules'; did you mean 'Rule'?"
    assert ended(capsys, "check", path) == (3, f"{message}\n")
    assert main.main(["report", path]) == 3
    assert message in capsys.readouterr().err
    assert not [*Path("results/s").rglob("headline*")]


def test_claims_that_data_can_not_decide_are_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    within = {"pc": 0.3}
    path = claimed(
        folder,
        {"models": ["Bayes", "Rule"], **within},
        {"models": ["Bayes", "Rule"], "pc": [0.2, 1]},
        {"models": ["Bayes", "Few"], **within},
        {"models": ["Bayes"], "criterion": ["cost-minimizing", "score-fixed"], **within},
        {"models": ["no model", "Rule"]},
        {"models": ["no model", "Bayes"]},
    )
    status, said = ended(capsys, "check", path)
    assert status == 0, said
    found = [line for line in said.splitlines() if line.startswith("  claim ")]
    ends = (
        "can hardly be supported: at PC(+) = 0 and 1 a model with scores costs nothing, or hardly "
        "more; end its range before"
    )
    assert found == [
        f"  claim 2 {ends}",
        "  claim 3 can't be decided: the two models are not predicted on the same instances and "
        "folds",
        "  claim 4 can't be decided: its criterion chooses on the data that judge it",
        f"  claim 6 {ends}",
    ]
