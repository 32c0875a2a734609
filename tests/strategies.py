"""What hypothesis draws: few instances, so that ties, duplicates and collinear points abound."""

from fractions import Fraction

from hypothesis import strategies as st

from tests import exact

Fold = tuple[int, int]  # negatives, positives

folds = st.lists(st.tuples(st.integers(1, 7), st.integers(1, 7)), min_size=1, max_size=4)
rates = st.builds(
    lambda n, k: Fraction(min(k, n), n), st.integers(1, 12), st.integers(0, 12)
)  # exactly 0, 1 and 1/2 come often
lines = st.tuples(rates, rates)


@st.composite
def fold_lines(draw: st.DrawFn, fold: Fold, most: int = 5) -> list[exact.Line]:
    """Cost lines of a classifier's operating points on one fold."""
    negatives, positives = fold
    counts = st.tuples(st.integers(0, negatives), st.integers(0, positives))
    drawn = draw(st.lists(counts, max_size=most))
    return [(Fraction(fp, negatives), Fraction(fn, positives)) for fp, fn in drawn]


@st.composite
def averages(draw: st.DrawFn, fold_sizes: list[Fold]) -> list[exact.ExactCurve]:
    """Lower envelopes of a classifier, one for each fold."""
    return [exact.lower_envelope(draw(fold_lines(fold))) for fold in fold_sizes]


@st.composite
def paired_averages(
    draw: st.DrawFn,
) -> tuple[list[exact.ExactCurve], list[exact.ExactCurve]]:
    """Lower envelopes of two classifiers on the same folds, of unequal class sizes."""
    sizes = draw(folds)
    return draw(averages(sizes)), draw(averages(sizes))


@st.composite
def jumping_curves(draw: st.DrawFn) -> exact.ExactCurve:
    """Curves of any lines on any pieces, as a selection criterion makes them."""
    inside = draw(st.sets(rates.filter(lambda pc: 0 < pc < 1), max_size=5))
    breaks = (Fraction(0), *sorted(inside), Fraction(1))
    drawn = draw(st.lists(lines, min_size=len(breaks) - 1, max_size=len(breaks) - 1))
    return exact.ExactCurve(breaks, tuple(drawn))
