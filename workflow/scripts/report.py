"""The report of the study, from all tables and figures of all datasets."""

from pathlib import Path
from typing import TYPE_CHECKING

from costcurves.code import all_files
from costcurves.home import WORKFLOW
from costcurves.jobs import job
from costcurves.report.libraries import libraries
from costcurves.report.publication import publish
from costcurves.tables.checks.check_results import CHECK_RESULTS
from costcurves.tables.configuration.study import Study
from costcurves.tables.contract import read
from costcurves.tables.inference.claims import CLAIMS
from costcurves.tables.inference.map import MAP
from costcurves.tables.record import manifest
from costcurves.tables.record.anonymity import anonymous
from costcurves.tables.results import read_views

if TYPE_CHECKING:
    from snakemake.iocontainers import snakemake

with job(snakemake.log[0], "Report", snakemake):
    study = Study.from_plain(snakemake.params.study)
    drawn = [path for folder in snakemake.input.figures for path in Path(folder).iterdir()]
    stages = ("predictions", *study.stages, CHECK_RESULTS.name)
    made = [file for stage in stages for file in snakemake.input[stage]]
    made += [snakemake.input[name] for name in ("map", "claims", "check_claims")]
    folder = Path("reports", study.name)
    facts = manifest.provenance(
        manifest.unchanged_sources(snakemake.input.sources),
        snakemake.params.study,
        all_files(),
        list(snakemake.params.added),
        given=snakemake.params.given,
        results=manifest.hashes(made, Path("results", study.name)),
        libraries=libraries(),
    )
    manifest.check_unchanged(facts["report_sources"], snakemake.params.added)
    publish(
        folder,
        study,
        read_views(snakemake.input, study.views),
        {folder.name: folder for folder in drawn if folder.is_dir()},
        (read(snakemake.input.map, MAP), Path(snakemake.input.map_figures)),
        anonymous(facts) if study.anonymous else facts,
        WORKFLOW / "report",
        read(snakemake.input.claims, CLAIMS),
    )
    Path(snakemake.output[0]).write_text(
        manifest.sha256(folder / manifest.MANIFEST), encoding="utf-8"
    )
