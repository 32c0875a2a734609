"""What looks wrong: each mistake is found where it is made, and nothing in clean predictions."""

import json
import re
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest

from costcurves.counts.counted import counted_in_folds
from costcurves.predictions.asking import of_files
from costcurves.predictions.findings import Finding, plausibility
from costcurves.predictions.kinds import KINDS, Grade
from costcurves.predictions.opening import open_files
from costcurves.report.plausibility import problems
from costcurves.text import plain
from tests.asymmetric_study import folds_of
from tests.result_tables import staged

Mistake = Callable[[pd.DataFrame], pd.DataFrame]


@cache
def clean(seed: int = 1, size: int = 300, share: float = 0.3) -> pd.DataFrame:
    """Three models with probabilities, in stratified folds, three times."""
    label = (np.arange(size) < share * size).astype(int)
    rows = folds_of(label, [5, 5, 5], seed).astype({"repeat": str, "fold": str})
    rng, parts = np.random.default_rng(seed), []
    for model, skill in (("Bayes", 1.5), ("Trees", 1.0), ("Net", 1.2)):
        odds = rng.normal(skill * (2 * rows["label"] - 1) - 0.4)
        parts.append(rows.assign(model=model, score=1 / (1 + np.exp(-odds))))
    return pd.concat(parts, ignore_index=True)


def findings_of(rows: pd.DataFrame, *, by_cost: bool = False) -> pd.DataFrame:
    frame = staged(rows.astype({"label": "int8"}))
    return plausibility(frame, counted_in_folds(frame), by_cost=by_cost)


def scores(change: Callable[[pd.Series], Any], model: str = "Trees") -> Mistake:
    """A mistake in the scores of one model."""
    return lambda rows: rows.assign(
        score=rows["score"].mask(rows["model"].eq(model), change(rows["score"]))
    )


def decided(rows: pd.DataFrame) -> pd.Series:
    """Decisions at a threshold that differs between repeats."""
    return (rows["score"] > np.where(rows["repeat"] == "1", 0.4, 0.2)).astype(int)


def turned(rows: pd.DataFrame) -> pd.DataFrame:
    """Scores that speak for the decisions, in place of those of the positive class."""
    judged = rows.assign(decision=decided(rows))
    return scores(lambda score: score.where(judged["decision"].eq(1), 1 - score))(judged)


def copied(rows: pd.DataFrame) -> pd.DataFrame:
    first = rows.groupby(["repeat", "instance"])["score"].transform("first")
    return rows.assign(score=rows["score"].mask(rows["model"].eq("Trees"), first))


def seen(*findings: list[str]) -> Mistake:
    """What was found as files were read."""
    return lambda rows: rows.assign(seen=json.dumps(findings))


# The mistake that is made; what is found, of which models, and what is written to be seen.
ALL, OF_FILES = ("", ""), ("clusters", "missing-labels", "amounts", "cheaper-mistakes")
PLANTED: dict[str, tuple[Mistake, tuple[str, str], str]] = {
    "reversed": (scores(lambda score: 1 - score), ("Trees", ""), "AUC 0.083"),
    "contradiction": (turned, ("Trees", ""), "a case decided positive outscores one decided negat"),
    **{name: (seen([name, "7 of 300 cases"]), ALL, "7 of 300 cases") for name in OF_FILES},
    "split-clusters": (
        lambda rows: rows.assign(cluster=(rows["instance"].str[1:].astype(int) // 3).astype(str)),
        ALL, "100 of 100 clusters"),
    "few-clusters": (
        lambda rows: rows.assign(cluster=rows["fold"], fold="1", repeat="1").drop_duplicates(
            ["model", "instance"]), ALL, "4 clusters: 4 with positives, 4 with negatives"),
    "few-cases": (
        lambda rows: rows[(rows["label"] == 0) | (rows["instance"].str[1:].astype(int) % 10 == 0)],
        ALL, "219 cases: 9 positive, 210 negative"),
    "disjoint-repeats": (
        lambda rows: rows.assign(instance=rows["repeat"] + "-" + rows["instance"]),
        ALL, "3 repeats of 300 cases"),
    "identical-models": (copied, ("Bayes", "Trees"), ""),
    "constant-scores": (
        lambda rows: scores(lambda _: rows["fold"].astype(float) / 50 + 0.24)(rows),
        ("Trees", ""), ""),
    "abstained": (seen(["abstained", "7 of 300 cases, taken as positive", "Net"]), ("Net", ""),
        "7 of 300 cases, taken as positive"),
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_each_mistake_is_found_and_nothing_else_with_why_and_what_to_do(name: str) -> None:
    """In any order of rows."""
    (mistake, models, start), kind = PLANTED[name], KINDS[name]
    assert kind.grade in get_args(Grade)
    assert re.fullmatch(r"[A-Z][^.]*[^.] [A-Z].*\. [A-Z].*\.", " ".join(kind[1:]))
    rows = findings_of(mistake(clean()).sample(frac=1, random_state=2).sort_values("model"))
    listed = rows[["finding", "grade", "model", "other"]].to_numpy().tolist()
    assert listed == [[name, kind.grade, *models]]
    assert rows["seen"][0].startswith(start)
    assert bool(rows["seen"][0]) == bool(start)
    problem = problems(rows, [])[0]
    text = plain(problem.text)
    assert text.startswith(f"{kind.what}: {' and '.join(filter(None, models))}")
    assert rows.iloc[0]["seen"] in text
    assert text.endswith(f". {kind.why} {kind.mend}")
    assert (problem.name, problem.grade) == (name, kind.grade)
    (meant,) = problems(rows, [name])
    expected = f"{text.partition(f' {kind.why}')[0]} Expected, by the configuration."
    assert (meant.grade, plain(meant.text)) == ("note", expected)


CLEAN = [*product(range(3), (120, 700), (0.12, 0.5))]


@pytest.mark.parametrize(("seed", "size", "share"), CLEAN)
def test_nothing_is_found_in_clean_predictions(seed: int, size: int, share: float) -> None:
    assert findings_of(clean(seed, size, share)).empty


FIRST = np.arange(20)
TENS = FIRST // 10
FEW_RIGHT = FIRST // 5 % 2  # three of four pairs of a positive and a negative decision
FEWER_RIGHT = FEW_RIGHT[[*range(4), 5, 4, *range(6, 20)]]


def below_chance(pairs: int, **more: Any) -> dict[str, Any]:
    """Twenty cases of each class, of whose 400 pairs some are ranked rightly."""
    label = [*[1] * 19, *[0] * pairs, 1, *[0] * (20 - pairs)]
    return {"label": label, "score": range(40)} | more


# Cases in one fold, and what is found just here and just beyond.
ENDS: list[tuple[dict[str, Any], list[str]]] = [
    ({"label": FIRST < 10}, []),
    ({"label": FIRST < 9}, ["few-cases"]),
    ({"label": FIRST > 8}, ["few-cases"]),
    ({"cluster": FIRST % 10, "label": TENS}, []),
    ({"cluster": FIRST % 9, "label": TENS}, ["few-clusters"]),
    ({"score": FIRST, "decision": FEW_RIGHT}, []),
    ({"score": FIRST, "decision": FEWER_RIGHT}, ["contradiction"]),
    ({"score": 0.5 + FIRST / 40, "decision": FEW_RIGHT}, ["contradiction"]),
    ({"score": 0.5 + FIRST / 38, "decision": FEW_RIGHT}, ["contradiction"]),
    ({"score": 50 + FIRST, "decision": FEW_RIGHT}, ["contradiction"]),
    ({"score": 52.5 + 2.5 * FIRST, "decision": FEW_RIGHT}, ["contradiction"]),
    ({"score": 49 + FIRST, "decision": FEW_RIGHT}, []),
    ({"score": 53 + 2.5 * FIRST, "decision": FEW_RIGHT}, []),
    ({"score": FIRST, "decision": np.ones(20)}, []),
    (below_chance(15), ["reversed"]),  # 5.03 standard deviations below
    (below_chance(16), []),  # 4.997
    (below_chance(0, cluster=np.arange(40) // 2), []),  # who say as much as half of the cases
    ({"score": FIRST % 2 / 2 + 0.25, "label": FIRST % 2}, []),
]  # fmt: skip


@pytest.mark.parametrize(("columns", "expected"), ENDS)
def test_where_findings_begin(columns: dict[str, Any], expected: list[str]) -> None:
    made = pd.DataFrame({"model": "A", "label": TENS, "score": FIRST / 20} | columns)
    made = made.assign(instance=made.index.astype(str), label=made["label"].astype(int))
    if "cluster" in made:
        made["cluster"] = made["cluster"].astype(str)
    assert findings_of(made)["finding"].tolist() == expected


def test_copies_are_of_more_than_ten_scores() -> None:
    for distinct in (10, 11):
        made = pd.DataFrame({"instance": FIRST.astype(str), "label": TENS, "score": FIRST})
        made["score"] = made["score"].clip(lower=20 - distinct)
        both = pd.concat([made.assign(model=model) for model in "AB"])
        assert len(findings_of(both)) == distinct - 10


PLACES = np.arange(40)
# A column that nothing uses, and what is found in it.
UNUSED: list[tuple[str, Any, list[Finding]]] = [
    ("patient_no", PLACES.clip(1), [Finding("clusters", "column 'patient_no' has 39 values in 40 ca"
        "ses")]),
    ("patient_no", PLACES, []),
    ("ward_id", PLACES % 5, [Finding("clusters", "column 'ward_id' has 5 values in 40 cases")]),
    ("ward_id", PLACES % 4, []),
    ("fold_id", PLACES % 5, []),
    ("colour", PLACES % 5, []),
    ("price", PLACES % 10 * 1.5, [Finding("amounts", "price")]),
    ("price", PLACES % 9 * 1.5, []),
    ("price", PLACES - 1.5, []),
]  # fmt: skip


@pytest.mark.parametrize(("name", "values", "expected"), UNUSED)
def test_unused_columns(name: str, values: Any, expected: list[Finding]) -> None:
    ids = [f"n{place}" for place in PLACES]
    made = pd.DataFrame({"id": ids, "y": PLACES % 7 > 3, "p": PLACES / 40, name: values})
    made.to_csv("a.csv", index=False)
    assert [*open_files(of_files(["a.csv"]))[0].findings] == expected


def test_equal_findings_are_joined_and_grave_ones_come_first() -> None:
    rows = clean()
    several = rows.assign(score=1 - rows["score"]).pipe(scores(lambda _: 0.5, "Net"))
    table = findings_of(several)
    for expected, grades in (([], ["grave", "look"]), (["reversed"], ["look", "note"])):
        assert [problem.grade for problem in problems(table, expected)] == grades


def test_decisions_families_and_a_single_test_set_are_clean() -> None:
    """Thresholds may differ between folds, and the most likely of three classes has none."""
    rows = clean()
    crisp = rows.assign(decision=(rows["score"] > 0.4).astype(int), score=np.nan)
    members = pd.concat([crisp.assign(model="F", member=member) for member in ("a", "b")])
    once = rows.query("repeat == '1'")
    alone = once.assign(fold=once["instance"])  # as in leave-one-out
    draw = np.random.default_rng(8)
    likely = (rows["score"] > draw.uniform(0.3, 0.5, len(rows))).astype(int)
    beside = [rows.assign(decision=decided(rows)), rows.assign(decision=likely)]
    for fine in (crisp, members, once.assign(fold="1"), alone, *beside):
        assert findings_of(fine).empty
    shuffled = rows.assign(decision=draw.permutation(decided(rows)))
    assert findings_of(shuffled)["finding"].tolist() == ["contradiction"] * 3
    assert findings_of(shuffled, by_cost=True).empty  # all is known unweighted
