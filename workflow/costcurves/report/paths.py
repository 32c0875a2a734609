"""Paths of a drawing, written shortly: in hundredths of a point, no vertex that says nothing.

A hundredth of a point is a 75th of a CSS pixel. A curve keeps every vertex at which it bends; one
of many vertices has them in tenths: figures leave out more than that (`polylines.UNSEEN`).
"""

import re
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]  # (vertices, 2), in hundredths of a point

MANY: Final = 12  # vertices from which on places are in tenths of a point
STRAIGHT: Final = re.compile(r"M[MLz0-9.\s-]*")
NUMBER: Final = re.compile(r"-?[0-9]*\.[0-9]+")


def short_path(path: str) -> str:
    """Write the data of a path, as matplotlib writes it, shortly.

    Straight lines have absolute places there, and lose vertices that say nothing; of any other path
    only the numbers are shortened.

    >>> short_path("M 10.123456 1.5 L 10.62 3.999 L 10.62 5 L 4 5 z ")
    'M10.12 1.5l.5 2.5v1h-6.62z'
    """
    if STRAIGHT.fullmatch(path):
        return "".join(_line(part) for part in path.split("M")[1:])
    rounded = NUMBER.sub(lambda found: short(float(found[0])), path)
    return re.sub(r"\s*([A-Za-z])\s*", r"\1", rounded).strip()


def short(value: float) -> str:
    """Write a number in hundredths, without what can be left out.

    >>> short(10.0), short(0.126), short(-0.5), short(-0.001)
    ('10', '.13', '-.5', '0')
    """
    return _hundredths(round(100 * value))


@lru_cache(maxsize=2**14)
def _hundredths(count: int) -> str:
    words = f"{count / 100:.2f}".rstrip("0").rstrip(".")
    return re.sub(r"^(-?)0\.", r"\1.", words)


def _line(part: str) -> str:
    numbers = part.replace("L", " ").replace("z", " ").split()
    grain = 10 if len(numbers) >= 2 * MANY else 1
    hundredths = 100 * np.array(numbers, float).reshape(-1, 2)
    places = _bends(grain * np.rint(hundredths / grain).astype(np.int64))
    start = _joined(map(_hundredths, places[0].tolist()))
    return f"M{start}{_steps(np.diff(places, axis=0))}{'z' * part.rstrip().endswith('z')}"


def _bends(places: Places) -> Places:
    """Leave out vertices that repeat the one before, or go straight on."""
    moved = np.append(True, np.diff(places, axis=0).any(axis=1))
    places = places[moved]
    (before_x, before_y), (after_x, after_y) = (
        step.T for step in (np.diff(places, axis=0)[:-1], np.diff(places, axis=0)[1:])
    )
    aside = before_x * after_y - before_y * after_x
    onward = before_x * after_x + before_y * after_y > 0
    bends = (aside != 0) | ~onward
    return places[np.concatenate([[True], bends, [True]])] if len(places) > 2 else places


def _steps(steps: Places) -> str:
    """Write steps from vertex to vertex: level ones, upright ones, and others."""
    written, last = [], ""
    for across, down in steps.tolist():
        kind = "v" if across == 0 else "h" if down == 0 else "l"
        numbers = {"v": [down], "h": [across], "l": [across, down]}[kind]
        words = _joined(map(_hundredths, numbers))
        glue = kind if kind != last else "" if words.startswith("-") else " "
        written.append(glue + words)
        last = kind
    return "".join(written)


def _joined(numbers: "map[str]") -> str:
    return " ".join(numbers).replace(" -", "-")
