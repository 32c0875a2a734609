"""A tiny study with the tables that the report reads; a model is one line, to check by hand."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from costcurves.maths.curves import Curve, better_than, largest, largest_difference
from costcurves.report.document import Report
from costcurves.report.summary import summarise
from costcurves.tables.study import Study, parse_study

FIGURES = ("cost_curves", "folds", "duality", "crossovers", "averaging")
LEVELS = ("fold", "repeat", "pooled")
METHODS = ("cost-space", "vertical", "horizontal", "threshold", "pooled")
IN_SAMPLE = "in-sample selection"

Rates = tuple[float, float]  # FP and FN of a model
Models = Mapping[str, Rates]

# B is cheaper below PC(+) = 1/3, A above; C never beats a trivial classifier.
THREE: Models = {"A": (0.2, 0.1), "B": (0.1, 0.3), "C": (0.5, 0.5)}


def curve(fp: float, fn: float) -> Curve:
    """The lower envelope of one cost line and the trivial ones."""
    tp = 1 - fn
    if tp <= fp:
        return Curve([0, 0.5, 1], [0, 1], [1, 0])
    low, high = fp / (fp + tp), (1 - fp) / (1 - fp + fn)
    breaks, at0, at1 = [0.0], [], []
    for end, line in ((low, (0.0, 1.0)), (high, (fp, fn)), (1.0, (1.0, 0.0))):
        if end > breaks[-1]:
            breaks.append(end)
            at0.append(line[0])
            at1.append(line[1])
    return Curve(breaks, at0, at1)


def study(**changes: Any) -> Study:
    """A study of one dataset, or as changed."""
    content = {"study": "tiny", "title": "Tiny", "datasets": [dataset("toy", "Toy")], **changes}
    return parse_study(content, files=False)


def dataset(name: str, title: str) -> dict[str, Any]:
    """A dataset's configuration."""
    return {"name": name, "title": title, "predictions": [f"data/{name}.csv"]}


def tables(
    models: Models = THREE, *, prior: float = 0.4, conditions: Sequence[float] = (0.5,)
) -> dict[str, pd.DataFrame]:
    """The tables of one dataset that the report reads."""
    curves = {model: curve(*rates) for model, rates in models.items()}
    return {
        "measures": pd.DataFrame(
            [_measure(m, curves[m], at, prior) for m in models for at in LEVELS]
        ),
        "averages": pd.concat([_average(m, curves[m], how) for m in models for how in METHODS]),
        "crossovers": _crossovers(curves, prior),
        "duality": pd.DataFrame(
            [_touch(m, models[m], pc, prior) for pc in conditions for m in models],
            columns=list(_touch("", (0.1, 0.1), 0.5, prior)),
        ),
    }


def _measure(model: str, line: Curve, level: str, prior: float) -> dict[str, object]:
    peak = largest(line)
    useful = line.pc[[1, -2]] if len(line) == 3 else [np.nan, np.nan]
    return {
        "dataset": "toy",
        "model": model,
        "level": level,
        "estimate": IN_SAMPLE,
        "headline": level == "repeat",
        "area": line.area(),
        "tec": line.area(),
        "range_from": useful[0],
        "range_to": useful[1],
        "largest_nec": peak.nec,
        "largest_pc": peak.pc,
        "auc": 0.75,
        "auch": 0.8,
        "brier": np.nan,
        "curves": {"fold": 10, "repeat": 2, "pooled": 1}[level],
        "instances": 100,
        "positives": 40,
        "negatives": 60,
        "repeats": 2,
        "folds": 5,
        "points": 30,
        "prior": prior,
    }


def _average(model: str, line: Curve, method: str) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "dataset": "toy",
            "model": model,
            "method": method,
            "level": "repeat",
            "estimate": IN_SAMPLE,
            "curves": 2,
            "piece": np.arange(len(line)),
            "pc_from": line.pc[:-1],
            "pc_to": line.pc[1:],
            "at0": line.at0,
            "at1": line.at1,
            "nec_from": line.starts,
            "nec_to": line.ends,
        }
    )


def _crossovers(curves: Mapping[str, Curve], prior: float) -> pd.DataFrame:
    rows = [
        {
            "dataset": "toy",
            "model_a": a,
            "model_b": b,
            "level": "repeat",
            "estimate": IN_SAMPLE,
            "pc_from": low,
            "pc_to": high,
            "cheaper": {-1: a, 0: "equal", 1: b}[sign],
            "ratio_from": ratio(low, prior),
            "ratio_to": ratio(high, prior),
            "largest_difference": extreme.nec if sign else 0.0,
            "at_pc": extreme.pc,
        }
        for a, b in combinations(curves, 2)
        for low, high, sign in better_than(curves[a], curves[b])
        for extreme in [largest_difference(curves[a], curves[b], low, high)]
    ]
    return pd.DataFrame(rows)


def ratio(pc: float, prior: float) -> float:
    """PC(+) as a cost ratio."""
    return np.inf if pc == 1 else pc / (1 - pc) * (1 - prior) / prior


def _touch(model: str, rates: Rates, pc: float, prior: float) -> dict[str, object]:
    fp, fn = rates
    nec = fn * pc + fp * (1 - pc)
    return {
        "dataset": "toy",
        "condition": f"PC(+) = {pc:g}",
        "pc": pc,
        "cost_ratio": ratio(pc, prior),
        "model": model,
        "point": 1,
        "holder": "threshold 0.5",
        "fp": fp,
        "tp": 1 - fn,
        "threshold": 0.5,
        "nec": nec,
        "slope": 1 / pc - 1,
        "intercept": 1 - nec / pc,
    }


def drawings() -> dict[str, str]:
    """A drawing for each figure."""
    svg = (
        '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="482pt" '
        'height="340pt" viewBox="0 0 482 340">\n <rect width="482" height="340" fill="#fff"/>'
        ' <path d="M20 320L240 60L460 320" fill="none" stroke="#0072b2"/>\n</svg>'
    )
    return dict.fromkeys(FIGURES, svg)


def provenance() -> dict[str, Any]:
    """What the manifest knows."""
    return {
        "sources": [{"path": "data/toy.csv", "sha256": "ab" * 32, "rows": 600}],
        "versions": {"python": "3.11.7", "numpy": "2.4.0"},
        "configuration": {"study": "tiny"},
        "seed": 20061,
        "code": "cd" * 32,
    }


def report(models: Models = THREE, **changes: Any) -> Report:
    """The report of one dataset of these models."""
    made = study(**changes)
    data = {one.slug: tables(models) for one in made.datasets}
    return summarise(made, data, {slug: drawings() for slug in data}, provenance())
