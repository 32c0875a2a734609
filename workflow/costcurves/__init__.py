"""Cost curves: which classifier is cheaper, and under which operating conditions.

`cost_curve` and `compare_models` take labels and scores as arrays; `CostCurveDisplay` and its like
draw them; `cost_loss` and `make_cost_scorer` choose models; `read_predictions` reads files,
whatever tool wrote them. The numbers are those of the command's reports. `costcurves.maths` has
modules for experts, and the sources that are cited by label.

Examples
--------
>>> import costcurves as cc
>>> curve = cc.cost_curve([0, 0, 0, 1] * 8, [0.1, 0.2, 0.6, 0.7, 0.3, 0.2, 0.1, 0.5] * 4)
>>> curve.estimate, curve.cost_at(cost_ratio=3), curve.threshold_for(cost_ratio=3)
('cross-fitted', 0.08333333333333333, 0.5)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from costcurves import maths
    from costcurves.api.comparison import Comparison, compare_models
    from costcurves.api.curve import CostCurve, cost_curve
    from costcurves.api.decisions import Decisions, compare_decisions
    from costcurves.api.displays import (
        CostCurveDisplay,
        CostDifferenceDisplay,
        DualityDisplay,
    )
    from costcurves.api.inputs import read_predictions
    from costcurves.api.losses import cost_loss, make_cost_scorer

__version__ = "0.2.0"
__all__ = [
    "Comparison",
    "CostCurve",
    "CostCurveDisplay",
    "CostDifferenceDisplay",
    "Decisions",
    "DualityDisplay",
    "compare_decisions",
    "compare_models",
    "cost_curve",
    "cost_loss",
    "make_cost_scorer",
    "maths",
    "read_predictions",
]

_MODULES: Final = {
    "api.comparison": ("Comparison", "compare_models"),
    "api.curve": ("CostCurve", "cost_curve"),
    "api.decisions": ("Decisions", "compare_decisions"),
    "api.displays": [name for name in __all__ if name.endswith("Display")],
    "api.inputs": ("read_predictions",),
    "api.losses": ("cost_loss", "make_cost_scorer"),
}


def __getattr__(name: str) -> Any:
    """Import what is asked for, so that a command starts without numpy."""
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"costcurves.{module}"), name)
    if name == "maths":
        return import_module("costcurves.maths")
    raise AttributeError(f"module 'costcurves' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
