"""Which threshold or member to use at each PC(+), and within a limit."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd

from costcurves.choosing.candidates import mistakes_of, on_all
from costcurves.choosing.choice import seen_there
from costcurves.choosing.classifiers import Classifiers, classifiers
from costcurves.choosing.hybrids import cross_fitted, setting_of
from costcurves.choosing.rules import LIMITS, Limited, Setting
from costcurves.counts.counted import Counted, dataset_of, from_table, is_weighted
from costcurves.curves.curves import Extreme, average
from costcurves.curves.envelopes import ALWAYS_NEGATIVE, ALWAYS_POSITIVE, holder_in_words
from costcurves.settings import Selection
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import CRITERION, CROSS_FITTED, DATASET, MODEL, STRETCH

DEPLOYMENT: Final = Contract(
    "deployment",
    DATASET,
    MODEL,
    Column("piece", "int64", "index", "place along PC(+), from 0"),
    *STRETCH,
    Column("member", "str", "", "member classifier of a family; empty: none"),
    Column("threshold", "float64", "score", "predict positive from here up; NaN: a decision"),
    Column("holder", "str", "", "the same in words"),
)
CONSTRUCTIONS: Final = Contract(
    "constructions",
    DATASET,
    MODEL,
    CRITERION,
    Column("limit", "float64", "rate or cases", "highest FP rate, or cases that are handled"),
    Column("fp", "float64", "rate", "false positive rate reached"),
    Column("tp", "float64", "rate", "true positive rate reached"),
    Column("share", "float64", "probability", "of the second vertex: a draw decides"),
    Column("first", "str", "", "hull vertex at or before the point, in words"),
    Column("first_fp", "float64", "rate", "its false positive rate"),
    Column("first_tp", "float64", "rate", "its true positive rate"),
    Column("second", "str", "", "hull vertex behind the point; the first if it serves alone"),
    Column("second_fp", "float64", "rate", "its false positive rate"),
    Column("second_tp", "float64", "rate", "its true positive rate"),
    Column("positives", "float64", "cases", "P: positives in one pass over the data"),
    Column("negatives", "float64", "cases", "N: negatives in one pass over the data"),
    Column("dual_pc", "float64", "PC(+)", "the constraint's point in cost space; NaN: N = P"),
    Column("dual_nec", "float64", "nec", "its height; outside PC(+) in [0, 1] it is virtual"),
    Column("held_out_fp", "float64", "rate", "chosen on the other folds; NaN: there are none"),
    Column("held_out_tp", "float64", "rate", "the same of the true positive rate"),
    Column("held_out", "float64", "rate or cases", "what the limit came to on held-out folds"),
    Column("folds", "int64", "folds", "how many were held out"),
    Column("exceeded", "int64", "folds", "on how many of them the limit was exceeded"),
)

ROUNDING: Final = 1e-9  # of cases: a limit that is met exactly is not broken


def deployment(counted: Sequence[Counted]) -> pd.DataFrame:
    """Choose on all folds of all repeats what decides at each PC(+), each fold counting the same.

    Always-negative has the threshold inf, always-positive -inf. Of candidates that cost the same
    the first decides: of one classifier's the highest threshold. What the choice will cost is the
    cross-fitted curve of `hybrids`: the cost on the data that made it would be too low.
    """
    parts = [_of_model(model, folds) for model, folds in classifiers(counted).items()]
    frame = pd.concat(parts, ignore_index=True)
    return DEPLOYMENT.frame(**frame.assign(dataset=dataset_of(counted)))


def _of_model(model: str, folds: Classifiers) -> pd.DataFrame:
    choice, counts, members = on_all(folds.points, folds.layout())
    first = choice.candidate[choice.starts]
    # The lowest score is always-positive, as it is on all data that there are.
    everything = (counts.fn[0][:, first] == 0).all(axis=0)
    everything &= (counts.fp[0][:, first] == counts.negatives[:, np.newaxis]).all(axis=0)
    names = folds.names.drop_duplicates(["member", "crisp"])["member"].to_numpy()
    holder = np.where(everything, ALWAYS_POSITIVE, members[first])
    member = np.where(holder < 0, "", names[np.maximum(holder, 0)])
    threshold = np.where(everything, -np.inf, counts.threshold[first])
    described = zip(holder.tolist(), member, threshold, strict=True)
    return pd.DataFrame(
        {
            "model": model,
            "piece": np.arange(len(holder)),
            "pc_from": choice.pc,
            "pc_to": np.append(choice.pc[1:], 1.0),
            "member": member,
            "threshold": threshold,
            "holder": [holder_in_words(*place) for place in described],
        }
    )


def constructions(
    points: pd.DataFrame, counted: Sequence[Counted], selection: Selection
) -> pd.DataFrame:
    """Find where each model's pooled ROC hull meets the limits of Neyman-Pearson and a workforce.

    A workforce's is tp P + fp N <= limit, a line whose dual point lies outside [0, 1] (D&H 2006,
    s5.1.4); that of Neyman-Pearson is vertical, at PC(+) = 0. What is chosen in the same way on the
    other folds of a repeat may break the limit on the held-out one: both are told.
    """
    folded = classifiers(counted)
    considered = () if is_weighted(points) else selection.considered()  # weights are no cases
    pooled = points[points["level"] == "pooled"].groupby("model", sort=False, observed=True)
    rows = []
    for model, of_model in pooled:
        each = folded[str(model)]
        setting = setting_of(each, selection)
        for name in considered:
            if name in LIMITS:
                names = {"model": model, "criterion": name}
                row = _construction(LIMITS[name], of_model, setting, each.passes)
                rows.append(names | row | _held_out(LIMITS[name], each, setting))
    return CONSTRUCTIONS.rows(rows, dataset=dataset_of(counted))


def _construction(
    rule: Limited, rows: pd.DataFrame, setting: Setting, passes: int
) -> dict[str, object]:
    """Find the two vertices of the pooled hull between which a draw decides, and their mixture."""
    counts = mistakes_of(from_table(rows)[0])
    draw = rule.between(seen_there(counts), setting)
    share = float(draw.share[0])
    second = draw.second if share else draw.first
    point = np.array([draw.first.candidate[0], second.candidate[0]])
    negatives, positives = int(counts.negatives[0]), int(counts.positives[0])
    fp = counts.fp[0, 0, point] / negatives
    tp = (positives - counts.fn[0, 0, point]) / positives
    trivial = np.where(tp == 0, ALWAYS_NEGATIVE, ALWAYS_POSITIVE)
    is_trivial = (fp == tp) & ((tp == 0) | (tp == 1))
    # Rows are operating points; where they are no ranking, always-negative stands before them.
    rows = rows.iloc[np.clip(point - (len(counts.threshold) > len(rows)), 0, len(rows) - 1)]
    holder = np.where(is_trivial, trivial, point)
    words = list(map(holder_in_words, holder.tolist(), rows["member"], rows["threshold"]))
    (limit,) = rule.limit(setting, np.ones(1), np.array([negatives + positives])).tolist()
    dual_pc, dual_nec = _dual(rule, limit, negatives, positives)
    return {
        "limit": limit / passes if rule.in_cases else limit,
        "fp": fp[0] + share * (fp[1] - fp[0]),
        "tp": tp[0] + share * (tp[1] - tp[0]),
        "share": share,
        "first": words[0],
        "first_fp": fp[0],
        "first_tp": tp[0],
        "second": words[1],
        "second_fp": fp[1],
        "second_tp": tp[1],
        "positives": positives / passes,
        "negatives": negatives / passes,
        "dual_pc": dual_pc,
        "dual_nec": dual_nec,
    }


def _dual(rule: Limited, limit: float, negatives: int, positives: int) -> Extreme:
    """Return the limit's point in cost space; NaN where it is at infinity.

    The lines of all classifiers that handle just so many cases meet at pc = P / (P - N): left of 0
    if N > P and right of 1 if N < P (the paper says "negative").
    """
    if not rule.in_cases:
        return Extreme(0, limit)
    if negatives == positives:
        return Extreme(np.nan, np.nan)
    more = positives - negatives
    return Extreme(positives / more, (positives - limit) / more)


def _held_out(rule: Limited, classifiers: Classifiers, setting: Setting) -> dict[str, object]:
    """Compare the held-out folds with the limit, in columns of the table `constructions`."""
    if rule.estimate(classifiers) != CROSS_FITTED:
        return {"folds": 0, "exceeded": 0}
    others = classifiers.others
    curves, repeats = cross_fitted(rule, others, setting)
    mean = average(curves, repeats)
    negatives, positives = others.folds()[["negatives", "positives"]].to_numpy().T
    fp = np.array([curve.at0[0] for curve in curves]) * negatives
    tp = (1 - np.array([curve.at1[0] for curve in curves])) * positives
    limit = rule.limit(setting, negatives, negatives + positives)
    return {
        "held_out_fp": mean.at0[0],
        "held_out_tp": 1 - mean.at1[0],
        "held_out": np.sum(fp + tp) / others.passes if rule.in_cases else mean.at0[0],
        "folds": len(curves),
        "exceeded": np.count_nonzero(rule.used(fp, tp) > limit + ROUNDING),
    }
