"""Selection criteria: what there is to know of each is in one class of this package.

The package itself is imported before any job runs and needs neither pandas nor pyarrow: it holds
the names only, and what the study must say for each.
"""

from typing import Final

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
