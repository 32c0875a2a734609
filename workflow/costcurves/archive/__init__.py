"""What journals and archives ask of a report: bundles, rebuilding and recomputing."""

from pathlib import Path
from types import ModuleType
from typing import Final

from costcurves.additions import Addition, Check, Command, Verification

RECOMPUTE: Final = Path(__file__).with_name("recompute.py")  # a standalone script


def _bundle() -> ModuleType:
    from costcurves.archive import bundle

    return bundle


def _rebuild() -> Check:
    from costcurves.archive.rebuilding import comes_out_again

    return comes_out_again


def _recompute() -> Check:
    from costcurves.archive.rebuilding import recomputed

    return recomputed


ADDITION: Final = Addition(
    commands={
        "bundle": Command(
            summary="write a report as a journal, a conference or an archive takes it",
            module=_bundle,
        ),
    },
    verify={
        "--recompute": Verification(
            help="compute its numbers again from the predictions, without this package's code",
            check=_recompute,
        ),
        "--rebuild": Verification(
            help="build it again and compare byte for byte: it is the same, equal but for "
            "rounding with the likely cause, or different in a row that is named",
            check=_rebuild,
        ),
    },
    published=(RECOMPUTE,),
    code={"report": (RECOMPUTE,)},
)
