"""What hypothesis draws: few instances, so that ties, duplicates and collinear points abound."""

from fractions import Fraction

from hypothesis import strategies as st

from tests.oracle import exact

Fold = tuple[int, int]  # negatives, positives

# Where middles and differences round: the ends, their neighbours, and what is hardly a number.
EDGES = [0.0, 1.0, 5e-324, 2.2250738585072014e-308, 1e-17, 2**-53, 2**-52, 1 - 2**-53, 1 - 2**-52]
edges = st.sampled_from(EDGES)
probabilities = st.integers(0, 4).map(lambda k: k / 4) | st.floats(0, 1) | edges

folds = st.lists(st.tuples(st.integers(1, 7), st.integers(1, 7)), min_size=1, max_size=4)
rates = st.builds(
    lambda n, k: Fraction(min(k, n), n), st.integers(1, 12), st.integers(0, 12)
)  # exactly 0, 1 and 1/2 come often
wide_breaks = rates.filter(lambda pc: 0 < pc < 1)
breaks = wide_breaks | edges.filter(lambda pc: 2**-53 <= pc < 1).map(Fraction)  # as 1 - score
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
def jumping_curves(
    draw: st.DrawFn, inside: st.SearchStrategy[Fraction] = breaks
) -> exact.ExactCurve:
    """Curves of any lines on any pieces, as a selection criterion makes them."""
    pc = (Fraction(0), *sorted(draw(st.sets(inside, max_size=5))), Fraction(1))
    drawn = draw(st.lists(lines, min_size=len(pc) - 1, max_size=len(pc) - 1))
    return exact.ExactCurve(pc, tuple(drawn))
