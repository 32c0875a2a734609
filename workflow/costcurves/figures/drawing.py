"""The figures of a study as files: SVG, with the data that they show as CSV."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from costcurves.figures.catalogue import TOGETHER, figures_of
from costcurves.figures.context import Tables, context_from
from costcurves.figures.kind import Shown
from costcurves.figures.map_figures import Survey
from costcurves.figures.saving import save
from costcurves.figures.view_figures import with_original
from costcurves.settings import Dataset, Study
from costcurves.tables.curves.conditions import conditions
from costcurves.tables.files import write_csv


def draw_dataset(
    folder: Path,
    dataset: Dataset,
    tables: Tables,
    original: Tables,
    roster: Sequence[str],
    study: Study,
) -> None:
    """Draw every figure of a dataset into a folder.

    `original` has what is drawn beside one that is weighted by cost, `roster` the models of all
    datasets of the study.
    """
    named = [one.plain() for one in study.operating_conditions]
    marked = conditions(float(tables["measures"]["prior"].iloc[0]), named)
    context = context_from(dataset, marked, tables["measures"], roster, study.level)
    both = with_original(tables, original)
    kinds = figures_of(both, study.detail, first=dataset == study.datasets[0])
    save(_figure(Shown(kind, both, context), folder) for kind in kinds)


def draw_together(folder: Path, tables: Tables, study: Study) -> None:
    """Draw all datasets together: `tables` have the rows of all of them, and the map."""
    roster = tuple(dict.fromkeys(tables["measures"]["model"]))
    survey = Survey(study.title, roster, tuple((one.name, one.title) for one in study.counted))
    kinds = [kind for kind in TOGETHER if kind.applies(tables)]
    save(_figure(Shown(kind, tables, survey), folder) for kind in kinds)


def _figure(shown: Shown[Any], folder: Path) -> tuple[Callable[[], Figure], Path]:
    """Write a figure's data and what it shows in words, and say how to draw it, and where."""
    stem = folder / shown.kind.name
    write_csv(shown.data, stem.with_suffix(".csv"))
    stem.with_suffix(".txt").write_bytes(shown.alternative.encode())
    return shown.drawn, stem
