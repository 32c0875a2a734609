"""The packages that stand on the core: each says in one place what it adds, and may be left out.

The core imports none of them but here; without one it builds, checks and verifies reports as ever.
"""

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    import pyarrow as pa

    from costcurves.figures.context import Context
    from costcurves.figures.kind import FigureKind
    from costcurves.report.document import Section
    from costcurves.report.material import Material
    from costcurves.tables.checks.invariants import Invariants
    from costcurves.tables.configuration.reading_keys import ReadingKeys
    from costcurves.tables.contract import Contract
    from costcurves.tables.input.reader import Reader
    from costcurves.tables.input.sources import Source
    from costcurves.tables.record.named import Named
    from costcurves.tables.results import Results

NAMES: Final = ("annex", "archive", "readers")
NONE: Final[Mapping[str, Any]] = MappingProxyType({})

# Checks a report, given its sources and the folders of `--sources`; True if it passes.
Check = Callable[[Path, "Named", Sequence[Path]], bool]
Chapter = Callable[[Sequence["Material"]], "Section"]


class Command(NamedTuple):
    """A command of its own."""

    summary: str
    module: Callable[[], ModuleType]  # imports what says its options, and runs it


class Verification(NamedTuple):
    """An option of `costcurves verify`."""

    help: str
    check: Callable[[], Check]  # imports what checks


class FilesOfOthers(NamedTuple):
    """How files are read that are neither our own columns nor a wide table in CSV or Parquet."""

    layouts: Sequence["Reader"]
    kinds: Mapping[str, Callable[["Source"], tuple["pa.Table", int | None]]]  # by `Source.kind`
    unpacked: Callable[["Source", "pa.Table", "ReadingKeys"], "pa.Table"]  # columns of vectors


class AddedTables(NamedTuple):
    """The tables that are added to those of a dataset."""

    contracts: Sequence["Contract"]
    results: type["Results"]  # has a property for each
    of_choices: "Invariants"  # what must be true of them: of choices of a threshold,
    of_chance: "Invariants"  # and of bands and intervals


class Addition(NamedTuple):
    """What a package adds to the core."""

    commands: Mapping[str, Command] = NONE
    verify: Mapping[str, Verification] = NONE
    files_of_others: Callable[[], FilesOfOthers] | None = None
    # Tables of a dataset, with "detail: full": their names, by the stage that makes them.
    tables: Mapping[str, Sequence[str]] = NONE
    made: Callable[[], AddedTables] | None = None
    figures: Callable[[], Sequence["FigureKind[Context]"]] = tuple  # with "detail: full"
    chapter: Callable[[], Chapter] | None = None  # the last one, with "detail: full"
    pages: Path | None = None  # the folder of its templates
    published: Sequence[Path] = ()  # files that every report has beside its tables
    code: Mapping[str, Sequence[Path]] = NONE  # behind results, by layer


@cache
def additions() -> list[Addition]:
    """List what the packages add that are there."""
    found = {f"costcurves.{name}": find_spec(f"costcurves.{name}") for name in NAMES}
    there = [name for name, spec in found.items() if spec and spec.origin]  # no empty folder
    return [import_module(name).ADDITION for name in there]


def commands() -> dict[str, Command]:
    """Give the commands that are added, by name."""
    return {name: it for one in additions() for name, it in one.commands.items()}


def verifications() -> dict[str, Verification]:
    """Give the options of `costcurves verify` that are added."""
    return {name: it for one in additions() for name, it in one.verify.items()}


def checks_of(arguments: Namespace) -> list[Check]:
    """List the added checks that `costcurves verify` was called with."""
    options = verifications().items()
    return [one.check() for name, one in options if getattr(arguments, name.removeprefix("--"))]


def published() -> list[Path]:
    """List the files that every report has beside its tables."""
    return [file for one in additions() for file in one.published]


def files_of_others() -> FilesOfOthers | None:
    """Say how files of other tools are read; None: they are not."""
    found = (one.files_of_others for one in additions() if one.files_of_others)
    return next((it() for it in found), None)


def tables(*stages: str) -> list[str]:
    """Name the tables of a dataset that are added to some stages, or to any."""
    each = [it for one in additions() for it in one.tables.items()]
    return [name for stage, names in each if stage in stages or not stages for name in names]


def added_tables() -> list[AddedTables]:
    """List what computes and checks the tables that are added."""
    return [one.made() for one in additions() if one.made]


def results() -> type["Results"]:
    """Give the class that computes all tables of a dataset, those that are added among them."""
    from costcurves.tables.results import Results

    return next((one.results for one in added_tables()), Results)


def figures() -> list["FigureKind[Context]"]:
    """List the kinds of figures of a dataset that are added."""
    return [kind for one in additions() for kind in one.figures()]


def chapters() -> list[Chapter]:
    """List what makes the last chapters."""
    return [one.chapter() for one in additions() if one.chapter]


def pages() -> list[Path]:
    """List the folders of templates that are added."""
    return [one.pages for one in additions() if one.pages]


def code(layer: str) -> list[Path]:
    """List the added code that results of a layer come from."""
    return [part for one in additions() for part in one.code.get(layer, ())]
