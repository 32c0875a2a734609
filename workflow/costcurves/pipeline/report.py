"""The last stage: the report, from all tables and figures, put in its place."""

import json
from pathlib import Path

from costcurves.atomic import atomic
from costcurves.code import all_files
from costcurves.pipeline.job import Job
from costcurves.report.libraries import libraries
from costcurves.report.publication import publish
from costcurves.tables.configuration.stages import of
from costcurves.tables.contracts import CONTRACTS
from costcurves.tables.record import manifest
from costcurves.tables.record.manifest import anonymous, sha256
from costcurves.tables.record.places import PUBLISHED


def report(job: Job) -> None:
    """Write the report and put it in its place, whole or not at all; say which report that is."""
    plan, study = job.plan, job.plan.study
    tables = {"": {"map": job.table("map"), "claims": job.table("claims")}}
    drawn = {"": job.folders["map", ""] / "figures"}
    for batch, datasets in plan.batches.items():
        own = {name: job.table(name, batch) for name in CONTRACTS}
        for one in datasets:
            tables[one.slug] = {name: of(table, one.name) for name, table in own.items()}
            drawn[one.slug] = job.folders["figures", batch] / one.slug
    staged = [job.folders["predictions", it] / "sources.json" for it in plan.batches]
    facts = manifest.provenance(
        manifest.unchanged_sources(staged),
        study.configuration,
        all_files(),
        given=plan.given,
        results=_results(job),
        libraries=libraries(),
    )
    folder = Path("reports", study.name)
    publish(folder, study, tables, drawn, anonymous(facts) if study.anonymous else facts)
    record = {
        "made_of": plan.key("report"),
        "key": plan.report_key,
        "manifest": sha256(folder / manifest.MANIFEST),
    }
    with atomic(Path(plan.results, PUBLISHED)) as fresh:
        fresh.write_text(json.dumps(record, indent=2), encoding="utf-8")


def _results(job: Job) -> dict[str, str]:
    """Hash every table by its name and batch, in the order of the stages."""
    hashes = {
        f"{it}/{batch}.parquet": sha256(job.file(it, batch))
        for it in ("predictions", *job.plan.study.stages, "check_results")
        for batch in job.plan.batches
    }
    whole = {f"{it}.parquet": sha256(job.file(it, "")) for it in ("map", "claims", "check_claims")}
    return hashes | whole
