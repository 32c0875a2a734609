"""Cost curves: which classifier is cheaper, and under which operating conditions.

`cost_curve` and `compare_models` take labels and scores as arrays; `CostCurveDisplay` and its like
draw them; `cost_loss` and `make_cost_scorer` choose models; `read_predictions` reads files,
whatever tool wrote them. The numbers are those of the command's reports. Experts find
the mathematics in packages by subject: `counts`, `curves`, `choosing`, `chance`, `pairs`,
`ranking`, `costs` and `many`.

Examples
--------
>>> import costcurves as cc
>>> curve = cc.cost_curve([0, 0, 0, 1] * 8, [0.1, 0.2, 0.6, 0.7, 0.3, 0.2, 0.1, 0.5] * 4)
>>> curve.estimate, curve.cost_at(cost_ratio=3), curve.threshold_for(cost_ratio=3)
('cross-fitted', 0.08333333333333333, 0.5)

Sources that several modules cite; what one alone cites stands there.

.. [DH00] C. Drummond and R. C. Holte, "Explicitly representing expected cost: an alternative to
   ROC representation", KDD 2000, 198-207. https://doi.org/10.1145/347090.347126
.. [DH06] C. Drummond and R. C. Holte, "Cost curves: an improved method for visualizing classifier
   performance", Machine Learning 65, 95-130, 2006. https://doi.org/10.1007/s10994-006-8199-5
.. [F06a] T. Fawcett, "An introduction to ROC analysis", Pattern Recognition Letters 27, 861-874,
   2006. https://doi.org/10.1016/j.patrec.2005.10.010
.. [F06b] T. Fawcett, "ROC graphs with instance-varying costs", Pattern Recognition Letters 27,
   882-891, 2006. https://doi.org/10.1016/j.patrec.2005.10.012
.. [H79] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
   of Statistics 6, 65-70, 1979.
.. [RW05] J. P. Romano and M. Wolf, "Exact and approximate stepdown methods for multiple
   hypothesis testing", Journal of the American Statistical Association 100, 94-108, 2005.
   https://doi.org/10.1198/016214504000000539
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
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
    raise AttributeError(f"module 'costcurves' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
