"""One dataset as its sections see it: its tables, its figures, and the facts behind both."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite, nan
from typing import Any, Final

import pandas as pd

from costcurves.choosing.headline import headline_of
from costcurves.curves.curves import Curve
from costcurves.curves.pieces import curves_of
from costcurves.figures.context import all_folds, headline_rows, rows_of
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
)
from costcurves.report.measured import VERDICTS, of_dataset, quantities_of
from costcurves.report.outcomes import Finding, findings
from costcurves.report.plausibility import Problem, problems
from costcurves.settings import Dataset, OperatingCondition, Study
from costcurves.tables.keys import ALWAYS, FIXED, IN_SAMPLE
from costcurves.text import Name

FALSE_ALARMS: Final = "false alarms"  # the unit of costs that have none


@dataclass(frozen=True)
class Material:
    """What the sections of one dataset are made from."""

    facts: Facts
    tables: Mapping[str, pd.DataFrame]  # by stage
    figures: Mapping[str, Drawing]  # by name
    roster: tuple[str, ...]  # all models of the study: their places are colours and dashes
    numbers: Numbering
    unit: str = ""  # of the costs that weight its cases; empty: none is named
    weighted: "Material | None" = None  # its sibling, weighted by cost; None: it has no costs
    marked: Mapping[str, OperatingCondition] = field(default_factory=dict)  # as configured
    by_cost: bool = False  # whether cases count by what mistakes on them cost
    reference: str | None = None  # the model in use
    front: Drawing | None = None  # its curves on page 1, which its figures leave out

    @cached_property
    def headline(self) -> list[dict[str, Any]]:
        """The measures that models are judged by, a row a model."""
        return rows_of(headline_rows(self.tables["measures"]))

    @cached_property
    def findings(self) -> tuple[Problem, ...]:
        """Possible problems in its predictions; of arrays in Python they are not looked for."""
        if "plausibility" not in self.tables:
            return ()
        return tuple(problems(self.tables["plausibility"], self.facts.expected))

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
    def confidence(self) -> float:
        """The level of each interval by itself."""
        return float(self.tables["intervals"]["confidence"].iloc[0])

    @cached_property
    def standing(self) -> float:
        """The level at which decisions are ruled out, over all PC(+)."""
        return float(self.tables["not_ruled_out"]["confidence"].iloc[0])

    @cached_property
    def pair_costs(self) -> dict[str, dict[tuple[str, str], tuple[float, float]]]:
        """The interval of cost(A) - cost(B) of each pair, both ways, at each named condition."""
        intervals: dict[str, dict[tuple[str, str], tuple[float, float]]] = {}
        for row in self.rows("pair_intervals"):
            if row["quantity"] == "cost":
                pairs = intervals.setdefault(row["condition"], {})
                pairs[row["model_a"], row["model_b"]] = row["low"], row["high"]
                pairs[row["model_b"], row["model_a"]] = -row["high"], -row["low"]
        return intervals

    @cached_property
    def chance(self) -> set[str]:
        """The methods of inference of its tables; in-sample are the pairs that were not tested."""
        inferred = (*self.rows("intervals"), *self.verdicts)
        return {row["method"] for row in inferred} - {IN_SAMPLE}

    @property
    def simulated(self) -> bool:
        """Whether it was simulated how often verdicts on data like these are false."""
        designs = of_dataset(self.facts, quantities_of(self.facts))
        return any(design.quantity in VERDICTS for design in designs)

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
    def edges(self) -> dict[str, list[Curve]]:
        """The lower and the upper edge of the band of each model that holds at each PC(+)."""
        bands = self.tables["bands"]
        bands = bands[bands["extent"] == "pointwise"]
        edges: dict[str, list[Curve]] = {model: [] for model in self.curves}
        for edge in ("lower", "upper"):
            for row, curve in curves_of(bands[bands["edge"] == edge], ["model"]):
                edges[row["model"]].append(curve)
        return edges

    def costs_at(self, pc: float, condition: str = "") -> dict[str, Estimate]:
        """Return what each decision costs at a PC(+), which may be a marked condition's."""
        costs = {}
        for model in self.facts.models:
            estimate = self.estimates.get((model, "cost", condition))
            if estimate is None:
                ends = [float(edge(pc)) for edge in self.edges[model]] or [nan, nan]
                estimate = Estimate(float(self.curves[model](pc)), *ends)
            costs[model] = estimate
        for constant, cost in zip(ALWAYS, (pc, 1 - pc), strict=True):
            costs[constant] = Estimate(cost, nan, nan)
        return costs

    @cached_property
    def standings(self) -> list[dict[str, Any]]:
        """Where each decision has the lowest estimate, is not ruled out, or is."""
        return self.rows("not_ruled_out")

    def standing_at(self, pc: float) -> dict[str, str]:
        """Read how each decision stands at a PC(+); where two ranges meet, the later counts."""
        here = (row for row in self.standings if row["pc_from"] <= pc <= row["pc_to"])
        return {row["decision"]: row["standing"] for row in here}

    @property
    def own_costs(self) -> float:
        """The PC(+) that the costs of its cases come to, where they weight it."""
        return float(self.tables["instance_costs"]["pc"].iloc[0])

    @cached_property
    def price(self) -> tuple[float, str]:
        """What a false alarm costs, and its unit: of all conditions alike, or of cases at mean."""
        if self.by_cost:
            return float(self.tables["instance_costs"]["mean_cost_fp"].iloc[0]), self.unit
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
    def in_sample(self) -> dict[tuple[str, str], dict[str, Any]]:
        """The measures of in-sample averages, by model and level."""
        rows = self.rows("measures")
        return {(row["model"], row["level"]): row for row in rows if row["estimate"] == IN_SAMPLE}

    @cached_property
    def served(self) -> list[dict[str, Any]]:
        """Who is to serve each range of PC(+), and which share of all cases a threshold flags.

        Of the cases in deployment: rates count by the cases' weights, but never by their costs.
        """
        points = self.tables["operating_points"]
        rising = points[points["level"] == "pooled"][::-1]
        prior, fp, tp = self.facts.prior, rising["fp"], 1 - rising["fn"]
        if self.by_cost:
            fp = rising["fp_count"] / rising["negatives"]
            tp = rising["tp_count"] / rising["positives"]
        rising = rising.assign(fp=fp, tp=tp, flagged=(1 - prior) * fp + prior * tp)
        points_of = dict(iter(rising.groupby(["model", "member"], observed=True)))
        rows = self.rows("deployment")
        for row in rows:
            if (key := (row["model"], row["member"])) in points_of and isfinite(row["threshold"]):
                at = points_of[key]["threshold"].searchsorted(row["threshold"])
                row |= points_of[key][["fp", "tp", "flagged"]].iloc[at].to_dict()
        return rows

    def rows(self, table: str) -> list[dict[str, Any]]:
        """Return a table row by row; none where it was not made."""
        return rows_of(self.tables[table]) if table in self.tables else []

    def figure(self, name: str) -> Figure | None:
        """Take a figure; None: it is not drawn."""
        return figure_of(name, self.figures, self.numbers)

    def table(self, stage: str, words: str, rows: Iterable[Any]) -> Table:
        """Take the next number for a table of rows that come from a stage."""
        title = Name(self.facts.title), ": ", words
        return Table(next(self.numbers.tables), title, self.facts.table(stage), tuple(rows))

    def section(self, part: str, title: str, content: Content) -> Section:
        """Make a section of the dataset from what its part shows."""
        anchor = f"{self.facts.anchor}/{part}"
        return Section(anchor, (title,), part.replace("-", "_"), content)


def figure_of(name: str, figures: Mapping[str, Drawing], numbers: Numbering) -> Figure | None:
    """Take a figure of a dataset, or of all; None: it is not drawn."""
    return Figure(next(numbers.figures), figures[name]) if name in figures else None


def facts_of(
    dataset: Dataset, tables: Mapping[str, pd.DataFrame], level: str, large: tuple[str, ...] = ()
) -> Facts:
    """Read from its measures what a dataset is: the counts are those of its largest model."""
    headline = headline_rows(tables["measures"])
    largest = headline.iloc[int(headline["instances"].argmax())]
    counts = headline[["instances", "positives", "repeats", "folds"]]
    chosen = headline.loc[headline["estimate"] != FIXED, "estimate"]
    return Facts(
        name=dataset.name,
        slug=dataset.slug,
        title=dataset.title,
        positive=dataset.positive,
        about=dataset.about,
        of=dataset.in_files,
        expected=dataset.expected,
        **{
            name: int(largest[name])
            for name in ("instances", "positives", "negatives", "clusters", "repeats", "folds")
        },
        effective=float(largest["effective"]),
        all_folds=all_folds(tables["measures"], str(largest["model"])),
        prior=float(largest["prior"]),
        level=level,
        estimate=FIXED if chosen.empty else str(chosen.iloc[0]),
        models=tuple(map(str, headline["model"])),
        fixed=tuple(map(str, headline.loc[headline["estimate"] == FIXED, "model"])),
        same_counts=len(counts.drop_duplicates()) == 1,
        large=large,
    )


def material_of(
    study: Study,
    dataset: Dataset,
    tables: Mapping[str, pd.DataFrame],
    drawn: Mapping[str, Drawing],
    roster: tuple[str, ...],
    numbers: Numbering,
    weighted: Material | None = None,
    front: Drawing | None = None,
    large: tuple[str, ...] = (),
) -> Material:
    """Return what is known of a dataset; `weighted` is what is known of its sibling."""
    facts = facts_of(dataset, tables, study.level, large)
    return Material(
        *(facts, tables, drawn, roster, numbers, dataset.unit, weighted),
        marked={condition.name: condition for condition in study.operating_conditions},
        by_cost=dataset.weighted,
        reference=study.reference if study.reference in facts.models else None,
        front=front,
    )
