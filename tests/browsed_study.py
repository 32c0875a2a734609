"""The report that browsers open: a study small enough to be computed where it is needed."""

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import pandas as pd

from costcurves.report.document import Report
from costcurves.report.summary import summarise
from tests.fake_report import dataset, drawings, provenance, study
from tests.result_tables import staged, tables_of
from tests.small_study import HOSTILE, folds_of, scored

Tables = Mapping[str, pd.DataFrame]

SKILLS = {"Bayes": 2.2, "Trees": 1.2, "Rules": 0.1, HOSTILE[0]: 0.8}


@cache
def browsed_tables() -> dict[str, Tables]:
    """The result tables of two datasets: scores of four models, and decisions of two."""
    rows = folds_of(100, 1, 4, seed=1)
    scores = [scored(rows, *model, seed) for seed, model in enumerate(SKILLS.items())]
    decisions = [
        one.assign(decision=(one["score"] > 0.5).astype(int), score=np.nan) for one in scores[:2]
    ]
    return {"scores": _tables(scores), "decisions": _tables(decisions)}


def browsed_report() -> Report:
    """The report of `browsed_tables`, with a drawing for each figure."""
    return report_of(browsed_tables(), ["Scores </script><b>", "Decisions"])


def large_report(models: int, instances: int) -> Report:
    """The report of many models on many instances with hardly a tie, for measurements."""
    rows = folds_of(instances, 1, 5, seed=3)
    parts = [
        _finely_scored(rows, f"Model {seed + 1}", skill, seed)
        for seed, skill in enumerate(np.linspace(0.5, 3, models))
    ]
    return report_of({"large": _tables(parts, resamples=1000)}, ["Large"])


def report_of(tables: Mapping[str, Tables], titles: Sequence[str]) -> Report:
    """Make the report of these tables."""
    named = zip(tables, titles, strict=True)
    made = study(datasets=[dataset(name, title) for name, title in named])
    drawn = {name: drawings() for name in tables}
    return summarise(made, tables, drawn, provenance())


def _tables(parts: Sequence[pd.DataFrame], resamples: int = 100) -> Tables:
    return tables_of(staged(pd.concat(parts, ignore_index=True)), resamples=resamples)


def _finely_scored(rows: pd.DataFrame, model: str, skill: float, seed: int) -> pd.DataFrame:
    noise = np.random.default_rng(seed).normal(size=len(rows))
    scores = 1 / (1 + np.exp(-(noise + skill * (rows["label"] - 0.5))))
    return rows.assign(model=model, score=scores)
