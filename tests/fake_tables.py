"""Tables with the contracts' columns, made from random scores: something to draw beside real data.

Everything is computed plainly and slowly here, on purpose apart from the package's own maths. The
ROC averages are rough (interpolated on a grid): figures only draw them.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

HOSTILE = (
    "<script>alert('x')</script>",
    r"$\foo$ $x^2$",
    "_hidden",
    "{{7*7}}",
    "\u202eright to left\u200f",
    "a name of sixty characters which must never be cut in a list",
)

Floats = NDArray[np.float64]
Counts = tuple[NDArray[np.int64], NDArray[np.int64], int, int]  # fp and tp counts, class sizes
Points = dict[tuple[str, str, str], Counts]  # by model, repeat and fold
Lines = tuple[Floats, Floats, Floats, list[int]]  # breaks, at0, at1, point


def count(scores: Floats, labels: NDArray[np.int64]) -> Counts:
    """Counts of false and true positives at each distinct score, from "nothing" to "all"."""
    cuts = np.append(np.inf, np.unique(scores)[::-1])
    fp = np.array([np.sum((scores >= cut) & (labels == 0)) for cut in cuts])
    tp = np.array([np.sum((scores >= cut) & (labels == 1)) for cut in cuts])
    return fp, tp, int(np.sum(labels == 0)), int(np.sum(labels == 1))


def random_points(
    models: Sequence[str],
    *,
    repeats: int = 2,
    folds: int = 5,
    size: int = 40,
    useless: bool = False,
) -> Points:
    """Scores of binormal models, the first the best; `useless` ones rank at random or worse."""
    random = np.random.default_rng(20061)
    points: Points = {}
    for number, model in enumerate(models):
        distance = -1.0 if useless else 2.2 - 1.6 * number / max(1, len(models) - 1)
        for repeat in range(1, repeats + 1):
            for fold in range(1, folds + 1):
                labels = (np.arange(size) % 5 < 2).astype(np.int64)
                spread = 1 + 0.4 * np.sin(number) * labels
                scores = np.round(random.normal(distance * labels, spread), 1)
                points[model, str(repeat), str(fold)] = count(scores, labels)
    return points


def lower_envelope(fp: Floats, fn: Floats) -> Lines:
    """Walk along the lowest of the lines (the two trivial ones included) from PC(+) = 0 to 1."""
    at0, at1 = np.append(fp, [0.0, 1.0]), np.append(fn, [1.0, 0.0])
    point = [*range(len(fp)), -1, -2]
    here, pc = int(np.lexsort((at1, at0))[0]), 0.0
    breaks, walked = [pc], []
    while True:
        walked.append(here)
        rise, fall = at0 - at0[here], at1[here] - at1
        with np.errstate(invalid="ignore", divide="ignore"):
            cross = np.where((fall > 0) & (rise >= 0), rise / (rise + fall), np.inf)
        if not np.isfinite(cross).any() or cross.min() >= 1:
            break
        nearest = np.flatnonzero(cross == cross.min())
        here = int(nearest[np.argmin(at1[nearest])])
        if cross.min() > breaks[-1]:
            breaks.append(float(cross.min()))
        else:
            walked.pop()
    return np.array([*breaks, 1.0]), at0[walked], at1[walked], [point[i] for i in walked]


def mean(curves: Sequence[Lines]) -> Lines:
    """Average curves at each PC(+)."""
    breaks = np.unique(np.concatenate([curve[0] for curve in curves]))
    middle = (breaks[:-1] + breaks[1:]) / 2
    pieces = [np.searchsorted(curve[0], middle) - 1 for curve in curves]
    at0 = np.mean([curve[1][piece] for curve, piece in zip(curves, pieces, strict=True)], axis=0)
    at1 = np.mean([curve[2][piece] for curve, piece in zip(curves, pieces, strict=True)], axis=0)
    return breaks, at0, at1, [0] * len(middle)


def envelope_of(counts: Counts) -> Lines:
    """The lower envelope of operating points."""
    fp, tp, negatives, positives = counts
    return lower_envelope(fp / negatives, 1 - tp / positives)


def pool(points: Points, level: str) -> Points:
    """Pool folds within repeats, or everything (points at the same rank are added)."""
    if level == "fold":
        return points
    groups: dict[tuple[str, str, str], list[Counts]] = {}
    for (model, repeat, _), counts in points.items():
        groups.setdefault((model, repeat if level == "repeat" else "", ""), []).append(counts)
    return {key: _add(members) for key, members in groups.items()}


def _add(members: Sequence[Counts]) -> Counts:
    length = max(len(fp) for fp, *_ in members)
    at = [np.round(np.linspace(0, len(fp) - 1, length)).astype(int) for fp, *_ in members]
    fp = np.sum([m[0][i] for m, i in zip(members, at, strict=True)], axis=0)
    tp = np.sum([m[1][i] for m, i in zip(members, at, strict=True)], axis=0)
    return fp, tp, sum(m[2] for m in members), sum(m[3] for m in members)


def pieces(curve: Lines, **keys: object) -> pd.DataFrame:
    """A curve as rows of a table, one per piece."""
    pc, at0, at1, _ = curve
    low, high = pc[:-1], pc[1:]
    return pd.DataFrame(
        {
            **keys,
            "piece": np.arange(len(at0)),
            "pc_from": low,
            "pc_to": high,
            "at0": at0,
            "at1": at1,
            "nec_from": at0 * (1 - low) + at1 * low,
            "nec_to": at0 * (1 - high) + at1 * high,
        }
    )


def tables(
    points: Points,
    pcs: Sequence[float] = (0.35,),
    level: str = "repeat",
    estimate: str = "cross-fitted",
) -> dict[str, pd.DataFrame]:
    """All tables that figures read; the last model's estimate may be another."""
    models = list(dict.fromkeys(model for model, _, _ in points))
    averaged = {m: _averages(points, m, level) for m in models}
    pooled = {key[0]: counts for key, counts in pool(points, "pooled").items()}
    heads = {model: deployed(averaged[model]["cost-space", level]) for model in models}
    estimates = dict.fromkeys(models, "cross-fitted") | {models[-1]: estimate}
    pairs = [(a, b) for number, a in enumerate(models) for b in models[number + 1 :]]
    head = pd.concat([pieces(heads[m], model=m, estimate=estimates[m]) for m in models])
    bands = pd.concat([_bands(m, heads[m], estimates[m]) for m in models])
    return {
        "unweighted_headline": _with_next_name(head, models),
        "unweighted_bands": _with_next_name(bands, models),
        "envelopes": pd.concat([_envelopes(points, at) for at in ("fold", "repeat", "pooled")]),
        "averages": pd.concat([_average_rows(m, averaged[m]) for m in models]),
        "roc": pd.concat([_roc_rows(points, m, level) for m in models]),
        "measures": pd.DataFrame([_measures(m, heads[m]) for m in models]),
        "headline": head,
        "bands": bands,
        "comparisons": _joined([_comparison(heads, *pair) for pair in pairs]),
        "verdicts": _joined([_verdicts(*pair) for pair in pairs]),
        "crossovers": _crossovers(heads),
        "hybrids": pd.concat([_hybrids(m, heads[m], averaged[m], level) for m in models]),
        "choice_bands": pd.concat([_choice_bands(m) for m in models]),
        "criteria": pd.concat([_criteria(m) for m in models]),
        "threshold_choice": pd.concat([_threshold_choice(m, heads[m]) for m in models]),
        "constructions": pd.concat([_constructions(m, pooled[m]) for m in models]),
        "optimism": pd.concat([_optimism(m, heads[m], averaged[m]) for m in models]),
        "intervals": pd.concat([_intervals(m, heads[m], estimates[m]) for m in models]),
        "operating_points": pd.concat([_ranked(m, pooled[m]) for m in models]),
        "instance_costs": pd.DataFrame([_instance_cost(m) for m in models]),
        "duality": pd.DataFrame([_touch(m, pooled[m], pc) for pc in pcs for m in models]),
    }


def _ranked(model: str, counts: Counts) -> pd.DataFrame:
    """Pooled operating points whose instances weigh the more the later they come."""
    fp, tp, negatives, positives = counts
    names = {"dataset": "fake", "model": model, "level": "pooled", "member": ""}
    return pd.DataFrame(
        {
            **names,
            "threshold": np.linspace(1, 0, len(fp)),
            "fp_count": fp,
            "tp_count": tp,
            "negatives": negatives,
            "positives": positives,
            "fp_weight": fp**2.0,
            "tp_weight": tp**1.2,
            "negatives_weight": float(negatives) ** 2,
            "positives_weight": float(positives) ** 1.2,
        }
    )


def _with_next_name(rows: pd.DataFrame, models: Sequence[str]) -> pd.DataFrame:
    """Give each model the curves of the next: unweighted, another one is cheapest."""
    following = dict(zip(models, [*models[1:], models[0]], strict=True))
    renamed = rows.assign(model=rows["model"].map(following))
    return renamed.sort_values("model", key=lambda it: it.map(models.index), kind="stable")


def _instance_cost(model: str) -> dict[str, object]:
    costs = {"mean_cost_fp": 3958.1, "mean_cost_fn": 169.3}
    return {"model": model, "trivial": False, "pc": 0.09, **costs}


def _envelopes(points: Points, level: str) -> pd.DataFrame:
    frames = []
    for (model, repeat, fold), counts in pool(points, level).items():
        curve = envelope_of(counts)
        keys = {"dataset": "fake", "model": model, "level": level, "repeat": repeat, "fold": fold}
        frames.append(pieces(curve, **keys).assign(point=curve[3]))
    return pd.concat(frames, ignore_index=True)


def _rocs(points: Points, model: str, level: str) -> dict[str, tuple[Floats, Floats]]:
    members = [counts for (name, *_), counts in pool(points, level).items() if name == model]
    rates = [(fp / negatives, tp / positives) for fp, tp, negatives, positives in members]
    grid = np.unique(np.concatenate([fp for fp, _ in rates]))
    rows = np.unique(np.concatenate([tp for _, tp in rates]))
    fp, tp, negatives, positives = _add(members)
    vertical = np.mean([np.interp(grid, *rate) for rate in rates], axis=0)
    return {
        "vertical": (np.append(0, grid), np.append(0, vertical)),
        "horizontal": (np.mean([np.interp(rows, y, x) for x, y in rates], axis=0), rows),
        "threshold": (fp / negatives, np.minimum(1, tp / positives + 0.01)),
        "pooled": (fp / negatives, tp / positives),
    }


def _averages(points: Points, model: str, level: str) -> dict[tuple[str, str], Lines]:
    curves = {
        ("cost-space", at): mean(
            [envelope_of(c) for (name, *_), c in pool(points, at).items() if name == model]
        )
        for at in ("fold", "repeat", "pooled")
    }
    rocs = _rocs(points, model, level)
    return curves | {
        (method, level): lower_envelope(fp, 1 - tp) for method, (fp, tp) in rocs.items()
    }


def _average_rows(model: str, curves: Mapping[tuple[str, str], Lines]) -> pd.DataFrame:
    frames = [
        pieces(
            curve,
            dataset="fake",
            model=model,
            method=method,
            level=level,
            estimate="in-sample selection",
            curves=5,
        )
        for (method, level), curve in curves.items()
    ]
    return pd.concat(frames, ignore_index=True)


def _roc_rows(points: Points, model: str, level: str) -> pd.DataFrame:
    rocs = [(method, level, roc) for method, roc in _rocs(points, model, level).items()]
    frames = [
        pd.DataFrame(
            {
                "dataset": "fake",
                "model": model,
                "method": method,
                "level": at,
                "vertex": np.arange(len(fp)),
                "fp": fp,
                "tp": tp,
            }
        )
        for method, at, (fp, tp) in rocs
    ]
    return pd.concat(frames, ignore_index=True)


def area(curve: Lines) -> float:
    """The area under a curve."""
    rows = pieces(curve)
    return float(((rows.nec_from + rows.nec_to) / 2 * (rows.pc_to - rows.pc_from)).sum())


def deployed(curve: Lines) -> Lines:
    """A curve like a cross-fitted one: higher than an average of envelopes, and it jumps."""
    pc, at0, at1, point = curve
    excess = 0.02 * (np.arange(len(at0)) % 2 + 1) * (at0 > 0) * (at1 > 0)
    return pc, at0 + excess, at1 + excess, point


def scaled(curve: Lines, by: float) -> Lines:
    """A curve with its costs multiplied."""
    return curve[0], by * curve[1], by * curve[2], curve[3]


def _joined(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Frames below each other; of none, an empty one with the columns that pairs have."""
    empty = pd.DataFrame(
        columns=[
            *("family", "model_a", "model_b", "finding", "line", "method", "confidence"),
            *("pc_from", "pc_to", "nec_from", "nec_to", "familywise"),
        ]
    )
    return pd.concat(frames, ignore_index=True) if frames else empty


def _measures(model: str, curve: Lines) -> dict[str, object]:
    return {
        "dataset": "fake",
        "model": model,
        "level": "fold",
        "estimate": "cross-fitted",
        "headline": True,
        "prior": 0.4,
        "area": area(curve),
    }


def _bands(model: str, curve: Lines, estimate: str) -> pd.DataFrame:
    spread = {"pointwise": 0.1, "simultaneous": 0.2}
    frames = [
        pieces(
            scaled(curve, 1 + sign * width),
            model=model,
            estimate=estimate,
            method="resampled instances",
            confidence=0.9,
            extent=extent,
            edge=edge,
        )
        for extent, width in spread.items()
        for edge, sign in (("lower", -1), ("upper", 1))
    ]
    return pd.concat(frames, ignore_index=True)


def _difference(a: Lines, b: Lines) -> Lines:
    return scaled(mean([a, scaled(b, -1)]), 2)


def _comparison(heads: Mapping[str, Lines], a: str, b: str) -> pd.DataFrame:
    difference = _difference(heads[a], heads[b])
    pc, at0, at1, _ = difference
    lines = {"difference": difference}
    for extent, width in (("pointwise", 0.02), ("simultaneous", 0.05)):
        for edge, sign in (("lower", -1), ("upper", 1)):
            lines[f"{extent} {edge}"] = (pc, at0 + sign * width, at1 + sign * width, [])
    frames = [
        pieces(
            curve,
            family="all pairs",
            model_a=a,
            model_b=b,
            line=name,
            method="resampled instances",
            confidence=0.9,
        )
        for name, curve in lines.items()
    ]
    return pd.concat(frames, ignore_index=True)


def _verdicts(a: str, b: str) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "family": "all pairs",
            "model_a": a,
            "model_b": b,
            "finding": ["undecided", "A cheaper", "equivalent", "B cheaper", "undecided"],
            "pc_from": [0, 0.2, 0.45, 0.5, 0.501],
            "pc_to": [0.2, 0.45, 0.5, 0.501, 1],
            "method": "resampled instances",
            "confidence": 0.95,
            "familywise": 0.9,
        }
    )


def _sawtooth(count: int) -> Lines:
    """A curve with many jumps, like that of a threshold that moves with the condition."""
    pc = np.linspace(0, 1, count + 1)
    high = 0.25 + 0.02 * (np.arange(count) % 2)
    return pc, high * pc[1:], high * (1 - pc[:-1]), []


def _hybrids(
    model: str, head: Lines, averages: Mapping[tuple[str, str], Lines], level: str
) -> pd.DataFrame:
    line: Lines = (np.array([0.0, 1.0]), np.array([0.3]), np.array([0.2]), [])
    curves = {
        "cross-fitted": head,
        "cost-minimizing": averages["cost-space", level],
        "score-driven": _sawtooth(60),
        "score-fixed": line,
        "rate-driven": _sawtooth(9),
    }
    kinds = {"cross-fitted": "cross-fitted", "cost-minimizing": "in-sample selection"}
    frames = [
        pieces(curve, model=model, criterion=name, estimate=kinds.get(name, "fixed in advance"))
        for name, curve in curves.items()
    ]
    return pd.concat(frames, ignore_index=True)


def _criteria(model: str) -> pd.DataFrame:
    names = ["cross-fitted", "cost-minimizing", "score-driven", "score-fixed", "rate-driven"]
    regret = [0.0, -0.01, 0.02, 0.1, 0.03]
    return pd.DataFrame({"model": model, "criterion": names, "applies": True, "regret": regret})


def _threshold_choice(model: str, head: Lines) -> pd.DataFrame:
    curves = {
        "score-fixed": scaled((np.array([0.0, 1.0]), np.array([0.3]), np.array([0.2]), []), 2),
        "score-driven": _sawtooth(60),
        "rate-driven": _sawtooth(9),
        "optimal": head,
    }
    frames = [
        pieces(curve, model=model, method=name, axis=axis, loss=area(curve))
        for axis in ("cost proportion", "skew")
        for name, curve in curves.items()
    ]
    return pd.concat(frames, ignore_index=True)


def _choice_bands(model: str) -> pd.DataFrame:
    """Half of the width of the regret's band, of a criterion that needs no data."""
    half = np.array([0.0, 0.3, 1.0]), np.array([0.02, 0.01]), np.array([0.08, 0.05]), [0, 0]
    names = {"model_a": model, "criterion_a": "score-driven", "model_b": model}
    return pieces(
        half,
        **names,
        criterion_b="cross-fitted",
        method="resampled instances",
        confidence=0.9,
        extent="simultaneous",
    )


def _constructions(model: str, pooled: Counts) -> pd.DataFrame:
    _, at0, at1, _ = envelope_of(pooled)
    fp, tp = float(at0[len(at0) // 2]), 1 - float(at1[len(at1) // 2])
    negatives, positives = float(pooled[2]), float(pooled[3])
    limit = tp * positives + fp * negatives
    dual = positives / (positives - negatives) if positives != negatives else np.nan
    reached = {"fp": fp, "tp": tp, "positives": positives, "negatives": negatives}
    reached |= {"held_out_fp": min(1.0, 1.2 * fp), "held_out_tp": 0.9 * tp, "folds": 10}
    rows = [
        {"criterion": "neyman-pearson", "limit": fp, "dual_pc": 0.0, "dual_nec": fp},
        {
            "criterion": "workforce",
            "limit": limit,
            "dual_pc": dual,
            "dual_nec": fp * (1 - dual) + (1 - tp) * dual,
        },
    ]
    return pd.DataFrame([{"model": model, **row, **reached} for row in rows])


def _optimism(model: str, head: Lines, averages: Mapping[tuple[str, str], Lines]) -> pd.DataFrame:
    levels = ["fold", "repeat", "pooled"]
    areas = [area(averages["cost-space", level]) for level in levels]
    return pd.DataFrame(
        {"model": model, "level": levels, "area": areas, "cross_fitted": area(head)}
    )


def _intervals(model: str, head: Lines, estimate: str) -> pd.DataFrame:
    row = {"model": model, "estimate": estimate, "quantity": "area", "value": area(head)}
    row |= {"low": 0.9 * area(head), "high": 1.1 * area(head), "confidence": 0.9}
    return pd.DataFrame([{**row, "method": "resampled instances"}])


def _sign_changes(difference: Lines) -> tuple[Floats, NDArray[np.int64]]:
    """Break points of the signs of a difference, and the sign between them."""
    rows = pieces(difference)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = rows.nec_from / (rows.nec_from - rows.nec_to)
    inside = rows.pc_from + (rows.pc_to - rows.pc_from) * share
    roots = inside[(share > 0) & (share < 1)]
    breaks = np.unique(np.concatenate([difference[0], roots]))
    middle = (breaks[:-1] + breaks[1:]) / 2
    piece = np.searchsorted(difference[0], middle) - 1
    values = difference[1][piece] * (1 - middle) + difference[2][piece] * middle
    sign = np.where(np.abs(values) < 1e-12, 0, np.sign(values)).astype(np.int64)
    keep = np.append(True, sign[1:] != sign[:-1])
    return np.append(breaks[:-1][keep], 1.0), sign[keep]


_CROSSOVERS = [
    "dataset",
    "model_a",
    "model_b",
    "estimate",
    "pc_from",
    "pc_to",
    "cheaper",
    "largest_difference",
    "at_pc",
]


def _crossovers(heads: Mapping[str, Lines], prior: float = 0.4) -> pd.DataFrame:
    rows = []
    names = list(heads)
    for first, a in enumerate(names):
        for b in names[first + 1 :]:
            both = mean([heads[a], (heads[b][0], -heads[b][1], -heads[b][2], [])])
            breaks, signs = _sign_changes(both)
            for low, high, sign in zip(breaks[:-1], breaks[1:], signs, strict=True):
                rows.append(
                    {
                        "dataset": "fake",
                        "model_a": a,
                        "model_b": b,
                        "estimate": "cross-fitted",
                        "pc_from": low,
                        "pc_to": high,
                        "cheaper": {-1: a, 0: "equal", 1: b}[int(sign)],
                        "largest_difference": 0.01 * int(sign),
                        "at_pc": low,
                    }
                )
    frame = pd.DataFrame(rows, columns=_CROSSOVERS)
    odds = (1 - prior) / prior
    with np.errstate(divide="ignore"):
        frame["ratio_from"] = odds * frame.pc_from / (1 - frame.pc_from)
        frame["ratio_to"] = odds * frame.pc_to.astype(float) / (1 - frame.pc_to)
    return frame


def _touch(model: str, pooled: Counts, pc: float) -> dict[str, object]:
    breaks, at0, at1, point = envelope_of(pooled)
    piece = min(int(np.searchsorted(breaks, pc, side="right")) - 1, len(at0) - 1)
    nec = at0[piece] * (1 - pc) + at1[piece] * pc
    holders = {-1: "always negative", -2: "always positive"}
    return {
        "dataset": "fake",
        "condition": f"PC(+) = {pc:g}",
        "pc": pc,
        "cost_ratio": np.inf if pc == 1 else 1.5 * pc / (1 - pc),
        "model": model,
        "point": point[piece],
        "holder": holders.get(point[piece], f"threshold {0.1 * point[piece]:.2g}"),
        "fp": at0[piece],
        "tp": 1 - at1[piece],
        "threshold": np.nan if point[piece] < 0 else 0.1 * point[piece],
        "nec": nec,
        "slope": np.nan if pc == 0 else 1 / pc - 1,
        "intercept": np.nan if pc == 0 else 1 - nec / pc,
    }
