"""`costcurves gate`: whether a new model is not worse than an old one, without a configuration."""

import re
import sys
from argparse import Namespace
from collections.abc import Mapping
from contextlib import redirect_stdout
from typing import Any, Final

from costcurves.command.audit import JSON, report_claims
from costcurves.command.ending import USAGE, CommandError
from costcurves.command.init import OF_FILES, initial_study
from costcurves.command.reading_options import FILES
from costcurves.errors import InputError
from costcurves.names import quoted
from costcurves.settings import Study
from costcurves.study.reading import parse_study
from costcurves.study.strict_yaml import read_text

DESCRIPTION: Final = """\
Say whether predictions support that the new model costs less than MARGIN more than the old one, at
an operating condition or on average over cost ratios that were fixed before: a claim 'not worse'
(config/README.md), of curves with cross-fitted thresholds, on the same cases. Of two files each
holds one model, the old one first. The status is 0 where it is supported, and 4 where it is
contradicted or undecided.
"""
EXAMPLES: Final = """\
examples:
  costcurves gate old.csv new.csv --at cost-ratio=5 --margin 0.01
  costcurves gate old.csv new.csv --at 'cost-ratio=[2, 8]' --prior 0.02 --margin 0.01
  costcurves gate old.csv new.csv --at cost-fn=500,cost-fp=20 --margin 0.5
  costcurves gate old.csv new.csv --over 1:1..10:1 --margin 0.01
  costcurves gate predictions.csv --old logistic --new forest --at pc=0.3 --margin 0.01
"""
OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "files": FILES,
    "--at": {
        "metavar": "CONDITION",
        "help": "cost-ratio=NUMBER (a false negative, in false positives), pc=NUMBER, a range, or "
        "amounts, cost-fn=NUMBER,cost-fp=NUMBER: the margin is then an amount, too, of a case",
    },
    "--over": {
        "metavar": "RANGE",
        "help": "in place of --at: the mean over cost ratios, even in their logarithm (1:1..10:1)",
    },
    "--margin": {
        "type": float,
        "required": True,
        "help": "by how much normalized expected cost may be higher",
    },
    "--prior": {
        "type": float,
        "help": "the proportion of positives in deployment; default is that of the instances",
    },
    "--old": {"metavar": "MODEL", "help": "the old model by name, where files hold several"},
    "--new": {"metavar": "MODEL", "help": "the new one"},
    "--level": {
        "type": float,
        "default": 0.9,
        "help": "of the interval, so that the test has the level (1 - LEVEL) / 2; default is 0.9",
    },
    "--allow-undecided": {"action": "store_true", "help": "fail only where it is contradicted"},
    **OF_FILES,
    "--json": JSON,
}
NUMBER: Final = r"(\d+(?:\.\d+)?)"
# What the configuration of a gate calls the options.
KEYS: Final = {
    "claims[0].pc": "--at pc",
    "claims[0].cost_ratio": "--at cost-ratio",
    "claims[0].delta": "--margin",
    "datasets[0].prior": "--prior",
    "inference.confidence": "--level",
    "inference.resamples": "the number of resamples at this --level",
}


def run(options: Namespace) -> int:
    """Decide the claim, and print it as an audit is."""
    from costcurves import stages
    from costcurves.predictions.gate import read_two
    from costcurves.tables.claims import claims

    if (options.at is None) == (options.over is None):
        raise CommandError(USAGE, "--at or --over says what is decided: give one of them")
    amounts = None if options.at is None else _amounts(options.at)
    condition = _condition(options.at, amounts) if options.over is None else _range(options.over)
    if (options.old is None) != (options.new is None):
        raise CommandError(USAGE, "--old and --new name the two models: give both or neither")
    if options.old is not None and options.old == options.new:
        raise CommandError(USAGE, f"--old and --new are both {quoted(options.old)}, expected two")
    if options.old is None and len(options.files) != 2:
        expected = "expected two, the old model's and the new one's; or name models of any"
        raise CommandError(USAGE, f"{len(options.files)} files, {expected} with --old and --new")
    named_study = {"study": options.study or "gate"}
    with redirect_stdout(sys.stderr):  # how files were read
        _, text, found = initial_study(Namespace(**vars(options) | named_study))
    names = [part for one in found for part in one.classes or (one.name,)]
    if len(names) > 1:
        expected = "one, of two classes: gate each by itself, or claim it in a configuration"
        raise InputError([f"the files hold {len(names)} datasets or classes, expected {expected}"])
    content: dict[str, Any] = read_text(text, "gate").content
    (dataset,) = content["datasets"]
    dataset.pop("costs", None)  # the operating condition says what mistakes cost
    dataset |= {} if options.prior is None else {"prior": options.prior}
    content |= {"inference": {"confidence": options.level}}
    named = None if options.old is None else (options.old, options.new)
    study = _study(content)
    (first,) = study.datasets
    predictions, (old, new) = read_two(first, named)
    tables = {"predictions": predictions}
    sizes = stages.sizes_of(first, tables)
    prior = stages.prior_of(sizes)
    most = 1.0  # what a case costs where every decision is wrong
    if amounts:
        most = prior * amounts[0] + (1 - prior) * amounts[1]
        if options.margin > most:
            why = f"expected at most {most:g}, what a case costs where every decision is wrong"
            raise CommandError(USAGE, f"--margin is {options.margin:g}, {why}")
    claim = {"kind": "not worse", "models": [new, old], "delta": options.margin / most, **condition}
    if "cost_ratio" in condition:
        claim["prior"] = prior
    where = f"at {options.at}" if options.at else f"in the mean over cost ratios {options.over}"
    where += "" if options.prior is None else f" and prior {options.prior:g}"
    worse = f"not worse than the old one by {options.margin:g} or more"
    claim["claim"] = f"The new model is {worse} {where}"
    study = _study(content | {"claims": [claim]})
    tables |= stages.cost_lines(tables, stages.count(study, tables))
    tables |= stages.choose(study, tables)
    resamples = stages.resample(study, first, tables, sizes)
    basis = stages.basis(study, first, tables, sizes, resamples)
    verdicts = claims({first.name: basis}, study.claims, study.prior.plain())
    return report_claims(
        study,
        verdicts,
        as_document=options.json,
        allow_undecided=options.allow_undecided,
    )


def _study(content: Mapping[str, Any]) -> Study:
    try:
        return parse_study(content, source="gate")
    except InputError as error:
        lines, over = error.lines, any("mean" in it for it in content.get("claims", ()))
        for key, option in (KEYS | ({"claims[0].cost_ratio": "--over"} if over else {})).items():
            lines = [line.replace(f"gate: {key}", option) for line in lines]
        raise CommandError(USAGE, *lines) from error


def _amounts(at: str) -> tuple[float, float] | None:
    """Read what a false negative and a false positive cost, if that is how a condition is given."""
    found = re.fullmatch(rf"cost[-_]fn={NUMBER},cost[-_]fp={NUMBER}", at)
    if found is None:
        return None
    fn, fp = map(float, found.groups())
    if not fn or not fp:
        raise CommandError(USAGE, f"--at is {at!r}, expected amounts above 0")
    return fn, fp


def _condition(at: str, amounts: tuple[float, float] | None) -> dict[str, Any]:
    """Read an operating condition, which a claim's keys then check."""
    if amounts:
        return {"cost_ratio": amounts[0] / amounts[1]}
    key, _, value = at.partition("=")
    key = key.replace("_", "-")
    try:
        number = read_text(value, "--at").content
    except InputError:
        number = None
    if key not in ("cost-ratio", "pc") or not isinstance(number, int | float | list):
        expected = (
            "expected cost-ratio=5, pc=0.3, a range such as 'cost-ratio=[2, 8]', or amounts, "
            "cost-fn=500,cost-fp=20"
        )
        raise CommandError(USAGE, f"--at is {at!r}, {expected}")
    return {key.replace("-", "_"): number}


def _range(over: str) -> dict[str, Any]:
    """Read a range of cost ratios, which a claim's keys then check."""
    found = re.fullmatch(rf"{NUMBER}:{NUMBER}\.\.{NUMBER}:{NUMBER}", over)
    a, b, c, d = map(float, found.groups()) if found else [0.0] * 4
    if not b or not d:
        expected = "expected two cost ratios, the lower one first: 1:1..10:1"
        raise CommandError(USAGE, f"--over is {over!r}, {expected}")
    return {"mean": "range", "cost_ratio": [a / b, c / d]}
