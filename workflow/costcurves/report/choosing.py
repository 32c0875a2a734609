"""The section on choosing a threshold: what each way of choosing costs, and which one to use."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from math import isnan, nan
from operator import itemgetter
from typing import Any, Final

from costcurves.choosing.rules import LIMITS
from costcurves.choosing.threshold_choice import COST
from costcurves.formats import cases
from costcurves.report.document import VALUE, Estimate, Section, Table, Values
from costcurves.report.material import Material
from costcurves.report.thresholds import chooses
from costcurves.settings import NEEDS
from costcurves.tables.keys import IN_SAMPLE

ROUNDING: Final = 1e-12  # the same integral in two ways
EXCEEDED: Final = 1e-9  # a limit that is met exactly is not
LISTED: Final = 120  # ranges of what to use, of all models; of more only the widest are listed
WIDEST: Final = 6  # of a model are listed at least
COMPARED: Final = itemgetter("model_a", "criterion_a", "model_b", "criterion_b")
NOTHING: Final = {"model": "", "criterion": ""}  # what the cost of a choice alone is held against

Row = dict[str, Any]


def choosing(material: Material) -> Section | None:
    """Show what each way of choosing costs; nothing where there is none, or it was left out."""
    if not chooses(material):
        return None

    def some(stage: str, words: str, rows: Sequence[Values]) -> Table | None:
        return material.table(stage, words, rows) if rows else None

    each, limited = _criteria(material), _limited(material)
    costs = [row for one in each for row in one.rows]
    methods, choices = _expected(material)
    return material.section(
        "choosing",
        "Choosing the threshold",
        advice=_advice(material),
        table=material.table("criteria", "what each threshold rule costs", each),
        weighted=any(abs(row.tec.value - row.area.value) > ROUNDING for row in costs),
        confidence=material.confidence,
        complete=not any(isnan(row.area.low) for row in costs),
        # Whether there is a cross-fitted choice to hold others against.
        fitted=any(not isnan(row.regret.value) for row in costs),
        rivals=some("choice_intervals", "models with the same threshold rule", _rivals(material)),
        obstacles=_obstacles(material),
        deployment=material.table("deployment", "what to use", _deployed(material)),
        thresholds=material.figure("loss_curves") if choices else None,
        benefit=material.figure("decision_curves"),
        methods=methods,
        choices=some("threshold_choice", "expected loss by method", choices),
        kept=tuple(map(kept, limited)),
        constraints=some("constructions", "what the limits allow", limited),
    )


def _obstacles(material: Material) -> tuple[Values, ...]:
    """Say each reason once: for all criteria that it keeps from the same models."""
    models: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in material.rows("criteria"):
        if not row["applies"]:
            models[row["criterion"], row["reason"]].append(row["model"])
    criteria: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
    for (criterion, reason), kept_from in models.items():
        criteria[reason, tuple(kept_from)].append(criterion)
    return tuple(
        Values(criteria=tuple(names), models=kept_from, reason=reason)
        for (reason, kept_from), names in criteria.items()
    )


def _deployed(material: Material) -> list[Values]:
    """List for each model who serves which PC(+), and how many narrow ranges are not listed."""
    rows = material.rows("deployment")
    models = len({row["model"] for row in rows})
    most = len(rows) if len(rows) <= LISTED else max(WIDEST, LISTED // models)
    found = []
    for model, own in _by_model(rows):
        widest = sorted(own, key=lambda row: -round(row["pc_to"] - row["pc_from"], 9))[:most]
        listed = tuple(Values(**row) for row in own if row in widest)
        hidden = len(own) - len(listed)
        found.append(Values(model=material.model(model), rows=listed, hidden=hidden))
    return found


def _expected(material: Material) -> tuple[tuple[str, ...], list[Values]]:
    """List threshold choice methods, and for each model its losses over cost proportions."""
    table = material.tables["threshold_choice"]
    first = table[table["axis"] == COST].drop_duplicates(["model", "method"])
    models, methods = first["model"].unique(), first["method"].unique()
    losses = first.pivot(index="model", columns="method", values="loss").loc[models, methods]
    return tuple(methods), [
        Values(model=material.model(model), losses=tuple(own))
        for model, own in zip(models, losses.to_numpy().tolist(), strict=True)
    ]


def _limited(material: Material) -> list[Values]:
    """Collect the models under each limit; its point in cost space is the same for all."""
    shared = itemgetter("criterion", "limit", "dual_pc", "dual_nec")
    rows = sorted(material.rows("constructions"), key=itemgetter("criterion"))
    return [
        Values(
            criterion=criterion,
            limit=limit,
            dual_pc=pc,
            dual_nec=nec,
            heading=f"{kind.title}: {kind.allows.format(cases(limit))}",
            rows=tuple(
                material.row(row, cases=row["held_out"] if kind.in_cases else nan) for row in own
            ),
        )
        for (criterion, limit, pc, nec), own in groupby(rows, shared)
        for kind in [LIMITS[criterion]]
    ]


def kept(limit: Values) -> Values:
    """Give what a limit that was kept on the other folds came to on the held-out ones."""
    kind = LIMITS[limit.criterion]
    rows = sorted((one for one in limit.rows if one.folds), key=lambda one: float(one.held_out))
    return Values(
        words=kind.sentence.format(cases(limit.limit)),
        in_cases=kind.in_cases,
        rows=tuple(rows),
        above=sum(one.held_out > limit.limit + EXCEEDED for one in rows),
    )


class _ChoiceIntervals:
    """The intervals of one dataset's choices, of areas ("area") or total expected costs ("tec")."""

    def __init__(self, material: Material, quantity: str) -> None:
        self._found = {
            COMPARED(row): Estimate(*VALUE(row))
            for row in material.rows("choice_intervals")
            if row["quantity"] == quantity
        }

    def cost(self, row: Row, value: float) -> Estimate:
        """Give the interval of what a choice, a row of `criteria`, costs."""
        return self.more(row, NOTHING, value)

    def more(self, a: Row, b: Row, value: float) -> Estimate:
        """Give the interval of what a choice costs more than another."""
        one, other = ((row["model"], row["criterion"]) for row in (a, b))
        if found := self._found.get((*other, *one)):
            return Estimate(0.0 - found.value, 0.0 - found.high, 0.0 - found.low)
        return self._found.get((*one, *other), Estimate(value, nan, nan))


def _criteria(material: Material) -> list[Values]:
    """List the criteria of each model, with what each costs."""
    area, tec = _ChoiceIntervals(material, "area"), _ChoiceIntervals(material, "tec")

    def one(row: Row) -> Values:
        fitted = {"model": row["model"], "criterion": "cross-fitted"}
        return material.row(
            row,
            quiet=row["estimate"] == IN_SAMPLE,
            area=area.cost(row, row["area"]),
            tec=tec.cost(row, row["tec"]),
            regret=area.more(row, fitted, row["regret"]),
        )

    return [
        Values(model=material.model(model), rows=tuple(map(one, own)))
        for model, own in _by_model(_applied(material))
    ]


def _advice(material: Material) -> tuple[Values, ...]:
    """Give the criterion that costs each model the least, of those that keep no limit."""
    tec = _ChoiceIntervals(material, "tec")

    def one(model: str, rows: list[Row]) -> Values:
        usable = [
            row for row in rows if row["estimate"] != IN_SAMPLE and row["criterion"] not in NEEDS
        ]
        best = next((row for row in usable if row["best"]), None)
        if best is None:
            return Values(model=model, best=None)
        others = {
            row["criterion"]: tec.more(row, best, row["tec"] - best["tec"])
            for row in usable
            if row is not best
        }
        return advised(model, best["criterion"], tec.cost(best, best["tec"]), others)

    return tuple(one(model, rows) for model, rows in _by_model(_applied(material)))


def advised(model: str, best: str, cost: Estimate, others: Mapping[str, Estimate]) -> Values:
    """Order what other criteria cost more, from the least on."""
    ordered = sorted(others.items(), key=lambda item: item[1].value)
    return Values(model=model, best=best, cost=cost, others=tuple(ordered))


def _rivals(material: Material) -> list[Values]:
    """Compare the models under each criterion that two or more can use, with the least of all."""
    area = _ChoiceIntervals(material, "area")
    usable = [row for row in _applied(material) if row["estimate"] != IN_SAMPLE]
    found = []
    for criterion in dict.fromkeys(row["criterion"] for row in usable):
        rows = [row for row in usable if row["criterion"] == criterion]
        least = min(rows, key=itemgetter("area"))
        each = tuple(
            material.row(
                row,
                cost=area.cost(row, row["area"]),
                more=area.more(row, least, nan),
                least=row is least,
            )
            for row in rows
        )
        if len(rows) > 1 and not any(isnan(one.more.value) for one in each if not one.least):
            found.append(Values(criterion=criterion, rows=each))
    return found


def _applied(material: Material) -> list[Row]:
    """List the criteria that apply to each model."""
    return [row for row in material.rows("criteria") if row["applies"]]


def _by_model(rows: Iterable[Row]) -> Iterator[tuple[str, list[Row]]]:
    """Go through the models and their rows, which stand together."""
    return ((model, list(own)) for model, own in groupby(rows, itemgetter("model")))
