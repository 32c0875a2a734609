"""Prediction files of other tools: what they are written in, and which column is what."""

from pathlib import Path
from types import ModuleType
from typing import Final

from costcurves.additions import Addition, Command, FilesOfOthers

_READING = "arff", "arrays", "arrow_buffers", "kinds", "layouts", "vectors", "weka"


def _convert() -> ModuleType:
    from costcurves.readers import convert

    return convert


def _files() -> FilesOfOthers:
    from costcurves.readers.kinds import KINDS
    from costcurves.readers.layouts import LAYOUTS
    from costcurves.readers.vectors import unpacked

    return FilesOfOthers(LAYOUTS, KINDS, unpacked)


ADDITION: Final = Addition(
    commands={
        "convert": Command(
            summary="write predictions of other tools with our columns", module=_convert
        )
    },
    files_of_others=_files,
    code={"tables": tuple(Path(__file__).with_name(f"{name}.py") for name in _READING)},
)
