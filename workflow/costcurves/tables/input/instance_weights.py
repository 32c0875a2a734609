"""Costs of the instances of a dataset: from its benefits, and as the weights of its rows."""

import numpy as np
import pandas as pd

from costcurves.errors import InputError
from costcurves.maths.benefits import Benefits, Cell, costs_of
from costcurves.maths.cost_weights import cost_weights
from costcurves.tables.configuration.names import quoted
from costcurves.tables.configuration.settings import Costs
from costcurves.tables.input.rows import Rows

PRODUCT = "{} \N{MULTIPLICATION SIGN} cost"


def with_costs(rows: Rows) -> Rows:
    """Put the costs that the configured benefits make in place of those of the files."""
    costs = rows.dataset.costs
    if costs is None or costs.benefit is None:
        return rows
    benefits = Benefits(
        **{key: Cell(it.constant, it.coefficient) for key, it in costs.benefit.cells.items()}
    )
    amount = rows.frame["amount"].to_numpy(np.float64)
    x = amount if costs.column is not None else np.zeros(len(amount))
    cost_fp, cost_fn = costs_of(benefits, x)
    return Rows(rows.frame.assign(cost_fp=cost_fp, cost_fn=cost_fn), rows.paths, rows.dataset)


def weighted(predictions: pd.DataFrame, costs: Costs) -> pd.DataFrame:
    """Let the rows of staged predictions count by the costs of their instances, as `weight`.

    Where it is configured, each model with probabilities has another one beside it, which ranks by
    score times cost (Fawcett 2006, end of s4).
    """
    paid = np.where(predictions["label"] == 1, predictions["cost_fn"], predictions["cost_fp"])
    first = ~predictions["instance"].duplicated()
    own = predictions.loc[first, ["instance", "label"]].assign(paid=paid[first])
    copies = predictions["repeat"].nunique()
    weight = pd.Series(
        cost_weights(own["paid"].to_numpy(), own["label"].to_numpy(), copies),
        index=own["instance"],
    )
    rows = predictions.assign(weight=weight.loc[predictions["instance"]].to_numpy())
    return _with_products(rows) if costs.score_times_cost else rows


def _with_products(rows: pd.DataFrame) -> pd.DataFrame:
    """Add to each model with probabilities one that ranks by probability times cost."""
    is_single = rows["member"].eq("") & rows["score"].between(0, 1) & rows["cost_fn"].notna()
    models = is_single.groupby(rows["model"], sort=False).all()
    names = models.index[models]
    if not len(names):
        dataset = quoted(str(rows["dataset"].iloc[0]))
        needs = "needs a model whose scores are probabilities, from 0 to 1, and cost_fn in each"
        mend = (
            "of its rows, also of negatives; there is none: calibrate the scores, or leave it out"
        )
        raise InputError([f"dataset {dataset}: 'costs: score_times_cost' {needs} {mend}"])
    own = rows[rows["model"].isin(names)]
    products = own.assign(
        model=own["model"].map(PRODUCT.format),
        score=own["score"] * own["cost_fn"],
        decision=np.int8(-1),
    )
    return pd.concat([rows, products], ignore_index=True)
