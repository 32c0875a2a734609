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

LABELS_AND_CHOSEN = {"cross-fitted", "cost-minimizing"}


def chosen(positives: int, saturated: float = 0.0) -> ResampledCriteria:
    """Two models on two repeats of three folds, with so many positives in each fold.

    Of the scores a share is `saturated`, as those of naive Bayes are: hardly different from 0 or 1.
    """
    rng, odd = (np.random.default_rng(seed) for seed in (11, 12))
    label = np.repeat([1, 0], [3 * positives, 3 * (FEW + 4)])
    parts = []
    for repeat in ("one", "two"):
        of_class = [rng.permutation(np.arange(np.sum(label == each)) % 3) for each in (1, 0)]
        fold = np.concatenate(of_class).astype(str)
        for model, shift in (("A", 1.5), ("B", 0.4)):
            score = 1 / (1 + np.exp(-rng.normal(size=len(label)) - shift * label))
            is_odd = odd.random(len(label)) < saturated
            score = np.where(is_odd, odd.choice(EDGES, len(label)), score)
            names = {"dataset": "d", "model": model, "repeat": repeat, "fold": fold}
            part = {"instance": np.arange(len(label)).astype(str), "label": label, "score": score}
            parts.append(pd.DataFrame(names | part))
    rows = staged(pd.concat(parts, ignore_index=True))
    selection, inference = (
        {"score_threshold": 0.4, "rate": 0.3},
        {"resamples": 60, "confidence": 0.8},
    )
    study = study_of(rows, "fold", inference=inference, selection=selection)
    return rules_of(made_of(*study, rows))


def rules_of(tables: Tables) -> ResampledCriteria:
    return resample_rules(tables.study, tables, tables.sizes, tables.resamples)


def costs(criteria: ResampledCriteria) -> dict[Ruled, Resampled]:
    """What each rule costs each model."""
    of_models = [
        criteria.of([choice for choice in criteria.choices() if choice.model == model])
        for model in "AB"
    ]
    return of_models[0] | of_models[1]


def compared(criteria: ResampledCriteria) -> dict[tuple[Ruled, Ruled], Resampled]:
    """Differences of rules of one model, and of two models by one rule."""
    each = costs(criteria)
    return {
        (a, b): criteria.compared(a, b, each)
        for b, a in combinations(each, 2)
        if (a.model == b.model) != (a.criterion == b.criterion)
    }


def test_what_a_rule_costs_more_is_a_regret_and_no_other_difference_is() -> None:
    result = compared(chosen(FEW))
    assert {a.criterion for a, _ in result} == {
        *LABELS_AND_CHOSEN,
        *("score-driven", "score-fixed", "rate-driven", "rate-fixed"),
    }
    for (a, b), each in result.items():
        by_rule = not {a.criterion, b.criterion} <= LABELS_AND_CHOSEN
        assert each.flat == (by_rule and a.model == b.model), (a, b)


def test_scores_hardly_different_from_0_and_1_have_bands() -> None:
    criteria = chosen(FEW, saturated=0.5)
    for names, result in (*costs(criteria).items(), *compared(criteria).items()):
        for band in (result.pointwise(0.8), result.simultaneous(0.8)):
            for side in SIDES:
                estimate = result.estimate(EDGES, side)
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
    a, b = (Ruled(model, "rate-fixed") for model in "AB")
    of = {first: lines(criteria.drawn.rows, first.model, 0.3) for first in (a, b)}
    each = costs(criteria)
    resampled = each[a], each[b], criteria.compared(a, b, each)
    raised = []
    for result, rates in zip(resampled, (of[a], of[b], of[a] - of[b]), strict=True):
        heights = rates[..., :1] * (1 - result.grid) + rates[..., 1:] * result.grid
        error = np.sqrt((heights.var(axis=1, ddof=1) / 3).mean(axis=0))
        raised += np.isclose(result.spread, error, rtol=1e-9).tolist()
        if positives < FEW:
            assert (result.spread >= error * (1 - 1e-9)).all()
        np.testing.assert_allclose(np.std(result.values, axis=0, ddof=1), result.spread)
    assert any(raised) == (positives < FEW)


def test_a_place_that_a_break_rounds_otherwise_is_read_there() -> None:
    rng = np.random.default_rng(5)
    label = (rng.random(60) < 0.4).astype(int)
    score = np.clip(rng.normal(0.35 + 0.3 * label, 0.2), 0, 1).round(3)
    folds = np.arange(60) % 3
    result = cc.compare_models(label, {"A": score}, folds=folds, n_resamples=30)
    resamples, rules = result._tables.resamples, rules_of(result._tables)
    places, there = rules.at, resamples.grid
    lacking = places[~np.isin(places, there)]
    assert lacking.tolist() == [0.125]  # the break of the curve is a rounding more
    (near,) = np.flatnonzero(np.abs(there - lacking) < 1e-12)
    (each,) = rules.of([Ruled("A", "cross-fitted")]).values()
    read, known = each.values, resamples.heights[0]  # noqa: PD011 - no frame
    assert each.grid.tolist() == places.tolist()
    assert np.array_equal(read[:, places == 0.125][:, 0], known[:, near])
    assert np.array_equal(read[:, places != 0.125], known[:, np.isin(there, places)])
    assert not result.table("choice_intervals").empty
