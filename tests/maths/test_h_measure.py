"""The H-measure: against its definition over cost proportions, and another implementation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import beta

from costcurves.maths.counts.operating_points import from_scores
from costcurves.maths.geometry.curves import line, mean, trivial
from costcurves.maths.geometry.envelopes import lower_envelopes
from costcurves.maths.geometry.h_measure import h_measure
from tests import rankings

# Python's hmeasure 0.1.6, `h_score(labels, scores, severity_ratio=-1)`, of scores over 10.
KNOWN = [
    (
        [7, 6, 8, 3, 5, 5, 4, 1, 2, 6, 0, 1],
        [1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0],
        0.5349708869268837,
    ),
    ([9, 2, 4, 4, 8, 6, 7, 1, 3, 5], [1, 0, 1, 0, 1, 1, 1, 1, 0, 0], 0.46837053059004075),
    (
        [3, 2, 4, 5, 6, 1, 5, 7, 3, 8, 2, 6],
        [1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0],
        0.47100378998855785,
    ),
]


def of_scores(rows: rankings.Rows) -> float:
    scores, labels = rows
    points = from_scores(scores=scores, labels=labels)
    return h_measure(lower_envelopes(points)[0].curve, sum(labels) / len(labels))


@pytest.mark.parametrize(("scores", "labels", "known"), KNOWN)
def test_another_implementation_agrees(
    scores: list[float], labels: list[int], known: float
) -> None:
    assert of_scores((scores, labels)) == pytest.approx(known, abs=1e-12)


@pytest.mark.parametrize(("scores", "labels", "known"), KNOWN)
def test_it_is_what_the_best_threshold_saves_at_each_cost(
    scores: list[float], labels: list[int], known: float
) -> None:
    share = sum(labels) / len(labels)
    weight = beta(1 + share, 2 - share)
    lines = rankings.lines(scores, labels)

    def saved(c: float) -> tuple[float, float]:
        losses = [c * (1 - share) * float(fp) + (1 - c) * share * float(fn) for fp, fn in lines]
        without = min(c * (1 - share), (1 - c) * share)
        return min(losses), without

    least, without = (
        quad(lambda c: saved(c)[one] * weight.pdf(c), 0, 1, limit=500, epsabs=1e-10)[0]  # noqa: B023
        for one in (0, 1)
    )
    assert 1 - least / without == pytest.approx(known, abs=1e-7)


@given(rankings.rows())
def test_it_is_a_share_and_swaps_with_the_classes(rows: rankings.Rows) -> None:
    scores, labels = rows
    found = of_scores(rows)
    assert 0 <= found <= 1
    swapped = of_scores(([-score for score in scores], [1 - label for label in labels]))
    assert found == pytest.approx(swapped, abs=2e-12)


@given(st.floats(1e-9, 1 - 1e-9))
def test_it_runs_from_nothing_to_all(share: float) -> None:
    assert h_measure(trivial(), share) == pytest.approx(0, abs=1e-12)
    assert h_measure(line(0, 0), share) == 1


@given(st.lists(rankings.rows(), min_size=1, max_size=3), st.floats(0.01, 0.99))
def test_that_of_a_mean_is_the_mean(many: list[rankings.Rows], share: float) -> None:
    curves = [
        lower_envelopes(from_scores(scores=scores, labels=labels))[0].curve
        for scores, labels in many
    ]
    found = [h_measure(curve, share) for curve in curves]
    assert h_measure(mean(curves), share) == pytest.approx(np.mean(found), abs=2e-12)


@pytest.mark.parametrize("share", [0, 1, -0.1, float("nan")])
def test_both_classes_are_needed(share: float) -> None:
    with pytest.raises(ValueError, match="the share of positives must be between 0 and 1, found"):
        h_measure(trivial(), share)
