"""What a figure needs besides tables, and what several figures read from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import pandas as pd

from costcurves.curves.bands import in_common
from costcurves.curves.conditions import Condition, conditions
from costcurves.figures import style
from costcurves.figures.polylines import Ranges, covered, filtered, spans_of, union
from costcurves.pairs.comparisons import REFERENCE
from costcurves.pairs.not_ruled_out import CHEAPEST, OUT
from costcurves.settings import Dataset, Selection, Study
from costcurves.tables.keys import ALWAYS

Tables = Mapping[str, pd.DataFrame]

OWN_COSTS: Final = "own costs"
CHEAPER: Final = ("A cheaper", "B cheaper")


@dataclass(frozen=True)
class Context:
    """A dataset of a study as its figures show it."""

    tables: Tables
    title: str
    models: Sequence[str]
    roster: Sequence[str]  # all models of the study, which colours and dashes come from
    prior: float  # strictly between 0 and 1
    level: str  # of in-sample averages: "fold", "repeat" or "pooled"
    conditions: Sequence[Condition] = ()
    limits: Selection = field(default_factory=Selection)  # what the study sets for threshold rules
    reference: str | None = None  # the model that the others are compared with
    unit: str = ""  # of costs
    own_costs: float | None = None  # the PC(+) that costs of cases come to; None: there are none
    titles: Mapping[str, str] = field(default_factory=dict)  # of all datasets, by name

    @cached_property
    def short(self) -> dict[str, str]:
        """Names as figures write them."""
        return style.short_names(self.roster)

    def colour(self, model: str) -> str:
        """Return the colour of a model."""
        return style.colour(self.roster.index(model))

    def line(self, model: str, width: float = 1.0) -> dict[str, Any]:
        """Return the look of a model's lines."""
        place = self.roster.index(model)
        return {"color": style.colour(place), "linestyle": style.dash(place), "linewidth": width}

    def key(self, models: Sequence[str], most: int, width: float) -> dict[str, dict[str, Any]]:
        """Return the looks of the first models by their short names, and that of all others."""
        entries = {self.short[model]: self.line(model, width) for model in models[:most]}
        if len(models) > most:
            entries[f"{len(models) - most} other models"] = style.STAND_BACK
        return entries

    @property
    def named(self) -> list[Condition]:
        """The conditions that the study names, else equal costs where these are inside the axis."""
        named = [condition for condition in self.conditions if condition.named]
        return named or [
            row for row in self.conditions if row.name == "1:1" and 0.02 < row.pc < 0.98
        ]

    @property
    def main(self) -> Condition:
        """The condition to show where only one is shown."""
        return (self.named or self.conditions)[0]

    def confidence(self, table: str) -> float | None:
        """Read the level of a table; None: it has no rows."""
        return confidence_of(self.tables[table]) if len(self.tables[table]) else None

    @cached_property
    def lowest(self) -> dict[str, Ranges]:
        """Where each model has the lowest estimate of all, below both no-model baselines."""
        spans = _standing(self.tables, CHEAPEST)
        free = [[(0.0, low), (high, 1.0)] for name in ALWAYS for low, high in spans.pop(name, [])]
        return {model: in_common([ranges, *free]) for model, ranges in spans.items()}

    @cached_property
    def leading(self) -> list[str]:
        """The models by the share of the axis where they are lowest, then by area."""
        area = headline_rows(self.tables["measures"]).set_index("model")["area"]
        share = {model: covered(self.lowest.get(model, [])) for model in self.models}
        return sorted(self.models, key=lambda model: (-round(share[model], 9), area[model]))

    def leading_in(self, rows: pd.DataFrame, most: int) -> list[str]:
        """Return the first models that a table has, those that lead first."""
        return [model for model in self.leading if model in {*rows["model"]}][:most]

    @cached_property
    def wins(self) -> dict[tuple[str, str], Ranges]:
        """Where a model is shown to cost less than another, by the two, the widest first.

        Those that involve the reference come before the others.
        """
        ranked = []
        by = ["family", "model_a", "model_b", "finding"]
        for (family, a, b, finding), rows in self.tables["verdicts"].groupby(by, sort=False):
            if finding in CHEAPER:
                ranges = union(spans_of(rows))
                pair = (a, b) if finding == CHEAPER[0] else (b, a)
                ranked.append((family != REFERENCE, -round(covered(ranges), 9), pair, ranges))
        wins: dict[Any, Ranges] = {}
        for *_, pair, ranges in sorted(ranked, key=lambda win: win[:2]):
            wins.setdefault(pair, ranges)
        return wins


def ruled_out(tables: Tables) -> Ranges:
    """Return where both no-model baselines are ruled out as the cheapest decision."""
    spans = _standing(tables, OUT)
    return in_common([spans.get(baseline, []) for baseline in ALWAYS])


def _standing(tables: Tables, standing: str) -> dict[str, Ranges]:
    """Read where each decision has a standing."""
    rows = filtered(tables["not_ruled_out"], standing=standing)
    by_decision = rows.groupby("decision", sort=False)
    return {str(decision): spans_of(spans) for decision, spans in by_decision}


def confidence_of(rows: pd.DataFrame) -> float:
    """Read the level of a table whose rows share it."""
    return float(rows["confidence"].iloc[0])


def headline_rows(measures: pd.DataFrame) -> pd.DataFrame:
    """Take the headline's row of each model, in order of the models."""
    headline = measures[measures["headline"]].set_index("model")
    return headline.loc[measures["model"].unique()].reset_index()


def rows_of(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return a table row by row."""
    rows: Any = table.to_dict("records")
    return list(rows)


def context_of(study: Study, dataset: Dataset, tables: Tables, roster: Sequence[str]) -> Context:
    """Return a dataset's context; `roster`: the models of all datasets of the study, in order."""
    headline = headline_rows(tables["measures"])
    prior = float(headline["prior"].iloc[headline["instances"].argmax()])
    return Context(
        tables=tables,
        title=dataset.title,
        models=list(headline["model"]),
        roster=roster,
        prior=prior,
        level=study.level,
        conditions=conditions(prior, study.operating_conditions),
        limits=study.selection,
        reference=study.reference,
        unit=dataset.unit,
        own_costs=float(tables["instance_costs"]["pc"].iloc[0]) if dataset.weighted else None,
    )


def context_of_all(study: Study, tables: Tables) -> Context:
    """Return the context of all datasets together."""
    roster = list(tables["measures"]["model"].unique())
    return Context(
        tables=tables,
        title=study.title,
        models=roster,
        roster=roster,
        prior=0.5,
        level=study.level,
        titles={dataset.name: dataset.title for dataset in study.counted},
    )
