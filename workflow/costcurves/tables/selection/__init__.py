"""Selection criteria: what there is to know of each is in one class of this package.

The package itself is imported before any job runs and needs neither pandas nor pyarrow: it holds
the names only, and what the study must say for each.
"""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from costcurves.tables.selection.criterion import Criterion

# The class of each, in the order in which tables and reports have them.
CLASSES: Final = {
    "cross-fitted": "unlimited.CrossFitted",
    "cost-minimizing": "unlimited.CostMinimizing",
    "nearest-train-pc": "unlimited.NearestTrainPC",
    "score-driven": "unlimited.ScoreDriven",
    "score-fixed": "unlimited.ScoreFixed",
    "rate-driven": "unlimited.RateDriven",
    "rate-fixed": "unlimited.RateFixed",
    "neyman-pearson": "limited.NeymanPearson",
    "workforce": "limited.Workforce",
}
KNOWN_CRITERIA: Final = tuple(CLASSES)
# Those that keep a limit, and the key of `selection` that sets it.
NEEDS: Final = {"neyman-pearson": "max_fp_rate", "workforce": "capacity"}


@cache
def criterion_of(name: str) -> "Criterion":
    """Give the criterion of this name."""
    module, own = CLASSES[name].split(".")
    found: Criterion = getattr(import_module(f"{__name__}.{module}"), own)()
    return found
