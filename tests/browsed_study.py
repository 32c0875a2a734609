"""The report that browsers open: a study small enough to be computed where it is needed."""

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import pandas as pd

from costcurves.report.document import Drawing, Report
from tests.fake_report import assembled, dataset, study
from tests.result_tables import all_tables_of, staged
from tests.small_study import HOSTILE, folds_of, scored

Tables = Mapping[str, pd.DataFrame]

SKILLS = {"Bayes": 2.2, "Trees": 1.2, "Rules": 0.1, HOSTILE[0]: 0.8}


@cache
def browsed_tables() -> dict[str, Tables]:
    """The result tables of two datasets: scores of four models, and decisions of two."""
    rows = folds_of(100, 1, 4, seed=1)
    scores = [scored(rows, *model, seed) for seed, model in enumerate(SKILLS.items())]
    decisions = [
        frame.assign(decision=(frame["score"] > 0.5).astype(int), score=np.nan)
        for frame in scores[:2]
    ]
    return {"scores": _tables(scores), "decisions": _tables(decisions)}


def browsed_report() -> Report:
    """The report of `browsed_tables`, with a drawing for each figure."""
    return report_of(browsed_tables(), ["Scores </script><b>", "Decisions"])


def report_of(
    tables: Mapping[str, Tables],
    titles: Sequence[str],
    drawn: Mapping[str, Mapping[str, Drawing]] | None = None,
) -> Report:
    """Make the report of these tables, its figures as they are drawn or but a stand-in for each."""
    named = zip(tables, titles, strict=True)
    made = study(datasets=[dataset(name, title) for name, title in named])
    return assembled(tables, made, drawn)


def _tables(parts: Sequence[pd.DataFrame]) -> Tables:
    return all_tables_of(staged(pd.concat(parts, ignore_index=True)), resamples=100)
