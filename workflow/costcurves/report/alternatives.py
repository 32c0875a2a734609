"""What each figure shows, in words and from the numbers, for those who do not see it."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice, pairwise
from math import isnan
from operator import itemgetter
from typing import Any, Final

import pandas as pd

from costcurves.figures.difference_figures import ALL, MOST_DECIDED
from costcurves.figures.dot_figures import choices_data
from costcurves.figures.map_figures import Survey
from costcurves.figures.reading_figure import example
from costcurves.formats import cost, counted, interval, pc, pc_range, ratio_range, share, signed
from costcurves.maths.cost_space import ratio_from_pc
from costcurves.maths.net_benefit import pc_at
from costcurves.report.material import Material
from costcurves.report.outcomes import EQUIVALENT, Outcome, Win, drawn, largest, most_decided, wins
from costcurves.report.sentences import names
from costcurves.report.text import Name, Part, Text, listed, phrase, plain
from costcurves.tables.curves.headline import constant_decision
from costcurves.tables.inference.verdicts import CHEAPEST
from costcurves.tables.keys import ALWAYS, CROSS_FITTED, IN_SAMPLE

SAID: Final = 8  # models, pairs or conditions that a text goes through one by one
RANGES: Final = 4  # ranges of PC(+) that it gives for one thing
SLIVER: Final = 1e-9  # narrower than any reader or figure resolves: roots that differ by rounding
LEVELS: Final = {"fold": "mean over folds", "repeat": "mean over repeats", "pooled": "all pooled"}
AVERAGES: Final = {
    "cost-space": "in cost space",
    "vertical": "vertical",
    "horizontal": "horizontal",
    "threshold": "by threshold",
    "pooled": "pooled",
}

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
    return _told(material, "Cost curves of {}. {}By model", each, _lowest(material))


def cost_ratios(material: Material) -> str:
    """Say for which cost ratios each model costs less than the cheaper constant decision."""
    prior = material.facts.prior
    each = _useful(material, lambda ends: ratio_range(*ratio_from_pc(ends, prior)))
    opening = (
        f"Costs over the cost ratio at p(+) = {cost(prior)}, as shares of what the cheaper "
        "constant decision costs, of {}. Below it"
    )
    return _told(material, opening, each)


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


def differences(material: Material) -> str:
    """Say for each pair where the band of the difference leaves zero out, and by how much."""
    pairs = drawn(material.outcomes)
    shown = pairs if len(pairs) <= ALL else most_decided(pairs)[:MOST_DECIDED]
    opening = "Differences of the costs of {}" + (", with bands" if pairs else "")
    return _told(material, opening, _compared(material, shown))


def verdicts(material: Material) -> str:
    """Say for each pair what was found along PC(+)."""
    opening = "Verdicts along PC(+), every model against every other, of {}"
    return _told(material, opening, _compared(material, drawn(material.outcomes)))


def _compared(material: Material, shown: Sequence[Outcome]) -> Iterator[Text]:
    """Go through pairs, and name those without a verdict, up to as many as are drawn."""
    yield from map(_found, shown)
    for a, b in material.untested[:MOST_DECIDED]:
        yield phrase("{} against {}, no verdict", Name(a), Name(b))


def _found(one: Outcome) -> Text:
    """Say what was found about a pair, in a few words."""
    pair = phrase("{} against {}", Name(one.a), Name(one.b))
    if one.silent:
        return phrase("{}, undecided", pair)
    same = ["equivalent somewhere"] if one.found(EQUIVALENT) else []
    return phrase("{}, {}", pair, listed([*map(_won, wins([one])), *same]))


def _won(win: Win) -> Text:
    """Say where a model is cheaper, and by how much at most."""
    parts = len(win.spans)
    within = f"{parts} parts of PC(+)" if parts > 1 else "PC(+)"
    where = pc_range(win.whole.low, win.whole.high)
    most = cost(abs(largest(win.spans).difference))
    return phrase("{} cheaper for {} {} by up to {}", Name(win.winner), within, where, most)


def crossovers(material: Material) -> str:
    """Say for each pair who is cheaper where, or how often that changes."""
    pairs = groupby(material.rows("crossovers"), itemgetter("model_a", "model_b"))
    each = (_along(a, b, list(rows)) for (a, b), rows in pairs)
    return _told(material, "Who is cheaper along PC(+), pair by pair, of {}", each)


def _along(a: str, b: str, rows: Sequence[Row]) -> Text:
    """Go through the stretches of a pair; where they are many, count them."""
    pair = phrase("{} against {}", Name(a), Name(b))
    differences = [row["largest_difference"] for row in rows]
    lower = [Name(a) if by < 0 else Name(b) if by > 0 else "equal" for by in differences]
    stretches = [(who, row["pc_from"], row["pc_to"]) for who, row in zip(lower, rows, strict=True)]
    if len(rows) <= RANGES:
        said = [phrase("{} {}", who, pc_range(*ends)) for who, *ends in stretches]
        return phrase("{}, cheaper for PC(+): {}", pair, listed(said))
    changes = sum(one != next_ for one, next_ in pairwise(lower))
    shares = [
        phrase(
            "{} on {}", name, share(sum(high - low for who, low, high in stretches if who == name))
        )
        for name in (Name(a), Name(b))
    ]
    return phrase("{}, {}; cheaper {}", pair, counted(changes, "change"), listed(shares))


def reading(material: Material) -> str:
    """Say of the model that is shown which point and line stand for it, and its areas."""
    areas = {row["model"]: row["area"] for row in material.headline}
    rows: Any = example(material.tables, sorted(areas, key=areas.__getitem__)).to_dict("records")
    (point,) = rows
    model = point["model"]
    average = cost(material.in_sample[model, "fold"]["area"])
    each = (
        phrase("a point, {}", _point(point)),
        phrase("its line from {} to {}", cost(point["fp"]), cost(1 - point["tp"])),
        phrase("its cost {} at PC(+) = {}", cost(point["nec"]), pc(point["pc"])),
        phrase("area {} under the average of folds ({})", average, IN_SAMPLE),
        phrase("area {} under the headline ({})", cost(areas[model]), CROSS_FITTED),
    )
    opening = phrase(
        "The way to the cost curve of {} on {}", Name(model), Name(material.facts.title)
    )
    return _listed(opening, each)


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
    return _listed((opening,), each)


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
    return _told(material, f"{average}, and the headline curve, of {{}}. Areas", each)


def optimism(material: Material) -> str:
    """Say for each model what is promised at each level, and what is delivered."""
    each = []
    for model, levels in groupby(material.rows("optimism"), itemgetter("model")):
        rows = list(levels)
        promises = [f"{cost(row['area'])} ({LEVELS[row['level']]})" for row in rows]
        delivered = cost(rows[0]["cross_fitted"])
        each.append(
            phrase("{}: promised {}, delivered {}", Name(model), listed(promises), delivered)
        )
    return _told(material, "Areas that in-sample selection promises, and delivers, of {}", each)


def hybrids(material: Material) -> str:
    """Say for each model which way of choosing costs least, and which most."""
    honest = (
        row
        for row in material.rows("criteria")
        if row["applies"] and row["estimate"] != IN_SAMPLE and not isnan(row["area"])
    )
    each = (_ranked(model, list(rows)) for model, rows in groupby(honest, itemgetter("model")))
    return _told(material, "Cost curves of ways of choosing, of {}. Areas", each)


def _ranked(model: str, rows: Sequence[Row]) -> Text:
    least, most = (pick(rows, key=itemgetter("area")) for pick in (min, max))
    text = phrase("{}: {} {}", Name(model), least["criterion"], cost(least["area"]))
    if len(rows) == 1:
        return text
    more = f"{most['criterion']} {signed(most['area'] - least['area'])}"
    return phrase("{}, the least of {}, {}, the most", text, f"{len(rows)}", more)


def regrets(material: Material) -> str:
    """Say the mean regret of each criterion that is not chosen in-sample, with its interval."""
    each = (
        phrase(
            "{}, {}: {} ({})",
            Name(row["model_a"]),
            row["criterion_a"],
            signed(row["value"]),
            interval(row["low"], row["high"]),
        )
        for row in material.rows("choice_intervals")
        if row["quantity"] == "area"
        and row["model_a"] == row["model_b"]
        and row["criterion_b"] == "cross-fitted"
        and row["criterion_a"] != "cost-minimizing"
    )
    return _told(material, "Regret along PC(+), with bands, of {}. Means over PC(+)", each)


def thresholds(material: Material) -> str:
    """Say what each model loses if its scores are trusted, and if thresholds are optimal."""
    each = (
        phrase(
            "{}: {}{} by the best thresholds",
            Name(row["model"]),
            "" if isnan(row["brier"]) else f"{cost(row['brier'])} by its scores, ",
            cost(row["refinement"]),
        )
        for row in material.rows("losses")
    )
    return _told(material, "Threshold choice curves of {}. Expected losses", each)


def decision_curves(material: Material) -> str:
    """Say between which thresholds each model brings more than treating all and treating none."""
    prior = float(material.facts.prior)

    def thresholds(ends: list[float]) -> str:
        return f"from {' to '.join(pc(pc_at(end, prior)) for end in reversed(ends))}"

    opening = "Decision curves of {}. Threshold probabilities at which a model brings more than "
    each = _useful(material, thresholds)
    return _told(material, f"{opening}treating all and treating none", each)


def constructions(material: Material) -> str:
    """Say which point each constraint allows each model."""
    each = (
        phrase("{}, {}: {}", row["criterion"], Name(row["model"]), _point(row))
        for row in material.rows("constructions")
    )
    return _told(material, "Constrained choices in both spaces, of {}", each)


def duality(material: Material) -> str:
    """Say what each model costs under each condition, the cheapest first, and what is promised."""
    conditions = groupby(material.rows("duality"), itemgetter("condition", "pc"))
    each = (
        text for (name, at), rows in conditions for text in _costs_at(material, name, at, [*rows])
    )
    at = f"cost ratios at p(+) = {cost(material.facts.prior)}"
    opening = f"ROC space beside cost space for {{}}; {at}. Costs, the cheapest first"
    return _told(material, opening, each)


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
            _point(row),
        )


def instance_costs(material: Material) -> str:
    """Say for each model how far its ranking is another by cost, and what it costs."""
    each = (
        phrase("{}: {} and {}", Name(row["model"]), cost(row["auc"]), cost(row["auciv"]))
        for row in material.rows("instance_costs")
        if not row["trivial"]
    )
    opening = "ROC beside ROCIV, and costs in the order of the scores, for {}. AUC and AUCIV"
    return _told(material, opening, each)


def cost_views(material: Material) -> str:
    """Say what each model and the trivial decisions cost, by cost, at the PC(+) of the costs."""
    rows = sorted(material.rows("instance_costs"), key=itemgetter("nec"))
    each = (phrase("{} {}", Name(row["model"]), cost(row["nec"])) for row in rows)
    opening = (
        "Unweighted cost curves beside those weighted by cost, of {}. {}By cost at PC(+) = {}, "
        "the cheapest first"
    )
    return _told(material, opening, each, _lowest(material), pc(rows[0]["pc"]))


def averaging(material: Material) -> str:
    """Say for each model the area under its average by each method."""
    each = []
    for model in material.facts.models:
        known = {words: material.areas.get((model, name)) for name, words in AVERAGES.items()}
        areas = [f"{cost(area)} {words}" for words, area in known.items() if area is not None]
        each.append(phrase("{}: {}", Name(model), listed(areas)))
    return _told(material, "Averages of {} by five methods. Areas", each)


def _point(row: Row) -> str:
    return f"FP {cost(row['fp'])}, TP {cost(row['tp'])}"


def _told(material: Material, opening: str, items: Iterable[Text], *more: Part | Text) -> str:
    """Open with who is shown and more, go through the first items, and count the others."""
    who = phrase("{} on {}", names(material.facts.models), Name(material.facts.title))
    return _listed(phrase(opening, who, *more), items)


def _listed(opening: Text, items: Iterable[Text]) -> str:
    each = iter(items)
    told = "; ".join(plain(item) for item in islice(each, SAID))
    hidden = sum(1 for _ in each)
    others = f"; and {hidden} more" if hidden else ""
    return f"{plain(opening)}: {told}{others}."
