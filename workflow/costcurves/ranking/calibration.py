"""Calibration of scores that are probabilities: reliability curves, and parts of Brier scores."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
import pandas as pd

from costcurves.chance.means import mean_of
from costcurves.chance.resamples import by_name, paired_models
from costcurves.chance.resampling import generator
from costcurves.ranking.reliability import Blocks, Forecasts, Parts, Redrawn
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import CONFIDENCE, DATASET, MODEL, group_codes, unit_of

RELIABILITY: Final = Contract(
    "reliability",
    DATASET,
    MODEL,
    Column("line", "str", "", "what the rate is: curve, or the edge of a band; scores: as counted"),
    Column("score_from", "float64", "score", "lowest score that it is of"),
    Column("score_to", "float64", "score", "highest score that it is of"),
    Column("rate", "float64", "rate", "share of positives that such scores stand for"),
    Column("cases", "float64", "cases", "with such scores; 0: of a band"),
    Column("positives", "float64", "cases", "positives among them; 0: of a band"),
    CONFIDENCE,
)
CALIBRATION: Final = Contract(
    "calibration",
    DATASET,
    MODEL,
    Column("minus", "str", "", "the model whose value is subtracted; empty: the value itself"),
    Column("part", "str", "", "the Brier score, or which part of it"),
    Column("value", "float64", "Brier score", "miscalibration - discrimination + the last: brier"),
    Column("by_chance", "float64", "Brier score", "what fits gain by chance, which is taken off"),
    Column("low", "float64", "Brier score", "lower end of the interval of the value"),
    Column("high", "float64", "Brier score", "its upper end"),
    Column("p_value", "float64", "probability", "of so much, were scores calibrated; NaN: no test"),
    CONFIDENCE,  # of each interval; of differences, of all of a part together
)
NAMES: Final = ["score_from", "score_to", "rate", "cases", "positives"]
BINS: Final = 20  # in which scores are counted
GAINED: Final = ("miscalibration", "discrimination")  # by fits; neither can be below 0


@dataclass(frozen=True, eq=False)
class Calibrated:
    """The scores of one dataset's models that are probabilities, with their cases."""

    forecasts: dict[str, Forecasts]  # by model
    unit: Any  # (cases,) clusters, or the cases themselves
    weight: Any  # (cases,)
    paired: Sequence[str]
    alone: bool  # whether cases count the same, and belong to no clusters
    drawn: dict[str, Redrawn]
    confidence: float

    def means(self, model: str) -> dict[str, Any]:
        """Compute what each case adds to each part: its mean over the predictions of the case."""
        forecasts = self.forecasts[model]
        return {
            part: np.bincount(forecasts.case, forecasts.weight * values) / self.weight
            for part, values in forecasts.parts()._asdict().items()
        }


def calibrated(
    predictions: pd.DataFrame, *, seed: int, dataset: str, confidence: float, weighted: bool
) -> Calibrated:
    """Read the models whose scores all lie in [0, 1]; none where cases count by their costs.

    A family has none, and neither has a model that was not asked about all cases of the others.
    Cases that weigh nothing are left out.
    """
    which = predictions["score"].notna() & predictions["member"].eq("")
    rows = predictions[which & predictions["case_weight"].gt(0)]
    code, places = by_name(rows)
    rows, first = rows.assign(case=code), rows.iloc[places]
    unit = group_codes(first, [unit_of(predictions)])
    weight = first["case_weight"].to_numpy()
    forecasts, drawn = {}, {}
    for model, predicted in rows.groupby("model", sort=False, observed=True):
        case, score = predicted["case"].to_numpy(np.int64), predicted["score"].to_numpy()
        times = np.bincount(case, minlength=len(first))
        if not weighted and score.min() >= 0 and score.max() <= 1 and times.all():
            label, share = predicted["label"].to_numpy(float), weight[case] / times[case]
            of_model = forecasts[str(model)] = Forecasts(score, label, share, case)
            rng = generator(seed, dataset, "calibration")
            drawn[str(model)] = of_model.redrawn(confidence, rng)
    alone = unit_of(predictions) == "instance" and bool((weight == 1).all())
    paired = paired_models(predictions, [*forecasts]) if forecasts else []
    return Calibrated(forecasts, unit, weight, paired, alone, drawn, confidence)


def reliability(dataset: str, known: Calibrated) -> pd.DataFrame:
    """Compute each model's reliability curve, the edges of its band, and counts of its scores.

    Bands are of cases that count the same and belong to no clusters.
    """
    parts = []
    for model in known.forecasts:
        for line, blocks in _lines(model, known):
            columns = dict(zip(NAMES, blocks, strict=True))
            parts.append(pd.DataFrame({"model": model, "line": line, **columns}))
    if not parts:
        return RELIABILITY.empty()
    rows = pd.concat(parts, ignore_index=True)
    return RELIABILITY.frame(**rows, dataset=dataset, confidence=known.confidence)


def _lines(model: str, known: Calibrated) -> Iterator[tuple[str, Blocks]]:
    forecasts, drawn = known.forecasts[model], known.drawn[model]
    yield "curve", forecasts.blocks()
    if known.alone:
        none = np.zeros_like(drawn.score)
        for edge, rate in (("lower", drawn.low), ("upper", drawn.high)):
            yield f"consistent {edge}", Blocks(drawn.score, drawn.score, rate, none, none)
    edges = np.arange(BINS + 1) / BINS
    bins = np.searchsorted(edges[1:-1], forecasts.score, side="right")
    cases, positives = forecasts.sums(bins, BINS)
    rate = np.divide(positives, cases, out=np.full(BINS, np.nan), where=cases > 0)
    yield "scores", Blocks(edges[:-1], edges[1:], rate, cases, positives)


def calibration(dataset: str, known: Calibrated) -> pd.DataFrame:
    """Compute the Brier score of each model and its parts, and paired differences.

    Intervals hold one by one; those of differences together for each part, by Bonferroni.
    """
    pairs = [*combinations(known.paired, 2)]
    means = {model: known.means(model) for model in known.forecasts}
    rows = []
    for a, b in [*((model, "") for model in known.forecasts), *pairs]:
        level = 1 - (1 - known.confidence) / len(pairs) if b else known.confidence
        gain = known.drawn[a].gain - (known.drawn[b].gain if b else 0.0)
        for part in Parts._fields:
            values = means[a][part] - (means[b][part] if b else 0.0)
            mean = mean_of(values, known.unit, known.weight)
            chance = gain if part in GAINED else 0.0
            mean = mean._replace(value=mean.value - chance)
            low, high = mean.interval(level)
            if not b:  # no part is below 0, though without chance an estimate may be
                low, high = max(low, min(mean.value, 0.0)), max(high, 0.0)
            tested = part == "miscalibration" and known.alone and not b
            rows.append(
                {"model": a, "minus": b, "part": part, "value": mean.value}
                | {"by_chance": chance, "low": low, "high": high}
                | {"p_value": known.drawn[a].p_value if tested else np.nan}
            )
    return CALIBRATION.rows(rows, dataset=dataset, confidence=known.confidence)
