"""Which columns a table has: its `Contract`. How it is read and written is in `files`."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np
import pandas as pd
from pandas.api.types import union_categoricals

Dtype = Literal["str", "float64", "int64", "int8", "bool"]

MOST_AS_TEXT = 2**18  # rows of a table of all datasets: more are tens of megabytes of text


@dataclass(frozen=True)
class Column:
    """One column of a table."""

    name: str
    dtype: Dtype  # text is never null, and floats use NaN for "none"
    unit: str  # such as "rate", "count", "PC(+)"; "" for names
    meaning: str


class Contract:
    """The columns of a table, in order; `name` is the stage's word, as messages say it.

    In memory text is kept as `categories` where a table may have millions of rows; of such a table
    columns that are constant are held once.
    """

    def __init__(self, name: str, *columns: Column, categories: bool = False) -> None:
        self.name, self.columns = name, columns
        self.names = [column.name for column in columns]
        self.texts = [column.name for column in columns if column.dtype == "str"]
        self.categories = self.texts if categories else []

    def frame(self, **columns: object) -> pd.DataFrame:
        """Make a table from one sequence (or one value for all rows) per column, in any order."""
        frame = pd.DataFrame(columns, copy=False)
        self.check_names(frame)
        typed: dict[str, Any] = {}
        for column in self.columns:  # a frame takes three times as long to cast its columns
            values = frame[column.name]
            coded = isinstance(values.dtype, pd.CategoricalDtype) and column.name in self.categories
            if not coded:
                values = values.astype(column.dtype)
                if column.name in self.categories:
                    values = values.astype("category")
            typed[column.name] = values.array
        return pd.DataFrame(typed, frame.index, copy=False)

    def rows(self, rows: Sequence[Mapping[str, object]], **shared: object) -> pd.DataFrame:
        """Make a table from a mapping per row, beside what all rows share."""
        frame = pd.DataFrame(rows, columns=[name for name in self.names if name not in shared])
        return self.frame(**{str(name): frame[name] for name in frame}, **shared)

    def empty(self) -> pd.DataFrame:
        """Make a table without rows: of a stage that was not run, or has nothing to say."""
        return self.frame(**dict.fromkeys(self.names, ()))

    def check_names(self, frame: pd.DataFrame) -> None:
        """Refuse a table that lacks columns, or has others."""
        missing = [name for name in self.names if name not in frame]
        unknown = [name for name in frame if name not in self.names]
        if missing or unknown:
            raise ValueError(f"{self.name}: columns missing {missing}, unknown {unknown}")


def stacked(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Put frames of the same columns below each other; categories stay categories."""
    frames = [frame for frame in frames if len(frame)] or list(frames[:1])
    if len(frames) == 1:
        return frames[0]
    whole, concat = {}, partial(pd.concat, ignore_index=True)
    for name in frames[0]:
        parts = [frame[name] for frame in frames]
        categories = isinstance(parts[0].dtype, pd.CategoricalDtype)
        whole[name] = union_categoricals(parts) if categories else concat(parts).array
    return pd.DataFrame(whole, copy=False)


def constant(value: Any, size: int, dtype: Any = None) -> Any:
    """Return a column that has the same text, or number, in all rows, held once."""
    if isinstance(value, str):
        return pd.Categorical.from_codes(constant(0, size, "int8"), pd.Index([value], dtype="str"))
    return np.broadcast_to(np.asarray(value, dtype), size)


def in_parquet(tables: Iterable[Mapping[str, pd.DataFrame]]) -> tuple[str, ...]:
    """Name the tables that are published as Parquet: those of very many rows, over all datasets."""
    rows: Counter[str] = Counter()
    for stages in tables:
        rows.update({stage: len(table) for stage, table in stages.items()})
    return tuple(stage for stage, count in rows.items() if count > MOST_AS_TEXT)
