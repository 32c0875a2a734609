"""`costcurves check`: whether prediction files keep the input contract, and what looks wrong."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any, Final

from costcurves.command.ending import DATA, FINE, USAGE, CommandError
from costcurves.command.init import OF_FILES, initial_study
from costcurves.command.report import config_of
from costcurves.errors import InputError, refuse
from costcurves.formats import amount, counted
from costcurves.printing import say
from costcurves.settings import (
    Dataset,
    Study,
    unknown_models,
)
from costcurves.study.reading import parse_study, read_study
from costcurves.study.strict_yaml import read_text

if TYPE_CHECKING:
    import pandas as pd

DESCRIPTION: Final = """\
Hold prediction files to the input contract (config/README.md), say what is in them, and what looks
wrong. Files without a column 'dataset' are taken as one dataset.
"""
EXAMPLES: Final = """\
examples:
  costcurves check predictions.csv
  costcurves check config/config.yaml --strict
  costcurves check --positive ill screening-a.csv.gz screening-b.parquet
"""
OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "files": {
        "nargs": "+",
        "metavar": "CONFIG-or-FILE",
        "help": "one configuration (.yaml), or prediction files, as config/README.md has",
    },
    **OF_FILES,
    "--strict": {"action": "store_true", "help": "fail where a finding is grave"},
    "--json": {"action": "store_true", "help": "print what is in the files, and findings, as JSON"},
}
COUNTED: Final = ["instance", "repeat", "fold"]  # columns, for programs
# Keys that say what files do not say by themselves, or what is in them.
FOLLOWING: Final = ("folds_without_a_class:", "positive:", "classes:", "costs:")


def run(options: Namespace) -> int:
    """Check the files, and say what each dataset in them is."""
    from costcurves.predictions.asking import as_command, in_configuration
    from costcurves.predictions.findings import plausibility
    from costcurves.predictions.staged import stage
    from costcurves.report.plausibility import said
    from costcurves.tables.curves.operating_points import counted_in_folds
    from costcurves.text import plain

    grave = 0
    document: dict[str, Any] = {"datasets": []}
    with redirect_stdout(sys.stderr if options.json else sys.stdout):  # how they were read
        study, follows = _study(options)
    for dataset in study.counted:
        of_files = not any(file.lower().endswith((".yaml", ".yml")) for file in options.files)
        written = as_command if of_files else in_configuration
        frame = stage(dataset, written)
        findings = said(plausibility(frame, counted_in_folds(frame)), dataset.expected)
        grave += (graves := sum(one.grade == "grave" for one in findings))
        claims = [*_claimed(study, dataset.name, frame)]
        found = [{"name": it.name, "grade": it.grade, "text": plain(it.text)} for it in findings]
        if options.json:
            each = frame.groupby("model", sort=False, observed=True)[COUNTED].nunique()
            own = {"dataset": dataset.name, "models": each.to_dict("index"), "findings": found}
            document["datasets"].append({**own, "claims": claims})
            continue
        verdict = "can be read, but see below" if graves else "fine"
        lines = [f"{dataset.name}: {verdict}", *_contents(dataset, frame)]
        lines += ["  {grade} ({name}): {text}".format(**it) for it in found]
        if names := [one.name for one in findings if one.grade != "note"]:
            meant = f"'expected: [{', '.join(names)}]'"
            lines += [f"  what of this is meant can be said in a configuration: {meant}"]
        say(*lines, *(f"  {one}" for one in claims))
    say(*(json.dumps(document, indent=1).split("\n") if options.json else follows))
    if options.strict and grave:  # said, not raised: the document has been printed
        expected = "expected none: mend them, or say what is meant"
        say(f"{counted(grave, 'grave finding')}, {expected}", to=sys.stderr, head=True)
        return DATA
    return FINE


def _study(options: Namespace) -> tuple[Study, list[str]]:
    """Read a configuration, or make one for files and say what is in it."""
    config = config_of(options)
    if config is None:
        _, text, _ = initial_study(options)
        return parse_study(read_text(text, "check").content, source="check"), _follows(text)
    try:
        return read_study(config), []
    except InputError as error:
        raise CommandError(USAGE, *error.lines) from error


def _follows(text: str) -> list[str]:
    """Give the lines of a configuration, if it has to say more than which files there are."""
    lines = [line for line in text.splitlines() if line.strip() and line.lstrip()[0] != "#"]
    says = any(line.lstrip().startswith(FOLLOWING) for line in lines)
    return ["as a configuration, which 'costcurves init' writes:", *lines] if says else []


def _contents(dataset: Dataset, frame: "pd.DataFrame") -> Iterator[str]:
    """Say what a dataset has: models of the same instances and folds in one line."""
    from costcurves.maths.counts.cost_weights import effective_size
    from costcurves.tables.keys import unit_of

    yield f"  {len(frame)} predictions by {counted(frame['model'].nunique(), 'model')}"
    for model, own in frame.groupby("model", sort=False, observed=True):
        instances = own.drop_duplicates("instance")
        positives = int((instances["label"] == 1).sum())
        clusters = own["cluster"].nunique() if unit_of(own) == "cluster" else 0
        effective = effective_size(instances["case_weight"])
        members = own["member"].nunique()
        parts = [
            f"{len(instances)} instances, {positives} of them positive",
            counted(clusters, "cluster") if clusters else "",
            f"weighted: as good as {effective:.0f}" if effective < len(instances) - 1e-6 else "",
            counted(own["repeat"].nunique(), "repeat"),
            f"{counted(len(own[['repeat', 'fold']].drop_duplicates()), 'fold')} in all",
            "scores" if own["score"].notna().all() else "decisions",
            f"a family of {members} members" if members > 1 else "",
        ]
        yield f"    {model}: {', '.join(filter(None, parts))}"
    if dataset.positive is not None:
        yield f"  positive is the label {dataset.positive!r}"
    yield from _costs(dataset, frame)


def _claimed(study: Study, dataset: str, frame: "pd.DataFrame") -> Iterator[str]:
    """Refuse claims about models that a dataset has not, and say which it can hardly decide."""
    from costcurves.tables.evidence import undecidable

    refuse(unknown_models(study.claims, dataset, list(frame["model"].unique())))
    for number, one in enumerate(study.claims, 1):
        if dataset in one.datasets:
            yield from (f"claim {number} {why}" for why in undecidable(one, frame))


def _costs(dataset: Dataset, frame: "pd.DataFrame") -> Iterator[str]:
    """Say what mistakes cost, and whether that is used."""
    instances = frame.drop_duplicates("instance")
    for name, label, of in (("cost_fp", 0, "negative"), ("cost_fn", 1, "positive")):
        own = instances.loc[instances["label"] == label, name].dropna()
        if len(own):
            low, mean, high = (amount(float(it)) for it in (own.min(), own.mean(), own.max()))
            yield f"  a mistake on a {of} costs {low} to {high}, {mean} on average ({name})"
    if dataset.costs is None and frame[["cost_fp", "cost_fn"]].notna().any(axis=None):
        yield "  these costs are used with 'costs:' in a configuration, which here there is not"
