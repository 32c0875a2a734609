"""Tables to draw beside real data: curves of random scores, and what no test waits for made up.

Curves are made as the workflow makes them. What resampling finds is invented: so figures have
verdicts of every kind, and bands whose width is known, another below than above, for each model and
each pair another. No two pairs are decided on the same share of PC(+).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise, product

import numpy as np
import pandas as pd

from costcurves.chance.bands import BANDS
from costcurves.choosing.headline import headline_of
from costcurves.curves.curves import Curve, line
from costcurves.curves.pieces import pieces_of
from costcurves.pairs.choices import CHOICE_INTERVALS, optimism
from costcurves.pairs.comparisons import COMPARISONS
from costcurves.pairs.not_ruled_out import NOT_RULED_OUT
from costcurves.pairs.verdicts import VERDICTS
from costcurves.settings import OperatingCondition
from tests.fake_report import Row, frame, running
from tests.result_tables import made_of, staged, study_of

HOSTILE = (
    "<script>alert('x')</script>",
    r"$\foo$ $x^2$",
    "_hidden",
    "{{7*7}}",
    "\u202eright to left\u200f",
    "a name of sixty characters which must never be cut in a list",
)
CURVES = (
    *("operating_points", "envelopes", "roc", "averages", "hybrids", "criteria", "headline"),
    *("measures", "duality", "threshold_choice", "reliability", "calibration"),
)
SELECTION = {"score_threshold": 0.5, "rate": None, "max_fp_rate": 0.2, "capacity": "30%"}
CHANCE = {"dataset": "d", "method": "resampled instances", "confidence": 0.9}
EXTENTS = ("pointwise", "simultaneous")
EDGES = {"lower": -0.8, "upper": 1.0}  # how far they lie from a curve, in widths


def random_predictions(
    models: Sequence[str], *, repeats: int = 2, folds: int = 5, size: int = 40
) -> pd.DataFrame:
    """Scores of binormal models, the first the best."""
    random = np.random.default_rng(2)
    labels = (np.arange(size) % 5 < 2).astype(np.int64)
    frames = []
    folds_of = [*product(range(1, repeats + 1), range(1, folds + 1))]
    for (number, model), (repeat, fold) in product(enumerate(models), folds_of):
        distance = 2.2 - 1.6 * number / max(1, len(models) - 1)
        evidence = random.normal(distance * labels, 1 + 0.4 * np.sin(number) * labels)
        names = {"model": model, "repeat": str(repeat), "fold": str(fold), "label": labels}
        instances = {"instance": [f"{fold}-{place}" for place in range(size)]}
        scores = {"score": 1 / (1 + np.exp(-np.round(evidence, 1)))}
        frames.append(pd.DataFrame(names | instances | scores))
    return staged(pd.concat(frames, ignore_index=True))


def tables(predictions: pd.DataFrame, pcs: Sequence[float] = (0.35,)) -> dict[str, pd.DataFrame]:
    """All tables that figures read."""
    study, dataset = study_of(predictions, "repeat", inference={}, selection=SELECTION)
    conditions = tuple(OperatingCondition(f"PC(+) = {pc:g}", pc) for pc in pcs)
    made = made_of(replace(study, operating_conditions=conditions), dataset, predictions)
    every = {name: made[name] for name in CURVES}
    heads = headline_of(every["headline"])
    costs = pd.DataFrame({"model": [*heads], "trivial": False, "pc": 0.09})
    none = CHOICE_INTERVALS.empty()
    return every | {
        "optimism": optimism(made["averages"], made["criteria"], none, "repeat"),
        "bands": _bands(heads),
        "instance_costs": costs,
        "comparisons": _comparisons(heads),
        "verdicts": frame(VERDICTS, _verdicts([*heads])),
        "not_ruled_out": frame(NOT_RULED_OUT, running(heads, 0.4)).assign(confidence=0.85),
        "choice_intervals": none,
    }


def _edges(place: int, count: int, *widths: float) -> Iterator[tuple[str, str, float]]:
    """Yield extent, edge and distance of the bands of a curve, each curve another's."""
    for (extent, width), (edge, reach) in product(zip(EXTENTS, widths, strict=True), EDGES.items()):
        yield extent, edge, reach * (1 - 0.4 * place / count) * width


def _bands(heads: Mapping[str, Curve]) -> pd.DataFrame:
    edges = [
        ({"model": model, "extent": extent, "edge": edge}, head * (1 + far))
        for place, (model, head) in enumerate(heads.items())
        for extent, edge, far in _edges(place, len(heads), 0.1, 0.2)
    ]
    return pieces_of(BANDS, edges, estimate="cross-fitted", **CHANCE)


def _comparisons(heads: Mapping[str, Curve]) -> pd.DataFrame:
    lines, pairs = [], list(combinations(heads, 2))
    for place, (a, b) in enumerate(pairs):
        names, difference = {"model_a": a, "model_b": b}, heads[a] - heads[b]
        lines.append(({**names, "line": "difference"}, difference))
        lines += [
            ({**names, "line": f"{extent} {edge}"}, difference + line(far, 0.9 * far))
            for extent, edge, far in _edges(place, len(pairs), 0.02, 0.05)
        ]
    return pieces_of(COMPARISONS, lines, family="all pairs", **CHANCE)


def _verdicts(models: Sequence[str]) -> Iterator[Row]:
    """A verdict of each kind on every pair; the first is decided on most of PC(+)."""
    findings = ("undecided", "A cheaper", "equivalent", "B cheaper", "undecided")
    pairs = list(combinations(models, 2))
    for place, (a, b) in enumerate(pairs):
        sure = {"familywise": 0.85, "confidence": 0.95 - 0.05 * place / len(pairs)}
        ends = [0, 0.2 + 0.2 * place / len(pairs), 0.45, 0.5, 0.501, 1]
        for finding, (low, high) in zip(findings, pairwise(ends), strict=True):
            places = {"model_a": a, "model_b": b, "pc_from": low, "pc_to": high}
            yield {"dataset": "d", "finding": finding, **places, **sure}
