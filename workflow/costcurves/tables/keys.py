"""The columns that name a curve, shared by every table of curves."""

from typing import Final

import numpy as np
import pandas as pd

from costcurves.tables.contract import Column

DATASET: Final = Column("dataset", "str", "", "the dataset's name")
MODEL: Final = Column("model", "str", "", "the model's name")
LEVEL: Final = Column(
    "level", "str", "", "level of pooling: fold (or dealt into some), repeat, pooled"
)
REPEAT: Final = Column("repeat", "str", "", "repeat of cross-validation; empty: all pooled")
FOLD: Final = Column("fold", "str", "", "fold of the repeat; empty: all pooled")
ESTIMATE: Final = Column("estimate", "str", "", "what kind of estimate the curve is")
CURVE: Final = (DATASET, MODEL, LEVEL, REPEAT, FOLD)

LEVELS: Final = ("fold", "repeat", "pooled")
IN_SAMPLE: Final = "in-sample selection"
CROSS_FITTED: Final = "cross-fitted"
FIXED: Final = "fixed in advance"
ALWAYS: Final = ("always negative", "always positive")  # the constant decisions


def curve_codes(frame: pd.DataFrame, by: list[str]) -> tuple[pd.Series, pd.DataFrame]:
    """Give each row its group's number, from 0 by first appearance, and the groups in order."""
    codes = np.zeros(len(frame), dtype=np.int64)
    for name in by:  # as `groupby(...).ngroup()` does, at a tenth of its price for small frames
        own, values = pd.factorize(frame[name], use_na_sentinel=False)
        codes = pd.factorize(codes * len(values) + own)[0]
    first = np.flatnonzero(np.diff(np.maximum.accumulate(codes), prepend=-1))
    return pd.Series(codes, frame.index), frame[by].iloc[first].reset_index(drop=True)


def in_order(values: pd.Series) -> list[str]:
    """List distinct values in order of appearance."""
    return [str(value) for value in values.unique()]
