"""Cost curves as rows: a row is a piece of one cost line between two values of PC(+)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.curves.curves import Curve
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import curve_codes

Values = NDArray[np.float64]


PIECE: Final = (
    Column("piece", "int64", "index", "place of the piece along its curve, from PC(+) = 0"),
    Column("pc_from", "float64", "PC(+)", "where the piece begins"),
    Column("pc_to", "float64", "PC(+)", "where it ends"),
    Column("at0", "float64", "nec", "height of its cost line at PC(+) = 0"),
    Column("at1", "float64", "nec", "height of its cost line at PC(+) = 1"),
    Column("nec_from", "float64", "nec", "normalized expected cost where the piece begins"),
    Column("nec_to", "float64", "nec", "normalized expected cost where it ends"),
)


def piece_columns(
    curves: Sequence[Curve],
) -> tuple[NDArray[np.int64], dict[str, NDArray[Any]]]:
    """Lay the pieces of curves end to end, and say which curve each belongs to."""
    each: dict[str, list[NDArray[Any]]] = {
        "piece": [np.arange(len(curve)) for curve in curves],
        "pc_from": [curve.pc[:-1] for curve in curves],
        "pc_to": [curve.pc[1:] for curve in curves],
        "at0": [curve.at0 for curve in curves],
        "at1": [curve.at1 for curve in curves],
        "nec_from": [curve.starts for curve in curves],
        "nec_to": [curve.ends for curve in curves],
    }
    owner = np.repeat(np.arange(len(curves)), [len(curve) for curve in curves])
    return owner, {name: np.concatenate(columns) for name, columns in each.items()}


def pieces_of(
    contract: Contract, curves: Iterable[tuple[Mapping[str, object], Curve]], **shared: object
) -> pd.DataFrame:
    """Make a table of curves, given with what names each, beside what all of them share."""
    named = list(curves)
    if not named:
        return contract.empty()
    owner, columns = piece_columns([curve for _, curve in named])
    names = pd.DataFrame([names for names, _ in named]).take(owner)
    return contract.frame(**{str(name): names[name].array for name in names}, **columns, **shared)


def curves_of(frame: pd.DataFrame, by: Sequence[str]) -> Iterator[tuple[dict[str, str], Curve]]:
    """Read curves back from their pieces, given in order, with their values of `by`."""
    codes, groups = curve_codes(frame, list(by))
    code, pieces = codes.to_numpy(), _pieces(frame)  # much faster to cut than a frame
    names = [
        dict(zip(by, map(str, group), strict=True)) for group in groups.itertuples(index=False)
    ]
    for low, high in pairwise(np.flatnonzero(np.diff(code, prepend=-1, append=-1)).tolist()):
        yield names[code[low]], _curve(*(column[low:high] for column in pieces))


def areas(rows: pd.DataFrame, by: Sequence[str], *, sort: bool = False) -> "pd.Series[float]":
    """Return the area below each curve, as the sum of its pieces."""
    width, height = rows["pc_to"] - rows["pc_from"], (rows["nec_from"] + rows["nec_to"]) / 2
    return (width * height).groupby([rows[name] for name in by], sort=sort).sum()


def curve_from(rows: pd.DataFrame) -> Curve:
    """Make one curve of its pieces, given in order."""
    return _curve(*_pieces(rows))


def _pieces(frame: pd.DataFrame) -> list[Values]:
    return [frame[name].to_numpy() for name in ("pc_from", "pc_to", "at0", "at1")]


def _curve(pc_from: Values, pc_to: Values, at0: Values, at1: Values) -> Curve:
    return Curve(np.append(pc_from, pc_to[-1]), at0, at1)
