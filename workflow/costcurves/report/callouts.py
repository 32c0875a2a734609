"""What is said of a dataset beside its tables: pairs without a test, cautions.

Here are the values; the sentences are macros of `templates/sentences.html.j2`.
"""

from collections.abc import Sequence
from math import comb
from typing import Final

from costcurves.formats import share
from costcurves.report import patterns
from costcurves.report.document import Values
from costcurves.report.material import Material
from costcurves.text import Number, Text, phrase

SMALLEST: Final = 0.001  # less of the cost left out is not worth a sentence


def callouts(material: Material) -> Values:
    """Return what the tables of a dataset do not say: cautions, and what was not tested."""
    models = len(material.facts.models)
    return Values(
        facts=material.facts,
        compared=models == 1 or bool(material.outcomes or material.untested),
        untested=material.untested,
        of=comb(models, 2) if material.outcomes else len(material.untested),
        cautions=tuple(one.seen for one in material.findings if one.grade == "grave"),
    )


def optimism(materials: Sequence[Material]) -> Text:
    """Say how much less cost judging thresholds on the data that chose them would promise."""
    promises = []
    for material in materials:
        for row in material.rows("criteria"):
            delivered = row["area"] - row["regret"]  # by cross-fitted choice; NaN: there is none
            if row["criterion"] == "cost-minimizing" and -row["regret"] > SMALLEST * delivered:
                promises.append((-row["regret"] / delivered, material.facts.table("criteria")))
    if not promises:
        return ()
    low, high = (Number(share(left), href) for left, href in (min(promises), max(promises)))
    return (low,) if low.text == high.text else phrase(patterns.FROM_TO, low=low, high=high)
