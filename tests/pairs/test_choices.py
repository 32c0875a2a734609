"""What criteria cost and cost more, in resamples: with the bands that are for them."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

import costcurves as cc
from costcurves.api.study import Tables
from costcurves.chance.resampled_bands import SIDES, Resampled
from costcurves.chance.resampled_rules import FEW, ResampledCriteria, Ruled
from costcurves.stages import resample_rules
from tests.result_tables import made_of, staged, study_of
from tests.strategies import EDGES

IN_HEADLINES = {"cross-fitted", "cost-minimizing"}
OF_SCORES = {"score-driven", "score-fixed", "rate-driven", "rate-fixed"}


def chosen(positives: int, saturated: float = 0.0) -> ResampledCriteria:
    """Two models on two repeats of three folds, with so many positives in each fold.

    Of the scores a share is `saturated`, as those of naive Bayes are: hardly different from 0 or 1.
    """
    rng, odd = (np.random.default_rng(seed) for seed in (11, 12))
    label = np.repeat([1, 0], [3 * positives, 3 * (FEW + 4)])
    rows = pd.DataFrame({"instance": np.arange(len(label)).astype(str), "label": label})
    parts = []
    for repeat in ("one", "two"):
        fold = [rng.permutation(np.arange(np.sum(label == each)) % 3) for each in (1, 0)]
        rows = rows.assign(dataset="d", repeat=repeat, fold=np.concatenate(fold).astype(str))
        for model, shift in (("A", 1.5), ("B", 0.4)):
            score = 1 / (1 + np.exp(-rng.normal(size=len(label)) - shift * label))
            is_odd = odd.random(len(label)) < saturated
            score = np.where(is_odd, odd.choice(EDGES, len(label)), score)
            parts.append(rows.assign(model=model, score=score))
    given = staged(pd.concat(parts, ignore_index=True))
    selection = {"score_threshold": 0.4, "rate": 0.3}
    inference = {"resamples": 60, "confidence": 0.8}
    study = study_of(given, "fold", inference=inference, selection=selection)
    return rules_of(made_of(*study, given))


def rules_of(tables: Tables) -> ResampledCriteria:
    return resample_rules(tables.study, tables, tables.sizes, tables.resamples)


def costs(criteria: ResampledCriteria) -> dict[Ruled, Resampled]:
    """What each rule costs each model."""
    choices = criteria.choices()
    a, b = (criteria.of([each for each in choices if each.model == model]) for model in "AB")
    return {**a, **b}


def test_regrets_of_rules_are_flat_and_scores_hardly_different_from_0_and_1_have_bands() -> None:
    criteria = chosen(FEW, saturated=0.5)
    of_rules = costs(criteria)
    assert {choice.criterion for choice in of_rules} == IN_HEADLINES | OF_SCORES
    compared = {}
    for b, a in combinations(of_rules, 2):
        if (a.model == b.model) != (a.criterion == b.criterion):
            compared[a, b] = criteria.compared(a, b, of_rules)
            by_rule = not {a.criterion, b.criterion} <= IN_HEADLINES
            assert compared[a, b].flat == (by_rule and a.model == b.model), (a, b)
    for names, each in (*of_rules.items(), *compared.items()):
        for band in (each.pointwise(0.8), each.simultaneous(0.8)):
            for side in SIDES:
                estimate = each.estimate(EDGES, side)
                assert (band.lower(EDGES, side) <= estimate + 1e-12).all(), names
                assert (estimate <= band.upper(EDGES, side) + 1e-12).all(), names


def lines(predictions: pd.DataFrame, model: str, rate: float) -> NDArray[np.float64]:
    """(repeats, folds, 2) FP and FN rate of each fold of which this share is called positive."""
    part = predictions[predictions["model"] == model].sort_values("score", ascending=False)
    result = []
    for _, rows in part.groupby(["repeat", "fold"], observed=True):
        called = np.clip(rate * len(rows) - np.arange(len(rows)), 0, 1)  # the last one by a draw
        positive = rows["label"].to_numpy() == 1
        result.append([called[~positive].mean(), 1 - called[positive].mean()])
    return np.array(result).reshape(2, 3, 2)


@pytest.mark.parametrize("positives", [FEW - 2, FEW])
def test_ranks_in_small_folds_spread_at_least_as_folds_do(positives: int) -> None:
    criteria = chosen(positives)
    of_rules = costs(criteria)
    a, b = (Ruled(model, "rate-fixed") for model in "AB")
    of_a, of_b = (lines(criteria.drawn.rows, model, 0.3) for model in "AB")
    raised = []
    for each, rates in (
        (of_rules[a], of_a),
        (of_rules[b], of_b),
        (criteria.compared(a, b, of_rules), of_a - of_b),
    ):
        heights = rates[..., :1] * (1 - each.grid) + rates[..., 1:] * each.grid
        error = np.sqrt((heights.var(axis=1, ddof=1) / 3).mean(axis=0))
        raised += np.isclose(each.spread, error, rtol=1e-9).tolist()
        assert positives == FEW or (each.spread >= error * (1 - 1e-9)).all()
        np.testing.assert_allclose(np.std(each.values, axis=0, ddof=1), each.spread)
    assert any(raised) == (positives < FEW)


def test_a_place_that_a_break_rounds_otherwise_is_read_there() -> None:
    rng = np.random.default_rng(5)
    label = (rng.random(60) < 0.4).astype(int)
    score = np.clip(rng.normal(0.35 + 0.3 * label, 0.2), 0, 1).round(3)
    result = cc.compare_models(label, {"A": score}, folds=np.arange(60) % 3, n_resamples=30)
    resamples, rules = result._tables.resamples, rules_of(result._tables)
    places, there = rules.at, resamples.grid
    lacking = places[~np.isin(places, there)]
    assert lacking.tolist() == [0.125]  # the break of the curve is a rounding more
    near = [int(np.abs(there - place).argmin()) for place in places]
    assert np.abs(there[near] - places).max() < 1e-12
    (each,) = rules.of([Ruled("A", "cross-fitted")]).values()
    assert each.grid.tolist() == places.tolist()
    assert np.array_equal(each.values, resamples.heights[0][:, near])
    assert not result.table("choice_intervals").empty
