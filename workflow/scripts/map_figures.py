"""Figures of all datasets together, as SVG and PDF, with the data that they show as CSV."""

from pathlib import Path

from costcurves.figures.drawing import draw_together
from costcurves.jobs import job, told
from costcurves.tables.contract import read, read_all
from costcurves.tables.contracts import CONTRACTS
from costcurves.tables.inference.map import MAP
from costcurves.tables.record.folders import replaced

with job(told.log[0], "All datasets drawn", told):
    stages = ("measures", "verdicts", "hybrids", "intervals")
    tables = {stage: read_all(told.input[stage], CONTRACTS[stage]) for stage in stages}
    with replaced(Path(told.output[0])) as fresh:
        titles = dict(told.params.titles)
        draw_together(fresh, read(told.input.map, MAP), tables, told.params.title, titles)
