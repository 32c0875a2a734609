"""What each figure shows, in words and from the numbers, for those who do not see it."""

from collections.abc import Iterable
from itertools import islice

from costcurves.report.callouts import callouts
from costcurves.report.formats import cost, pc, pc_range
from costcurves.report.material import Material
from costcurves.report.outcomes import Outcome, leading, wins
from costcurves.report.sentences import names
from costcurves.report.text import Name, Text, listed, phrase, plain

SAID = 8  # models, pairs or points that a text goes through one by one


def verdict(material: Material) -> Text:
    """Say what the data decide about the models of a dataset."""
    each = [one.text for one in callouts(material, SAID)]
    return phrase(" ".join(["{}"] * len(each)), *each)


def differences(material: Material) -> str:
    """Say for each pair what was found along PC(+)."""
    opening = phrase("Differences of the costs of {}, with bands", _who(material))
    return _told(opening, map(_found, leading(material.outcomes)))


def verdicts(material: Material) -> str:
    """Say for each pair what was found along PC(+)."""
    opening = phrase("Verdicts along PC(+), every model against every other, of {}", _who(material))
    return _told(opening, map(_found, leading(material.outcomes)))


def _found(one: Outcome) -> Text:
    """Say what was found about a pair, in a few words."""
    if one.silent:
        return phrase("{} against {}, undecided", Name(one.a), Name(one.b))
    each = [
        phrase(
            "{} cheaper in {} of PC(+)", Name(win.winner), pc_range(win.whole.low, win.whole.high)
        )
        for win in wins([one])
    ]
    alike = [] if each else ["equivalent somewhere"]
    return phrase("{} against {}, {}", Name(one.a), Name(one.b), listed([*each, *alike]))


def cost_curves(material: Material) -> str:
    """Say who is cheapest where, and each model's largest cost."""
    costs = (
        phrase(
            "{}: area {}, at most {} at PC(+) = {}",
            Name(row["model"]),
            cost(row["area"]),
            cost(row["largest_nec"]),
            pc(row["largest_pc"]),
        )
        for row in material.headline
    )
    opening = phrase("Cost curves of {}. {}", _who(material), verdict(material))
    return _told(phrase("{} In numbers", opening), costs)


def folds(material: Material) -> str:
    """Say the area under each average of curves."""
    areas = (
        phrase("{}, level {}: {}", Name(model), level, cost(row["area"]))
        for (model, level), row in material.in_sample.items()
    )
    opening = phrase("The curves behind the average of {}.", _who(material))
    return _told(phrase("{} Areas under the averages", opening), areas)


def optimism(material: Material) -> str:
    """Say for each model what is promised at the study's level, and what is delivered."""
    promises = (
        phrase("{}: {} against {}", Name(row["model"]), cost(row["area"]), delivered)
        for row in material.rows("optimism")
        if row["level"] == material.facts.level
        for delivered in (cost(row["cross_fitted"]),)
    )
    opening = phrase(
        "Areas by in-sample selection against cross-fitted ones, of {}", _who(material)
    )
    return _told(opening, promises)


def hybrids(material: Material) -> str:
    """Say what each criterion costs each model."""
    each = (
        phrase("{}, {}: {}", Name(row["model"]), row["criterion"], cost(row["area"]))
        for row in material.rows("criteria")
        if row["applies"]
    )
    return _told(phrase("Ways of choosing a threshold, of {}. Areas", _who(material)), each)


def thresholds(material: Material) -> str:
    """Say what each model loses if its scores are trusted, and if thresholds are optimal."""
    each = (
        phrase(
            "{}: {} by its scores, {} by the best thresholds",
            Name(row["model"]),
            cost(row["brier"]),
            cost(row["refinement"]),
        )
        for row in material.rows("losses")
    )
    return _told(phrase("Threshold choice curves of {}. Expected losses", _who(material)), each)


def constructions(material: Material) -> str:
    """Say which point each constraint allows each model."""
    each = (
        phrase("{}, {}: {}", row["criterion"], Name(row["model"]), _point(row))
        for row in material.rows("constructions")
    )
    return _told(phrase("Constrained choices in both spaces, of {}", _who(material)), each)


def duality(material: Material) -> str:
    """Say which operating point each model has under each condition."""
    points = (
        phrase("{}, {}: {}", Name(row["condition"]), Name(row["model"]), _rates(row))
        for row in material.rows("duality")
    )
    return _told(phrase("ROC space beside cost space for {}", _who(material)), points)


def crossovers(material: Material) -> str:
    """Say for each pair who is cheaper where."""
    ranges = (
        phrase("{} against {}, {}: {}", Name(row["model_a"]), Name(row["model_b"]), where, who)
        for row in material.rows("crossovers")
        for where in (pc_range(row["pc_from"], row["pc_to"]),)
        for who in (cheaper(row["model_a"], row["model_b"], row["largest_difference"]),)
    )
    return _told(phrase("Who is cheaper along PC(+), pair by pair, of {}", _who(material)), ranges)


def averaging(material: Material) -> str:
    """Say the area under each model's average by each method."""
    areas = (
        phrase("{}, {}: {}", Name(model), method, cost(area))
        for (model, method), area in material.areas.items()
    )
    return _told(phrase("Averages of {} by five methods. Areas", _who(material)), areas)


def cheaper(model_a: str, model_b: str, difference: float) -> Text:
    """Name the cheaper model of a pair by the sign of cost(A) - cost(B)."""
    if difference == 0:
        return ("equal",)
    return phrase("{} is cheaper", Name(model_a if difference < 0 else model_b))


def _rates(row: dict[str, float]) -> str:
    return f"{_point(row)}, cost {cost(row['nec'])}"


def _point(row: dict[str, float]) -> str:
    return f"FP {cost(row['fp'])}, TP {cost(row['tp'])}"


def _who(material: Material) -> Text:
    return phrase("{} on {}", names(material.facts.models), Name(material.facts.title))


def _told(opening: Text, items: Iterable[Text]) -> str:
    """Go through the first items, and count the others."""
    each = iter(items)
    told = "; ".join(plain(item) for item in islice(each, SAID))
    hidden = sum(1 for _ in each)
    return f"{plain(opening)}: {told}{f'; and {hidden} more' if hidden else ''}."
