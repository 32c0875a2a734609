"""A matrix of costs of several classes: from the configuration to tables, against slow ones."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from costcurves.costs.decisions import Judged, judged
from costcurves.counts.counted import dealing
from costcurves.detail import BY_MATRIX
from costcurves.errors import InputError
from costcurves.predictions.staged import stage
from costcurves.settings import Dataset, Study
from costcurves.stages import decide_by_matrix
from costcurves.study.reading import parse_study
from tests.maths.test_decision_costs import slow, slowly_recalibrated

CLASSES = ["ill", "unsure", "well"]
COSTS = np.array([[-1.03, 4.13, 30.29], [2.17, 0, 5.31], [3.07, 1.11, 0]])  # nothing is tied
SCORES = [f"score_{one}" for one in CLASSES]
CLUSTERS = 23
BY = ["name", "rule"]


def matrix(costs: np.ndarray = COSTS, classes: list[str] = CLASSES) -> dict[str, Any]:
    """What a configuration says."""
    return {
        true: dict(zip(classes, own, strict=True))
        for true, own in zip(classes, costs.tolist(), strict=True)
    }


def ward(cases: int = 66, repeats: int = 1, clusters: int = 0, seed: int = 1) -> pd.DataFrame:
    """Cases of unequal classes in folds of 1/2, 1/3 and 1/6, of unequal weight where clustered."""
    rng = np.random.default_rng(seed)
    truth = np.arange(cases) * 7 % 11 // 2 % 4 % 3
    parts = []
    for model, skill in (("forest", 2.0), ("sharp", 1.0)):
        for repeat in range(1, repeats + 1):
            shares = rng.random((cases, 3)) ** 2 + skill * np.eye(3)[truth] * rng.random((cases, 1))
            p = np.round(shares / shares.sum(axis=1, keepdims=True), 1)
            fold = np.array([1, 1, 1, 2, 2, 3])[(np.arange(cases) * (2 * repeat - 1) + 2) % 6]
            own = {"model": model, "repeat": repeat, "fold": fold, "instance": np.arange(cases)}
            frame = pd.DataFrame(own).assign(label=np.array(CLASSES)[truth])
            frame[SCORES] = p
            parts.append(frame)
    found = pd.concat(parts, ignore_index=True)
    found[SCORES[2]] = (1 - found[SCORES[0]] - found[SCORES[1]]).clip(0).round(1)
    if clusters:
        found["cluster"] = found["instance"] % clusters
        found["weight"] = 1 + found["instance"] % 3
    return found


def study(
    folder: Path, frame: pd.DataFrame, costs: np.ndarray = COSTS, level: float = 0.8, **more: Any
) -> Study:
    """Write predictions; give a study of them."""
    frame.to_csv(folder / "p.csv", index=False)
    dataset = {"name": "ward", "predictions": [str(folder / "p.csv")], "classes": CLASSES}
    content = {"study": "s", "datasets": [dataset | {"cost_matrix": matrix(costs)} | more]}
    return parse_study(content | {"inference": {"confidence": level, "resamples": 50}})


def tables(folder: Path, frame: pd.DataFrame, **more: Any) -> dict[str, pd.DataFrame]:
    """The tables of the first class, in which all are judged."""
    of = study(folder, frame, **more)
    first = of.datasets[0]
    return made(of, first, stage(first))


def made(of: Study, dataset: Dataset, predictions: pd.DataFrame) -> dict[str, pd.DataFrame]:
    return decide_by_matrix(of, dataset, {"predictions": predictions})


@cache
def whole() -> pd.DataFrame:
    return ward(repeats=3, clusters=CLUSTERS)


def arrays(own: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of the rows of a model: probabilities, classes, weights."""
    weight = own["weight"] if "weight" in own else pd.Series(1.0, own.index)
    truth = own["label"].map(CLASSES.index)
    return own[SCORES].to_numpy(), truth.to_numpy(), weight.to_numpy(float)


def recalibrated(own: pd.DataFrame) -> np.ndarray:
    """The probabilities of a model as fitted on other folds, in each repeat."""
    found = np.empty((len(own), 3))
    for repeat in own["repeat"].unique():
        here = (own["repeat"] == repeat).to_numpy()
        exact = slowly_recalibrated(*arrays(own[here]), own.loc[here, "fold"].to_numpy())
        found[here] = np.array(exact, dtype=float)
    return found


def slow_losses(frame: pd.DataFrame) -> dict[tuple[str, str], np.ndarray]:
    """What each decision costs, case by case: of all models, the same cases in the same order."""
    found: dict[tuple[str, str], np.ndarray] = {}
    for model, own in frame.groupby("model"):
        p, truth, _ = arrays(own)
        decided = {
            "cheapest": (p @ COSTS).argmin(axis=1),
            "recalibrated": (recalibrated(own) @ COSTS).argmin(axis=1),
            "most probable": 2 - p[:, ::-1].argmax(axis=1),  # of equal ones the later
        }
        found |= {(str(model), rule): COSTS[truth, one] for rule, one in decided.items()}
    for place, one in enumerate(CLASSES):
        found[f"always {one}", "always"] = COSTS[truth, place]
    return found


def test_tables_are_what_the_rows_say(tmp_path: Path) -> None:
    """Three repeats, clusters that have several cases each, weights, and unequal folds."""
    frame = whole()
    found = tables(tmp_path, frame)
    losses = slow_losses(frame)
    first = frame[frame["model"] == "forest"]
    _, truth, weight = arrays(first)
    cluster = first["cluster"].to_numpy()

    widest = float(np.ptp(COSTS, axis=1).max())
    possible = {one: COSTS[:, place] for place, one in enumerate(CLASSES)}

    def known(loss: np.ndarray, level: float, ends: Any = (-widest, widest)) -> list[float]:
        """One case more may be as far from the mean as can be."""
        mean = np.average(loss, weights=weight)
        sums = np.array([(weight * (loss - mean))[cluster == one].sum() for one in range(CLUSTERS)])
        error = np.sqrt((sums**2).sum() * 23 / 22) / weight.sum()
        cases = first["instance"].nunique() * weight.sum() ** 2 / (len(weight) * (weight**2).sum())
        far = max(abs(one - mean) for one in np.ravel(ends)) / cases
        half = np.hypot(error, far) * stats.t.ppf((1 + level) / 2, 22)
        return [mean, mean - half, mean + half]

    costs = found["decisions"].set_index(BY)
    assert {*costs.index} == {*losses}
    assert set(costs["confidence"]) == {0.8}
    for by, loss in losses.items():
        row = costs.loc[by, ["cost", "low", "high"]].to_numpy(float)
        ends = possible[by[0].removeprefix("always ")] if by[1] == "always" else COSTS
        assert row == pytest.approx(known(loss, 0.8, ends)), by
    compared = [by for by in losses if by[1] != "most probable"]
    differences = found["decision_differences"]
    assert len(differences) == len(compared) * (len(compared) - 1) / 2 == 21
    p_values = []
    for one in differences.to_dict("records"):
        a, b = ((str(one[f"name_{it}"]), str(one[f"rule_{it}"])) for it in "ab")
        loss = losses[a] - losses[b]
        own = known(loss, 1 - 0.2 / 21)
        assert [one["cost"], one["low"], one["high"]] == pytest.approx(own)
        half = known(loss, 0.8)[2] - own[0]
        error = half / stats.t.ppf(0.9, 22)
        p_values.append(2 * stats.t.sf(abs(own[0]) / error, 22))
    order = np.argsort(p_values)
    holm, least = {}, 0.0
    for step, place in enumerate(order):
        least = holm[place] = min(1, max(least, p_values[place] * (21 - step)))
    assert differences["p"].tolist() == pytest.approx([holm[place] for place in range(21)])
    confused = found["confusions"].set_index([*BY, "true", "decided"])["cases"]
    assert confused.groupby(BY).sum().to_numpy() == pytest.approx(1000)
    shares = np.bincount(truth, weight) / weight.sum()
    for by in losses:
        of = np.array([[confused[(*by, true, it)] for it in CLASSES] for true in CLASSES])
        assert of.sum(axis=1) == pytest.approx(1000 * shares)
        assert (of * COSTS).sum() / 1000 == pytest.approx(costs.loc[by, "cost"])


def test_what_is_possible_is_what_none_is_shown_to_undercut(tmp_path: Path) -> None:
    found = tables(tmp_path, ward(330))
    ruled_out: set[tuple[Any, Any]] = set()
    for row in found["decision_differences"].to_dict("records"):
        if row["p"] <= 1 - row["confidence"]:
            side = "a" if row["cost"] > 0 else "b"
            ruled_out.add((row[f"name_{side}"], row[f"rule_{side}"]))
    for row in found["decisions"].to_dict("records"):
        possible = (row["name"], row["rule"]) not in ruled_out
        assert row["possible"] == (-1 if row["rule"] == "most probable" else possible)
    assert {*found["decisions"]["possible"]} == {-1, 0, 1}


def test_the_order_of_rows_is_no_matter(tmp_path: Path) -> None:
    frame = whole()
    shuffled = pd.concat(own.sample(frac=1, random_state=3) for _, own in frame.groupby("model"))
    first, again = tables(tmp_path, frame), tables(tmp_path, shuffled)
    for name, table in first.items():
        pd.testing.assert_frame_equal(table, again[name], rtol=1e-12, obj=name)


def test_cases_that_weigh_nothing_change_nothing(tmp_path: Path) -> None:
    """Their probabilities are as distinct as those of others, so that nothing is left of some."""
    rows = ward(clusters=CLUSTERS)
    rows[SCORES[0]] = (rows[SCORES[0]] + rows["instance"] / 1e5).clip(0, 1)
    rows["weight"] = rows["instance"] * 5 % 7 % 3
    every, some = tables(tmp_path, rows), tables(tmp_path, rows[rows["weight"] > 0])
    for name in BY_MATRIX:
        pd.testing.assert_frame_equal(every[name], some[name])


def test_a_test_set_without_folds_is_split_at_random_by_the_seed(tmp_path: Path) -> None:
    frame = ward(66).drop(columns=["fold", "repeat"])
    of = study(tmp_path, frame)
    predictions = stage(of.datasets[0])
    found = [
        pd.DataFrame(judged(predictions, matrix(), seed=seed, level=0.8).costs()) for seed in (1, 2)
    ]
    again = judged(predictions, matrix(), seed=1, level=0.8)
    pd.testing.assert_frame_equal(pd.DataFrame(again.costs()), found[0])
    ours, other = (one.set_index(BY)["cost"] for one in found)
    changed = ours[~np.isclose(ours, other, rtol=1e-12)].index
    assert {rule for _, rule in changed} == {"recalibrated"}
    deal = dealing(predictions, 1)
    assert deal is not None
    dealt = deal(predictions)
    dealt[["model", "repeat", "fold"]] = dealt[["model", "repeat", "fold"]].astype(str)
    codes = dealt["instance"].astype(int)
    labels = frame["label"][: len(frame) // 2].to_numpy()[codes]
    scores = frame.set_index(["model", "instance"])[SCORES]
    rows = [*zip(dealt["model"], codes, strict=True)]
    slowly = dealt[["model", "repeat", "fold"]].assign(label=labels)
    slowly[SCORES] = scores.loc[rows].to_numpy()
    for model, own in slowly.groupby("model"):
        q, (p, truth, weight) = recalibrated(own), arrays(own)
        assert len(own) == 5 * 66
        cost = COSTS[truth, (q @ COSTS).argmin(axis=1)].mean()
        assert ours[model, "recalibrated"] == pytest.approx(cost)
        assert ours[model, "cheapest"] == pytest.approx(float(slow(p, truth, weight, COSTS)))


@pytest.mark.parametrize(("clusters", "few"), [(9, True), (10, False)])
def test_of_a_few_clusters_nothing_is_ruled_out(tmp_path: Path, clusters: int, few: bool) -> None:
    """Intervals are all that can be; of more they are no wider than that."""
    found = tables(tmp_path, ward(132, clusters=clusters))
    costs = found["decisions"]
    of = costs.set_index("rule").loc["cheapest"]
    assert ((of["low"] == COSTS.min()) & (of["high"] == COSTS.max())).all() == few
    assert (costs["low"] >= COSTS.min()).all()
    assert (costs["high"] <= COSTS.max()).all()
    assert ({*found["decision_differences"]["p"]} == {1.0}) == few
    assert (0 in {*costs["possible"]}) == (not few)
    least = found["decision_differences"]["low"].min()
    assert least >= -np.ptp(COSTS, axis=1).max()


def least(of: Judged, costs: np.ndarray) -> dict[tuple[str, str], float]:
    """What each that is compared costs by another matrix."""
    changed = replace(of, cost=costs)
    return {by: float(np.average(changed.losses[by], weights=of.weight)) for by in of.compared}


def test_only_the_first_class_has_the_matrix_and_what_follows(tmp_path: Path) -> None:
    of = study(tmp_path, whole())
    assert [one.cost_matrix is not None for one in of.datasets] == [True, False, False]
    assert Study.from_plain(of.plain()) == of
    for dataset in of.datasets[1:]:
        staged = stage(dataset)
        assert set(staged["among_classes"]) == {""}
        assert all(table.empty for table in made(of, dataset, staged).values())
    first = stage(of.datasets[0])
    frame = whole()
    assert first["among_classes"].tolist() == [
        f"[{CLASSES.index(label)}, {', '.join(map(str, p))}]"
        for label, p in zip(frame["label"], frame[SCORES].to_numpy().tolist(), strict=True)
    ]


def test_the_order_of_the_matrix_is_no_matter(tmp_path: Path) -> None:
    """It is that of classes and of equal decisions, and of rows; what is cheapest stays."""
    frame = whole()
    rng = np.random.default_rng(3)
    noisy = frame[SCORES].to_numpy() + rng.random((len(frame), 3)) / 7
    frame = frame.assign(**dict(zip(SCORES, (noisy / noisy.sum(1, keepdims=True)).T, strict=True)))
    turned = {one: dict(reversed(own.items())) for one, own in reversed(matrix().items())}
    usual, other = tables(tmp_path, frame), tables(tmp_path, frame, cost_matrix=turned)
    for name, by in (("decisions", BY), ("confusions", [*BY, "true", "decided"])):
        one, two = (it[name].set_index(by).sort_index() for it in (usual, other))
        pd.testing.assert_frame_equal(one, two, rtol=1e-12)


# What is refused


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            {"classes": None, "positive": "ill"},
            "datasets[0].cost_matrix is for several classes, which 'classes:' lists; with two name "
            "conditions, such as {cost_fn: 5, cost_fp: 1}",
        ),
        (
            {"cost_matrix": {one: matrix()[one] for one in CLASSES[:2]}},
            "datasets[0].cost_matrix has rows for 'ill', 'unsure', expected the classes, "
            "'ill', 'unsure', 'well'",
        ),
        (
            {"cost_matrix": {**matrix(), "dead": matrix()["ill"]}},
            "datasets[0].cost_matrix has rows for 'ill', 'unsure', 'well', 'dead', expected the",
        ),
        (
            {"cost_matrix": {**matrix(), "unsure": {"ill": 2, "unsure": 0}}},
            "datasets[0].cost_matrix.unsure has costs of 'ill', 'unsure', expected those of "
            "'ill', 'unsure', 'well'",
        ),
        (
            {"cost_matrix": {**matrix(), "unsure": {**matrix()["unsure"], "dead": 9}}},
            "datasets[0].cost_matrix.unsure has costs of 'ill', 'unsure', 'well', 'dead', expected",
        ),
        (
            {"cost_matrix": {**matrix(), "well": {"ill": 3, "unsure": 0.5, "well": 1}}},
            "datasets[0].cost_matrix.well has 1 for being right, more than 0.5 for 'unsure'",
        ),
        (
            {"cost_matrix": {**matrix(), "well": {"ill": "dear", "unsure": 1, "well": 0}}},
            "datasets[0].cost_matrix.well.ill",
        ),
        (
            {"cost_matrix": {**matrix(), "well": {"ill": float("inf"), "unsure": 1, "well": 0}}},
            "datasets[0].cost_matrix.well.ill",
        ),
        (
            {"cost_matrix": {**matrix(), "well": {"ill": float("nan"), "unsure": 1, "well": 0}}},
            "datasets[0].cost_matrix.well.ill",
        ),
        ({"cost_matrix": COSTS.tolist()}, "datasets[0].cost_matrix"),
    ],
)
def test_a_matrix_that_is_none_of_these_classes(more: dict[str, Any], message: str) -> None:
    one = {"name": "ward", "predictions": ["p.csv"], "classes": CLASSES, "cost_matrix": matrix()}
    content = {"study": "s", "datasets": [{**one, **more}]}
    with pytest.raises(InputError) as caught:
        parse_study(content, files=False)
    assert len(caught.value.findings) == 1
    assert message in caught.value.findings[0]


def test_a_matrix_compares_models_on_the_same_cases() -> None:
    one = {"name": "ward", "predictions": ["p.csv"], "classes": CLASSES, "cost_matrix": matrix()}
    with pytest.raises(InputError) as caught:
        parse_study({"study": "s", "pairing": "unpaired", "datasets": [one]}, files=False)
    (said,) = caught.value.findings
    assert said.endswith(
        "datasets[0].cost_matrix compares models on the same cases, which 'pairing: unpaired' "
        "denies"
    )


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ([0.5, 0.2, 0.2], "0.5, 0.2, 0.2"),
        ([0.5, 0.2, 0.311], "0.5, 0.2, 0.311"),
        ([1.2, -0.2, 0.0], "1.2, -0.2, 0"),
    ],
)
def test_scores_that_are_no_probabilities(row: list[float], found: str, tmp_path: Path) -> None:
    frame = whole().copy()
    frame.loc[3, SCORES] = row
    frame.loc[4, SCORES] = row
    of = study(tmp_path, frame)
    with pytest.raises(InputError) as caught:
        stage(of.datasets[0])
    said = "\n".join(caught.value.findings)
    assert f"p.csv line 5: model 'forest': the scores of all classes are {found}; 'cost_" in said
    assert "matrix:' decides by probabilities that add up to 1" in said
    stage(of.datasets[1])  # its scores may be any


def test_probabilities_that_were_rounded_are_fine(tmp_path: Path) -> None:
    frame = whole().copy()
    frame.loc[3, SCORES] = [0.333, 0.333, 0.333]
    stage(study(tmp_path, frame).datasets[0])


def test_a_missing_probability_is_told(tmp_path: Path) -> None:
    frame = whole().copy()
    frame.loc[3, SCORES[1]] = np.nan
    said: list[dict[str, Any]] = [{}, {"abstain": "negative"}]
    for abstain in said:
        with pytest.raises(InputError, match=r"p.csv line 5: .*nan"):
            stage(study(tmp_path, frame, **abstain).datasets[0])
    with pytest.raises(InputError, match=r"has scores of the classes .*, or add 'score_well'"):
        stage(study(tmp_path, frame.drop(columns=SCORES[2])).datasets[0])


def test_members_of_a_family_are_not_judged_by_a_matrix(tmp_path: Path) -> None:
    frame = whole()
    both = pd.concat([frame.assign(member=one) for one in ("p=1", "p=2")])
    with pytest.raises(InputError, match="'cost_matrix:' judges models; leave out families of mem"):
        stage(study(tmp_path, both).datasets[0])
