"""The predictions of a batch of datasets, checked and staged, with their sources' sha256."""

import json
from itertools import chain
from typing import TYPE_CHECKING

from costcurves.jobs import job
from costcurves.tables.configuration.batches import joined
from costcurves.tables.configuration.dataset import Dataset
from costcurves.tables.contract import atomic, write
from costcurves.tables.input.predictions import PREDICTIONS, stage_with_sources
from costcurves.tables.record.manifest import check_unchanged

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(
    snakemake.log[0], f"{snakemake.wildcards.batch}: predictions checked and staged", snakemake
) as stamp:
    datasets = map(Dataset.from_plain, snakemake.params.datasets)
    frames, sources = zip(*map(stage_with_sources, datasets), strict=True)
    check_unchanged(chain(*sources), snakemake.params.sources)
    write(joined(frames), snakemake.output.table, PREDICTIONS, stamp)
    with atomic(snakemake.output.sources) as file:
        file.write_text(json.dumps(list(chain(*sources)), indent=2) + "\n", encoding="utf-8")
