"""`costcurves check`: whether prediction files keep the input contract, and possible problems."""

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any, Final

from costcurves.command.ending import DATA, FINE, configuring
from costcurves.command.init import OF_FILES, initial_text
from costcurves.command.report import FILES, config_of
from costcurves.errors import refuse
from costcurves.formats import amount, counted
from costcurves.printing import say, say_json
from costcurves.settings import Dataset, Study, unknown_models
from costcurves.study.reading import parse_study, read_study
from costcurves.study.strict_yaml import read_text

if TYPE_CHECKING:
    import pandas as pd

DESCRIPTION: Final = """\
Check prediction files against the input contract (config/README.md), and list what is in them and
possible problems. Files without a column 'dataset' are taken as one dataset.
"""
EXAMPLES: Final = """\
examples:
  costcurves check predictions.csv
  costcurves check config/config.yaml --strict
  costcurves check --positive ill screening-a.csv.gz screening-b.parquet
"""
OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "files": FILES,
    **OF_FILES,
    "--strict": {"action": "store_true", "help": "fail where a finding is grave"},
    "--json": {"action": "store_true", "help": "print what is in the files, and findings, as JSON"},
}


def run(options: Namespace) -> int:
    """Check the files, and print what each dataset in them is."""
    from costcurves.counts.counted import counted_in_folds
    from costcurves.predictions.findings import plausibility
    from costcurves.predictions.staged import stage
    from costcurves.report.plausibility import problems
    from costcurves.text import plain

    with redirect_stdout(sys.stderr if options.json else sys.stdout):  # how files were read
        study = _study(options)
    grave, datasets = 0, []
    for dataset in study.counted:
        rows = stage(dataset)
        models = rows.groupby("model", sort=False, observed=True)
        refuse(unknown_models(study.claims, dataset.name, rows["model"].unique().tolist()))
        findings = [
            {"name": finding.name, "grade": finding.grade, "text": plain(finding.text)}
            for finding in problems(plausibility(rows, counted_in_folds(rows)), dataset.expected)
        ]
        grades = [finding["grade"] for finding in findings]
        grave += grades.count("grave")
        counts = models[["instance", "repeat", "fold"]].nunique().to_dict("index")
        datasets.append({"dataset": dataset.name, "models": counts, "findings": findings})
        if options.json:
            continue
        say(f"{dataset.name}: {'can be read, but see below' if 'grave' in grades else 'fine'}")
        say(*_contents(dataset, rows))
        say(*("  {grade} ({name}): {text}".format(**finding) for finding in findings))
        names = ", ".join(finding["name"] for finding in findings if finding["grade"] != "note")
        if names:
            say(f"  what of this is meant can be said in a configuration: 'expected: [{names}]'")
    if options.json:
        say_json({"datasets": datasets})
    if options.strict and grave:  # said, not raised: the document has been printed
        mend = "expected none: mend them, or say what is meant"
        say(f"{counted(grave, 'grave finding')}, {mend}", to=sys.stderr)
        return DATA
    return FINE


def _study(options: Namespace) -> Study:
    """Read a configuration, or make one for files."""
    config = config_of(options)
    if config is None:
        _, text, _ = initial_text(options)
        return parse_study(read_text(text, "check").content, source="check")
    with configuring():
        return read_study(config)


def _contents(dataset: Dataset, frame: "pd.DataFrame") -> Iterator[str]:
    """Say what a dataset has: models of the same instances and folds in one line."""
    from costcurves.counts.cost_weights import effective_size
    from costcurves.tables.keys import unit_of

    yield f"  {len(frame)} predictions by {counted(frame['model'].nunique(), 'model')}"
    for model, rows in frame.groupby("model", sort=False, observed=True):
        instances = rows.drop_duplicates("instance")
        positives = int((instances["label"] == 1).sum())
        clusters = rows["cluster"].nunique() if unit_of(rows) == "cluster" else 0
        effective = effective_size(instances["case_weight"])
        members = rows["member"].nunique()
        parts = [
            f"{len(instances)} instances, {positives} of them positive",
            counted(clusters, "cluster") if clusters else "",
            f"weighted: as good as {effective:.0f}" if effective < len(instances) - 1e-6 else "",
            counted(rows["repeat"].nunique(), "repeat"),
            f"{counted(len(rows[['repeat', 'fold']].drop_duplicates()), 'fold')} in all",
            "scores" if rows["score"].notna().all() else "decisions",
            f"a family of {members} members" if members > 1 else "",
        ]
        yield f"    {model}: {', '.join(filter(None, parts))}"
    if dataset.positive is not None:
        yield f"  positive is the label {dataset.positive!r}"
    yield from _costs(dataset, frame)


def _costs(dataset: Dataset, frame: "pd.DataFrame") -> Iterator[str]:
    """Say what mistakes cost, and whether that is used."""
    instances = frame.drop_duplicates("instance")
    for name, label, of in (("cost_fp", 0, "negative"), ("cost_fn", 1, "positive")):
        costs = instances.loc[instances["label"] == label, name].dropna()
        if len(costs):
            low, mean, high = map(amount, costs.agg(["min", "mean", "max"]))
            yield f"  a mistake on a {of} costs {low} to {high}, {mean} on average ({name})"
    if dataset.costs is None and frame[["cost_fp", "cost_fn"]].notna().any(axis=None):
        yield "  these costs are used with 'costs:' in a configuration, which here there is not"
