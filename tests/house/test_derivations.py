"""The constants that docs/derivations.md names are those of the code, and it names all."""

import ast
import inspect
import pkgutil
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from importlib import import_module
from pathlib import Path
from types import ModuleType
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
    "curves.cells",
    "curves.slivers",
    "counts.counted",
    "costs.instance_costs",
    "ranking.delong",
    "ranking.calibration",
    "ranking.threshold_choice",
)


def in_the_code(where: str, name: str) -> Any:
    """A constant, the default of an attribute or of a parameter, or an item of a constant."""
    found = NAME.fullmatch(name)
    assert found is not None, name
    path, parameter, item = found.groups()
    value: Any = reduce(getattr, path.split("."), import_module(f"costcurves.{where}"))
    if parameter is not None:
        value = inspect.signature(value).parameters[parameter].default
    return value if item is None else value[int(item)]


def on_the_page(value: str) -> float:
    """A number such as 2,000, 1/40, 10^-9 or 2^(27/4)."""
    plain = value.replace(",", "")
    assert NUMBER.fullmatch(plain), value
    return float(eval(plain.replace("^", "**")))


@pytest.mark.parametrize(("where", "name", "value"), ROWS, ids=lambda it: str(it))
def test_a_constant_is_that_of_the_code(where: str, name: str, value: str) -> None:
    found = in_the_code(where, name)
    assert found == pytest.approx(on_the_page(value), rel=1e-15), (
        f"docs/derivations.md has {name} = {value}, costcurves.{where} has {found}: read there "
        "what rests on it, and change the table"
    )


def modules() -> Iterator[str]:
    yield from MODULES
    for package in PACKAGES:
        for path in import_module(f"costcurves.{package}").__path__:
            yield from (f"{package}.{one.name}" for one in pkgutil.iter_modules([path]))


def numbers(module: ModuleType) -> Iterator[str]:
    """The constants of a module that are numbers, without those that it imports."""
    for node in ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")).body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        for target in [node.target] if isinstance(node, ast.AnnAssign) else targets:
            if isinstance(target, ast.Name) and target.id.isupper():
                value = getattr(module, target.id)
                if isinstance(value, int | float | Fraction):
                    yield target.id


def test_all_constants_of_inference_are_on_the_page() -> None:
    known = {(where, name) for where, name, _ in ROWS}
    assert len(known) == len(ROWS) == PAGE.count("\n| `")
    found = {(it, name) for it in modules() for name in numbers(import_module(f"costcurves.{it}"))}
    assert ("chance.resampled_curves", "MADE_AGAIN") in found
    assert found - known == set()


def test_a_name_in_the_text_is_one_constant_of_the_tables() -> None:
    names = [f"{where}.{name.partition('[')[0]}" for where, name, _ in ROWS]
    text = BLOCK.sub("", PAGE.partition("\n## Constants")[0])
    named = {*NAMED.findall(text)}
    assert {"SPLITS", "resampling.FEWEST", "SPACING"} <= named
    for it in named:
        assert len({one for one in names if f".{one}".endswith(f".{it}")}) == 1, it


def test_every_constant_that_changes_a_result_is_in_the_text() -> None:
    text, _, rest = PAGE.partition("\n## Constants")
    of_results = ROW.findall(rest.partition("\nThese constants change")[0])
    said = {"Inference.confidence", "QUICK", "Edge.drawn(points)"}  # of no step's derivation
    missing = {name for name, *_ in of_results if name.partition("[")[0] not in text}
    assert missing <= said


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
