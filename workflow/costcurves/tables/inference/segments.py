"""Segments: what each model costs for whom, at the threshold that is recommended for all."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.maths.chance.means import Mean, around, mean_of, wilson
from costcurves.tables.codes import Floats, first_rows
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import CONFIDENCE, DATASET, MODEL, OF_CONDITION, group_codes, unit_of


def _with_ends(name: str, unit: str, meaning: str) -> Iterator[Column]:
    yield Column(name, "float64", unit, meaning)
    for end, which in (("low", "lower"), ("high", "upper")):
        yield Column(f"{name}_{end}", "float64", unit, f"{which} end of its interval; NaN: none")


SEGMENTS: Final = Contract(
    "segments",
    DATASET,
    Column("by", "str", "", "what segments differ in"),
    Column("segment", "str", "", "the value of its cases; empty: not said"),
    MODEL,
    *OF_CONDITION,
    Column("cases", "float64", "cases", "in the segment"),
    Column("positives", "float64", "cases", "positives among them"),
    *_with_ends("cost", "nec", "mean cost of a case of the segment, as a share of the whole cost"),
    Column("saved", "float64", "nec", "less than the cheaper constant decision for the segment"),
    *_with_ends("hits", "rate", "share of its positives that are predicted positive"),
    *_with_ends("alarms", "rate", "share of its negatives that are predicted positive"),
    Column("flagged", "float64", "rate", "share of its cases that are predicted positive"),
    *_with_ends("more", "nec", "cost less that of all other cases; all ends hold at once"),
    CONFIDENCE,
)
FEWEST: Final = 10  # units of each class: with fewer, only counts are reported

Row = dict[str, Any]


def segments(
    predictions: pd.DataFrame,
    deployment: pd.DataFrame,
    conditions: Sequence[Mapping[str, Any]],
    *,
    prior: float,
    weighted: bool,
    confidence: float,
) -> pd.DataFrame:
    """Judge the recommended thresholds on the cases of each segment, condition by condition.

    A case costs pc over the share of positives if it is missed, and 1 - pc over that of negatives
    if it is a false alarm: the mean over all cases is the cost at PC(+) = pc. Classes count as at
    the `prior` in deployment; `cases` and `positives` are those of the data. Thresholds are as
    chosen, with all cases. None where cases count by their costs. Cases that weigh nothing are left
    out.
    """
    if weighted or not predictions["segments"].ne("").any():
        return SEGMENTS.empty()
    predictions = predictions[predictions["case_weight"] > 0]
    case = group_codes(predictions, ["instance"]).astype(np.int64)
    cases = _Cases(predictions.iloc[first_rows(case)], prior)
    rows: list[Row] = []
    for condition in conditions:
        named = {"condition": condition["name"], "pc": condition["pc"]}
        served = deployment[deployment["pc_to"] >= condition["pc"]].drop_duplicates("model")
        rows += [
            {**named, "model": one["model"], **row}
            for one in served.to_dict("records")
            for flagged in [_flagged(predictions, case, one)]
            if not np.isnan(flagged).any()  # it was asked about all cases
            for row in cases.judged(flagged, condition["pc"], confidence)
        ]
    dataset = str(predictions["dataset"].iloc[0])
    return SEGMENTS.rows(_together(rows, confidence), dataset=dataset, confidence=confidence)


def _flagged(
    predictions: pd.DataFrame, case: NDArray[np.int64], serving: Mapping[Any, Any]
) -> Floats:
    """(cases,) how often each is predicted positive, of its predictions by the one who serves."""
    count, threshold = int(case.max()) + 1, serving["threshold"]
    if np.isinf(threshold):
        return np.full(count, float(threshold < 0))
    which = predictions["model"].eq(serving["model"]) & predictions["member"].eq(serving["member"])
    own, of = predictions[which], case[which]
    positive = own["decision"].eq(1) if np.isnan(threshold) else own["score"].ge(threshold)
    with np.errstate(invalid="ignore"):
        return np.bincount(of, positive, count) / np.bincount(of, minlength=count)


def _as_counted(value: str) -> tuple[list[Any], str]:
    """Order values by the numbers in them: 2 before 10, 18-39 before 100-120."""
    parts = re.split(r"((?:^-)?\d+(?:\.\d+)?)", value)
    return [float(it) if place % 2 else it for place, it in enumerate(parts)], value


class _Cases:
    """The cases of a dataset, a row each, and their segments."""

    def __init__(self, first: pd.DataFrame, prior: float) -> None:
        self.positive = first["label"].to_numpy() == 1
        self.counted = first["case_weight"].to_numpy()
        self.unit = group_codes(first, [unit_of(first)]).astype(np.int64)
        share = float(np.average(self.positive, weights=self.counted))
        of_class = np.where(self.positive, prior / share, (1 - prior) / (1 - share))
        self.weight, self.share = self.counted * of_class, prior
        each = {text: json.loads(text) for text in first["segments"].unique()}
        said = [each[text] for text in first["segments"]]
        self.segments = {
            (by, value): np.array([one[by] == value for one in said])
            for by in said[0]
            for value in sorted({one[by] for one in said}, key=_as_counted)
        }

    def judged(self, flagged: Floats, pc: float, level: float) -> Iterator[Row]:
        """Give a row for each segment, of what is decided on its cases."""
        costs = pc / self.share, (1 - pc) / (1 - self.share)  # of a miss, and of a false alarm
        loss = np.where(self.positive, costs[0] * (1 - flagged), costs[1] * flagged)
        for (by, value), own in self.segments.items():
            cases, share = float(self.counted[own].sum()), self._average(self.positive, own)
            positives = float(self.counted[own & self.positive].sum())
            row: Row = {"by": by, "segment": value, "cases": cases, "positives": positives}
            row |= {"cost": self._average(loss, own), "flagged": self._average(flagged, own)}
            hits, alarms = (self._average(flagged, of) for of in self._classes(own))
            row |= {"hits": hits, "alarms": alarms}
            row |= {"saved": min(costs[0] * share, costs[1] * (1 - share)) - row["cost"]}
            if inside := self._parts(flagged, own, *costs):
                for name, (_, rate) in zip(("hits", "alarms"), inside, strict=False):
                    row[f"{name}_low"], row[f"{name}_high"] = wilson(rate, level)
                row["cost_low"], row["cost_high"] = around(row["cost"], inside, level)
                if rest := self._parts(flagged, ~own, *costs):
                    row["more"] = row["cost"] - self._average(loss, ~own)
                    row["parts"] = [*inside, *((-factor, rate) for factor, rate in rest)]
                    two = sum(other == by for other, _ in self.segments) == 2
                    row["comparison"] = by if two else (by, value)  # two are each other's rest
            yield row

    def _parts(
        self, flagged: Floats, of: NDArray[np.bool_], miss: float, alarm: float
    ) -> list[tuple[float, Mean]]:
        """Give hits, false alarms, share of positives, and what each adds to the cost of a case.

        [] if cases are too few. The share is one of a sample, like the rates: taken as known it
        would make segments differ that differ by chance.
        """
        classes = self._classes(of)
        if min(len(np.unique(self.unit[it])) for it in classes) < FEWEST:
            return []
        flags = [(flagged, of_class) for of_class in classes]
        hits, alarms, share = (
            mean_of(values[cases], self.unit[cases], self.weight[cases])
            for values, cases in (*flags, (self.positive, of))
        )
        more_positives = miss * (1 - hits.value) - alarm * alarms.value
        return [
            (-share.value * miss, hits),
            ((1 - share.value) * alarm, alarms),
            (more_positives, share),
        ]

    def _classes(self, of: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        return of & self.positive, of & ~self.positive

    def _average(self, values: Floats, of: NDArray[np.bool_]) -> float:
        return float(np.average(values[of], weights=self.weight[of])) if of.any() else np.nan


def _together(rows: list[Row], level: float) -> list[Row]:
    """Add intervals of differences from the rest, which hold for all comparisons at once."""
    tested = [row for row in rows if "parts" in row]
    count = len({(row["condition"], row["model"], row.pop("comparison")) for row in tested})
    for row in tested:
        ends = around(row["more"], row.pop("parts"), 1 - (1 - level) / count)
        row["more_low"], row["more_high"] = ends
    return rows
