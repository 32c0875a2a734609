"""What journals and archives ask of a report: bundles, changes, rebuilding and recomputing."""

from pathlib import Path
from typing import Final

from costcurves.additions import Addition, Command, Verification

RECOMPUTE: Final = Path(__file__).with_name("recompute.py")  # a standalone script
ADDITION: Final = Addition(
    commands={
        "bundle": Command(
            summary="write a report as a journal, a conference or an archive takes it",
            module="costcurves.archive.bundle",
        ),
        "diff": Command("say what changed between two reports", module="costcurves.archive.diff"),
    },
    verify={
        "--recompute": Verification(
            help="compute its numbers again from the predictions, without this package's code",
            check="costcurves.archive.rebuilding:recomputed",
        ),
        "--rebuild": Verification(
            help="build it again and compare byte for byte: it is the same, equal but for "
            "rounding with the likely cause, or different in a row that is named",
            check="costcurves.archive.rebuilding:comes_out_again",
        ),
    },
    published=(RECOMPUTE,),
    code={"report": (RECOMPUTE,)},
)
