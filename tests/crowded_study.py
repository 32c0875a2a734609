"""A report of more models than any list has room for, a rare class, levels with a decimal.

Nothing agrees by chance: each model has its own rates, thresholds and places where these change;
of its pairs some are decided, some equivalent, some neither. A model is one line, so curves are
exact on the page.
"""

from functools import cache

import numpy as np
import pandas as pd

from costcurves.formats import condition_by_ratio
from costcurves.maths.geometry.cost_space import pc_from_ratio, ratio_from_pc
from costcurves.report.document import Report
from tests import fake_report
from tests.browsed_study import Tables
from tests.fake_report import Models, assembled, dataset, study
from tests.small_study import HOSTILE

LEVEL = 0.975
PRIORS = {"rare": 0.012, "even": 0.4}
RATIOS = {"rare": (80.0, 5.0, 1 / 30), "even": (5.0, 0.5)}  # of the marked conditions
NAMES = {3: "A name that is much longer than a box beside a curve has room for", 6: HOSTILE[0]}


def models_of(name: str) -> Models:
    """The rates of each model: parts of 80 negatives and 60 positives."""
    crowd = {
        NAMES.get(place, f"M{place}"): ((2 + 3 * place) / 80, round(47 / (1 + place / 4)) / 60)
        for place in (5, 0, 9, 3, 12, 1, 7, 10, 2, 11, 6, 4, 8)
    }
    useless = {"M13": (50 / 80, 35 / 60)}
    return crowd | useless if name == "rare" else {it: crowd[it] for it in ("M9", "M1", "M4")}


@cache
def crowded_tables() -> dict[str, Tables]:
    """The tables of two datasets, of fourteen models and of three."""
    return {name: _tables(name) for name in PRIORS}


def _tables(name: str) -> dict[str, pd.DataFrame]:
    prior = PRIORS[name]
    pcs = {condition_by_ratio(it): float(pc_from_ratio(it, prior)) for it in RATIOS[name]}
    found = fake_report.tables(models_of(name), prior=prior, conditions=tuple(pcs.values()))
    called = {f"PC(+) = {pc:g}": words for words, pc in pcs.items()}
    for stage in ("intervals", "duality"):
        found[stage] = found[stage].replace({"condition": called})
    found["intervals"] = found["intervals"].assign(confidence=LEVEL)
    found["verdicts"] = _verdicts(found["verdicts"], prior)
    found["deployment"] = _deployment(found["deployment"])
    return found


def _verdicts(rows: pd.DataFrame, prior: float) -> pd.DataFrame:
    """Of the pairs that differ everywhere some are equivalent, and some undecided."""
    pairs = rows.groupby(["model_a", "model_b"], sort=False).ngroup()
    finding = rows["finding"].mask(pairs % 5 == 2, "undecided").mask(pairs % 7 == 3, "equivalent")
    ratios = {f"ratio_{end}": ratio_from_pc(rows[f"pc_{end}"], prior) for end in ("from", "to")}
    return rows.assign(finding=finding, familywise=LEVEL, equivalence=0.013, **ratios)


def _deployment(rows: pd.DataFrame) -> pd.DataFrame:
    place = rows.groupby("model", sort=False).ngroup()
    found = rows.assign(
        pc_from=rows["pc_from"] + 0.011 * place * (rows["pc_from"] > 0),
        pc_to=rows["pc_to"] + 0.011 * place * (rows["pc_to"] < 1),
        threshold=rows["threshold"] + 0.013 * place,
    )
    member = found["piece"].eq(1) & place.isin([1, 2])
    threshold = found["threshold"].mask(member & place.eq(2), np.nan)
    return found.assign(member=np.where(member, "trained at 0.8", ""), threshold=threshold)


def crowded_report() -> Report:
    """The report of both."""
    made = study(datasets=[dataset(name, name.capitalize()) for name in PRIORS])
    return assembled(crowded_tables(), made)
