"""What each figure shows, in words and from the numbers, for those who do not see it."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice, pairwise
from math import isnan
from operator import itemgetter
from typing import Any, Final

import pandas as pd

from costcurves.figures.dot_figures import choices_data
from costcurves.figures.map_figures import Survey
from costcurves.figures.reading_figure import example
from costcurves.formats import cost, counted, interval, pc, pc_range, ratio_range
from costcurves.maths.costs.net_benefit import pc_at
from costcurves.maths.geometry.cost_space import ratio_from_pc
from costcurves.report.material import Material
from costcurves.report.sentences import names
from costcurves.report.text import Name, Part, Text, listed, phrase, plain
from costcurves.tables.curves.headline import constant_decision
from costcurves.tables.inference.verdicts import CHEAPEST
from costcurves.tables.keys import ALWAYS, CROSS_FITTED, IN_SAMPLE

SAID: Final = 8  # models, pairs or conditions that a text goes through one by one
RANGES: Final = 4  # ranges of PC(+) that it gives for one thing
SLIVER: Final = 1e-9  # narrower than any reader or figure resolves: roots that differ by rounding

Row = dict[str, Any]


def cost_curves(material: Material) -> str:
    """Say which curve is lowest where, how high each rises, and where it is useful."""
    each = (
        phrase(
            "{}: area {}, at most {} at PC(+) = {}, below both trivial classifiers {}",
            Name(row["model"]),
            cost(row["area"]),
            cost(row["largest_nec"]),
            pc(row["largest_pc"]),
            "nowhere"
            if isnan(row["range_from"])
            else f"for PC(+) {pc_range(row['range_from'], row['range_to'])}",
        )
        for row in material.headline
    )
    return described(material, "Cost curves of {}. {}By model", each, _lowest(material))


def cost_ratios(material: Material) -> str:
    """Say for which cost ratios each model costs less than the cheaper constant decision."""
    prior = material.facts.prior
    each = _useful(material, lambda ends: ratio_range(*ratio_from_pc(ends, prior)))
    opening = (
        f"Costs over the cost ratio at p(+) = {cost(prior)}, as shares of what the cheaper "
        "constant decision costs, of {}. Below it"
    )
    return described(material, opening, each)


def _useful(material: Material, written: Callable[[list[float]], str]) -> Iterator[Text]:
    """Say where each model is cheaper than the constant decisions, by both ends on PC(+)."""
    for row in material.headline:
        ends = [row["range_from"], row["range_to"]]
        yield phrase("{}: {}", Name(row["model"]), "nowhere" if isnan(ends[0]) else written(ends))


def _lowest(material: Material) -> Text:
    """Say what is lowest where, the widest ranges in order; nothing where there is one model."""
    if len(material.facts.models) == 1:
        return ()
    known = cheapest(material)
    widest = sorted(known, key=lambda one: -round(one[1] - one[0], 9))[:RANGES]
    ranges = [phrase("{} for PC(+) {}", who, pc_range(*ends)) for *ends, who in sorted(widest)]
    hidden = len(known) - len(ranges)
    others = f"; others in {counted(hidden, 'narrower range')}" if hidden else ""
    return phrase("Lowest: {}{}. ", listed(ranges), others)


def cheapest(material: Material) -> list[tuple[float, float, Text]]:
    """Divide PC(+) by what is cheapest by estimate: models (equal ones), or a constant decision."""
    rows = [row for row in material.rows("in_the_running") if row["standing"] == CHEAPEST]
    ends = sorted({row[end] for row in rows for end in ("pc_from", "pc_to")})
    leading: list[list[str]] = [[] for _ in ends[1:]]
    for row in rows:
        for one in leading[bisect_left(ends, row["pc_from"]) : bisect_left(ends, row["pc_to"])]:
            one.append(row["decision"])
    found: list[tuple[float, float, Text]] = []
    for (low, high), decisions in zip(pairwise(ends), leading, strict=True):
        constant = [one for one in decisions if one in ALWAYS]
        equal = "{}" if len(decisions) == 1 else "{} (equal)"
        who = phrase(equal, names(decisions))
        if constant:
            who = (f"a constant decision ({constant[0]})",)
        if found and (who == found[-1][2] or high - low < SLIVER):
            low, _, who = found.pop()
        found.append((low, high, who))
    return found


def reading(material: Material) -> str:
    """Say of the model that is shown which point and line stand for it, and its areas."""
    areas = {row["model"]: row["area"] for row in material.headline}
    rows: Any = example(material.tables, sorted(areas, key=areas.__getitem__)).to_dict("records")
    (point,) = rows
    model = point["model"]
    average = cost(material.in_sample[model, "fold"]["area"])
    each = (
        phrase("a point, {}", point_of(point)),
        phrase("its line from {} to {}", cost(point["fp"]), cost(1 - point["tp"])),
        phrase("its cost {} at PC(+) = {}", cost(point["nec"]), pc(point["pc"])),
        phrase("area {} under the average of folds ({})", average, IN_SAMPLE),
        phrase("area {} under the headline ({})", cost(areas[model]), CROSS_FITTED),
    )
    opening = phrase(
        "The way to the cost curve of {} on {}", Name(model), Name(material.facts.title)
    )
    return listed_first(opening, each)


def choices(materials: Sequence[Material]) -> str:
    """Say for each model what each way of choosing costs."""
    curves, known = (
        pd.concat([it.tables[stage] for it in materials], ignore_index=True)
        for stage in ("hybrids", "intervals")
    )
    names = [str(it.tables["intervals"]["dataset"].iloc[0]) for it in materials]
    titles = tuple(zip(names, (it.facts.title for it in materials), strict=True))
    rows: Any = choices_data(curves, known, Survey("", (), titles)).to_dict("records")
    each = (
        phrase(
            "{}, {}: {}", Name(dict(titles)[dataset]), Name(model), listed([*map(_cost_of, own)])
        )
        for (dataset, model), own in groupby(rows, itemgetter("dataset", "model"))
    )
    opening = "Areas under the cost curves of ways of choosing a threshold, a row of dots a model"
    return listed_first((opening,), each)


def _cost_of(row: Row) -> str:
    kind = f" ({IN_SAMPLE})" if row["estimate"] == IN_SAMPLE else ""
    ends = "" if isnan(row["low"]) else f" ({interval(row['low'], row['high'])})"
    return f"{row['criterion']}{kind} {cost(row['area'])}{ends}"


def folds(material: Material) -> str:
    """Say for each model the areas under the average of its folds and under its headline."""
    each = (
        phrase(
            "{}: {} under the average of folds, {} under the headline ({})",
            Name(row["model"]),
            cost(material.in_sample[row["model"], "fold"]["area"]),
            cost(row["area"]),
            row["estimate"],
        )
        for row in material.headline
    )
    average = f"Lower envelopes of single folds and their average ({IN_SAMPLE})"
    return described(material, f"{average}, and the headline curve, of {{}}. Areas", each)


def decision_curves(material: Material) -> str:
    """Say between which thresholds each model brings more than treating all and treating none."""
    prior = float(material.facts.prior)

    def thresholds(ends: list[float]) -> str:
        return f"from {' to '.join(pc(pc_at(end, prior)) for end in reversed(ends))}"

    opening = "Decision curves of {}. Threshold probabilities at which a model brings more than "
    each = _useful(material, thresholds)
    return described(material, f"{opening}treating all and treating none", each)


def duality(material: Material) -> str:
    """Say what each model costs under each condition, the cheapest first, and what is promised."""
    conditions = groupby(material.rows("duality"), itemgetter("condition", "pc"))
    each = (
        text for (name, at), rows in conditions for text in _costs_at(material, name, at, [*rows])
    )
    at = f"cost ratios at p(+) = {cost(material.facts.prior)}"
    opening = f"ROC space beside cost space for {{}}; {at}. Costs, the cheapest first"
    return described(material, opening, each)


def _costs_at(material: Material, name: str, at: float, rows: Sequence[Row]) -> Iterable[Text]:
    kinds = {row["model"]: row["estimate"] for row in material.headline}
    costs = {row["model"]: material.estimates[row["model"], "cost", name].value for row in rows}
    constant = constant_decision(at, min(costs.values()))
    if constant:
        least = cost(min(at, 1 - at))
        yield phrase("{}, a constant decision ({}): {}", Name(name), constant, least)
    for row in sorted(rows, key=lambda row: costs[row["model"]]):
        yield phrase(
            "{}, {}: {} ({}), promised {} by {}",
            Name(name),
            Name(row["model"]),
            cost(costs[row["model"]]),
            kinds[row["model"]],
            cost(row["nec"]),
            point_of(row),
        )


def cost_views(material: Material) -> str:
    """Say what each model and the trivial decisions cost, by cost, at the PC(+) of the costs."""
    rows = sorted(material.rows("instance_costs"), key=itemgetter("nec"))
    each = (phrase("{} {}", Name(row["model"]), cost(row["nec"])) for row in rows)
    opening = (
        "Unweighted cost curves beside those weighted by cost, of {}. {}By cost at PC(+) = {}, "
        "the cheapest first"
    )
    return described(material, opening, each, _lowest(material), pc(rows[0]["pc"]))


def point_of(row: Row) -> str:
    """Write a point of ROC space."""
    return f"FP {cost(row['fp'])}, TP {cost(row['tp'])}"


def described(material: Material, opening: str, items: Iterable[Text], *more: Part | Text) -> str:
    """Open with who is shown and more, go through the first items, and count the others."""
    who = phrase("{} on {}", names(material.facts.models), Name(material.facts.title))
    return listed_first(phrase(opening, who, *more), items)


def listed_first(opening: Text, items: Iterable[Text]) -> str:
    """Go through the first items, and count the others."""
    each = iter(items)
    first = "; ".join(plain(item) for item in islice(each, SAID))
    hidden = sum(1 for _ in each)
    others = f"; and {hidden} more" if hidden else ""
    return f"{plain(opening)}: {first}{others}."
