"""What each figure of the annex shows, in words, for those who do not see it."""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from math import isnan
from operator import itemgetter
from typing import Any, Final

from costcurves.annex.figures.difference_figures import ALL, MOST_DECIDED
from costcurves.formats import cost, counted, interval, pc_range, share, signed
from costcurves.report.alternatives import RANGES, described, point_of
from costcurves.report.material import Material
from costcurves.report.outcomes import EQUIVALENT, Outcome, Win, drawn, largest, most_decided, wins
from costcurves.report.text import Name, Text, listed, phrase
from costcurves.tables.keys import IN_SAMPLE

LEVELS: Final = {"fold": "mean over folds", "repeat": "mean over repeats", "pooled": "all pooled"}
AVERAGES: Final = {
    "cost-space": "in cost space",
    "vertical": "vertical",
    "horizontal": "horizontal",
    "threshold": "by threshold",
    "pooled": "pooled",
}

Row = dict[str, Any]


def differences(material: Material) -> str:
    """Say for each pair where the band of the difference leaves zero out, and by how much."""
    pairs = drawn(material.outcomes)
    shown = pairs if len(pairs) <= ALL else most_decided(pairs)[:MOST_DECIDED]
    opening = "Differences of the costs of {}" + (", with bands" if pairs else "")
    return described(material, opening, _compared(material, shown))


def verdicts(material: Material) -> str:
    """Say for each pair what was found along PC(+)."""
    opening = "Verdicts along PC(+), every model against every other, of {}"
    return described(material, opening, _compared(material, drawn(material.outcomes)))


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
    return described(material, "Who is cheaper along PC(+), pair by pair, of {}", each)


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
    return described(material, "Areas that in-sample selection promises, and delivers, of {}", each)


def hybrids(material: Material) -> str:
    """Say for each model which way of choosing costs least, and which most."""
    honest = (
        row
        for row in material.rows("criteria")
        if row["applies"] and row["estimate"] != IN_SAMPLE and not isnan(row["area"])
    )
    each = (_ranked(model, list(rows)) for model, rows in groupby(honest, itemgetter("model")))
    return described(material, "Cost curves of ways of choosing, of {}. Areas", each)


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
    return described(material, "Regret along PC(+), with bands, of {}. Means over PC(+)", each)


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
    return described(material, "Threshold choice curves of {}. Expected losses", each)


def constructions(material: Material) -> str:
    """Say which point each constraint allows each model."""
    each = (
        phrase("{}, {}: {}", row["criterion"], Name(row["model"]), point_of(row))
        for row in material.rows("constructions")
    )
    return described(material, "Constrained choices in both spaces, of {}", each)


def instance_costs(material: Material) -> str:
    """Say for each model how far its ranking is another by cost, and what it costs."""
    each = (
        phrase("{}: {} and {}", Name(row["model"]), cost(row["auc"]), cost(row["auciv"]))
        for row in material.rows("instance_costs")
        if not row["trivial"]
    )
    opening = "ROC beside ROCIV, and costs in the order of the scores, for {}. AUC and AUCIV"
    return described(material, opening, each)


def averaging(material: Material) -> str:
    """Say for each model the area under its average by each method."""
    each = []
    for model in material.facts.models:
        known = {words: material.areas.get((model, name)) for name, words in AVERAGES.items()}
        areas = [f"{cost(area)} {words}" for words, area in known.items() if area is not None]
        each.append(phrase("{}: {}", Name(model), listed(areas)))
    return described(material, "Averages of {} by five methods. Areas", each)
