"""Tables to draw beside real data: curves of random scores, and what no test waits for made up.

Curves are made as the workflow makes them. What resampling finds is invented: so figures have
verdicts of every kind, and bands whose width is known, another below than above, for each model and
each pair another. No two pairs are decided on the same share of PC(+).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd

from costcurves.chance.bands import BANDS
from costcurves.choosing.headline import headline_of
from costcurves.curves.curves import Curve, line
from costcurves.curves.pieces import pieces_of
from costcurves.pairs.choices import optimism
from costcurves.pairs.comparisons import COMPARISONS
from costcurves.pairs.verdicts import VERDICTS, crossovers
from costcurves.settings import OperatingCondition
from tests.fake_report import running
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
    *("measures", "duality", "threshold_choice", "constructions"),
    *("reliability", "calibration"),
)
SELECTION = {"score_threshold": 0.5, "rate": None, "max_fp_rate": 0.2, "capacity": "30%"}
FOUND = {"dataset": "d", "method": "resampled instances", "confidence": 0.9}
INSTANCE_COST = {"trivial": False, "pc": 0.09, "mean_cost_fp": 3958.1, "mean_cost_fn": 169.3}
EDGES = {"lower": -0.8, "upper": 1.0}


def random_predictions(
    models: Sequence[str],
    *,
    repeats: int = 2,
    folds: int = 5,
    size: int = 40,
    useless: bool = False,
) -> pd.DataFrame:
    """Scores of binormal models, the first the best; `useless` ones rank at random or worse."""
    random = np.random.default_rng(2)
    labels = (np.arange(size) % 5 < 2).astype(np.int64)
    frames = []
    for number, model in enumerate(models):
        distance = -1.0 if useless else 2.2 - 1.6 * number / max(1, len(models) - 1)
        spread = 1 + 0.4 * np.sin(number) * labels
        for repeat in range(1, repeats + 1):
            for fold in range(1, folds + 1):
                evidence = np.round(random.normal(distance * labels, spread), 1)
                names = {"model": model, "repeat": str(repeat), "fold": str(fold)}
                instances = {"instance": [f"{fold}-{place}" for place in range(size)]}
                scores = {"label": labels, "score": 1 / (1 + np.exp(-evidence))}
                frames.append(pd.DataFrame(names | instances | scores))
    return staged(pd.concat(frames, ignore_index=True))


def tables(
    predictions: pd.DataFrame,
    pcs: Sequence[float] = (0.35,),
    level: str = "repeat",
    estimate: str = "cross-fitted",
) -> dict[str, pd.DataFrame]:
    """All tables that figures read; the last model's estimate may be another."""
    study, dataset = study_of(predictions, level, inference={}, selection=SELECTION)
    conditions = tuple(OperatingCondition(f"PC(+) = {pc:g}", pc) for pc in pcs)
    made = made_of(replace(study, operating_conditions=conditions), dataset, predictions)
    every = {name: made[name] for name in CURVES}
    every["crossovers"] = crossovers(made["headline"], made.sizes, [], confidence=0.9)
    every["optimism"] = optimism(made["averages"], made["criteria"], {})
    heads = headline_of(every["headline"])
    models = list(heads)
    kinds = dict.fromkeys(models, "cross-fitted") | {models[-1]: estimate}
    every["headline"]["estimate"] = every["headline"]["model"].map(kinds)
    every |= {
        "operating_points": _weighted(every["operating_points"]),
        "bands": _bands(heads, kinds),
        "intervals": pd.DataFrame([_interval(m, heads[m], kinds[m]) for m in models]),
        "instance_costs": pd.DataFrame([INSTANCE_COST | {"model": m} for m in models]),
        "comparisons": _comparisons(heads),
        "verdicts": _verdicts(models),
        "not_ruled_out": pd.DataFrame([*running(heads, 0.4)]).assign(confidence=0.85),
    }
    return every


def _weighted(points: pd.DataFrame) -> pd.DataFrame:
    """Let instances weigh the more the later they come."""
    powers = {"fp": 2.0, "tp": 1.2, "negatives": 2.0, "positives": 1.2}
    counts = {
        "fp": "fp_count",
        "tp": "tp_count",
        "negatives": "negatives",
        "positives": "positives",
    }
    weights = {f"{name}_weight": points[counts[name]] ** power for name, power in powers.items()}
    return points.assign(**weights)


def _bands(heads: Mapping[str, Curve], kinds: Mapping[str, str]) -> pd.DataFrame:
    edges = [
        (
            {"model": model, "estimate": kinds[model], "extent": extent, "edge": edge},
            head * (1 + _reach(edge, place, len(heads)) * width),
        )
        for place, (model, head) in enumerate(heads.items())
        for extent, width in (("pointwise", 0.1), ("simultaneous", 0.2))
        for edge in EDGES
    ]
    return pieces_of(BANDS, edges, **FOUND)


def _reach(edge: str, place: int, count: int) -> float:
    """How far an edge of a band lies from its curve, of the width of the first one."""
    return EDGES[edge] * (1 - 0.4 * place / count)


def _comparisons(heads: Mapping[str, Curve]) -> pd.DataFrame:
    lines_of_pairs, pairs = [], list(combinations(heads, 2))
    for place, (a, b) in enumerate(pairs):
        difference = heads[a] - heads[b]
        lines = {"difference": difference} | {
            f"{extent} {edge}": difference + line(reach * width, 0.9 * reach * width)
            for extent, width in (("pointwise", 0.02), ("simultaneous", 0.05))
            for edge in EDGES
            for reach in [_reach(edge, place, len(pairs))]
        }
        names = {"family": "all pairs", "model_a": a, "model_b": b}
        lines_of_pairs += [({**names, "line": name}, curve) for name, curve in lines.items()]
    return pieces_of(COMPARISONS, lines_of_pairs, **FOUND)


def _verdicts(models: Sequence[str]) -> pd.DataFrame:
    """A verdict of each kind on every pair; the first is decided on most of PC(+)."""
    finding = ["undecided", "A cheaper", "equivalent", "B cheaper", "undecided"]
    shared = {"family": "all pairs", "familywise": 0.85, **FOUND, "finding": finding}
    pairs = list(combinations(models, 2))
    frames = []
    for place, (a, b) in enumerate(pairs):
        ends = [0, 0.2 + 0.2 * place / len(pairs), 0.45, 0.5, 0.501, 1]
        places = {"model_a": a, "model_b": b, "pc_from": ends[:-1], "pc_to": ends[1:]}
        sure = {"confidence": 0.95 - 0.05 * place / len(pairs)}
        frames.append(pd.DataFrame({**shared, **places, **sure}))
    return pd.concat(frames, ignore_index=True) if frames else VERDICTS.empty()


def _interval(model: str, head: Curve, estimate: str) -> dict[str, object]:
    area = head.area()
    row = {"model": model, "estimate": estimate, "quantity": "area", "value": area}
    return {**row, "low": 0.9 * area, "high": 1.15 * area, **FOUND}
