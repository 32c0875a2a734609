"""`costcurves stage`: a job of the workflow. It reads tables, computes others, and writes them."""

import json
import sys
import traceback
from argparse import Namespace
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import pandas as pd

from costcurves import stages
from costcurves.atomic import atomic
from costcurves.chance.resamples import Resamples, check_models, read_resamples, write_resamples
from costcurves.code import all_files
from costcurves.contracts import CONTRACTS
from costcurves.curves.priors import weight_of_pc
from costcurves.detail import STAGE_OF, STAGES, TABLES
from costcurves.errors import InputError, refuse, refused
from costcurves.invariants import check_results
from costcurves.printing import say
from costcurves.record import manifest
from costcurves.record.folders import replaced
from costcurves.record.places import FAILED, UNUSABLE, failure_file, receipt_of
from costcurves.report.libraries import libraries
from costcurves.settings import Dataset, Study, unknown_models
from costcurves.stages import Made
from costcurves.tables.contract import stacked
from costcurves.tables.files import read, write

DESCRIPTION: Final = "Compute one stage of a study, of a dataset or of all, as the rules do.\n"
EXAMPLES: Final = "examples:\n  costcurves stage averages results/default/study.json sonar\n"
SOURCES: Final = "predictions/sources.json"
OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "stage": {"choices": [*TABLES, "map", "claims", "report"], "help": "that of a rule"},
    "study": {"metavar": "STUDY", "help": "the checked study: results/<study>/study.json"},
    "dataset": {"metavar": "DATASET", "nargs": "?", "default": "", "help": "its folder's name"},
    "--beside": {"default": "", "metavar": "FILE", "help": "a file of results that lie elsewhere"},
    "--threads": {"type": int, "default": 1, "metavar": "N", "help": "how many it may use"},
}


def run(options: Namespace) -> int:
    """Run the stage; leave the status and the message of one that fails in a file."""
    content = json.loads(Path(options.study).read_text("utf-8"))
    study = Study.from_plain(content["study"])
    storage = options.beside.partition(f"results/{study.name}/")[0]
    results = Path(storage, "results", study.name)
    try:
        run_stage(options, study, results, content["given"])
    except InputError as error:
        status, message = UNUSABLE, str(error)
    except Exception as error:
        traceback.print_exc()
        status, message = FAILED, refused(error) or f"{type(error).__name__}: {error}"
    else:
        return 0
    message = ": ".join(filter(None, [options.dataset, options.stage, message]))
    say(*message.split("\n"), to=sys.stderr)
    failure = failure_file(study.name, options.stage, options.dataset)
    failure.parent.mkdir(parents=True, exist_ok=True)
    failure.write_text(json.dumps({"status": status, "message": message}), "utf-8")
    return status


class Stored(stages.Computed):
    """Tables of a dataset: those of one stage are computed, others are read when needed."""

    def __init__(
        self, study: Study, dataset: Dataset, folder: Path, stage: str = "", threads: int = 1
    ) -> None:
        super().__init__(study, dataset, {})
        self.folder, self.stage, self.threads = folder, stage, threads

    def make(self, name: str) -> Made:
        """Compute a table, or read it; one that the study leaves out is empty."""
        if name in self.study.left_out:
            return {name: CONTRACTS[name].empty()}
        if STAGE_OF[name] != self.stage:
            file = self.folder / STAGE_OF[name] / f"{name}.parquet"
            return {name: read(file, CONTRACTS[name])}
        if name == "predictions":
            return predictions(self.study, self.dataset, self.folder)
        return figures(self) if name == "check_results" else super().make(name)

    @cached_property
    def sizes(self) -> pd.DataFrame:
        """How many cases there are, and which share of them is positive."""
        return self["measures"]

    @cached_property
    def resamples(self) -> Resamples:
        """The headline curves in resamples of the cases, which are drawn once."""
        file = self.folder / "confidence" / "resamples.npz"
        if self.stage != "confidence":
            return read_resamples(file)
        drawn = stages.resample(self.study, self.dataset, self, self.sizes, self.threads)
        write_resamples(drawn, file)
        return drawn


def run_stage(options: Namespace, study: Study, results: Path, given: dict[str, Any]) -> None:
    """Run a stage of a dataset, or of the whole study, whose results lie in a folder."""
    stage, folder = options.stage, results / options.dataset
    match stage:
        case "map":
            made = map_datasets(study, results)
        case "claims":
            made = claims(study, results)
        case "report":
            report(study, results, given)
            return
        case _:
            (dataset,) = (known for known in study.datasets if known.slug == options.dataset)
            tables = Stored(study, dataset, folder, stage, options.threads)
            made = {name: tables[name] for name in TABLES[stage] if name not in study.left_out}
    write_tables(folder / stage, made)


def write_tables(folder: Path, tables: Made) -> None:
    """Write the tables of a stage, and the sha256 of each file in its folder.

    Tables that an earlier run has left go: they may be of another study.
    """
    for file in folder.glob("*.parquet"):
        file.unlink()
    for name, table in tables.items():
        write(table, folder / f"{name}.parquet", CONTRACTS[name])
    files = {
        name: manifest.sha256(folder / name)
        for name in manifest.names_of_files(folder)
        if not Path(name).name.startswith(".") and name not in ("made_of.json", manifest.SUMS)
    }
    with atomic(folder / manifest.SUMS) as fresh:
        fresh.write_text(manifest.as_sums(files), "utf-8")


def predictions(study: Study, dataset: Dataset, folder: Path) -> Made:
    """Check the predictions, and write their models and the sha256 of each source."""
    from costcurves.predictions.staged import stage_with_sources

    rows, sources = stage_with_sources(dataset.as_read)
    models = rows["model"].unique().astype(str).tolist()
    check_models(rows, study.of_ranges)
    refuse(unknown_models(study.claims, dataset.name, models))
    made_of = Path("results", study.name, dataset.slug, "predictions", "made_of.json")
    manifest.check_unchanged(sources, json.loads(made_of.read_text("utf-8"))["sources"])
    lines = "".join(f"{json.dumps(model)}\n" for model in models)
    (folder / "predictions" / "models.jsonl").write_text(lines, "utf-8")
    (folder / SOURCES).write_text(json.dumps(sources, indent=1), "utf-8")
    return {"predictions": rows}


def figures(stored: Stored) -> Made:
    """Check the results of a dataset, and draw its figures."""
    from costcurves.figures.drawing import draw_dataset

    folder, columns = stored.folder, ["dataset", "model", "instance", "label"]
    tables = {name: stored[name] for name in STAGES}
    cases = folder / "predictions" / "predictions.parquet"
    tables["predictions"] = read(cases, CONTRACTS["predictions"], columns)
    checks = check_results(tables)
    lines = folder.with_name("models.jsonl").read_text("utf-8").splitlines()
    models = tuple(dict.fromkeys(json.loads(line) for line in lines))
    with replaced(folder / "figures" / "drawn") as fresh:
        draw_dataset(fresh, stored.dataset, tables, models, stored.study)
    return {"check_results": checks}


def of_datasets(study: Study, results: Path, datasets: Iterable[Dataset], *names: str) -> Made:
    """Read tables of several datasets, stacked."""
    each = [Stored(study, dataset, results / dataset.slug) for dataset in datasets]
    return {
        name: stacked([tables[name] for tables in each]).reset_index(drop=True) for name in names
    }


def map_datasets(study: Study, results: Path) -> Made:
    """Count verdicts over all datasets, check the map, and draw it."""
    from costcurves.figures.drawing import draw_together
    from costcurves.invariants import check_map
    from costcurves.many.map import study_map

    tables = of_datasets(study, results, study.counted, "measures", "verdicts", "crossovers")
    tables["map"] = study_map(
        **tables,
        voters={dataset.name: dataset.in_files for dataset in study.counted},
        inference=study.inference,
        reference=study.reference,
        seed=study.seed,
    )
    check_map(tables["map"], tables["verdicts"])
    with replaced(results / "map" / "drawn") as fresh:
        draw_together(fresh, tables, study)
    return {"map": tables["map"]}


def claims(study: Study, results: Path) -> Made:
    """Decide what the study claims, all claims together, and check the verdicts."""
    from costcurves.invariants import SOURCES, check_claims
    from costcurves.many.claims import claims as decided

    bases = {
        dataset.name: Stored(study, dataset, results / dataset.slug).basis
        for dataset in study.claimed
    }
    table = decided(bases, study.claims, weight_of_pc(study.prior))
    if study.claims:  # the rule may be asked for without
        names = [contract.name for contract in SOURCES]
        check_claims(table, of_datasets(study, results, study.claimed, *names))
    return {"claims": table}


def report(study: Study, results: Path, given: dict[str, Any]) -> None:
    """Write the report and put it in its place, whole or not at all; leave its receipt."""
    from costcurves.report.publication import publish

    of_all = [stage for stage in ("map", "claims") if stage not in study.left_out]
    slugs = [dataset.slug for dataset in study.datasets]
    hashes = unchanged(
        results, [*(f"{slug}/{stage}" for slug in slugs for stage in TABLES), *of_all]
    )
    published = {"": {stage: CONTRACTS[stage].empty() for stage in ("map", "claims")}}
    for stage in of_all:
        published[""][stage] = read(results / stage / f"{stage}.parquet", CONTRACTS[stage])
    for dataset in study.datasets:
        tables = Stored(study, dataset, results / dataset.slug)
        published[dataset.slug] = {name: tables[name] for name in (*STAGES, "check_results")}
    drawn = {slug: results / slug / "figures" / "drawn" for slug in slugs}
    facts = manifest.provenance(
        manifest.unchanged_sources([results / slug / SOURCES for slug in slugs]),
        study.configuration,
        all_files(),
        given=given,
        results=hashes,
        libraries=libraries(),
    )
    folder = Path("reports", study.name)
    facts = manifest.anonymous(facts) if study.anonymous else facts
    if "map" in of_all:
        drawn[""] = results / "map" / "drawn"
    publish(folder, study, published, drawn, facts)
    receipt_of(study.name).write_text(manifest.sha256(folder / manifest.MANIFEST), "utf-8")


def unchanged(results: Path, stages: Iterable[str]) -> dict[str, str]:
    """Return the sha256 of the tables of stages; refuse files that are not what a stage wrote."""
    hashes, findings = {}, []
    for stage in stages:
        for line in (results / stage / manifest.SUMS).read_text("utf-8").splitlines():
            digest, name = line.split("  ", 1)
            file = results / stage / name
            if file.suffix in (".jsonl", ".npz"):  # which the report does not read
                continue
            if not file.is_file() or manifest.sha256(file) != digest:
                mend = file.parent if "/" in name else file
                findings.append(
                    f"{file}: is not what its stage wrote; remove {mend}, then run again"
                )
            if file.suffix == ".parquet":
                hashes[f"{stage}/{name}"] = digest
    refuse(findings)
    return hashes
