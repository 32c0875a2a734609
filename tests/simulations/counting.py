"""Count in how many simulated data sets bands contain the truth and verdicts are false."""

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from costcurves.pairs.verdicts import divided
from tests.simulations.making import Row

SEED, LEVEL = 20061, 0.9
RESAMPLES = 500
PLACES = np.linspace(0, 1, 129)
INNER = (PLACES >= 0.05) & (PLACES <= 0.95)

FloatArray = NDArray[np.float64]


def width(band: Any) -> float:
    """Return half of a band's width, on average over PC(+)."""
    return float((band.upper(PLACES) - band.lower(PLACES)).mean() / 2)


def contains(band: Any, truth: FloatArray, places: FloatArray = PLACES) -> Any:
    """(places,) whether the band contains the truth."""
    return (band.lower(places) <= truth + 1e-12) & (truth - 1e-12 <= band.upper(places))


def excludes_zero(band: Any, pc: float) -> bool:
    """Return whether the band at a PC(+) lies on one side of zero."""
    return bool(band.lower(pc) > 0 or band.upper(pc) < 0)


def called_cheaper(*bands: Any) -> Row:
    """Return whether a verdict calls any model cheaper than another, and whether the first one."""
    findings = {part.finding for band in bands for part in divided(band)}
    return {"any": bool(findings & {"A cheaper", "B cheaper"}), "first": "A cheaper" in findings}


def any_verdict(*bands: Any) -> bool:
    """Return whether a verdict calls any model cheaper than another."""
    return bool(called_cheaper(*bands)["any"])


def rounded(values: Any) -> float:
    """Return the mean, to four digits."""
    return round(float(np.mean(values)), 4)


def error_of(share: float, datasets: int) -> float:
    """Return the simulation's standard error of a share."""
    return sqrt(share * (1 - share) / datasets)


def shares(rows: list[Row]) -> Row:
    """Average the rows of the data sets; of arrays the mean and the least place."""
    averages: Row = {}
    for name in rows[0]:
        values = np.array([row[name] for row in rows], dtype=float)
        if values.ndim == 1:
            averages[name] = rounded(values)
        else:
            averages[f"{name}, mean"] = rounded(values)
            averages[f"{name}, least"] = round(float(values.mean(axis=0).min()), 4)
    return averages


def counted(start: Row, rows: list[Row]) -> Row:
    """Average the rows of the data sets, with the standard error of the simulation."""
    row = start | {"datasets": len(rows)} | shares(rows)
    return row | {"error of any": round(error_of(row["any"], len(rows)), 4)}
