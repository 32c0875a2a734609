"""Hybrids: the cost curve of each threshold rule of each model, which apply and which to use."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import pandas as pd

from costcurves.choosing.candidates import is_ranking, mistakes_of, on_folds
from costcurves.choosing.choice import judged
from costcurves.choosing.classifiers import Classifiers, classifiers
from costcurves.choosing.rules import RULES, CrossFitted, Limited, Rule, Setting
from costcurves.counts.counted import Counted, dataset_of
from costcurves.counts.elementwise import FloatArray, IntArray
from costcurves.counts.operating_points import OperatingPoints, union, union_order
from costcurves.curves.curves import Curve, average, better_than, largest, trivial
from costcurves.curves.pieces import PIECE, curves_of, pieces_of
from costcurves.curves.priors import Prior
from costcurves.settings import NEEDS, Selection
from costcurves.tables.contract import Column, Contract
from costcurves.tables.keys import (
    CRITERION,
    CROSS_FITTED,
    CURVES,
    DATASET,
    ESTIMATE,
    IN_SAMPLE,
    MODEL,
)

HYBRIDS: Final = Contract("hybrids", DATASET, MODEL, CRITERION, ESTIMATE, CURVES, *PIECE)
CRITERIA: Final = Contract(
    "criteria",
    DATASET,
    MODEL,
    CRITERION,
    Column("applies", "bool", "", "whether it can be applied to the model"),
    Column("reason", "str", "", "why it can't, and what to do; empty: it can"),
    ESTIMATE,
    Column("best", "bool", "", "the least expected cost; not in-sample, without a limit"),
    Column("area", "float64", "nec", "area under its cost curve; NaN: there is none"),
    Column("tec", "float64", "nec", "total expected cost under the study's prior on PC(+)"),
    Column("regret", "float64", "nec", "its area minus that of cross-fitted choice"),
    Column("regret_tec", "float64", "nec", "the same of total expected costs"),
    Column("largest_regret", "float64", "nec", "the most that it costs more than that choice"),
    Column("largest_regret_pc", "float64", "PC(+)", "where that is"),
    Column("worse_than_trivial_from", "float64", "PC(+)", "first there; NaN: nowhere"),
    Column("worse_than_trivial_to", "float64", "PC(+)", "last there; NaN: nowhere"),
    Column("worse_than_trivial_share", "float64", "PC(+)", "how much of PC(+) between them"),
)


OnFolds = tuple[list[Curve], IntArray | None]  # the curve of a rule on each fold; their repeats


def setting_of(classifiers: Classifiers, selection: Selection) -> Setting:
    """Return what rules are to keep to on the data of one model."""
    negatives, positives = classifiers.folds()[["negatives", "positives"]].sum().tolist()
    return Setting(selection, positives / (negatives + positives), classifiers.one_pass)


def curve_of(
    rule: Rule,
    points: OperatingPoints,
    setting: Setting | None = None,
    train_pc: FloatArray | None = None,
) -> Curve:
    """Return the cost curve of a rule on one curve's operating points alone.

    `train_pc` are (n_points,) PC(+) that members were trained for.

    >>> from costcurves.counts.operating_points import from_scores
    >>> curve_of(RULES["score-driven"], from_scores(scores=[0.75, 0.5], labels=[1, 0]))
    Curve(pc=[0.0, 0.25, 0.5, 1.0], at0=[0.0, 0.0, 1.0], at1=[1.0, 0.0, 0.0])
    >>> points = from_scores(scores=[0.9, 0.6, 0.6, 0.1], labels=[1, 0, 1, 0])
    >>> curve_of(RULES["rate-fixed"], points)
    Curve(pc=[0.0, 1.0], at0=[0.25], at1=[0.25])
    """
    counts = mistakes_of(points, train_pc)
    if rule.judged == "scores" and not is_ranking(points):
        raise ValueError(
            "this needs the scores of one classifier (thresholds that fall from inf), "
            "found decisions or a family of classifiers"
        )
    return judged(rule.choose(counts, setting or Setting()), counts)[0]


def cross_fitted(rule: CrossFitted | Limited, folds: Classifiers, setting: Setting) -> OnFolds:
    """Choose on the other folds of the same repeat, and judge on the held-out one."""
    choose = partial(rule.choose, setting=setting)
    return on_folds(choose, rule.seen, folds.points, folds.layout())


def applied(rule: Rule, model: Classifiers, curves: OperatingPoints, setting: Setting) -> OnFolds:
    """Apply a rule to one model: to its classifiers by fold, or to its curves at a level."""
    if isinstance(rule, CrossFitted | Limited) and rule.estimate(model) == CROSS_FITTED:
        return cross_fitted(rule, model.others, setting)
    if rule.judged == "scores":
        ranking = model.ranking
        return [curve_of(rule, fold, setting) for fold in ranking.points], ranking.codes("repeat")
    if rule.judged == "members":
        return _on_members(rule, model.decisions, setting)
    return [curve_of(rule, points, setting) for points in curves], None


def _on_members(rule: Rule, members: Classifiers, setting: Setting) -> OnFolds:
    fold = members.codes("repeat", "fold")
    families = union(members.points, fold)
    trained = members.names["train_pc"].to_numpy()[union_order(members.points, fold)]
    each = zip(families, np.split(trained, families.offsets[1:-1]), strict=True)
    curves = [curve_of(rule, family, setting, train_pc) for family, train_pc in each]
    return curves, pd.factorize(members.folds()["repeat"])[0]


def hybrids(counted: Sequence[Counted], level: str, selection: Selection) -> pd.DataFrame:
    """Compute the cost curve of each rule of each model, jumps allowed.

    A rule that does not apply to a model has no curve: the table `criteria` says why. Rules that
    look at their own labels are applied to the curves of `level`.
    """
    at_level = classifiers(counted, level)
    curves = []
    for model, folds in classifiers(counted).items():
        setting = setting_of(folds, selection)
        for name in selection.considered():
            rule = RULES[name]
            if not rule.obstacle(folds):
                each, repeats = applied(rule, folds, at_level[model].curves, setting)
                names = {"model": model, "criterion": name, "estimate": rule.estimate(folds)}
                curve = average(each, repeats).simplified()
                curves.append(({**names, "curves": len(each)}, curve))
    return pieces_of(HYBRIDS, curves, dataset=dataset_of(counted))


def curves_by_criterion(hybrids: pd.DataFrame) -> dict[tuple[str, str], Curve]:
    """Read the curves back, by model and criterion."""
    names = ["model", "criterion"]
    return {(row["model"], row["criterion"]): curve for row, curve in curves_of(hybrids, names)}


def criteria(
    counted: Sequence[Counted],
    hybrids: pd.DataFrame,
    selection: Selection,
    weight: Prior,
) -> pd.DataFrame:
    """Compare the threshold rules that the study considers, for each model.

    A regret is NaN for a model that can't be cross-fitted. Of equally good rules the first is best;
    one that keeps a limit has another end than least cost, and is not among them.
    """
    curves = curves_by_criterion(hybrids)
    rows = []
    for model, folds in classifiers(counted).items():
        reference = curves.get((model, "cross-fitted"))
        for name in selection.considered():
            reason, estimate = RULES[name].obstacle(folds), RULES[name].estimate(folds)
            names = {"model": model, "criterion": name, "reason": reason, "estimate": estimate}
            curve = curves.get((model, name))
            rows.append(names if curve is None else names | _costs(curve, reference, weight))
    frame = pd.DataFrame(rows, columns=CRITERIA.names)
    honest = frame["tec"].notna() & frame["estimate"].ne(IN_SAMPLE)
    usable = frame[honest & ~frame["criterion"].isin(NEEDS)]
    best = usable.groupby("model", sort=False)["tec"].idxmin()
    frame["applies"], frame["best"] = frame["reason"].eq(""), frame.index.isin(best)
    return CRITERIA.frame(**frame.assign(dataset=dataset_of(counted)))


def _costs(curve: Curve, reference: Curve | None, weight: Prior) -> dict[str, float]:
    """Measure a curve, and what it costs more than cross-fitted choice, where there is that."""
    worse = [part for part in better_than(curve, trivial()) if part.sign > 0]
    costs = {
        "area": curve.area(),
        "tec": weight.expected_cost(curve),
        "worse_than_trivial_from": worse[0].low if worse else np.nan,
        "worse_than_trivial_to": worse[-1].high if worse else np.nan,
        "worse_than_trivial_share": sum(part.high - part.low for part in worse),
    }
    if reference is not None:
        more = curve - reference
        most = largest(more)
        costs |= {"regret": more.area(), "regret_tec": weight.expected_cost(more)}
        costs |= {"largest_regret": most.nec, "largest_regret_pc": most.pc}
    return costs
