"""What only the annex of a report shows: every other table and figure, dataset by dataset."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from costcurves.additions import Addition

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from costcurves.figures.context import FigureKind
    from costcurves.report.document import Section
    from costcurves.report.material import Material


def _figures() -> "Sequence[FigureKind]":
    from costcurves.annex.figures import FIGURES

    return FIGURES


def _chapter() -> "Callable[[Sequence[Material]], Section]":
    from costcurves.annex.chapter import annex

    return annex


_HERE = Path(__file__).parent
ADDITION: Final = Addition(
    figures=_figures,
    chapter=_chapter,
    pages=_HERE / "pages",
    code={
        "figures": (_HERE / "figures",),
        "report": (*sorted(_HERE.glob("*.py")), _HERE / "pages"),
    },
)
