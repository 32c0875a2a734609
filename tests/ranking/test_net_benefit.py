"""Net benefit from costs: by definition in fractions."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costcurves.ranking import net_benefit as nb

SHARES = st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50)
RATES = st.fractions(0, 1, max_denominator=50)


@given(p=SHARES, t=SHARES, fp=RATES, fn=RATES)
def test_net_benefits_of_costs_are_those_of_rates(
    p: Fraction, t: Fraction, fp: Fraction, fn: Fraction
) -> None:
    """In fractions by definition, but for rounding."""
    w = t / (1 - t)  # what a false positive costs, in false negatives
    pc = p / (p + (1 - p) * w)
    nec = fn * pc + fp * (1 - pc)
    benefit, of_all = p * (1 - fn) - (1 - p) * fp * w, p - (1 - p) * w
    avoided = (benefit - of_all) / w
    cost, place, share, risk = (float(value) for value in (nec, pc, p, t))
    odds = w / (p / (1 - p))  # of a risk, were there as many positives as negatives
    for result, expected in (
        (nb.pc_at(risk, share), pc),
        (nb.pc_at(place, share), t),
        (nb.net_benefit(cost, place, share), benefit),
        (nb.standardized(cost, place), benefit / p),
        (nb.interventions_avoided(cost, place, share), avoided),
        (nb.treat_all(risk, share), of_all),
        (nb.balanced(risk, share), odds / (1 + odds)),
    ):
        assert result == pytest.approx(float(expected), rel=1e-12, abs=1e-10)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: nb.pc_at(1.5, 0.2), "the threshold probability must be in .0, 1., found 1.5"),
        (lambda: nb.pc_at(0.5, 1), "a prevalence must be strictly between 0 and 1, found 1.0"),
        (lambda: nb.net_benefit(0.1, 0, 0.2), "needs a threshold probability below 1"),
        (lambda: nb.interventions_avoided(0.1, 1, 0.2), "need a threshold probability above 0"),
        (lambda: nb.net_benefit(np.nan, 0.5, 0.2), "the cost must be finite, found nan"),
        (lambda: nb.balanced(-1, 0.5), "the threshold probability must be in"),
    ],
)
def test_what_is_refused(wrong: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wrong()
