"""The predictions of one dataset, checked and staged, with the sha256 of their sources."""

import json
from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.contract import atomic, write
from costcurves.tables.predictions import PREDICTIONS, stage_with_sources
from costcurves.tables.study import Dataset

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], f"{snakemake.wildcards.dataset}: predictions checked and staged"):
    frame, sources = stage_with_sources(Dataset.from_plain(snakemake.params.dataset))
    write(frame, snakemake.output.table, PREDICTIONS)
    with atomic(snakemake.output.sources) as file:
        file.write_text(json.dumps(sources, indent=2) + "\n", encoding="utf-8")
