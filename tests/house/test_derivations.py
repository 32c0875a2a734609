"""The constants that docs/derivations.md names are those of the code, and it names all."""

import inspect
import re
from functools import reduce
from importlib import import_module
from numbers import Number
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Final

import numpy as np
import pytest

from costcurves.counts.operating_points import from_scores
from costcurves.curves.bands import through
from costcurves.curves.curves import trivial
from costcurves.curves.envelopes import lower_envelopes
from tests.documented import BLOCK, DOCS

PAGE: Final = (DOCS / "derivations.md").read_text(encoding="utf-8")
ROW: Final = re.compile(r"^\| `(.+?)` \| (.+?) \| `([\w.]+)` \| (.+) \|$", re.MULTILINE)
ROWS: Final = [(where, name, value) for name, value, where, _ in ROW.findall(PAGE)]
NAME: Final = re.compile(r"([\w.]+)(?:\((\w+)\))?(?:\[(-?\d+)\])?")
NAMED: Final = re.compile(r"(?<!\w)`((?:\w+\.)*[A-Z]+(?:_[A-Z]+)*)`")
NUMBER: Final = re.compile(r"[-\d.^/()]+")
PACKAGES: Final = "choosing", "chance", "pairs", "many"
MODULES: Final = (
    *("curves.cells", "curves.slivers", "counts.counted", "costs.instance_costs"),
    *("ranking.delong", "ranking.calibration", "ranking.threshold_choice"),
)


def in_the_code(where: str, name: str) -> Any:
    """Return a constant, an item of one, or the default of an attribute or a parameter."""
    match = NAME.fullmatch(name)
    assert match is not None, name
    path, parameter, item = match.groups()
    value: Any = reduce(getattr, path.split("."), import_module(f"costcurves.{where}"))
    if parameter is not None:
        value = inspect.signature(value).parameters[parameter].default
    return value if item is None else value[int(item)]


@pytest.mark.parametrize(("where", "name", "value"), ROWS, ids=str)
def test_a_constant_is_that_of_the_code(where: str, name: str, value: str) -> None:
    """A number such as 2,000, 1/40, 10^-9 or 2^(27/4)."""
    assert NUMBER.fullmatch(value.replace(",", "")), value
    number = float(eval(value.replace(",", "").replace("^", "**")))
    in_code = in_the_code(where, name)
    assert in_code == pytest.approx(number, rel=1e-15), "read in docs what rests on it"


def numbers(name: str) -> set[tuple[str, str]]:
    """Return the constants of a module that are numbers, without those that it imports."""
    module = import_module(f"costcurves.{name}")
    text = Path(str(module.__file__)).read_text(encoding="utf-8")
    constants = re.findall(r"^([A-Z][A-Z_]*)(?::.+)? = ", text, re.MULTILINE)
    return {(name, each) for each in constants if isinstance(vars(module).get(each), Number)}


def test_all_constants_of_inference_are_on_the_page() -> None:
    known = {(where, name) for where, name, _ in ROWS}
    assert len(known) == len(ROWS) == PAGE.count("\n| `")
    whole = {package: import_module(f"costcurves.{package}").__path__ for package in PACKAGES}
    modules = [f"{name}.{file.name}" for name in whole for file in iter_modules(whole[name])]
    in_code = set().union(*map(numbers, [*MODULES, *modules]))
    assert {("chance.resampled_curves", "MADE_AGAIN")} <= in_code <= known


def test_a_name_in_the_text_is_one_constant_and_each_that_changes_a_result_is_there() -> None:
    names = [f"{where}.{name.partition('[')[0]}" for where, name, _ in ROWS]
    text, _, rest = PAGE.partition("\n## Constants")
    in_text = {*NAMED.findall(BLOCK.sub("", text))}
    meant = {
        named: {name for name in names if f".{name}".endswith(f".{named}")} for named in in_text
    }
    assert {named for named in meant if len(meant[named]) != 1} == set()
    of_results = ROW.findall(rest.partition("\nThese constants change")[0])
    missing = {name for name, *_ in of_results if name.partition("[")[0] not in text}
    assert missing <= {"Inference.confidence", "QUICK", "Edge.drawn(points)"}


@pytest.mark.parametrize("steps", [3, 5, 8, 31])
def test_an_envelope_is_as_near_to_its_chords_as_the_page_derives(steps: int) -> None:
    """At most h/2, and h^2/4 on average: the baselines reach both where 1/2 is no point."""
    h, rng, grid = 1 / steps, np.random.default_rng(steps), np.linspace(0, 1, steps + 1)
    labels = np.repeat([0, 1], [40, 10])
    points = from_scores(scores=rng.normal(size=50) + labels, labels=labels)
    for curve, reaches in ((lower_envelopes(points)[0].curve, False), (trivial(), steps % 2)):
        above = curve - through(grid, curve(grid))
        highest, mean = max(above(curve.pc)), above.area()
        assert min(above(above.pc)) >= -1e-15
        assert highest <= h / 2 + 1e-15
        assert mean <= h**2 / 4 + 1e-15
        assert not reaches or (highest, mean) == pytest.approx((h / 2, h**2 / 4))
