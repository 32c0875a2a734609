"""The predictions of a batch of datasets, checked and staged, with their sources' sha256."""

import json
from itertools import chain

from costcurves.errors import of_all, refuse
from costcurves.jobs import job, told
from costcurves.tables.configuration.claim_keys import Claim, unknown_models
from costcurves.tables.configuration.dataset import Dataset
from costcurves.tables.contract import atomic, stacked, write
from costcurves.tables.inference.resampling import check_models
from costcurves.tables.input.predictions import PREDICTIONS, stage_with_sources
from costcurves.tables.record.manifest import check_unchanged

with job(told.log[0], f"{told.wildcards.batch}: predictions checked and staged", told) as stamp:
    datasets = map(Dataset.from_plain, told.params.datasets)
    frames, sources = zip(*map(stage_with_sources, datasets), strict=True)
    of_all(lambda frame: check_models(frame, told.params.compared), frames)
    claimed = [Claim.from_plain(one) for one in told.params.claimed]
    for frame in frames:
        models = list(frame["model"].unique())
        refuse(unknown_models(claimed, frame["dataset"].iloc[0], models))
    check_unchanged(chain(*sources), told.params.sources)
    write(stacked(frames), told.output.table, PREDICTIONS, stamp)
    with atomic(told.output.sources) as file:
        file.write_text(json.dumps(list(chain(*sources)), indent=2) + "\n", encoding="utf-8")
