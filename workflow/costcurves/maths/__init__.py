"""The mathematics: arrays in, arrays or small frozen objects out; numpy only, no files.

Each package rests on those before it: `counts`, `geometry`, `chance`, `costs`.

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
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from costcurves.maths.chance import (
        comparisons,
        delong,
        intervals,
        paired,
        resampled_bands,
        resampled_curves,
        resampling,
    )
    from costcurves.maths.costs import net_benefit
    from costcurves.maths.counts import operating_points
    from costcurves.maths.geometry import (
        bands,
        cost_space,
        curves,
        envelopes,
        priors,
        reid,
        roc,
    )

__all__ = [
    "bands",
    "comparisons",
    "cost_space",
    "curves",
    "delong",
    "envelopes",
    "intervals",
    "net_benefit",
    "operating_points",
    "paired",
    "priors",
    "reid",
    "resampled_bands",
    "resampled_curves",
    "resampling",
    "roc",
]
_PACKAGES: Final = ("counts", "geometry", "chance", "costs")


def __getattr__(name: str) -> Any:
    """Import a module when it is asked for."""
    for package in _PACKAGES if name in __all__ else ():
        module = f"costcurves.maths.{package}.{name}"
        if find_spec(module):
            return import_module(module)
    raise AttributeError(f"module 'costcurves.maths' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__]
