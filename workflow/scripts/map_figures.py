"""Figures of all datasets together, as SVG and PDF, with the data that they show as CSV."""

from pathlib import Path

from costcurves.figures.dot_figures import draw_choices
from costcurves.figures.map_figures import Survey, draw_maps
from costcurves.figures.saving import save
from costcurves.jobs import job, told
from costcurves.tables.contract import read, read_all, write_csv
from costcurves.tables.curves.headline import MEASURES
from costcurves.tables.inference.bands import INTERVALS
from costcurves.tables.inference.map import MAP
from costcurves.tables.inference.verdicts import VERDICTS
from costcurves.tables.record.folders import replaced
from costcurves.tables.selection.criteria import HYBRIDS

with job(told.log[0], "All datasets drawn", told):
    measures = read_all(told.input.measures, MEASURES)
    roster = tuple(dict.fromkeys(measures["model"]))
    survey = Survey(told.params.title, roster, tuple(map(tuple, told.params.titles)))
    counts = read(told.input.map, MAP)
    drawn = draw_maps(counts, read_all(told.input.verdicts, VERDICTS), measures, survey)
    chosen = read_all(told.input.hybrids, HYBRIDS), read_all(told.input.intervals, INTERVALS)
    drawn = draw_choices(*chosen, survey) | drawn
    with replaced(Path(told.output[0])) as fresh:
        for name, (_, data) in drawn.items():
            write_csv(data, fresh / f"{name}.csv")
        save((figure, fresh / name) for name, (figure, _) in drawn.items())
