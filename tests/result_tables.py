"""The result tables of small predictions, made stage by stage as the workflow makes them."""

import numpy as np
import pandas as pd

from costcurves.tables.averages import averages
from costcurves.tables.bands import bands
from costcurves.tables.choice_bands import choice_bands
from costcurves.tables.choice_intervals import choice_intervals
from costcurves.tables.choices import choices
from costcurves.tables.chooser import chooser
from costcurves.tables.comparisons import comparisons
from costcurves.tables.constructions import constructions
from costcurves.tables.criteria import criteria
from costcurves.tables.crossovers import crossovers
from costcurves.tables.deployment import deployment
from costcurves.tables.duality import duality
from costcurves.tables.envelopes import envelopes
from costcurves.tables.headline import headline
from costcurves.tables.hybrids import hybrids
from costcurves.tables.instance_costs import instance_costs
from costcurves.tables.intervals import intervals
from costcurves.tables.losses import losses
from costcurves.tables.measures import measures
from costcurves.tables.operating_points import operating_points
from costcurves.tables.optimism import left_out, optimism
from costcurves.tables.pairs import pairs
from costcurves.tables.predictions import PREDICTIONS
from costcurves.tables.resampling import Resamples, resampling
from costcurves.tables.roc import roc
from costcurves.tables.statements import statements
from costcurves.tables.threshold_choice import threshold_choice
from costcurves.tables.verdicts import verdicts


def staged(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of the input contract with what they leave out filled in, as staging does."""
    defaults: dict[str, object] = {
        "dataset": "d",
        "member": "",
        "repeat": "1",
        "fold": "1",
        "decision": -1,
        "weight": 1.0,
    }
    filled = {
        name: rows[name] if name in rows else defaults.get(name, np.nan)
        for name in PREDICTIONS.names
    }
    frame = pd.DataFrame(filled).fillna({"member": "", "decision": -1})
    return PREDICTIONS.frame(**{name: frame[name] for name in PREDICTIONS.names})


UNIFORM = {"kind": "uniform"}
INFERENCE = {
    "confidence": 0.9,
    "resamples": 100,
    "unit": "instances",
    "band": "wilson",
    "equivalence": None,
    "baseline": None,
}
CONDITIONS = [{"name": "even", "pc": 0.5}]


def tables_of(
    predictions: pd.DataFrame, level: str = "repeat", *, weighted: bool = False, **inference: object
) -> dict[str, pd.DataFrame]:
    """Every result table but the last, stage by stage."""
    tables = {"predictions": predictions, "operating_points": operating_points(predictions)}
    points = tables["operating_points"]
    tables["envelopes"] = envelopes(points)
    tables["roc"] = roc(points, level)
    tables["averages"] = averages(tables["envelopes"], tables["roc"])
    tables["hybrids"] = hybrids(points, tables["averages"], level, {})
    tables["criteria"] = criteria(points, tables["hybrids"], {}, UNIFORM)
    tables["deployment"] = deployment(points)
    tables["threshold_choice"] = threshold_choice(points, 0.5, None)
    tables["losses"] = losses(points)
    tables["constructions"] = constructions(points, {})
    tables["statements"] = statements(tables["averages"], tables["hybrids"], [])
    tables["headline"] = headline(points, tables["hybrids"])
    tables["measures"] = measures(
        predictions,
        points,
        tables["averages"],
        tables["headline"],
        level=level,
        prior=UNIFORM,
        deployment=dict.fromkeys(predictions["dataset"]),
    )
    tables["duality"] = duality(points, tables["envelopes"], tables["measures"], CONDITIONS)
    resamples = resampled(predictions, tables, level, **inference)
    tables["bands"] = bands(points, tables["headline"], resamples, INFERENCE | inference)
    tables["intervals"] = intervals(
        points,
        tables["headline"],
        resamples,
        inference=INFERENCE | inference,
        prior=UNIFORM,
        conditions=CONDITIONS,
    )
    found = pairs(predictions, points, tables["headline"], resamples, INFERENCE | inference)
    tables["comparisons"] = comparisons("d", found, 0.9)
    tables["verdicts"] = verdicts(tables["measures"], found, INFERENCE | inference)
    tables["crossovers"] = crossovers(tables["headline"], tables["measures"], found, 0.9)
    tables["instance_costs"] = instance_costs(
        predictions,
        points,
        tables["headline"],
        tables["measures"],
        resamples,
        weighted=weighted,
        confidence=0.9,
    )
    own = chooser(
        predictions,
        tables["hybrids"],
        tables["headline"],
        resamples,
        marked=[0.5],
        level=level,
        selection={},
    )
    chosen = choices(predictions, own)
    tables["choice_bands"] = choice_bands("d", chosen, 0.9)
    tables["choice_intervals"] = choice_intervals(
        "d", chosen, confidence=0.9, prior=UNIFORM, conditions=CONDITIONS
    )
    intervals_of = left_out(
        predictions, tables["averages"], tables["hybrids"], tables["headline"], resamples, 0.9
    )
    tables["optimism"] = optimism(tables["averages"], tables["criteria"], intervals_of)
    return tables


def resampled(
    predictions: pd.DataFrame, tables: dict[str, pd.DataFrame], level: str, **inference: object
) -> Resamples:
    return resampling(
        predictions,
        tables["operating_points"],
        tables["headline"],
        level=level,
        marked=[0.5],
        inference=INFERENCE | inference,
        seed=1,
    )
