"""What is said of a dataset beside its tables: a single model, pairs without a test, cautions.

Here are the values; the sentences are macros of `templates/sentences.html.j2`.
"""

import math
from collections.abc import Sequence
from math import comb
from typing import Final

from costcurves.formats import share
from costcurves.maths.geometry.cost_space import ratio_from_pc
from costcurves.report import patterns
from costcurves.report.document import Values
from costcurves.report.material import Material
from costcurves.report.outcomes import Range
from costcurves.tables.inference.verdicts import CHEAPEST
from costcurves.text import Number, Text, phrase

ANSWERED: Final = 6  # datasets that page 1 answers one by one
SMALLEST: Final = 0.001  # less of the cost left out is not worth a sentence


def callouts(material: Material) -> Values:
    """Give what the tables of a dataset do not say: of a single model, and what was not tested."""
    models = len(material.facts.models)
    return Values(
        facts=material.facts,
        alone=_alone(material) if models == 1 else None,
        compared=bool(material.outcomes or material.untested),
        untested=material.untested,
        of=comb(models, 2) if material.outcomes else len(material.untested),
        cautions=tuple(one.seen for one in material.findings if one.grade == "grave"),
    )


def _alone(material: Material) -> Values:
    """Compare a single model with the no-model baselines; say between what its range may end."""
    facts, (row,) = material.facts, material.headline
    where, low, high = None, row["range_from"], row["range_to"]
    if not math.isnan(low):
        where = Range(low, high, *(ratio_from_pc(pc, facts.prior) for pc in (low, high)))
    best = [
        one
        for one in material.rows("in_the_running")
        if one["decision"] == row["model"] and one["standing"] == CHEAPEST
    ]
    return material.row(
        row,
        where=where,
        parts=len(best) > 1,
        ends=tuple(
            material.estimates[row["model"], end, ""] for end in ("range start", "range end")
        ),
        confidence=material.confidence,
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
