"""What only the annex of a report shows: every other table and figure, dataset by dataset."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from costcurves.additions import Addition

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from costcurves.figures.context import FigureKind
    from costcurves.report.document import Section
    from costcurves.report.material import Material


def _figures() -> "tuple[FigureKind, ...]":
    from costcurves.annex.figures.average_figures import averaging
    from costcurves.annex.figures.choice_figures import hybrids, optimism, regrets, thresholds
    from costcurves.annex.figures.construction_figures import constructions
    from costcurves.annex.figures.difference_figures import differences
    from costcurves.annex.figures.instance_figures import instance_costs
    from costcurves.annex.figures.pair_figures import crossovers, verdicts

    choosing = hybrids, regrets, thresholds, constructions, optimism
    return (crossovers, differences, verdicts, *choosing, instance_costs, averaging)


def _chapter() -> "Callable[[Sequence[Material]], Section]":
    from costcurves.annex.chapter import annex

    return annex


_HERE = Path(__file__).parent
ADDITION: Final = Addition(
    figures=_figures,
    chapter=_chapter,
    pages=_HERE / "pages",
    code={"figures": (_HERE / "figures",), "report": (_HERE,)},
)
