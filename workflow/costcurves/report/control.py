"""The control of page 1: the lines of each dataset at other cost ratios and shares of positives.

All of them are written here by the template that writes the lines of the page, each text once; a
script only exchanges them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from math import isclose
from typing import Final

from costcurves.curves.cost_space import pc_from_ratio
from costcurves.formats import ratio, share
from costcurves.report.answer import Choice, DatasetAnswer, at_ratio
from costcurves.report.explorer import compact
from costcurves.report.material import Material

EVEN: Final = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0)
POWERS: Final = range(6)  # of ten: ratios go up to 700 000:1
EDGE: Final = 0.03  # of PC(+), beyond which little changes
SHARES: Final = (0.01, 0.05, 0.2, 0.5)  # of positives, beside the data's own

Line = Callable[[Choice, DatasetAnswer], str]


@dataclass(frozen=True)
class Control:
    """Choices on each of a few datasets, by share of positives and by cost ratio."""

    ratios: tuple[float, ...]
    start: int  # the place of the ratio that the page begins with
    shares: tuple[float, ...]
    share: int  # the place of the share that it begins with; 0: the data's own, which comes first
    datasets: tuple[tuple[DatasetAnswer, list[Choice]], ...]


def control(materials: Sequence[Material], answers: Sequence[DatasetAnswer]) -> Control:
    """Make the choices at each ratio, for the data's own share of positives and some others."""
    shown = [material.weighted or material for material in materials]
    starts = [answer.start.condition for answer in answers if answer.start is not None]
    named = [start for start in starts if not start.of_cases] or starts
    first = named[0].ratio if named else 1.0
    priors = [material.facts.prior for material in shown]
    ratios = ratios_between(priors, first)
    shares, begins = shares_beside(priors, named[0].prior if named else priors[0])
    datasets = []
    for material, answer in zip(shown, answers, strict=True):
        choices = [
            at_ratio(material, ratio, prior) for prior in (None, *shares) for ratio in ratios
        ]
        datasets.append((answer, choices))
    return Control(ratios, ratios.index(first), shares, begins, tuple(datasets))


def shares_beside(priors: Sequence[float], first: float) -> tuple[tuple[float, ...], int]:
    """List shares of positives beside the data's own, and the place of the first; 0: data's own.

    >>> shares_beside([0.3], 0.3), shares_beside([0.3], 0.1)
    (((0.01, 0.05, 0.2, 0.5), 0), ((0.01, 0.05, 0.1, 0.2, 0.5), 3))
    """
    if first in priors:
        return SHARES, 0
    shares = tuple(sorted({*SHARES, first}))
    return shares, 1 + shares.index(first)


def ratios_between(priors: Sequence[float], first: float) -> tuple[float, ...]:
    """List even cost ratios that lie inside the axis of a dataset, and the first one.

    >>> ratios_between([0.5], 1.0)[:3], ratios_between([0.5], 1.0)[-1]
    ((0.03333333333333333, 0.04, 0.05), 30.0)
    """
    even = [digits * 10**power for power, digits in product(POWERS, EVEN)]
    ratios = {first}
    for step in (*even, *(1 / step for step in even)):
        matters = any(EDGE < pc_from_ratio(step, prior) < 1 - EDGE for prior in priors)
        if matters and not isclose(step, first):
            ratios.add(step)
    return tuple(sorted(ratios))


def written(control: Control, lines: Sequence[Line]) -> tuple[tuple[str, ...], str]:
    """Write each text once, and as JSON which of them stand where, by share and by ratio."""
    texts: dict[str, int] = {}
    datasets = []
    for answer, choices in control.datasets:
        steps = []
        for choice in choices:
            numbers = [texts.setdefault(line(choice, answer), len(texts)) for line in lines]
            steps.append([round(choice.condition.pc, 4), *numbers])
        datasets.append({"slug": answer.facts.slug, "steps": steps})
    content = {
        "ratios": [ratio(step) for step in control.ratios],
        "start": control.start,
        "shares": [share(step) for step in control.shares],
        "share": control.share,
        "datasets": datasets,
    }
    return tuple(texts), compact(content)
