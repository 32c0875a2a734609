"""The words of figures as they were approved: in order of the drawing, with anchor and colour.

`make approve` builds the asymmetric study and writes the lists anew; what they say differently is
then to be read, line by line, before it is committed.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from costcurves.figures.catalogue import FIGURES as KINDS
from tests.asymmetric_study import BY_COST, NAME, built
from tests.drawn import Drawn

FOLDER: Final = Path(__file__).parent / "golden" / "figures"
OF_COSTS: Final = ("cost_views", "instance_costs")
FIGURES: Final = tuple(
    f"{BY_COST if kind.name in OF_COSTS else 'loans'}/{kind.name}"
    for kind in KINDS
    if kind.name != "cost_ratios"  # no class of it is rare
)


def path_of(study: Path, name: str) -> Path:
    """Find a figure of the study as pages have it, by view and name."""
    (path,) = (study / "results" / NAME / "figures").glob(f"*/{name}.text.svg")
    return path


def approved(name: str) -> Path:
    """The list of a figure's words."""
    return FOLDER / f"{name.split('/')[1]}.txt"


def listed(drawn: Drawn) -> str:
    """Write a figure's words, a line each."""
    return "".join(f"{one.anchor:6} {one.colour} {one.text}\n" for one in drawn.all)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        study = built(Path(folder))
        for name in FIGURES:
            approved(name).write_text(listed(Drawn(path_of(study, name))), encoding="utf-8")
