"""The report of the study, from all tables and figures of all datasets."""

from pathlib import Path

from costcurves.code import all_files
from costcurves.jobs import job, told
from costcurves.report.libraries import libraries
from costcurves.report.publication import publish
from costcurves.tables.checks.check_results import CHECK_RESULTS
from costcurves.tables.configuration.study import Study
from costcurves.tables.contract import read
from costcurves.tables.contracts import read_views
from costcurves.tables.inference.claims import CLAIMS
from costcurves.tables.inference.map import MAP
from costcurves.tables.record import manifest
from costcurves.tables.record.manifest import anonymous

with job(told.log[0], "Report", told):
    study = Study.from_plain(told.params.study)
    drawn = [path for folder in told.input.figures for path in Path(folder).iterdir()]
    whole = {"map": read(told.input.map, MAP), "claims": read(told.input.claims, CLAIMS)}
    stages = ("predictions", *study.stages, CHECK_RESULTS.name)
    made = [file for stage in stages for file in told.input[stage]]
    made += [told.input[name] for name in ("map", "claims", "check_claims")]
    folder = Path("reports", study.name)
    facts = manifest.provenance(
        manifest.unchanged_sources(told.input.sources),
        told.params.study,
        all_files(),
        list(told.params.added),
        given=told.params.given,
        results=manifest.hashes(made, Path("results", study.name)),
        libraries=libraries(),
    )
    manifest.check_unchanged(facts["report_sources"], told.params.added)
    publish(
        folder,
        study,
        {"": whole, **read_views(told.input, study.views)},
        {"": Path(told.input.map_figures)} | {one.name: one for one in drawn if one.is_dir()},
        anonymous(facts) if study.anonymous else facts,
    )
    Path(told.output[0]).write_text(manifest.sha256(folder / manifest.MANIFEST), encoding="utf-8")
