"""One dataset as its sections see it: its tables, its figures, and the facts behind both."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import nan
from typing import Any, Final

import pandas as pd

from costcurves.choosing.headline import headline_of
from costcurves.curves.curves import Curve
from costcurves.curves.pieces import curves_of
from costcurves.figures.context import confidence_of, headline_rows, rows_of
from costcurves.figures.polylines import filtered
from costcurves.pairs.comparisons import ALL_PAIRS
from costcurves.report.document import (
    VALUE,
    Content,
    Drawing,
    Estimate,
    Facts,
    Figure,
    Numbering,
    Section,
    Table,
    address,
)
from costcurves.report.outcomes import Finding, findings
from costcurves.report.plausibility import Problem, problems
from costcurves.settings import Dataset, OperatingCondition, Study
from costcurves.tables.keys import ALWAYS, FIXED, IN_SAMPLE
from costcurves.text import Name

COUNTS: Final = ["instances", "positives", "repeats", "folds"]  # of each model
FALSE_ALARMS: Final = "false alarms"  # the unit of costs that have none

Pairs = dict[tuple[str, str], tuple[float, float]]  # of models: the ends of an interval


@dataclass(frozen=True)
class Material:
    """What the sections of one dataset are made from."""

    study: Study
    dataset: Dataset
    tables: Mapping[str, pd.DataFrame]  # by stage
    figures: Mapping[str, Drawing]  # by name
    roster: tuple[str, ...]  # all models of the study: their places are colours and dashes
    numbers: Numbering
    weighted: "Material | None" = None  # its sibling, weighted by cost; None: it has no costs
    front: Drawing | None = None  # its curves on page 1, which its figures leave out
    large: tuple[str, ...] = ()  # tables that are no CSV

    @cached_property
    def facts(self) -> Facts:
        """What the dataset is: its counts are those of its largest model."""
        headline = headline_rows(self.tables["measures"])
        largest = headline.iloc[int(headline["instances"].argmax())]
        return Facts(
            self.dataset.slug,
            self.dataset.title,
            self.dataset,
            **{name: int(largest[name]) for name in (*COUNTS, "negatives", "clusters")},
            effective=float(largest["effective"]),
            # Repeats need not have equally many folds; each fold has a curve at most.
            all_folds=int(
                filtered(self.tables["measures"], model=largest["model"])["curves"].max()
            ),
            prior=float(largest["prior"]),
            level=self.study.level,
            estimate=next((each for each in headline["estimate"] if each != FIXED), FIXED),
            models=tuple(headline["model"]),
            fixed=tuple(headline.loc[headline["estimate"] == FIXED, "model"]),
            same_counts=len(headline[COUNTS].drop_duplicates()) == 1,
            confidence=confidence_of(self.tables["intervals"]),
        )

    @property
    def by_cost(self) -> bool:
        """Whether cases count by what mistakes on them cost."""
        return self.dataset.weighted

    @property
    def marked(self) -> dict[str, OperatingCondition]:
        """The operating conditions as configured."""
        return {condition.name: condition for condition in self.study.operating_conditions}

    @property
    def reference(self) -> str | None:
        """The model in use; None: this dataset has it not."""
        return self.study.reference if self.study.reference in self.facts.models else None

    @cached_property
    def headline(self) -> list[dict[str, Any]]:
        """The measures that models are judged by, a row a model."""
        return rows_of(headline_rows(self.tables["measures"]))

    @cached_property
    def findings(self) -> tuple[Problem, ...]:
        """Possible problems in its predictions; of arrays in Python they are not looked for."""
        if "plausibility" not in self.tables:
            return ()
        return tuple(problems(self.tables["plausibility"], self.dataset.expected))

    @cached_property
    def verdicts(self) -> list[dict[str, Any]]:
        """What was decided about pairs of models."""
        return self.rows("verdicts")

    @cached_property
    def findings_of_models(self) -> tuple[Finding, ...]:
        """What is shown of pairs of models, and where."""
        return tuple(findings(self.verdicts))

    @cached_property
    def untested(self) -> tuple[tuple[str, str], ...]:
        """The pairs of which nothing was decided, as a curve is in-sample."""
        return tuple(
            (row["model_a"], row["model_b"])
            for row in self.verdicts
            if row["reason"] == IN_SAMPLE and row["family"] == ALL_PAIRS
        )

    @cached_property
    def estimates(self) -> dict[tuple[str, str, str], Estimate]:
        """The numbers that have intervals, by model, quantity and operating condition."""
        return {
            (row["model"], row["quantity"], row["condition"]): Estimate(*VALUE(row))
            for row in self.rows("intervals")
        }

    @cached_property
    def standing(self) -> float:
        """The level at which decisions are ruled out, over all PC(+)."""
        return confidence_of(self.tables["not_ruled_out"])

    @cached_property
    def pair_costs(self) -> dict[str, Pairs]:
        """The interval of cost(A) - cost(B) of each pair, both ways, at each named condition."""
        intervals: dict[str, Pairs] = {}
        for row in self.rows("pair_intervals"):
            if row["quantity"] == "cost":
                pairs = intervals.setdefault(row["condition"], {})
                pairs[row["model_a"], row["model_b"]] = row["low"], row["high"]
                pairs[row["model_b"], row["model_a"]] = -row["high"], -row["low"]
        return intervals

    @cached_property
    def conditions(self) -> dict[str, float]:
        """The marked operating conditions in order, and their PC(+)."""
        costs = (row for row in self.rows("intervals") if row["quantity"] == "cost")
        return {row["condition"]: row["pc"] for row in costs}

    @cached_property
    def curves(self) -> dict[str, Curve]:
        """The curve that each model is judged by."""
        return headline_of(self.tables["headline"])

    @cached_property
    def edges(self) -> dict[tuple[str, str], Curve]:
        """The lower and the upper edge of the band of each model that holds at each PC(+)."""
        bands = filtered(self.tables["bands"], extent="pointwise")
        edges = curves_of(bands, ["model", "edge"])
        return {(row["model"], row["edge"]): curve for row, curve in edges}

    def costs_at(self, pc: float, condition: str) -> dict[str, Estimate]:
        """Return what each decision costs at a PC(+), which may be that of a marked condition."""
        costs = {}
        for model, curve in self.curves.items():
            estimate = self.estimates.get((model, "cost", condition))
            if estimate is None:
                edges = (self.edges.get((model, edge)) for edge in ("lower", "upper"))
                ends = (float(edge(pc)) if edge else nan for edge in edges)
                estimate = Estimate(float(curve(pc)), *ends)
            costs[model] = estimate
        for constant, cost in zip(ALWAYS, (pc, 1 - pc), strict=True):
            costs[constant] = Estimate(cost)
        return costs

    @cached_property
    def standings(self) -> list[dict[str, Any]]:
        """Where each decision has the lowest estimate, is not ruled out, or is."""
        return self.rows("not_ruled_out")

    def standings_at(self, pc: float) -> dict[str, dict[str, Any]]:
        """Return the row of each decision at a PC(+); where two ranges meet, the later counts."""
        here = (row for row in self.standings if row["pc_from"] <= pc <= row["pc_to"])
        return {row["decision"]: row for row in here}

    @property
    def own_costs(self) -> float:
        """The PC(+) that the costs of its cases come to, where they weight it."""
        return float(self.tables["instance_costs"]["pc"].iloc[0])

    @cached_property
    def price(self) -> tuple[float, str]:
        """What a false alarm costs, and its unit: of all conditions alike, or of cases at mean."""
        if self.by_cost:
            return float(self.tables["instance_costs"]["mean_cost_fp"].iloc[0]), self.dataset.unit
        priced = [condition for condition in self.marked.values() if condition.unit]
        prices = {(condition.cost_fp, condition.unit) for condition in priced}
        if len(prices) == 1 and all(condition.prior is None for condition in priced):
            return prices.pop()
        return 1.0, FALSE_ALARMS

    @property
    def start(self) -> str:
        """The condition that its answers begin with: named, 1:1, or its first; empty: none."""
        opens = next((name for name, each in self.marked.items() if each.named), "1:1")
        return opens if opens in self.conditions else next(iter(self.conditions), "")

    @cached_property
    def served(self) -> list[dict[str, Any]]:
        """Who is to serve each range of PC(+), with the FP and TP rate of a threshold.

        Of the cases in deployment: rates count by the cases' weights, but never by their costs.
        """
        points = filtered(self.tables["operating_points"], level="pooled")
        points = points[points["threshold"].notna()]
        fp, tp = points["fp"], 1 - points["fn"]
        if self.by_cost:
            fp = points["fp_count"] / points["negatives"]
            tp = points["tp_count"] / points["positives"]
        place = ["model", "member", "threshold"]
        rates = points[place].assign(fp=fp, tp=tp)
        return rows_of(self.tables["deployment"].merge(rates, "left", place))

    def rows(self, table: str) -> list[dict[str, Any]]:
        """Return a table row by row; none where it was not made."""
        return rows_of(self.tables[table]) if table in self.tables else []

    def figure(self, name: str) -> Figure | None:
        """Take a figure; None: it is not drawn."""
        return figure_of(name, self.figures, self.numbers)

    def address(self, stage: str) -> str:
        """Return the relative address of a table; empty: of none."""
        return address(stage, self.dataset.slug, self.large) if stage else ""

    def table(self, stage: str, words: str, rows: Iterable[Any]) -> Table:
        """Take the next number for a table of rows that come from a stage."""
        title = Name(self.dataset.title), ": ", words
        return Table(next(self.numbers.tables), title, self.address(stage), tuple(rows))

    def section(self, part: str, title: str, content: Content) -> Section:
        """Make a section of the dataset from what its part shows."""
        anchor = f"{self.facts.anchor}/{part}"
        return Section(anchor, (title,), part.replace("-", "_"), content, facts=self.facts)


def figure_of(name: str, figures: Mapping[str, Drawing], numbers: Numbering) -> Figure | None:
    """Take a figure of a dataset, or of all; None: it is not drawn."""
    return Figure(next(numbers.figures), figures[name]) if name in figures else None
