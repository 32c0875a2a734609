"""The stages that compute tables: which tables of which datasets each reads and writes."""

import json
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain

import pandas as pd

from costcurves.errors import of_all, refuse
from costcurves.pipeline.job import RESAMPLES, Job
from costcurves.pipeline.plan import STAGES
from costcurves.tables.checks.check_results import check_results
from costcurves.tables.checks.check_study import SOURCES, check_claims
from costcurves.tables.claims import claims as decided
from costcurves.tables.configuration.claim_keys import unknown_models
from costcurves.tables.contract import stacked
from costcurves.tables.contracts import CONTRACTS
from costcurves.tables.inference.resampling import check_models, write_resamples
from costcurves.tables.input.predictions import PREDICTIONS, stage_with_sources
from costcurves.tables.record.manifest import check_unchanged
from costcurves.tables.results import Results


def predictions(job: Job) -> None:
    """Check the predictions, and write a copy with the sha256 of each source."""
    study = job.plan.study
    frames, sources = zip(
        *(stage_with_sources(dataset.as_read) for dataset in job.datasets), strict=True
    )
    of_all(lambda frame: check_models(frame, study.of_ranges.plain()), frames)
    for frame in frames:
        models = list(frame["model"].unique())
        refuse(unknown_models(study.claims, frame["dataset"].iloc[0], models))
    check_unchanged(chain(*sources), job.plan.sources)
    job.write("predictions", stacked(frames))
    text = json.dumps(list(chain(*sources)), indent=2)
    (job.fresh / "sources.json").write_text(f"{text}\n", encoding="utf-8")


def cost_lines(job: Job) -> None:
    """Count at every threshold, and take the lower envelopes; measure rankings."""
    _write(job, "cost_lines", _results(job, "predictions"))


def averages(job: Job) -> None:
    """Average the envelopes in cost space, and for an annex in ROC space."""
    _write(job, "averages", _results(job, "operating_points", "envelopes"))


def hybrids(job: Job) -> None:
    """Apply each threshold rule, and say what that costs."""
    _write(job, "hybrids", _results(job, "operating_points"))


def duality(job: Job) -> None:
    """Choose the curve by which each model is judged, and measure it in both spaces."""
    known = ("operating_points", "envelopes", "rankings", "averages", "hybrids")
    _write(job, "duality", _results(job, *known))


def resampling(job: Job) -> None:
    """Resample the cases, and choose every threshold again in each resample."""
    results = _results(job, "predictions", "operating_points", "headline", "measures")
    drawn = of_all(lambda one: one.resampling, results)
    write_resamples(drawn, job.fresh / RESAMPLES)


def confidence(job: Job) -> None:
    """Draw bands, and give every number its interval, those of threshold rules for an annex."""
    known = ["operating_points", "headline", "measures"]
    if job.plan.study.detail == "full":
        known += ["predictions", "averages", "hybrids", "criteria"]
    elif any(one.weighted or one.segments or one.cost_matrix for one in job.datasets):
        known += ["predictions"]
    _write(job, "confidence", _results(job, *known, resampled=True))


def comparisons(job: Job) -> None:
    """Compare every two models, and say which decisions could still be cheapest."""
    known = ["operating_points", "headline", "measures"]
    decided = job.table("operating_points")["threshold"].isna()  # compared case by case
    if job.plan.study.detail == "full" or decided.any():
        known += ["predictions"]
    _write(job, "comparisons", _results(job, *known, resampled=True))


def claims(job: Job) -> None:
    """Decide what the study claims, all claims together, and check the verdicts."""
    study = job.plan.study
    names = job.plan.claimed
    known = ("predictions", "operating_points", "hybrids", "headline", "measures")
    results = {
        it.dataset: it
        for batch in job.plan.of(names)
        for it in _results(replace(job, batch=batch), *known, resampled=True)
        if it.dataset in names
    }
    table = decided(results, study.claims, study.prior.plain())
    job.write("claims", table)
    sources = {it.name: job.table_of(it.name, names) for it in SOURCES if it.name in job.wanted}
    job.write("check_claims", check_claims(table, sources))


def checked(job: Job) -> dict[str, dict[str, pd.DataFrame]]:
    """Read all tables of a batch, and check what must be true of any results."""
    results = job.tables(*(name for name in CONTRACTS if name != "check_results"))
    predicted = job.tables("predictions", columns=["dataset", "model", "instance", "label"])
    tables = [{**own, **predicted[name]} for name, own in results.items()]
    frame = stacked(of_all(check_results, tables))
    job.write("check_results", frame)
    return results


def _results(job: Job, *known: str, resampled: bool = False) -> list[Results]:
    """Give the results of each dataset, of which some tables are known."""
    resamples = job.resamples() if resampled else {}
    return [
        Results(
            job.plan.study,
            dataset,
            annexed=job.plan.study.detail == "full",
            **{"predictions": PREDICTIONS.empty(), **tables},
            **({"resampling": resamples[dataset.name]} if resampled else {}),
        )
        for dataset, tables in zip(job.datasets, job.tables(*known).values(), strict=True)
    ]


def _write(job: Job, stage: str, results: Iterable[Results]) -> None:
    """Compute those tables of a stage that the study wants, and write them below each other.

    Each is the property of its name of `Results`.
    """
    names = [name for name in STAGES[stage].tables if name in job.wanted]
    each = of_all(lambda one: {name: getattr(one, name) for name in names}, results)
    for name in names:
        job.write(name, stacked([one[name] for one in each]))
