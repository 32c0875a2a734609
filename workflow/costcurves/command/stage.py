"""`costcurves stage`: a job of the workflow. It reads tables, computes others, and writes them."""

import json
import sys
import traceback
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from costcurves import stages
from costcurves.atomic import atomic
from costcurves.chance.resamples import check_models, read_resamples, write_resamples
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
READ: Final = {  # by the stages of a dataset
    "predictions": (),
    "cost_lines": ("predictions",),
    "averages": ("operating_points", "envelopes", "rankings", "hybrids", "roc"),
    "confidence": (
        *("predictions", "operating_points", "hybrids", "criteria", "deployment"),
        *TABLES["averages"],
    ),
    "comparisons": ("predictions", "operating_points", "headline", "measures"),
    "figures": STAGES,
}
TOGETHER: Final = "map", "claims", "report"  # stages of the whole study
SOURCES: Final = "predictions/sources.json"
RESAMPLES: Final = "confidence/resamples.npz"
OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "stage": {"choices": [*READ, *TOGETHER], "help": "its name, that of a rule"},
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
        if options.dataset:
            (dataset,) = (known for known in study.datasets if known.slug == options.dataset)
            of_dataset(options.stage, study, dataset, results / dataset.slug, options.threads)
        else:
            of_study(options.stage, study, results, content["given"])
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


def of_dataset(stage: str, study: Study, dataset: Dataset, folder: Path, threads: int) -> None:
    """Run a stage of one dataset, whose results lie in a folder."""
    tables = read_tables(study, folder, *READ[stage])
    match stage:
        case "predictions":
            made = predictions(study, dataset, folder)
        case "cost_lines":
            made = cost_lines(study, dataset, tables, threads)
        case "averages":
            made = stages.average(tables) | stages.judge(tables)
            made |= stages.measure(study, dataset, tables | made)
        case "confidence":
            made = confidence(study, dataset, tables, folder, threads)
        case "comparisons":
            made = comparisons(study, dataset, tables, folder)
        case _:
            made = figures(study, dataset, tables, folder)
    write_tables(study, folder / stage, made)


def of_study(stage: str, study: Study, results: Path, given: dict[str, Any]) -> None:
    """Run a stage of the whole study, whose results lie in a folder."""
    match stage:
        case "map":
            map_datasets(study, results)
        case "claims":
            claims(study, results)
        case _:
            report(study, results, given)


def read_tables(study: Study, folder: Path, *names: str) -> Made:
    """Read tables of a dataset, or of the whole study; one that the study leaves out is empty."""
    tables = {}
    for name in names:
        if name in STAGES and name not in study.stages:
            tables[name] = CONTRACTS[name].empty()
        else:
            tables[name] = read(folder / STAGE_OF[name] / f"{name}.parquet", CONTRACTS[name])
    return tables


def write_tables(study: Study, folder: Path, tables: Made) -> None:
    """Write the tables of a stage that the study has, and the sha256 of each file in its folder.

    Tables that an earlier run has left go: they may be of another study.
    """
    for file in folder.glob("*.parquet"):
        file.unlink()
    for name, table in tables.items():
        if name not in STAGES or name in study.stages:
            write(table, folder / f"{name}.parquet", CONTRACTS[name])
    files = [*folder.glob("[!.]*"), *folder.glob("drawn/[!.]*")]
    lines = [
        f"{manifest.sha256(file)}  {file.relative_to(folder).as_posix()}\n"
        for file in sorted(files)
        if file.is_file() and file.name not in ("made_of.json", manifest.SUMS)
    ]
    with atomic(folder / manifest.SUMS) as fresh:
        fresh.write_text("".join(lines), "utf-8")


def predictions(study: Study, dataset: Dataset, folder: Path) -> Made:
    """Check the predictions, and write their models and the sha256 of each source."""
    from costcurves.predictions.staged import stage_with_sources

    rows, sources = stage_with_sources(dataset.as_read)
    models = [str(model) for model in rows["model"].unique()]
    check_models(rows, study.of_ranges)
    refuse(unknown_models(study.claims, dataset.name, models))
    made_of = Path("results", study.name, dataset.slug, "predictions", "made_of.json")
    known = json.loads(made_of.read_text("utf-8"))["sources"]
    hashes = {source["path"]: source["sha256"] for source in sources}
    manifest.check_unchanged(sources, hashes | known)
    lines = "".join(f"{json.dumps(model)}\n" for model in models)
    (folder / "predictions" / "models.jsonl").write_text(lines, "utf-8")
    (folder / SOURCES).write_text(json.dumps(sources, indent=1), "utf-8")
    return {"predictions": rows}


def cost_lines(study: Study, dataset: Dataset, tables: Made, threads: int) -> Made:
    """Count at every threshold, take lower envelopes, apply threshold rules, measure rankings."""
    counts = stages.count(study, tables, threads)
    made = stages.cost_lines(counts)
    made |= stages.rank(tables, counts, threads)
    made |= stages.find(dataset, tables, counts)
    made |= stages.choose(study, counts)
    if "roc" in study.stages:
        made |= stages.average_in_roc_space(study, counts)
    if "threshold_choice" in study.stages:
        made |= stages.choose_from_rankings(study, made, counts)
    return made


def confidence(study: Study, dataset: Dataset, tables: Made, folder: Path, threads: int) -> Made:
    """Resample the cases, and give curves bands and numbers intervals."""
    sizes = tables["measures"]
    resamples = stages.resample(study, dataset, tables, sizes, threads)
    write_resamples(resamples, folder / RESAMPLES)
    made = stages.confidence(study, tables, sizes, resamples)
    if "instance_costs" in study.stages:
        made |= stages.cost_cases(study, dataset, tables, sizes, resamples)
    if "optimism" in study.stages:
        made |= stages.compare_rules(study, dataset, tables, sizes, resamples)
        made |= stages.calibrate(study, dataset, tables)
    return made


def comparisons(study: Study, dataset: Dataset, tables: Made, folder: Path) -> Made:
    """Compare every two models, and find which decisions could still be cheapest."""
    resamples = read_resamples(folder / RESAMPLES)
    made = stages.compare(study, dataset, tables, tables["measures"], resamples)
    if "auc_differences" in study.stages:
        made |= stages.compare_rankings(tables)
    return made


def figures(study: Study, dataset: Dataset, tables: Made, folder: Path) -> Made:
    """Check the results of a dataset, and draw its figures."""
    from costcurves.figures.drawing import draw_dataset

    columns = ["dataset", "model", "instance", "label"]
    file = folder / "predictions" / "predictions.parquet"
    cases = read(file, CONTRACTS["predictions"], columns)
    checks = check_results(tables | {"predictions": cases})
    lines = folder.with_name("models.jsonl").read_text("utf-8").splitlines()
    models = tuple(dict.fromkeys(json.loads(line) for line in lines))
    with replaced(folder / "figures" / "drawn") as fresh:
        draw_dataset(fresh, dataset, tables, models, study)
    return {"check_results": checks}


def of_datasets(study: Study, results: Path, datasets: Iterable[Dataset], *names: str) -> Made:
    """Read tables of several datasets, stacked."""
    each = [read_tables(study, results / dataset.slug, *names) for dataset in datasets]
    stack = {}
    for name in names:
        tables = [CONTRACTS[name].empty(), *(of_dataset[name] for of_dataset in each)]
        stack[name] = stacked(tables).reset_index(drop=True)
    return stack


def map_datasets(study: Study, results: Path) -> None:
    """Count verdicts over all datasets, check the map, and draw it."""
    from costcurves.figures.drawing import draw_together
    from costcurves.invariants import check_map
    from costcurves.many.map import study_map

    tables = of_datasets(study, results, study.counted, "measures", "verdicts", "crossovers")
    tables["map"] = study_map(
        tables["measures"],
        tables["verdicts"],
        tables["crossovers"],
        voters={dataset.name: dataset.in_files for dataset in study.counted},
        inference=study.inference,
        reference=study.reference,
        seed=study.seed,
    )
    checks = check_map(tables["map"], tables["verdicts"])
    with replaced(results / "map" / "drawn") as fresh:
        draw_together(fresh, tables, study)
    write_tables(study, results / "map", {"check_map": checks, "map": tables["map"]})


def claims(study: Study, results: Path) -> None:
    """Decide what the study claims, all claims together, and check the verdicts."""
    from costcurves.invariants import SOURCES, check_claims
    from costcurves.many.claims import claims as decided

    bases = {}
    datasets = study.claimed
    names = "predictions", "operating_points", "hybrids", "criteria", "headline", "measures"
    for dataset in datasets:
        folder = results / dataset.slug
        tables = read_tables(study, folder, *names)
        resamples = read_resamples(folder / RESAMPLES)
        bases[dataset.name] = stages.basis(study, dataset, tables, tables["measures"], resamples)
    table = decided(bases, study.claims, weight_of_pc(study.prior))
    sources = of_datasets(study, results, datasets, *(contract.name for contract in SOURCES))
    checks = check_claims(table, sources)
    write_tables(study, results / "claims", {"claims": table, "check_claims": checks})


def report(study: Study, results: Path, given: dict[str, Any]) -> None:
    """Write the report and put it in its place, whole or not at all; leave its receipt."""
    from costcurves.report.publication import publish

    published, drawn = {}, {"": results / "map" / "drawn"}
    hashes: dict[str, str] = {}
    staged = []
    for dataset in study.datasets:
        folder = results / dataset.slug
        for stage in ("predictions", *TABLES, "figures"):
            hashes |= unchanged(folder / stage, f"/{dataset.slug}")
        published[dataset.slug] = read_tables(study, folder, *STAGES, "check_results")
        drawn[dataset.slug] = folder / "figures" / "drawn"
        staged.append(folder / SOURCES)
    published[""] = {"claims": CONTRACTS["claims"].empty()}
    for stage in ("map", "claims") if study.claims else ("map",):
        hashes |= unchanged(results / stage, "")
        published[""] |= read_tables(study, results, stage)
    facts = manifest.provenance(
        manifest.unchanged_sources(staged),
        study.configuration,
        all_files(),
        given=given,
        results=hashes,
        libraries=libraries(),
    )
    folder = Path("reports", study.name)
    facts = manifest.anonymous(facts) if study.anonymous else facts
    publish(folder, study, published, drawn, facts)
    receipt_of(study.name).write_text(manifest.sha256(folder / manifest.MANIFEST), "utf-8")


def unchanged(folder: Path, suffix: str) -> dict[str, str]:
    """Refuse files that are not what a stage wrote; return the sha256 of its tables."""
    hashes, findings = {}, []
    for line in (folder / manifest.SUMS).read_text("utf-8").splitlines():
        digest, name = line.split("  ", 1)
        if name in ("models.jsonl", "resamples.npz"):  # which the report does not read
            continue
        file = folder / name
        if not file.is_file() or manifest.sha256(file) != digest:
            mend = file if file.parent == folder else file.parent
            findings.append(f"{file}: is not what its stage wrote; remove {mend}, then run again")
        if name.endswith(".parquet"):
            hashes[f"{name.removesuffix('.parquet')}{suffix}.parquet"] = digest
    refuse(findings)
    return hashes
