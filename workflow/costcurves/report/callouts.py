"""What is said of a dataset beside its tables: pairs without a test, cautions."""

from dataclasses import dataclass
from math import comb

from costcurves.report.document import Content
from costcurves.report.material import Material
from costcurves.text import Text


@dataclass(frozen=True)
class Callouts(Content):
    """What the tables of a dataset do not say."""

    compared: bool  # there is a single model, or pairs were compared
    untested: tuple[tuple[str, str], ...]
    of: int  # pairs
    cautions: tuple[Text, ...]


def callouts(material: Material) -> Callouts:
    """Return what the tables of a dataset do not say: cautions, and what was not tested."""
    models = len(material.facts.models)
    return Callouts(
        material.facts,
        compared=models == 1 or bool(material.outcomes or material.untested),
        untested=material.untested,
        of=comb(models, 2) if material.outcomes else len(material.untested),
        cautions=tuple(one.seen for one in material.findings if one.grade == "grave"),
    )
