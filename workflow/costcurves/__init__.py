"""Cost curves: which classifier is cheaper, and under which operating conditions.

The modules are the public interface; each takes and gives numpy arrays or small frozen objects and
needs no file and no workflow. `read_predictions` reads files, whatever tool wrote them.
`costcurves.maths` lists the sources that are cited by label.

Examples
--------
>>> import costcurves as cc
>>> points = cc.operating_points.from_scores(scores=[0.9, 0.8, 0.7, 0.1], labels=[1, 0, 1, 0])
>>> envelope = cc.envelopes.lower_envelopes(points)[0]
>>> envelope.curve.area()
0.125
>>> cc.curves.operating_range(envelope.curve)
[(0.0, 1.0)]
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from costcurves.maths import (
        averages,
        bands,
        comparisons,
        cost_space,
        cross_fitting,
        curves,
        delong,
        envelopes,
        h_measure,
        hybrids,
        intervals,
        limits,
        operating_points,
        paired,
        priors,
        reid,
        resampled_bands,
        resampled_curves,
        resampling,
        roc,
        selection,
        threshold_choice,
    )
    from costcurves.tables.input.readers import read_predictions

__version__ = "0.1.0"
__all__ = [
    "averages",
    "bands",
    "comparisons",
    "cost_space",
    "cross_fitting",
    "curves",
    "delong",
    "envelopes",
    "h_measure",
    "hybrids",
    "intervals",
    "limits",
    "operating_points",
    "paired",
    "priors",
    "read_predictions",
    "reid",
    "resampled_bands",
    "resampled_curves",
    "resampling",
    "roc",
    "selection",
    "threshold_choice",
]


def __getattr__(name: str) -> Any:
    """Import a module when it is asked for, so that a command starts without numpy."""
    if name == "read_predictions":
        return import_module("costcurves.tables.input.readers").read_predictions
    if name in __all__:
        return import_module(f"costcurves.maths.{name}")
    raise AttributeError(f"module 'costcurves' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
