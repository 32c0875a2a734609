"""`costcurves stage`: a job of the workflow. It reads tables, computes others, and writes them."""

import json
import sys
import traceback
from argparse import Namespace
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import pandas as pd

from costcurves import stages
from costcurves.atomic import atomic
from costcurves.code import all_files
from costcurves.errors import InputError, refuse, refused
from costcurves.invariants import check_results
from costcurves.printing import say
from costcurves.report.libraries import libraries
from costcurves.settings import Dataset, Study, unknown_models
from costcurves.stages import Made
from costcurves.tables.contract import stacked
from costcurves.tables.contracts import CONTRACTS, contract_of
from costcurves.tables.detail import TABLES
from costcurves.tables.files import read, write
from costcurves.tables.inference.resampling import (
    Resamples,
    check_models,
    read_resamples,
    write_resamples,
)
from costcurves.tables.predicted import PREDICTIONS
from costcurves.tables.record import manifest
from costcurves.tables.record.folders import replaced
from costcurves.tables.record.places import receipt_of
from costcurves.workflow import (
    FAILED,
    UNUSABLE,
    claimed,
    failure_file,
    tables,
)

DESCRIPTION: Final = "Compute one stage of a study, of a dataset or of all, as the rules do.\n"
EXAMPLES: Final = "examples:\n  costcurves stage averages results/default/study.json sonar\n"
OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "stage": {"metavar": "STAGE", "help": "its name, that of a rule"},
    "study": {"metavar": "STUDY", "help": "the checked study: results/<study>/study.json"},
    "dataset": {"metavar": "DATASET", "nargs": "?", "default": "", "help": "its folder's name"},
    "--beside": {"default": "", "metavar": "FILE", "help": "a file of results that lie elsewhere"},
    "--threads": {"type": int, "default": 1, "metavar": "N", "help": "how many it may use"},
}
STAGE_OF: Final = {table: stage for stage, names in TABLES.items() for table in names}
STAGE_OF.update(predictions="predictions", check_results="figures")
STAGE_OF.update(map="map", check_map="map", claims="claims", check_claims="claims")


def run(options: Namespace) -> int:
    """Run the stage; leave the status and the message of one that fails in a file."""
    content = json.loads(Path(options.study).read_text(encoding="utf-8"))
    study = Study.from_plain(content["study"])
    storage = options.beside.partition(f"results/{study.name}/")[0]
    files = Files(study, "", storage)
    failure = failure_file(study, options.stage, options.dataset)
    try:
        if options.dataset:
            (dataset,) = (one for one in study.datasets if one.slug == options.dataset)
            of_dataset(options.stage, files.of(dataset), dataset, options.threads)
        elif options.stage == "report":
            report(files, content["given"])
        else:
            of_study(options.stage, files)
    except InputError as error:
        status, message = UNUSABLE, str(error)
    except Exception as error:
        traceback.print_exc()
        status, message = FAILED, refused(error) or f"{type(error).__name__}: {error}"
    else:
        return 0
    where = f"{options.dataset}: " if options.dataset else ""
    message = f"{where}{options.stage}: {message}"
    say(*message.split("\n"), to=sys.stderr)
    failure.parent.mkdir(parents=True, exist_ok=True)
    failure.write_text(json.dumps({"status": status, "message": message}), encoding="utf-8")
    return status


@dataclass(frozen=True)
class Files:
    """The tables of a dataset as files, or those of the whole study, whose `slug` is empty.

    `files["envelopes"]` reads a table; one that the study leaves out has no rows.
    """

    study: Study
    slug: str
    storage: str = ""  # where the engine keeps files of a storage, if results lie in one
    known: Made = field(default_factory=dict)  # tables that were read or written

    def of(self, dataset: Dataset) -> "Files":
        """Return the tables of a dataset."""
        return Files(self.study, dataset.slug, self.storage)

    def folder(self, stage: str) -> Path:
        """Name the folder of a stage's results."""
        return Path(self.storage, "results", self.study.name, self.slug, stage)

    def path(self, table: str) -> Path:
        """Name the file of a table."""
        return self.folder(STAGE_OF[table]) / f"{table}.parquet"

    def __getitem__(self, table: str) -> pd.DataFrame:
        """Read a table, once."""
        if table not in self.known:
            there = not self.slug or table in tables(self.study, STAGE_OF[table])
            contract = contract_of(table)
            self.known[table] = read(self.path(table), contract) if there else contract.empty()
        return self.known[table]

    @property
    def resamples(self) -> Resamples:
        """Read the resamples."""
        return read_resamples(self.folder("confidence") / "resamples.npz")

    def write(self, made: Made) -> None:
        """Write those tables that the study has, each whole or not at all."""
        self.known.update(made)
        for table, frame in made.items():
            if not self.slug or table in tables(self.study, STAGE_OF[table]):
                write(frame, self.path(table), contract_of(table))

    def files(self, stage: str) -> list[Path]:
        """List what a stage has written."""
        folder = self.folder(stage)
        own = [*folder.glob("[!.]*"), *folder.glob("drawn/[!.]*")]
        return [file for file in own if file.is_file() and file.name != "made_of.json"]

    def clear(self, stage: str) -> None:
        """Remove what an earlier run of a stage has left, which may be tables of another study."""
        for file in self.files(stage):
            file.unlink()

    def sum_up(self, stage: str) -> None:
        """Write the sha256 of every file of a stage, so that a damaged one is found."""
        folder = self.folder(stage)
        with atomic(folder / manifest.SUMS) as fresh, fresh.open("w", encoding="utf-8") as sums:
            for file in sorted(self.files(stage)):
                sums.write(f"{manifest.sha256(file)}  {file.relative_to(folder).as_posix()}\n")


def of_dataset(stage: str, files: Files, dataset: Dataset, threads: int) -> None:
    """Compute the tables of a stage for one dataset."""
    files.clear(stage)
    match stage:
        case "predictions":
            predictions(files, dataset)
        case "cost_lines":
            cost_lines(files, dataset, threads)
        case "averages":
            averages(files, dataset)
        case "confidence":
            confidence(files, dataset, threads)
        case "comparisons":
            comparisons(files, dataset)
        case "figures":
            figures(files, dataset)
        case _:
            raise InputError([f"{stage!r} is no stage of a dataset"])
    files.sum_up(stage)


def of_study(stage: str, files: Files) -> None:
    """Compute the tables of a stage for the whole study."""
    files.clear(stage)
    match stage:
        case "map":
            map_datasets(files)
        case "claims":
            claims(files)
        case _:
            raise InputError([f"{stage!r} is no stage of a whole study"])
    files.sum_up(stage)


def predictions(files: Files, dataset: Dataset) -> None:
    """Check the predictions, and write a copy, its models, and the sha256 of each source."""
    from costcurves.predictions.staged import stage_with_sources

    study, folder = files.study, files.folder("predictions")
    local = replace(files, storage="").folder("predictions")
    rows, sources = stage_with_sources(dataset.as_read)
    models = [str(model) for model in rows["model"].unique()]
    check_models(rows, study.of_ranges.plain())
    refuse(unknown_models(study.claims, dataset.name, models))
    made_of = json.loads((local / "made_of.json").read_text(encoding="utf-8"))
    read_now = {source["path"]: source["sha256"] for source in sources}
    manifest.check_unchanged(sources, read_now | made_of["sources"])
    files.write({"predictions": rows})
    (folder / "models.jsonl").write_text("".join(f"{json.dumps(it)}\n" for it in models), "utf-8")
    (folder / "sources.json").write_text(json.dumps(sources, indent=1), "utf-8")


def cost_lines(files: Files, dataset: Dataset, threads: int) -> None:
    """Count at every threshold, take lower envelopes, apply threshold rules, measure rankings."""
    study, counts = files.study, stages.count(files.study, files, threads)
    files.write(stages.cost_lines(counts))
    made = stages.rank(files, counts, threads) | stages.find(dataset, files, counts)
    made |= stages.choose(study, counts)
    if "roc" in study.stages:
        made |= stages.average_in_roc_space(study, counts)
    if "threshold_choice" in study.stages:
        made |= stages.choose_from_rankings(study, files, counts)
    files.write(made)


def averages(files: Files, dataset: Dataset) -> None:
    """Average envelopes, choose the headline curves and measure them."""
    files.write(stages.average(files) | stages.judge(files))
    files.write(stages.measure(files.study, dataset, files))


def confidence(files: Files, dataset: Dataset, threads: int) -> None:
    """Resample the cases, and give curves bands and numbers intervals."""
    study, sizes = files.study, files["measures"]
    resamples = stages.resample(study, dataset, files, sizes, threads)
    write_resamples(resamples, files.folder("confidence") / "resamples.npz")
    made = stages.confidence(study, files, sizes, resamples)
    if "instance_costs" in study.stages:
        made |= stages.cost_cases(study, dataset, files, sizes, resamples)
    if "segments" in study.stages:
        made |= stages.split_by_segment(study, dataset, files, sizes)
    if "decisions" in study.stages:
        made |= stages.decide_by_matrix(study, dataset, files)
    if "optimism" in study.stages:
        made |= stages.compare_rules(study, dataset, files, sizes, resamples)
        made |= stages.calibrate(study, dataset, files)
    files.write(made)


def comparisons(files: Files, dataset: Dataset) -> None:
    """Compare every two models, and find which decisions could still be cheapest."""
    study, sizes = files.study, files["measures"]
    made = stages.compare(study, dataset, files, sizes, files.resamples)
    if "auc_differences" in study.stages:
        made |= stages.compare_rankings(files)
    files.write(made)


def figures(files: Files, dataset: Dataset) -> None:
    """Check the results of a dataset, and draw its figures."""
    from costcurves.figures.drawing import draw_dataset

    study = files.study
    results = all_tables({table: files[table] for table in study.stages})
    names = ["dataset", "model", "instance", "label"]
    predicted = read(files.path("predictions"), PREDICTIONS, names)
    checks = check_results(results | {"predictions": predicted})
    models = replace(files, slug="").folder("models.jsonl")
    lines = models.read_text(encoding="utf-8").splitlines()
    roster = tuple(dict.fromkeys(json.loads(line) for line in lines))
    with replaced(files.folder("figures") / "drawn") as fresh:
        draw_dataset(fresh, dataset, results, roster, study)
    files.write({"check_results": checks})


def all_tables(known: Made) -> Made:
    """Add an empty table in place of each that a study leaves out."""
    return {name: contract.empty() for name, contract in CONTRACTS.items()} | known


def of_datasets(files: Files, datasets: Iterable[Dataset], table: str) -> pd.DataFrame:
    """Read a table of several datasets."""
    frames = [files.of(dataset)[table] for dataset in datasets]
    return stacked([contract_of(table).empty(), *frames]).reset_index(drop=True)


def map_datasets(files: Files) -> None:
    """Count verdicts over all datasets, check the map, and draw it."""
    from costcurves.figures.drawing import draw_together
    from costcurves.invariants import check_map
    from costcurves.tables.inference.map import study_map

    study = files.study
    names = ("measures", "verdicts", "crossovers")
    whole = {name: of_datasets(files, study.counted, name) for name in names}
    whole["map"] = study_map(
        whole["measures"],
        whole["verdicts"],
        whole["crossovers"],
        voters={dataset.name: dataset.in_files for dataset in study.counted},
        inference=study.inference.plain(),
        reference=study.reference,
        seed=study.seed,
    )
    checks = check_map(whole["map"], whole["verdicts"])
    with replaced(files.folder("map") / "drawn") as fresh:
        draw_together(fresh, whole, study)
    files.write({"check_map": checks, "map": whole["map"]})


def claims(files: Files) -> None:
    """Decide what the study claims, all claims together, and check the verdicts."""
    from costcurves.invariants import SOURCES, check_claims
    from costcurves.tables.claims import claims as decided

    study, bases = files.study, {}
    datasets = [dataset for dataset in study.datasets if dataset.slug in claimed(study)]
    for dataset in datasets:
        own = files.of(dataset)
        bases[dataset.name] = stages.basis(study, dataset, own, own["measures"], own.resamples)
    table = decided(bases, study.claims, study.prior.plain())
    names = [contract.name for contract in SOURCES if contract.name in study.stages]
    sources = {name: of_datasets(files, datasets, name) for name in names}
    files.write({"claims": table, "check_claims": check_claims(table, sources)})


def report(whole: Files, given: dict[str, Any]) -> None:
    """Write the report and put it in its place, whole or not at all; leave its receipt."""
    from costcurves.report.publication import publish

    study = whole.study
    each = {dataset.slug: whole.of(dataset) for dataset in study.datasets}
    results: dict[str, str] = {}
    for slug, files in each.items():
        for stage in ("predictions", *TABLES, "figures"):
            results |= unchanged(files.folder(stage), f"/{slug}")
    shown = {name: contract_of(name).empty() for name in ("map", "claims")}
    for name in ("map", "claims") if study.claims else ("map",):
        results |= unchanged(whole.folder(name), "")
        shown[name] = whole[name]
    published = {"": shown}
    drawn = {"": whole.folder("map") / "drawn"}
    for slug, files in each.items():
        published[slug] = all_tables({name: files[name] for name in study.stages})
        published[slug]["check_results"] = files["check_results"]
        drawn[slug] = files.folder("figures") / "drawn"
    staged = [files.folder("predictions") / "sources.json" for files in each.values()]
    facts = manifest.provenance(
        manifest.unchanged_sources(staged),
        study.configuration,
        all_files(),
        given=given,
        results=results,
        libraries=libraries(),
    )
    folder = Path("reports", study.name)
    facts = manifest.anonymous(facts) if study.anonymous else facts
    publish(folder, study, published, drawn, facts)
    receipt_of(study.name).write_text(manifest.sha256(folder / manifest.MANIFEST), "utf-8")


def unchanged(folder: Path, of: str) -> dict[str, str]:
    """Refuse files that are not what a stage wrote; return the sha256 of its tables."""
    found, findings = {}, []
    for line in (folder / manifest.SUMS).read_text(encoding="utf-8").splitlines():
        digest, name = line.split("  ", 1)
        if name in ("models.jsonl", "resamples.npz"):  # which the report does not read
            continue
        file = folder / name
        if not file.is_file() or manifest.sha256(file) != digest:
            mend = file if file.parent == folder else file.parent
            findings.append(f"{file}: is not what its stage wrote; remove {mend}, then run again")
        if name.endswith(".parquet"):
            found[f"{name.removesuffix('.parquet')}{of}.parquet"] = digest
    refuse(findings)
    return found
