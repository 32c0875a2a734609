"""Rankings: DeLong's test of two AUCs."""

from itertools import combinations
from typing import Final

import pandas as pd

from costcurves.chance.resamples import paired_models
from costcurves.counts.counted import pooled_away
from costcurves.ranking.delong import difference
from costcurves.ranking.ranked import components_of
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import DATASET, LEVEL, OF_PAIR

AUC_DIFFERENCES: Final = Contract(
    "auc_differences",
    DATASET,
    LEVEL,
    *OF_PAIR[1:],
    Column("difference", "float64", "area", "AUC(A) - AUC(B), means over the level's curves"),
    Column("error", "float64", "area", "its standard error by DeLong; NaN: unknown"),
    Column("p_value", "float64", "probability", "if both AUCs were equal; NaN: no test"),
)


def auc_differences(predictions: pd.DataFrame, measures: pd.DataFrame) -> pd.DataFrame:
    """Test each two models that rank, at the level of their headlines; each pair by itself.

    None where instances count by their costs, or models were not judged on the same folds.
    """
    ranks = measures[measures["headline"] & measures["auc"].notna()]
    models = paired_models(predictions, ranks["model"].to_list())
    if not models or predictions["weight"].ne(1).any():
        return AUC_DIFFERENCES.empty()
    level = str(ranks["level"].iloc[0])
    rows = predictions.assign(**pooled_away(predictions, level))
    rows = rows.sort_values(["repeat", "fold", "instance"], kind="stable")
    found = {model: components_of(rows[rows["model"] == model]) for model in models}
    tested = [
        {"model_a": a, "model_b": b, **difference(found[a], found[b])._asdict()}
        for a, b in combinations(models, 2)
    ]
    named = pd.DataFrame(tested, columns=["model_a", "model_b", "value", "error", "p_value"])
    return AUC_DIFFERENCES.frame(
        **named.rename(columns={"value": "difference"}),
        dataset=str(predictions["dataset"].iloc[0]),
        level=level,
    )
