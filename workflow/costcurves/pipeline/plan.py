"""What each result of a study is computed from, and the folder that its key names.

A key is a hash of the code that computes a result, the parameters that matter to it, and the keys
of its inputs; that of predictions covers the sha256 of their sources. It is known before any job
runs. So dates decide nothing, and results of other code, parameters or sources have other names.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from costcurves.atomic import atomic
from costcurves.code import code_hashes
from costcurves.errors import InputError, refused
from costcurves.memory import remember
from costcurves.printing import say
from costcurves.report.libraries import pdf_missing
from costcurves.tables.configuration.dataset import Dataset
from costcurves.tables.configuration.stages import (
    AUCS,
    BY_MATRIX,
    MIXTURES,
    OF_CHOICES,
    ROC_AVERAGES,
    batches,
)
from costcurves.tables.configuration.strict_yaml import read_document
from costcurves.tables.configuration.study import Study, parse_study
from costcurves.tables.input.sources import hashed
from costcurves.tables.record.places import HASHED, check_places, published

PLANS: Final = ".snakemake/costcurves"
UNUSABLE: Final = 3  # the status of a command or job whose input can't be used
FAILED: Final = 5  # and that of one that failed otherwise
Batch = Sequence[Dataset]


@dataclass(frozen=True)
class Stage:
    """A stage of the pipeline."""

    layer: str  # of the code that it runs
    inputs: tuple[str, ...]  # stages of the same batch
    tables: tuple[str, ...]  # that it may write
    parameters: Callable[[Study, Batch], list[Any]]
    of_rows: int = 0  # times its sources' size that it takes of memory


def _conditions(study: Study) -> list[Any]:
    return [one.plain() for one in study.operating_conditions]


CURVES: Final = ("predictions", "cost_lines", "averages", "hybrids", "duality")
OF_BATCHES: Final = {
    "predictions": Stage(
        "tables",
        (),
        ("predictions",),
        lambda _, batch: [one.as_read.plain() for one in batch],
        of_rows=5,
    ),
    "cost_lines": Stage(
        "tables",
        ("predictions",),
        ("operating_points", "envelopes", "rankings", "plausibility"),
        lambda study, _: [study.seed, study.every_threshold],
        of_rows=7,
    ),
    "averages": Stage(
        "tables", ("cost_lines",), ("averages", *ROC_AVERAGES), lambda study, _: [study.level]
    ),
    "hybrids": Stage(
        "tables",
        ("cost_lines",),
        ("hybrids", "criteria", "deployment", "threshold_choice", *MIXTURES),
        lambda study, _: [study.level, study.applied.plain(), study.prior.plain()],
        of_rows=4,  # of many small folds, which keep every threshold
    ),
    "duality": Stage(
        "tables",
        ("cost_lines", "averages", "hybrids"),
        ("headline", "measures", "duality"),
        lambda study, batch: [
            *(study.level, study.prior.plain(), study.inference.confidence),
            *(_conditions(study), [one.prior for one in batch]),
        ],
    ),
    "resampling": Stage(
        "tables",
        ("predictions", "cost_lines", "duality"),
        (),
        lambda study, _: [
            *(study.level, study.seed, _conditions(study), study.of_ranges.drawn(1)),
            study.of_ranges.plain("confidence", "resamples"),
        ],
        of_rows=6,
    ),
    "confidence": Stage(
        "tables",
        (*CURVES, "resampling"),
        (
            *("bands", "intervals", "instance_costs", "segments"),
            *(*BY_MATRIX, *OF_CHOICES),
        ),
        lambda study, _: [
            *(study.level, study.inference.plain("confidence", "band"), _conditions(study)),
            *(study.prior.plain(), study.applied.plain(), study.seed),
        ],
        of_rows=3,
    ),
    "comparisons": Stage(
        "tables",
        ("predictions", "cost_lines", "duality", "resampling"),
        (
            *("comparisons", "verdicts", "pair_intervals", "crossovers", "in_the_running"),
            *AUCS,
        ),
        lambda study, _: [study.inference.plain(), _conditions(study), study.prior.plain()],
        of_rows=3,
    ),
    "figures": Stage(
        "figures",
        (*CURVES, "confidence", "comparisons"),
        ("check_results",),
        lambda study, batch: [
            *([one.plain() | {"about": None} for one in batch], study.datasets[0].slug),
            *(_conditions(study), study.level, study.detail),
        ],
        of_rows=3,
    ),
}
OF_STUDIES: Final = {
    "map": Stage(
        "figures",
        ("hybrids", "duality", "confidence", "comparisons"),
        ("map", "check_map"),
        lambda study, datasets: [
            [[one.name, one.title, one.in_files] for one in datasets],
            study.title if datasets[1:] else "",  # of one dataset no figure bears it
            *(study.inference.plain(), study.seed),
        ],
    ),
    "claims": Stage(
        "tables",
        ("predictions", "cost_lines", "hybrids", "duality", "resampling"),
        ("claims", "check_claims"),
        lambda study, _: [
            *([one.plain() for one in study.claims], _conditions(study), study.level),
            *(study.applied.plain(), study.prior.plain()),
        ],
        of_rows=3,
    ),
    "report": Stage(
        "report",
        (*CURVES, "confidence", "comparisons", "figures"),
        (),
        lambda study, _: [study.plain()],
    ),
}
STAGES: Final = OF_BATCHES | OF_STUDIES
HOLDS: Final = {table: name for name, stage in STAGES.items() for table in stage.tables}


def key_of(*made_of: Any) -> str:
    """Hash what a result is made of, plain values, as 12 hexadecimal digits."""
    text = json.dumps(made_of, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Plan:
    """All results of a study, by stage and batch; those of the whole study have the batch ""."""

    study: Study
    given: Mapping[str, Any]  # the configuration as it was given
    sources: Mapping[str, str | None]  # sha256 of each; None: it can't be read
    code: Mapping[str, Mapping[str, str]]  # hashes of each layer

    @cached_property
    def batches(self) -> dict[str, tuple[Dataset, ...]]:
        """The datasets of each batch."""
        return batches(self.study.datasets)

    @property
    def results(self) -> str:
        """The folder of the study's results."""
        return f"results/{self.study.name}"

    @property
    def counted(self) -> set[str]:
        """The datasets that are counted."""
        return {one.name for one in self.study.counted}

    @property
    def claimed(self) -> set[str]:
        """The datasets that decide claims."""
        return {name for one in self.study.claims for name in one.judged}

    def of(self, names: Collection[str]) -> list[str]:
        """List the batches of some datasets."""
        return [one for one, own in self.batches.items() if any(it.name in names for it in own)]

    @cached_property
    def _keys(self) -> dict[tuple[str, str], str]:
        return {}

    def key(self, stage: str, batch: str = "") -> str:
        """Give the key of a stage's result."""
        if (stage, batch) not in self._keys:
            self._keys[stage, batch] = self._key(stage, batch)
        return self._keys[stage, batch]

    def _key(self, stage: str, batch: str) -> str:
        own = STAGES[stage]
        datasets = self.batches[batch] if batch else self.study.counted
        wanted = [table for table in own.tables if table in self.study.stages]
        made_of: list[Any] = [
            self.code[own.layer]["code"],
            wanted,
            own.parameters(self.study, datasets),
        ]
        if stage == "predictions":
            made_of += [self.sources[file] for one in datasets for file in one.predictions]
        if stage == "report":
            made_of += [self.given]
        return key_of(stage, *made_of, [self.key(*one) for one in self.needed(stage, batch)])

    def needed(self, stage: str, batch: str = "") -> list[tuple[str, str]]:
        """List the stages and batches whose results a result is made of."""
        inputs = STAGES[stage].inputs
        if stage in OF_BATCHES:
            found = [(one, batch) for one in inputs]
            if stage == "figures":  # a model looks the same in the whole report
                found += [("duality", one) for one in self.batches]
                beside = {one.original for one in self.batches[batch] if one.weighted}
                found += [("confidence", one) for one in self.of(beside)]
            return list(dict.fromkeys(found))
        among = {"map": self.counted, "claims": self.claimed}.get(stage)
        of = self.batches if among is None else self.of(among)
        found = [(one, batch) for batch in of for one in inputs]
        return found + ([("map", ""), ("claims", "")] if stage == "report" else [])

    def folder(self, stage: str, batch: str = "") -> str:
        """Name the folder of a result."""
        key = self.report_key if stage == "report" else self.key(stage, batch)
        return "/".join((self.results, *([batch] if batch else []), f"{stage}-{key}"))

    def inputs(self, stage: str, batch: str = "") -> list[str]:
        """Name the folders of the results that a result is made of."""
        return [self.folder(*one) for one in self.needed(stage, batch)]

    @property
    def whole(self) -> list[tuple[str, str]]:
        """The stages and batches of all results."""
        own = [(stage, batch) for stage in OF_BATCHES for batch in self.batches]
        return own + [(stage, "") for stage in OF_STUDIES]

    def folders(self) -> list[str]:
        """List the folders of all results."""
        return [self.folder(*one) for one in self.whole]

    def keys(self) -> list[str]:
        """List all keys."""
        return [folder.rpartition("-")[2] for folder in self.folders()]

    @cached_property
    def report_key(self) -> str:
        """The key of the report: another one than before where another report is in its place."""
        there, key = published(self.study.name), self.key("report")
        if there and self.in_place:
            return there["key"]
        while Path(self.results, f"report-{key}").exists():
            key = key_of(key)
        return key

    @property
    def in_place(self) -> bool:
        """Whether the report that is in its place is this one, with all files that it can have."""
        there, pages = published(self.study.name), Path("reports", self.study.name)
        same = there is not None and there["made_of"] == self.key("report")
        complete = (pages / "report.pdf").is_file() or not self.study.printed or pdf_missing()
        return same and bool(complete)

    def jobs(self) -> list[tuple[str, str]]:
        """List what a run makes, as the engine finds it: also what lost results are for."""
        absent = {one for one in self.whole if not Path(self.folder(*one)).is_dir()}
        found: set[tuple[str, str]] = set()
        new = found if self.in_place else {("report", "")}
        while new - found:
            found |= new
            new = {one for one in self.whole if found & absent & {*self.needed(*one)}}
            new |= {it for one in found for it in self.needed(*one)} & absent
        return [one for one in self.whole if one in found]

    def memory(self, stage: str, batch: str) -> int:
        """Give the megabytes that a job may take, by what it reads itself."""
        datasets = self.batches.get(batch, self.study.datasets)
        files = {file for one in datasets for file in one.predictions}
        sizes = [
            Path(file).stat().st_size * (1 if file.endswith(".csv") else 4)  # what compresses
            for file in files
            if Path(file).is_file()
        ]
        return 1200 + 25 * len(datasets) + STAGES[stage].of_rows * sum(sizes) // 2**20

    @cached_property
    def file(self) -> str:
        """Name the file of this plan, which jobs read; it lies among the engine's own."""
        return f"{PLANS}/{self.study.name}/plan-{key_of(*self._plain().values())}.json"

    def save(self) -> None:
        """Write the plan."""
        with atomic(self.file) as fresh:
            fresh.write_text(json.dumps(self._plain()), encoding="utf-8")

    def _plain(self) -> dict[str, Any]:
        return {
            "study": self.study.plain(),
            "given": dict(self.given),
            "sources": dict(self.sources),
            "code": dict(self.code),
        }


def load_plan(file: str | Path) -> Plan:
    """Read a plan that was saved."""
    content = json.loads(Path(file).read_text(encoding="utf-8"))
    return Plan(**{**content, "study": Study.from_plain(content["study"])})


def plan_of(study: Study, given: Mapping[str, Any], *, remembering: bool = True) -> Plan:
    """Plan a study: hash its code and its sources, which are remembered if untouched."""
    files = [it for one in study.datasets for it in one.predictions]
    memory = Path("results", study.name, HASHED)
    known = hashed(files, memory)
    if remembering and memory.parent.is_dir():
        remember(memory, known)
    return Plan(study, given, {it: one["sha256"] for it, one in known.items()}, code_hashes())


def read_plan(config: Mapping[str, Any], files: Sequence[Path]) -> Plan:
    """Plan what the engine was given, and save that; where it can't be used say so, and end."""
    try:
        # Strict: what the engine's own reader of YAML lets pass is refused here.
        documents = [read_document(path) for path in files]
        source = " + ".join(map(str, files))
        lines = documents[0].lines if len(documents) == 1 else None
        study = parse_study(config, source=source, lines=lines)
        check_places(study, files)
        plan = plan_of(study, config)
        plan.save()
        return plan
    except (InputError, OSError) as error:
        say("", *(refused(error) or str(error)).split("\n"), "", to=sys.stderr)
        sys.exit(UNUSABLE if isinstance(error, InputError) else FAILED)
