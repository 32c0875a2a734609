"""The columns that several tables have, and words that stand in them."""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.tables.codes import Integers, by_appearance, first_rows, follows
from costcurves.tables.contract import Column

DATASET: Final = Column("dataset", "str", "", "the dataset's name")
MODEL: Final = Column("model", "str", "", "the model's name")
LEVEL: Final = Column(
    "level", "str", "", "level of pooling: fold, repeat, pooled; split: folds at random"
)
REPEAT: Final = Column("repeat", "str", "", "repeat of cross-validation; empty: all pooled")
FOLD: Final = Column("fold", "str", "", "fold of the repeat; empty: all pooled")
ESTIMATE: Final = Column("estimate", "str", "", "what kind of estimate the curve is")
CURVE: Final = (DATASET, MODEL, LEVEL, REPEAT, FOLD)
CURVE_NAMES: Final = [column.name for column in CURVE]
CURVES: Final = Column("curves", "int64", "curves", "how many curves were averaged")
CRITERION: Final = Column("criterion", "str", "", "who serves: the selection criterion")
METHOD: Final = Column("method", "str", "", "how chance was measured")
CONFIDENCE: Final = Column("confidence", "float64", "probability", "nominal level")
EXTENT: Final = Column(
    "extent", "str", "", "pointwise: at each PC(+) by itself; simultaneous: all at once"
)
FAMILY: Final = Column("family", "str", "", "what shares one error: all pairs, or reference")
MODEL_A: Final = Column("model_a", "str", "", "first model of the pair")
MODEL_B: Final = Column("model_b", "str", "", "second model of the pair")
OF_PAIR: Final = (FAMILY, MODEL_A, MODEL_B)
PAIR: Final = [column.name for column in OF_PAIR]
STRETCH: Final = (
    Column("pc_from", "float64", "PC(+)", "where the stretch begins"),
    Column("pc_to", "float64", "PC(+)", "where it ends"),
)
RATIOS: Final = (
    Column("ratio_from", "float64", "cost ratio", "pc_from as C(-|+) / C(+|-) at the prior"),
    Column("ratio_to", "float64", "cost ratio", "pc_to as C(-|+) / C(+|-) at the prior"),
)
LARGEST: Final = (
    Column("largest_difference", "float64", "nec", "cost(A) - cost(B) where it is largest"),
    Column("at_pc", "float64", "PC(+)", "where that is"),
)
OF_CONDITION: Final = (
    Column("condition", "str", "", "the operating condition of a cost; empty: none"),
    Column("pc", "float64", "PC(+)", "of that condition; NaN: none"),
)

LEVELS: Final = ("fold", "repeat", "pooled")
IN_SAMPLE: Final = "in-sample selection"
CROSS_FITTED: Final = "cross-fitted"
FIXED: Final = "fixed in advance"
ALWAYS: Final = ("always negative", "always positive")  # the constant decisions


def curve_codes(frame: pd.DataFrame, by: list[str]) -> tuple[pd.Series, pd.DataFrame]:
    """Return the number of each row's group, from 0 by first appearance, and the groups in order.

    Groups have text as text, also where the frame has categories.
    """
    codes = group_codes(frame, by)
    first = first_rows(codes)
    groups = {name: _plain(frame[name].array.take(first)) for name in by}
    return pd.Series(codes, frame.index), pd.DataFrame(groups, copy=False)


def _plain(values: Any) -> Any:
    """Return categories as their text: casting a frame takes four times as long."""
    if not isinstance(values, pd.Categorical):
        return values
    return values.categories.take(values.codes).astype("str")


def group_codes(frame: pd.DataFrame, by: Sequence[str]) -> Integers:
    """Return the number of each row's group, from 0 by first appearance.

    As `groupby(...).ngroup()` does, at a tenth of its price for small frames. Numbers are of the
    smallest type that has room for them, and may be those of a column itself.
    """
    codes: Integers = np.zeros(len(frame), dtype=np.int8)
    size = 1
    columns = sorted((_codes(frame[name]) for name in by), key=itemgetter(1), reverse=True)
    for values, count in columns:  # so that few combinations occur of those that are possible
        if count > 1 and (size == 1 or not follows(values, codes)):
            wide = np.min_scalar_type(-size * count)  # so small that memory is hardly touched
            both = values.astype(wide) * size + codes if size > 1 else values
            codes = by_appearance(both.astype(wide, copy=False), size * count)
            size = int(codes.max(initial=0)) + 1
    return codes


def _codes(values: pd.Series) -> tuple[Integers, int]:
    """Return numbers for values, and a number that is above all of them."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        return values.array.codes, len(values.cat.categories)
    codes, distinct = pd.factorize(values, use_na_sentinel=False)
    return codes, len(distinct)


def unit_of(predictions: pd.DataFrame) -> str:
    """Return the column of what is drawn and split whole: clusters, where cases belong to some."""
    return "cluster" if predictions["cluster"].ne("").any() else "instance"


def in_order(values: pd.Series) -> list[str]:
    """List distinct values in order of appearance."""
    return [str(value) for value in values.unique()]
