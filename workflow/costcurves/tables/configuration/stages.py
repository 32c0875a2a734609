"""The stages that make a table of each dataset, and the batches of datasets they are made of."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # the workflow itself needs `batches` before it runs any job
    import pandas as pd

    from costcurves.tables.configuration.dataset import Dataset

MANY: Final = 24  # datasets; a study with more by default computes only what is essential
TOGETHER: Final = 8  # datasets of a batch in a study with more: their work is what starting takes

# Of decisions among several classes by a matrix of costs.
BY_MATRIX: Final = ("decisions", "decision_differences", "confusions")
# Of an annex alone, by the stage that makes them.
ROC_AVERAGES: Final = ("roc",)
MIXTURES: Final = ("constructions",)
OF_CHOICES: Final = ("choice_bands", "choice_intervals", "optimism", "reliability", "calibration")
AUCS: Final = ("auc_differences",)
# The tables of a dataset, in order.
STAGES: Final = (
    *("operating_points", "envelopes", "rankings", "plausibility", *ROC_AVERAGES),
    *("averages", "hybrids", "criteria", "deployment", *OF_CHOICES),
    *("threshold_choice", *MIXTURES, "headline", "measures", "duality"),
    *("bands", "intervals", "comparisons", "verdicts", "pair_intervals", "crossovers"),
    *("in_the_running", "instance_costs", "segments", *AUCS),
    *BY_MATRIX,
)
# What only an annex shows, made with "detail: full"; the Python interface rests on the first two.
IN_ANNEX: Final = ("threshold_choice", "comparisons", *ROC_AVERAGES, *MIXTURES, *OF_CHOICES, *AUCS)
LEFT_OUT: Final = (*IN_ANNEX, "deployment", "duality", "segments")  # of an essential report


def resolved(detail: str, datasets: int) -> str:
    """Say what is computed of so many datasets: what is "essential", or "standard"."""
    if detail == "auto":
        return "standard" if datasets <= MANY else "essential"
    return detail


def left_out(detail: str) -> tuple[str, ...]:
    """List the stages that a report of this detail leaves out."""
    quick = (*IN_ANNEX, "duality")
    return {"full": (), "standard": IN_ANNEX, "quick": quick}.get(detail, LEFT_OUT)


def batches(datasets: Sequence["Dataset"]) -> "dict[str, tuple[Dataset, ...]]":
    """Divide a study's datasets into batches, in order; the keys name their files."""
    found, few = {}, sum(not one.weighted for one in datasets) <= MANY
    size = 1 if few else TOGETHER
    for start in range(0, len(datasets), size):
        part = tuple(datasets[start : start + size])
        name = f"datasets-{start + 1}-{start + len(part)}"
        found[part[0].slug if few else name] = part
    return found


def of(table: "pd.DataFrame", dataset: str) -> "pd.DataFrame":
    """Take what belongs to one dataset."""
    own = table["dataset"] == dataset
    return table if own.all() else table[own].reset_index(drop=True)
