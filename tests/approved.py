"""The words of figures and of the page as they were approved, in the order in which they stand.

Of figures with anchor and colour, of the page (`worded_study`) with what links lead to. `make
approve` builds both studies and writes the lists anew; what they say differently is then to be
read, line by line, before it is committed.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from costcurves.figures.catalogue import FIGURES as KINDS
from costcurves.report.rendering import html
from tests.asymmetric_study import BY_COST, NAME, built
from tests.drawn import Drawn
from tests.worded_study import Spoken, report

FOLDER: Final = Path(__file__).parent / "golden" / "figures"
PAGE: Final = FOLDER.with_name("page.txt")
OF_COSTS: Final = ("cost_views", "instance_costs")
FIGURES: Final = tuple(
    f"{BY_COST if kind.name in OF_COSTS else 'loans'}/{kind.name}"
    for kind in KINDS
    if kind.name != "cost_ratios"  # no class of it is rare
)


def path_of(study: Path, name: str) -> Path:
    """Find a figure of the study as pages have it, by view and name."""
    view, figure = name.split("/")
    return study / "results" / NAME / view / "figures" / "drawn" / f"{figure}.svg"


def approved(name: str) -> Path:
    """The list of a figure's words."""
    return FOLDER / f"{name.split('/')[1]}.txt"


def spoken() -> str:
    """Write what the page says, a line each."""
    return "".join(f"{line}\n" for line in Spoken(html(report())).lines)


def listed(drawn: Drawn) -> str:
    """Write a figure's words, a line each."""
    return "".join(f"{one.anchor:6} {one.colour} {one.text}\n" for one in drawn.all)


if __name__ == "__main__":
    PAGE.write_text(spoken(), encoding="utf-8")
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        study = built(Path(folder))
        for name in FIGURES:
            approved(name).write_text(listed(Drawn(path_of(study, name))), encoding="utf-8")
