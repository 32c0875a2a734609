"""What figures say about the estimates that they show."""

from typing import Final

import pandas as pd

from costcurves.tables.keys import CROSS_FITTED, FIXED, IN_SAMPLE

CHOSEN_HOW: Final = {
    CROSS_FITTED: "cross-fitted: threshold chosen on the other folds",
    FIXED: "fixed in advance: nothing is chosen",
    IN_SAMPLE: "in-sample selection: threshold chosen on the data it is judged on (too optimistic)",
}
UNTESTED: Final = "no verdict where thresholds are chosen on the data that judge them"
METHODS: Final = {
    "resampled instances": "instances resampled",
    "wilson": "Wilson",
    "nadeau-bengio": "Nadeau-Bengio over folds",
}


def chosen_how(data: pd.DataFrame) -> str:
    """Say of what kind the headline curves are: the rows' `estimate`, by `model`.

    >>> chosen_how(pd.DataFrame({"model": ["A", "A"], "estimate": ["cross-fitted"] * 2,
    ...                          "series": "headline"}))
    'cross-fitted: threshold chosen on the other folds'
    """
    own = [name for name in ("model", "model_a", "model_b") if name in data]
    headline = (
        data[data["series"] == "headline"] if "headline" in set(data.get("series", ())) else data
    )
    kinds = headline.drop_duplicates(own)["estimate"].value_counts(sort=False)
    if len(kinds) == 1:
        return CHOSEN_HOW.get(str(kinds.index[0]), str(kinds.index[0]))
    return ", ".join(f"{count} {kind}" for kind, count in kinds.items())


def of_pairs(rows: pd.DataFrame, headline: pd.DataFrame) -> "pd.Series[str]":
    """Say of which kind the headlines of `model_a` and `model_b` are, once if it is the same."""
    kinds = headline.drop_duplicates("model").set_index("model")["estimate"]
    a, b = (rows[name].map(kinds) for name in ("model_a", "model_b"))
    return a.where(a == b, a + ", " + b)


def methods(data: pd.DataFrame) -> str:
    """Name the methods of inference: the distinct values of `method`.

    >>> methods(pd.DataFrame({"method": ["resampled instances", "wilson"]}))
    'instances resampled, Wilson'
    >>> methods(pd.DataFrame({"method": ["in-sample selection", "wilson"]}))
    'Wilson; no verdict where thresholds are chosen on the data that judge them'
    """
    names = [str(name) for name in data["method"].unique()]
    told = ", ".join(METHODS.get(name, name) for name in names if name != IN_SAMPLE)
    return "; ".join(filter(None, [told, UNTESTED if IN_SAMPLE in names else ""]))
