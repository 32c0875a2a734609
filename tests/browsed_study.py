"""The report that browsers open: a study small enough to be computed where it is needed."""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from costcurves.figures import saving
from costcurves.figures.catalogue import figures_of
from costcurves.figures.context import context_from
from costcurves.report.document import Drawing, Report
from tests.drawn import painted
from tests.fake_report import assembled, dataset, study
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


@cache
def large_report(models: int, instances: int) -> Report:
    """The report of many models on many instances with hardly a tie, for measurements."""
    rows = folds_of(instances, 1, 10, seed=3)
    parts = [
        _finely_scored(rows, f"Model {seed + 1}", skill, seed)
        for seed, skill in enumerate(np.linspace(0.5, 3, models))
    ]
    tables = {"large": _tables(parts, resamples=1000)}
    return report_of(tables, ["Large"], {"large": _drawn(tables["large"])})


def report_of(
    tables: Mapping[str, Tables],
    titles: Sequence[str],
    drawn: Mapping[str, Mapping[str, Drawing]] | None = None,
) -> Report:
    """Make the report of these tables, its figures as they are drawn or but a stand-in for each."""
    named = zip(tables, titles, strict=True)
    made = study(datasets=[dataset(name, title) for name, title in named])
    return assembled(tables, made, drawn)


def _drawn(tables: Tables) -> dict[str, Drawing]:
    """Draw the figures of a dataset in earnest."""
    (only,) = study(datasets=[dataset("large", "Large")]).datasets
    conditions = [{"name": "even", "pc": 0.5}]
    context = context_from(only, conditions, tables["measures"], [tables["measures"]], "repeat")
    figures = figures_of(tables, "full", first=True)
    with TemporaryDirectory() as folder:
        for one in figures:
            saving.save([(partial(painted, one, tables, context), Path(folder, one.name))])
        return {one.name: _read(Path(folder), one.name) for one in figures}


def _read(folder: Path, name: str) -> Drawing:
    words, outlines = ((folder / f"{name}.{it}").read_text("utf-8") for it in ("text.svg", "svg"))
    return Drawing(words, outlines, "")


def _tables(parts: Sequence[pd.DataFrame], resamples: int = 100) -> Tables:
    return tables_of(staged(pd.concat(parts, ignore_index=True)), resamples=resamples)


def _finely_scored(rows: pd.DataFrame, model: str, skill: float, seed: int) -> pd.DataFrame:
    noise = np.random.default_rng(seed).normal(size=len(rows))
    scores = 1 / (1 + np.exp(-(noise + skill * (rows["label"] - 0.5))))
    return rows.assign(model=model, score=scores)
