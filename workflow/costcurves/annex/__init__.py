"""What only the annex of a report shows: every other table and figure, dataset by dataset."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from costcurves.additions import AddedTables, Addition

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from costcurves.figures.context import Context
    from costcurves.figures.kind import FigureKind
    from costcurves.report.document import Section
    from costcurves.report.material import Material


def _made() -> AddedTables:
    from costcurves.annex.tables.calibration import CALIBRATION, RELIABILITY
    from costcurves.annex.tables.checks import OF_CHANCE, OF_CHOICES
    from costcurves.annex.tables.choices import CHOICE_BANDS, CHOICE_INTERVALS, OPTIMISM
    from costcurves.annex.tables.constructions import CONSTRUCTIONS
    from costcurves.annex.tables.rankings import AUC_DIFFERENCES
    from costcurves.annex.tables.results import AnnexResults
    from costcurves.annex.tables.roc import ROC

    own = ROC, CONSTRUCTIONS, CHOICE_BANDS, CHOICE_INTERVALS, OPTIMISM, AUC_DIFFERENCES
    return AddedTables((*own, RELIABILITY, CALIBRATION), AnnexResults, OF_CHOICES, OF_CHANCE)


def _figures() -> "Sequence[FigureKind[Context]]":
    from costcurves.annex.figures import FIGURES

    return FIGURES


def _chapter() -> "Callable[[Sequence[Material]], Section]":
    from costcurves.annex.chapter import annex

    return annex


_HERE = Path(__file__).parent
ADDITION: Final = Addition(
    tables={
        "averages": ("roc",),
        "hybrids": ("constructions",),
        "confidence": (
            *("choice_bands", "choice_intervals", "optimism", "reliability", "calibration"),
        ),
        "comparisons": ("auc_differences",),
    },
    made=_made,
    figures=_figures,
    chapter=_chapter,
    pages=_HERE / "pages",
    code={
        "tables": (_HERE / "__init__.py", _HERE / "maths", _HERE / "tables"),
        "figures": (_HERE / "figures",),
        "report": (*sorted(_HERE.glob("[!_]*.py")), _HERE / "pages"),
    },
)
