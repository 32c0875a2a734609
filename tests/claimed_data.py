"""Data with known truth for claims, through the stages that they need."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from costcurves import stages
from costcurves.curves.priors import Uniform
from costcurves.invariants import SOURCES, check_claims
from costcurves.many.claims import claims
from costcurves.many.evidence import Basis
from costcurves.settings import Claim, ClaimKeys, ConditionKeys, Costs, DatasetKeys, StudyKeys
from costcurves.study.claims import claim_of
from tests.result_tables import made_of, staged, study_of
from tests.small_study import family, folds_of, scored

UNIFORM = Uniform()
RESAMPLES = 400
Tables = dict[str, pd.DataFrame]


def in_folds(instances: int = 200, repeats: int = 1, folds: int = 4) -> pd.DataFrame:
    return folds_of(instances, repeats, folds, seed=1).astype({"repeat": str, "fold": str})


def decided(rows: pd.DataFrame, model: str, share: float, seed: int) -> pd.DataFrame:
    """One decision for each instance, so often wrong."""
    instances = np.array(sorted(rows["instance"].unique()))
    wrong = np.random.default_rng(seed).random(len(instances)) < share
    missed = rows["instance"].isin(instances[wrong])
    return rows.assign(model=model, decision=np.where(missed, 1 - rows["label"], rows["label"]))


def data_of(
    *models: pd.DataFrame, dataset: str = "d", prior: float = 0.3, **others: Any
) -> tuple[Basis, Tables]:
    """What claims are decided by, and all tables."""
    rows = pd.concat(models, ignore_index=True).assign(dataset=dataset)
    predictions = staged(rows)
    inference = {"resamples": RESAMPLES}
    study = study_of(predictions, "repeat", prior=prior, inference=inference, **others)
    tables = made_of(*study, predictions)
    basis = stages.basis(*study, tables, tables.sizes, tables.resamples)
    return basis, {contract.name: tables[contract.name] for contract in SOURCES}


@cache
def known() -> tuple[Basis, Tables]:
    """Models whose truth is known, on folds of which one case in three is positive.

    Good costs about a tenth of Bad, and Twin predicts what Good does. Shy ranks as Good does, but
    never believes in a positive by more than a tenth: where PC(+) is below 0.9, to trust its scores
    is to say no. Rule is wrong one time in ten, Coin three times, Wrong eight; Copy decides as Rule
    does, and Crisp as Good at a score of one half. Apart was predicted on other folds.
    """
    rows = in_folds(instances=230, folds=3)
    positives = sorted(rows.loc[rows["label"] == 1, "instance"].unique())
    rows = rows[~rows["instance"].isin(positives[::2])]
    good, rule = scored(rows, "Good", 3.0, 2), decided(rows, "Rule", 0.1, 4)
    decision = (good["score"] >= 0.5).astype(int)
    return data_of(
        *(good, good.assign(model="Twin"), good.assign(model="Shy", score=good["score"] / 10)),
        *(scored(rows, "Bad", 0.5, 3), family(rows, "Family", 4)),
        *(rule, rule.assign(model="Copy"), decided(rows, "Coin", 0.3, 5)),
        decided(rows, "Wrong", 0.8, 6),
        good.assign(model="Crisp", decision=decision, score=np.nan),
        scored(rows.assign(fold=np.roll(rows["fold"], 1)), "Apart", 0.5, 3),
        prior=0.2,
    )


def claim(kind: str, *models: str, datasets: Sequence[str] = ("d",), **keys: Any) -> Claim:
    """A claim on PC(+) from 0.3 to 0.7 unless something else is said."""
    about = {} if {"average", "at"} & {*keys} else {"pc": [0.3, 0.7]}
    content = {"claim": f"{kind} {models}", "kind": kind, "models": list(models), **about, **keys}
    known = [DatasetKeys(name=name, predictions=("p.csv",), costs=Costs()) for name in datasets]
    conditions = (ConditionKeys(name="ours", cost_fn=30, cost_fp=10, unit="EUR"),)
    study = StudyKeys(study="s", datasets=tuple(known), operating_conditions=conditions)
    return claim_of(ClaimKeys.from_plain(content), study)


def decide(data: dict[str, Basis], tables: Sequence[Tables], *wanted: Claim) -> pd.DataFrame:
    """Decide claims about unweighted datasets, and hold what comes out to the invariants."""
    table = claims(data, wanted, UNIFORM)
    check_claims(table, sources_of(tables))
    return table


def sources_of(tables: Sequence[Tables]) -> Tables:
    """The tables whose rows say the values, of all datasets."""
    return {
        contract.name: pd.concat([each[contract.name] for each in tables]) for contract in SOURCES
    }
