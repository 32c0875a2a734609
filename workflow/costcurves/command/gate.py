"""`costcurves gate`: whether a new model is not worse than an old one, without a configuration."""

import re
import sys
from argparse import Namespace
from contextlib import redirect_stdout
from dataclasses import asdict
from math import inf
from typing import TYPE_CHECKING, Any, Final

from costcurves import __version__, formats
from costcurves.command.audit import JSON
from costcurves.command.ending import FINE, UNVERIFIED, USAGE, CommandError
from costcurves.command.init import OF_FILES, initial_text
from costcurves.command.reading_options import FILES
from costcurves.errors import InputError
from costcurves.names import quoted
from costcurves.printing import say, say_json
from costcurves.settings import ConditionKeys, Inference, OperatingCondition, Study
from costcurves.study.claims import too_few
from costcurves.study.reading import parse_study
from costcurves.study.strict_yaml import read_text

if TYPE_CHECKING:
    from costcurves.many.gate import At, Gate

DESCRIPTION: Final = """\
Say whether predictions support that the new model costs less than MARGIN more than the old one, at
an operating condition or on average over cost ratios that were fixed before. Thresholds are chosen
on other folds, and both models judged on the same cases. Of two files each holds one model, the old
one first. The status is 0 where it is supported, and 4 where it is contradicted or undecided.
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
        "help": "by how much the cost may be higher: normalized expected cost, or an amount",
    },
    "--prior": {
        "type": float,
        "help": "the proportion of positives in deployment; default is that of the instances",
    },
    "--old": {"metavar": "MODEL", "help": "the old model by name, where files hold several"},
    "--new": {"metavar": "MODEL", "help": "the new one"},
    "--confidence": {
        "type": float,
        "default": 0.9,
        "help": "level of the interval, so that the test has (1 - CONFIDENCE) / 2; default is 0.9",
    },
    "--allow-undecided": {"action": "store_true", "help": "fail only where it is contradicted"},
    **OF_FILES,
    "--json": JSON,
}
NUMBER: Final = r"\d*\.?\d+"
AMOUNTS: Final = "cost_fn=#,cost_fp=#"
AT: Final = ("cost_ratio=#", "cost_ratio=[#,#]", "pc=#", "pc=[#,#]", AMOUNTS)
OVER: Final = ("#:# to #:#",)
ASCII: Final = str.maketrans({formats.MINUS: "-", formats.DASH: " to ", formats.THIN: " "})


def run(options: Namespace) -> int:
    """Compare the two models, and print what the data say."""
    from costcurves.many.gate import MarginError, gate
    from costcurves.predictions.staged import read_two

    at = _at(options)
    old, new = options.old, options.new
    expect((old is None) == (new is None), "--old and --new name the two models: give both")
    expect(old is None or old != new, f"--old and --new are both {quoted(old)}, expected two")
    count = f"{len(options.files)} files, expected two, the old model's and the new one's"
    expect(old is not None or len(options.files) == 2, f"{count}; or --old and --new")
    for name, most in (("prior", 1), ("confidence", 1), ("margin", inf)):
        value = getattr(options, name)
        why = f"--{name} is {value}, expected a number above 0 and below {most}"
        expect(value is None or 0 < value < most, why)
    with redirect_stdout(sys.stderr):  # how files were read
        study = _study(options)
    predictions, (old, new) = read_two(study.datasets[0], None if old is None else (old, new))
    try:
        result = gate(study, predictions, old, new, at, options.margin)
    except MarginError as error:
        raise CommandError(USAGE, f"--margin is {options.margin:g}, {error}") from error
    passes = result.verdict == "supported"
    passes |= options.allow_undecided and result.verdict == "undecided"
    if options.json:
        numbers = {key: None if value != value else value for key, value in asdict(result).items()}
        word = "passed" if passes else "failed"
        say_json({"study": study.name, "version": __version__, "result": word, **numbers})
    else:
        say(*_lines(result, options))
    return FINE if passes else UNVERIFIED


def expect(condition: bool, message: str) -> None:
    """Refuse an option, unless the condition is met."""
    if not condition:
        raise CommandError(USAGE, message)


def _at(options: Namespace) -> "At":
    """Read at which costs the models are compared."""
    from costcurves.many.gate import At

    at, over = options.at or "", options.over or ""
    expect(bool(at) != bool(over), "--at or --over says what is decided: give one of them")
    how = "cost-ratio=5, pc=0.3, a range 'cost-ratio=[2, 8]', or cost-fn=500,cost-fp=20"
    wrong = f"--at is {at!r}, expected {how}, numbers above 0, a range's lower one first"
    if over:
        wrong = f"--over is {over!r}, expected two cost ratios, the lower one first: 1:1..10:1"
    given = (at + over).replace("..", " to ")
    numbers = [float(number) for number in re.findall(NUMBER, given)]
    form = re.sub(NUMBER, "#", given).replace("-", "_").replace(", ", ",")
    expect(form in (OVER if over else AT) and form.count("#") == len(numbers), wrong)
    by_ratio = not form.startswith("pc")
    expect(min(numbers) > 0 if by_ratio else max(numbers) <= 1, wrong)
    if over or "[" in form:
        ends = (numbers[0] / numbers[1], numbers[2] / numbers[3]) if over else tuple(numbers)
        expect(ends[0] < ends[1], wrong)
        return At(ends=ends, by_ratio=by_ratio, average=bool(over))
    keys: dict[str, Any] = dict(zip(re.findall("[a-z_]+", form), numbers, strict=True))
    unit = "amount per case" if form == AMOUNTS else None
    return At(OperatingCondition.configured(ConditionKeys(**keys, unit=unit)))


def _study(options: Namespace) -> Study:
    """Make the study of the files, with one dataset."""
    why = too_few(1, 1, options.confidence, Inference().resamples)
    expect(not why, f"the number of resamples at this --confidence {why}")
    name, text, datasets = initial_text(options)
    names = [name for dataset in datasets for name in dataset.classes or (dataset.name,)]
    if len(names) > 1:
        expected = "one, of two classes: gate each by itself, or claim it in a configuration"
        raise InputError([f"the files hold {len(names)} datasets or classes, expected {expected}"])
    content = read_text(text, name).content
    keys = content["datasets"][0]
    keys.pop("costs", None)  # cases count the same
    if options.prior is not None:
        keys["prior"] = options.prior
    content |= {"study": options.study or "gate", "inference": {"confidence": options.confidence}}
    return parse_study(content, source=name)


def _lines(result: "Gate", options: Namespace) -> list[str]:
    """Say the verdict, the numbers behind it, and what was compared."""
    where = f"at {options.at}" if options.at else f"in the mean over cost ratios {options.over}"
    place = formats.pc(result.pc_from)
    if result.pc_from < result.pc_to:
        place += f" to {formats.pc(result.pc_to)}"
        place += "" if options.over else f", hardest at {formats.pc(result.at_pc)}"
    ends = f"{100 * options.confidence:g} % interval {result.low:.3g} to {result.high:.3g}"
    lines = [
        f"{result.verdict.upper()}: {quoted(result.new)} costs less than {result.margin:g} more "
        f"than {quoted(result.old)} {where}",
        f"difference: {result.difference:.3g} ({ends}), {result.unit}",
        f"p = {result.p_value:.3g}, at a level of {result.level:.3g}",
        f"PC(+): {place}, at a prior of {result.prior:.3g}; {result.method}",
    ]
    return [line.translate(ASCII) for line in lines]
