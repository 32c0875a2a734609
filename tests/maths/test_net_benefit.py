"""Net benefit from costs: by definition in fractions, and as another package has it."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.maths import net_benefit as nb
from costcurves.maths.envelopes import lower_envelopes
from costcurves.maths.operating_points import from_decisions, from_scores

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "peers" / "dcurves.json").read_text("utf-8")
)

SHARES = st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50)
RATES = st.fractions(0, 1, max_denominator=50)


@given(p=SHARES, t=SHARES, fp=RATES, fn=RATES)
def test_identities_with_cost_are_exact(
    p: Fraction, t: Fraction, fp: Fraction, fn: Fraction
) -> None:
    """In fractions by definition; what the functions give is that, but for rounding."""
    w = t / (1 - t)  # what a false positive costs, in false negatives
    pc = p / (p + (1 - p) * w)
    nec = fn * pc + fp * (1 - pc)
    benefit, of_all = p * (1 - fn) - (1 - p) * fp * w, p - (1 - p) * w
    avoided = (benefit - of_all) / w
    assert p * (1 - nec / pc) == benefit
    assert p * (1 - (1 - pc) / pc) == of_all
    assert (1 - p) * (1 - nec / (1 - pc)) == avoided
    found = float(pc), float(p)
    assert nb.pc_at(float(t), found[1]) == pytest.approx(found[0], rel=1e-13)
    assert nb.pc_at(*found) == pytest.approx(float(t), rel=1e-13)
    near: dict[str, Any] = {"rel": 1e-12, "abs": 1e-10}
    assert nb.net_benefit(float(nec), *found) == pytest.approx(float(benefit), **near)
    assert nb.standardized(float(nec), found[0]) == pytest.approx(float(benefit / p), **near)
    assert nb.interventions_avoided(float(nec), *found) == pytest.approx(float(avoided), **near)
    assert nb.treat_all(float(t), found[1]) == pytest.approx(float(of_all), **near)


def scores_with(model: str) -> tuple[np.ndarray, np.ndarray]:
    """Scores that have a model's counts at all of its thresholds."""
    rows = [row for row in GOLDEN["rows"] if row["model"] == model]
    scores: list[float] = []
    labels: list[int] = []
    for label, word, whole in ((1, "tp", GOLDEN["positives"]), (0, "fp", GOLDEN["negatives"])):
        above = [whole, *(row[word] for row in rows), 0]
        at = [0.0, *(row["threshold"] for row in rows)]
        for score, many, fewer in zip(at, above, above[1:], strict=False):
            scores += [score] * (many - fewer)
            labels += [label] * (many - fewer)
    return np.array(scores), np.array(labels)


@pytest.mark.parametrize("model", ["cancerpredmarker", "famhistory"])
def test_numbers_are_those_of_dcurves(model: str) -> None:
    rows = [row for row in GOLDEN["rows"] if row["model"] == model]
    scores, labels = scores_with(model)
    t, p = np.array([row["threshold"] for row in rows]), float(labels.mean())
    pc = nb.pc_at(t, p)
    nec = nb.nec_at(from_scores(scores=scores, labels=labels), t, pc)
    expected = [row["net_benefit"] for row in rows]
    assert nb.net_benefit(nec, pc, p) == pytest.approx(expected, rel=1e-12, abs=1e-14)
    avoided = [row["interventions_avoided"] for row in rows]
    assert nb.interventions_avoided(nec, pc, p) == pytest.approx(avoided, rel=1e-12, abs=1e-14)


def test_no_trusted_score_beats_the_envelope() -> None:
    scores, labels = scores_with("cancerpredmarker")
    points, t = from_scores(scores=scores, labels=labels), np.linspace(0.01, 0.99, 99)
    pc = nb.pc_at(t, 0.14)
    best = nb.net_benefit(lower_envelopes(points)[0].curve(pc), pc, 0.14)
    assert (nb.net_benefit(nb.nec_at(points, t, pc), pc, 0.14) <= best + 1e-12).all()
    assert (np.maximum(nb.treat_all(t, 0.14), 0) <= best + 1e-12).all()


POINTS = from_scores(scores=[0.25, 0.5], labels=[0, 1])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: nb.pc_at(1.5, 0.2), "the threshold probability must be in .0, 1., found 1.5"),
        (lambda: nb.pc_at(0.5, 1), "a prevalence must be strictly between 0 and 1, found 1.0"),
        (lambda: nb.net_benefit(0.1, 0, 0.2), "needs a threshold probability below 1"),
        (lambda: nb.interventions_avoided(0.1, 1, 0.2), "need a threshold probability above 0"),
        (lambda: nb.net_benefit(np.nan, 0.5, 0.2), "the cost must be finite, found nan"),
        (lambda: nb.treat_all(1, 0.2), "needs a threshold probability below 1"),
        (lambda: nb.nec_at(POINTS, -1, 0.5), "the threshold probability must be in"),
        (
            lambda: nb.nec_at(from_decisions(decisions=[0, 1], labels=[0, 1]), 0.5, 0.5),
            "need the operating points of scores, found decisions",
        ),
    ],
)
def test_what_is_refused(wrong: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wrong()


def test_scores_at_the_threshold_are_treated() -> None:
    assert nb.nec_at(POINTS, [0.25, 0.2500001, 0.5, 0.5000001], [0.5] * 4).tolist() == [
        0.5,
        0,
        0,
        0.5,
    ]
