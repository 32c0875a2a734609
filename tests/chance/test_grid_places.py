"""Places of the evaluation grid that are one place in two roundings."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import costcurves as cc
from costcurves.chance.resamples import _apart
from costcurves.curves.curves import EQUAL_BREAKS

PLACES = st.integers(1, 39).map(lambda place: place / 40)


@given(places=st.sets(PLACES, min_size=1), data=st.data())
def test_of_two_roundings_one_stays_and_what_is_kept_always(
    places: set[float], data: st.DataObject
) -> None:
    kept = [data.draw(st.sampled_from([name, np.nextafter(name, 1)])) for name in sorted(places)]
    both = [end for name in places for end in (name, np.nextafter(name, 1))]
    grid = np.unique([0.0, *both, 1.0])
    result = _apart(grid, kept)
    assert result.tolist() == [0.0, *kept, 1.0]
    assert _apart(np.unique([0.0, *places, 1.0]), kept).tolist() == [0.0, *sorted(places), 1.0]


@pytest.mark.parametrize(("cases", "positives"), [(300, 100), (90, 30), (100, 50)])
def test_what_excludes_zero_is_not_undecided(cases: int, positives: int) -> None:
    """With one positive in three 1:5 is PC(+) = 1/11, where curves break in another rounding."""
    labels = (np.arange(cases) < positives).astype(int)
    folds = np.arange(cases) % 5
    for seed in range(4):
        rng = np.random.default_rng([seed, cases])
        models = {name: rng.normal(size=cases) + by * labels for name, by in (("a", 3), ("b", 1))}
        result = cc.compare_models(labels, models, folds=folds, n_resamples=200)
        grid = result._tables.resamples.grid
        assert (np.diff(grid) > EQUAL_BREAKS).all()
        rows = result.verdicts
        apart = rows["low"].gt(1e-9) | rows["high"].lt(-1e-9)  # a root is 0 but for rounding
        assert not (apart & rows["finding"].eq("undecided") & rows["reason"].eq("")).any()
