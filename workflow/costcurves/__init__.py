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
        CalibrationDisplay,
        CostCurveDisplay,
        CostDifferenceDisplay,
        DecisionCurveDisplay,
        DualityDisplay,
    )
    from costcurves.api.losses import cost_loss, make_cost_scorer
    from costcurves.tables.input.opening import read_predictions

__version__ = "0.2.0"
__all__ = [
    "CalibrationDisplay",
    "Comparison",
    "CostCurve",
    "CostCurveDisplay",
    "CostDifferenceDisplay",
    "DecisionCurveDisplay",
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
    "CalibrationDisplay": "api.displays",
    "Comparison": "api.comparison",
    "CostCurve": "api.curve",
    "CostCurveDisplay": "api.displays",
    "CostDifferenceDisplay": "api.displays",
    "DecisionCurveDisplay": "api.displays",
    "Decisions": "api.decisions",
    "DualityDisplay": "api.displays",
    "compare_decisions": "api.decisions",
    "compare_models": "api.comparison",
    "cost_curve": "api.curve",
    "cost_loss": "api.losses",
    "make_cost_scorer": "api.losses",
    "read_predictions": "tables.input.opening",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for, so that a command starts without numpy."""
    if name in _MODULES:
        return getattr(import_module(f"costcurves.{_MODULES[name]}"), name)
    if name == "maths":
        return import_module("costcurves.maths")
    raise AttributeError(f"module 'costcurves' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
