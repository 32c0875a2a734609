"""The figures of a study as files: SVG and PDF, with the data that they show as CSV."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from costcurves.figures.catalogue import figures_of
from costcurves.figures.context import Tables, context_from
from costcurves.figures.dot_figures import draw_choices
from costcurves.figures.map_figures import Survey, draw_maps
from costcurves.figures.saving import Saving, save
from costcurves.figures.view_figures import with_original
from costcurves.tables.configuration.dataset import Dataset
from costcurves.tables.contract import write_csv
from costcurves.tables.curves.conditions import conditions


def draw_datasets(
    folder: Path,
    datasets: Iterable[tuple[Dataset, Tables]],
    originals: Tables,
    roster: Sequence[pd.DataFrame],
    *,
    operating_conditions: Sequence[Mapping[str, Any]],
    level: str,
    detail: str,
    first: str,
    save: Saving = save,
) -> None:
    """Draw every figure of each dataset into a folder of its slug.

    `originals` have what is drawn beside those weighted by cost, `roster` has the measures of all
    datasets of the study, and `first` is the slug of its first.
    """

    def drawn() -> Iterator[tuple[Figure, Path]]:
        """Draw one figure after the other, and write its data."""
        for dataset, tables in datasets:
            marked = conditions(tables["measures"], operating_conditions)
            context = context_from(dataset, marked, tables["measures"], roster, level)
            both = with_original(tables, originals, dataset.original)
            for figure in figures_of(both, detail, first=dataset.slug == first):
                data = figure.data(both, context)
                stem = folder / dataset.slug / figure.name
                write_csv(data, stem.with_suffix(".csv"))
                yield figure.drawn(data, context), stem

    save(drawn())


def draw_together(
    folder: Path,
    counts: pd.DataFrame,
    tables: Tables,
    title: str,
    titles: Mapping[str, str],
    save: Saving = save,
) -> None:
    """Draw all datasets together: `counts` is the map, `tables` have the rows of all of them."""
    roster = tuple(dict.fromkeys(tables["measures"]["model"]))
    survey = Survey(title, roster, tuple(titles.items()))
    drawn = draw_choices(tables["hybrids"], tables["intervals"], survey)
    drawn |= draw_maps(counts, tables["verdicts"], tables["measures"], survey)
    for name, (_, data) in drawn.items():
        write_csv(data, folder / f"{name}.csv")
    save((figure, folder / name) for name, (figure, _) in drawn.items())
