"""What looks wrong: each mistake is found where it is made, and nothing in clean predictions."""

import json
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest

from costcurves.counts.counted import counted_in_folds
from costcurves.predictions.findings import plausibility
from costcurves.predictions.kinds import KINDS, Grade
from costcurves.report.plausibility import problems
from costcurves.text import plain
from tests.result_tables import staged

FOLDS, REPEATS = 5, 3
Mistake = Callable[[pd.DataFrame], pd.DataFrame]


@cache
def clean(seed: int = 1, size: int = 300, share: float = 0.3) -> pd.DataFrame:
    """Three models with calibrated probabilities, in stratified random folds, three times."""
    rng = np.random.default_rng(seed)
    label = (np.arange(size) < share * size).astype(int)
    ids = rng.permutation(size)
    signal, apart = rng.normal(1.6 * label), np.log(share / (1 - share))
    parts = []
    for repeat in range(1, REPEATS + 1):
        order = np.concatenate(
            [rng.permutation(np.flatnonzero(label == value)) for value in (0, 1)]
        )
        fold = np.empty(size, dtype=int)
        fold[order] = np.arange(size) % FOLDS + 1
        for model, noise in (("Bayes", 0.5), ("Trees", 1.0), ("Net", 0.8)):
            noisy = signal + rng.normal(scale=noise, size=size)
            odds = apart + 1.6 * (noisy - 0.8) / (1 + noise**2)
            shared = {"repeat": f"{repeat}", "fold": fold.astype(str), "instance": ids.astype(str)}
            score = 1 / (1 + np.exp(-odds))
            parts.append(pd.DataFrame({"model": model, **shared, "label": label, "score": score}))
    return pd.concat(parts, ignore_index=True)


def findings_of(rows: pd.DataFrame) -> pd.DataFrame:
    frame = staged(rows.astype({"label": "int8"}))
    return plausibility(frame, counted_in_folds(frame))


@cache
def planted(name: str) -> pd.DataFrame:
    """What is found where a mistake is made."""
    return findings_of(PLANTED[name][0](clean()))


def of(rows: pd.DataFrame, model: str = "Trees") -> pd.Series:
    """The rows of a model."""
    return rows["model"].eq(model)


def scores(change: Callable[[pd.Series], Any], model: str = "Trees") -> Mistake:
    """A mistake in the scores of one model."""
    return lambda rows: rows.assign(
        score=rows["score"].mask(of(rows, model), change(rows["score"]))
    )


def decided(rows: pd.DataFrame) -> pd.Series:
    """Decisions at a threshold that differs between repeats."""
    return (rows["score"] > np.where(rows["repeat"] == "1", 0.4, 0.2)).astype(int)


def seen(*findings: list[str]) -> Mistake:
    """What was found as files were read."""
    return lambda rows: rows.assign(seen=json.dumps(findings))


# The mistake that is made; what is found, of which models, and what is said to be seen.
ALL = ("", "")
PLANTED: dict[str, tuple[Mistake, tuple[str, str], str]] = {
    "reversed": (scores(lambda score: 1 - score), ("Trees", ""), "AUC 0.26"),
    "contradiction": (
        # decided at 0.4 in repeat 1 and at 0.2 elsewhere; read is what speaks for the decision
        lambda rows: rows.assign(decision=decided(rows)).pipe(
            lambda judged: scores(lambda score: score.where(judged["decision"].eq(1), 1 - score))(
                judged)),
        ("Trees", ""), "a case decided positive outscores one decided negative in 3"),
    "clusters": (seen(["clusters", "column 'ward' has 40 values in 300 cases"]), ALL,
        "column 'ward' has 40 values in 300 cases"),
    "split-clusters": (
        lambda rows: rows.assign(cluster="w" + (rows["instance"].astype(int) // 3).astype(str)),
        ALL, "100 of 100 clusters"),
    "few-clusters": (
        lambda rows: rows.assign(cluster=rows["fold"], fold="1", repeat="1").drop_duplicates(
            ["model", "instance"]), ALL, "5 clusters: 5 with positives, 5 with negatives"),
    "few-cases": (
        lambda rows: rows[(rows["label"] == 0) | (rows["instance"].astype(int) % 10 == 0)],
        ALL, "218 cases: 8 positive, 210 negative"),
    "disjoint-repeats": (
        lambda rows: rows.assign(instance=rows["repeat"] + "-" + rows["instance"]),
        ALL, "3 repeats of 300 cases"),
    "identical-models": (
        lambda rows: rows.assign(score=rows["score"].mask(
            of(rows), rows.loc[of(rows, "Bayes"), "score"].set_axis(rows.index[of(rows)]))),
        ("Bayes", "Trees"), ""),
    "constant-scores": (
        lambda rows: scores(lambda _: rows["fold"].astype(float) / 50 + 0.24)(rows),
        ("Trees", ""), ""),
    "abstained": (seen(["abstained", "7 of 300 cases, taken as positive", "Net"]), ("Net", ""),
        "7 of 300 cases, taken as positive"),
    "missing-labels": (seen(["missing-labels", "7 of 307 cases have no label"]), ALL,
        "7 of 307 cases have no label"),
    "amounts": (seen(["amounts", "price"]), ALL, "price"),
    "cheaper-mistakes": (seen(["cheaper-mistakes", "12 of 300 cases"]), ALL, "12 of 300 cases"),
}  # fmt: skip


def test_each_kind_is_planted_and_has_whole_words() -> None:
    assert list(PLANTED) == list(KINDS)
    for kind in KINDS.values():
        assert kind.grade in get_args(Grade)
        assert kind.why.endswith(".")
        assert kind.mend.endswith(".")
        for words in (kind.what, kind.why, kind.mend):
            assert words == " ".join(words.split()) != ""
            assert words[0].isupper()


@pytest.mark.parametrize("name", PLANTED)
def test_each_mistake_is_found_and_nothing_else_with_why_and_what_to_do(name: str) -> None:
    (_, models, start), kind = PLANTED[name], KINDS[name]
    rows = planted(name)
    listed = rows[["finding", "grade", "model", "other"]].to_numpy().tolist()
    assert listed == [[name, kind.grade, *models]]
    assert rows["seen"][0].startswith(start)
    assert bool(rows["seen"][0]) == bool(start)
    problem = problems(rows, [])[0]
    text = plain(problem.text)
    subject = " and ".join(model for model in rows.iloc[0][["model", "other"]] if model)
    assert text.startswith(f"{kind.what}: {subject}")
    assert rows.iloc[0]["seen"] in text
    assert text.endswith(f". {kind.why} {kind.mend}")
    assert (problem.name, problem.grade) == (name, kind.grade)
    (meant,) = problems(rows, [name])
    assert meant.grade == "note"
    assert plain(meant.text) == text.partition(f" {kind.why}")[0] + (
        " Expected, by the configuration."
    )


CLEAN = [*product(range(3), (120, 700), (0.12, 0.5))]


@pytest.mark.parametrize(("seed", "size", "share"), CLEAN)
def test_nothing_is_found_in_clean_predictions(seed: int, size: int, share: float) -> None:
    assert findings_of(clean(seed, size, share)).empty


def test_equal_findings_are_one_and_grave_ones_come_first() -> None:
    rows = clean()
    several = rows.assign(score=rows["score"].where(of(rows, "Net"), 1 - rows["score"]))
    net = several.assign(score=several["score"].mask(of(rows, "Net"), 0.5))
    grave, look = problems(findings_of(net), [])
    assert (grave.grade, look.grade) == ("grave", "look")
    text = plain(grave.text)
    assert text.startswith("Ranks worse than chance: Bayes (AUC 0.")
    assert text.count(KINDS["reversed"].mend) == 1
    assert [problem.grade for problem in problems(findings_of(net), ["reversed"])] == [
        "look",
        "note",
    ]


def test_the_order_of_rows_changes_nothing() -> None:
    rows = PLANTED["identical-models"][0](clean())
    turned = [
        of_model.sample(frac=1, random_state=2) for _, of_model in rows.groupby("model", sort=False)
    ]
    pd.testing.assert_frame_equal(findings_of(pd.concat(turned)), planted("identical-models"))


def test_decisions_families_and_a_single_test_set_are_clean() -> None:
    rows = clean()
    crisp = rows.assign(decision=(rows["score"] > 0.4).astype(int), score=np.nan)
    members = [crisp.assign(model="F", member=member) for member in ("a", "b")]
    once = rows.query("repeat == '1'")
    alone = once.assign(fold=once["instance"])  # as in leave-one-out
    for fine in (crisp, pd.concat(members), once.assign(fold="1"), alone):
        assert findings_of(fine).empty
    disjoint = findings_of(crisp.assign(instance=crisp["repeat"] + "-" + crisp["instance"]))
    assert disjoint["finding"].tolist() == ["disjoint-repeats"]


def test_instances_that_count_by_cost_bring_nothing_new() -> None:
    frame = staged(PLANTED["reversed"][0](clean()).astype({"label": "int8"}))
    weights = frame.assign(weight=np.where(frame["label"] == 1, 3.0, 1.0))
    assert plausibility(weights, counted_in_folds(weights), by_cost=True).empty
    assert "reversed" in {*plausibility(weights, counted_in_folds(weights))["finding"]}


def test_decisions_that_follow_scores_are_clean_and_those_that_do_not_are_grave() -> None:
    """Thresholds may differ between folds, and the most likely of three classes has none."""
    rows = clean()
    assert findings_of(rows.assign(decision=decided(rows))).empty
    likely = (rows["score"] > np.random.default_rng(8).uniform(0.3, 0.5, len(rows))).astype(int)
    assert findings_of(rows.assign(decision=likely)).empty
    shuffled = rows.assign(decision=np.random.default_rng(8).permutation(decided(rows)))
    assert findings_of(shuffled)["finding"].tolist() == ["contradiction"] * 3
    sure = rows.assign(decision=likely, score=rows["score"] / 2 + 0.5)
    contradictions = findings_of(sure).query("finding == 'contradiction'")
    assert contradictions["model"].tolist() == ["Bayes", "Trees", "Net"]
    start = "none is below 0.5; a case decided positive outsc"
    assert contradictions["seen"].str.startswith(start).all()
    exact = sure.assign(decision=(sure["score"] > 0.7).astype(int))
    assert "contradiction" not in findings_of(exact)["finding"].tolist()
