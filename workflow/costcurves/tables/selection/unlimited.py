"""Criteria that keep no limit: the cheapest, the nearest, and rules for scores."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import ClassVar, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from costcurves.maths.chance import resampled_rules
from costcurves.maths.chance.resampled_counts import Predicted
from costcurves.maths.chance.resampled_criteria import OfFolds, Rule, on_small_folds
from costcurves.maths.choosing import selection
from costcurves.maths.choosing.cross_fitting import cross_fitted
from costcurves.maths.choosing.hybrids import Hybrid, average
from costcurves.maths.counts.operating_points import union, union_order
from costcurves.maths.geometry.curves import Curve, mean
from costcurves.maths.geometry.envelopes import lower_envelopes
from costcurves.names import some
from costcurves.settings import KNOWN_CRITERIA, Selection
from costcurves.tables.curves.classifiers import Classifiers
from costcurves.tables.keys import CROSS_FITTED, IN_SAMPLE
from costcurves.tables.selection.criterion import Drawn, Floats, Model, Unlimited, criterion_of

# Fewer instances of a class say next to nothing about a threshold: of 4 a rate near 1/2 has a
# standard error of 1/4.
FEWEST: Final = 5
WEIGHTLESS: Final = (
    "it has one fold only, and split at random some folds have no instance of a class that costs "
    "anything: give predictions of cross-validation, or split the test instances into folds"
)
DASHED: Final = (0, (4, 2))


class CrossFitted(Unlimited):
    said = (
        "the cheapest on the other folds of the same repeat, with its cost on the held-out fold: "
        "the cost to expect."
    )
    kind = CROSS_FITTED

    def findings(self, classifiers: Classifiers) -> Iterator[str]:
        folds, sizes = classifiers.others.folds(), ["negatives", "positives"]
        repeats = folds.groupby("repeat", sort=False)
        others = repeats[sizes].transform("sum") - folds[sizes]
        few, dealt = np.flatnonzero((others < FEWEST).any(axis=1)), classifiers.dealt is not None
        if len(few) and (dealt or len(folds) == len(repeats)):
            whole, weighted = classifiers.folds().iloc[0], classifiers.is_weighted()
            yield (
                WEIGHTLESS
                if weighted and not dealt
                else f"there are {whole['positives']} positives and {whole['negatives']} "
                "negatives, too few to choose a threshold on some of them and judge it on the "
                f"others: give {FEWEST + 1} or more of each"
            )
        for row in few:
            repeat, fold = folds[["repeat", "fold"]].iloc[row]
            rest = others.iloc[row]
            yield (
                f"without fold {fold!r} of repeat {repeat!r} there are {rest['positives']} "
                f"positives and {rest['negatives']} negatives to choose on, expected {FEWEST} or "
                "more of each: give more instances, or make more and smaller folds"
            )

    def averaged(self, model: Model) -> tuple[Curve, int]:
        folds = model.classifiers.others
        found = cross_fitted(folds.points, *folds.layout())
        return found.curve, len(found.folds)


class CostMinimizing(Unlimited):
    said = "the cheapest in hindsight: the lower envelope. In-sample, too low."
    kind = IN_SAMPLE

    def averaged(self, model: Model) -> tuple[Curve, int]:
        return mean([one.curve for one in lower_envelopes(model.curves)]), len(model.curves)


class NearestTrainPC(Unlimited):
    said = (
        "the member of a family that was trained for the nearest PC(+); the no-model baselines "
        "are not added."
    )

    def findings(self, classifiers: Classifiers) -> Iterator[str]:
        if not classifiers.names["member"].any():
            yield (
                "it is one classifier and no family of members trained for different PC(+): give a "
                "row for each member, with the columns member, train_pc and decision"
            )
        members = classifiers.decisions.names.drop_duplicates("member")
        if members.empty:
            yield (
                "its members have scores and so many operating points each: give a decision for "
                "each member"
            )
        untold = members.loc[members["train_pc"].isna(), "member"]
        if len(untold):
            yield (
                f"nothing says what its members {some(list(untold), 3)} were trained for: give it "
                "in the column train_pc"
            )
        for train_pc, same in members.groupby("train_pc")["member"]:
            if len(same) > 1:
                yield (
                    f"its members {some(list(same), 3)} were trained for the same PC(+), "
                    f"{train_pc:.4g}, so none of them is the nearest: give each another train_pc"
                )

    def averaged(self, model: Model) -> tuple[Curve, int]:
        members = model.classifiers.decisions
        fold = members.codes("repeat", "fold")
        families = union(members.points, fold)
        trained = members.names["train_pc"].to_numpy()[union_order(members.points, fold)]
        each = np.split(trained, families.offsets[1:-1])
        curves = [
            selection.nearest_train_pc(family, train_pc).curve
            for family, train_pc in zip(families, each, strict=True)
        ]
        repeats = members.names.drop_duplicates(["repeat", "fold"])["repeat"]
        return average(curves, pd.factorize(repeats)[0]), len(curves)

    def resampled(self, drawn: Drawn) -> Floats:
        rows = drawn.instances.of(drawn.model)
        rows = rows[rows["crisp"] & rows["member"].ne("")]
        trained = rows.drop_duplicates("member")["train_pc"].to_numpy()
        predicted, repeats = drawn.instances.folds(rows)
        return resampled_rules.nearest_train_pc_at(
            predicted, trained, repeats, drawn.instances.weights, drawn.at
        )


class Scored(Unlimited):
    """A rule for the scores of one classifier; in resamples its thresholds stay what they are."""

    rule: ClassVar[Callable[..., Hybrid]]

    def settings(self, study: Selection, positives: float) -> dict[str, float]:
        """Give what the rule is to keep to, where this is the share of positives."""
        return {}

    def findings(self, classifiers: Classifiers) -> Iterator[str]:
        if not len(classifiers.ranking.names):
            if classifiers.names["crisp"].all():
                yield "it has decisions and no scores, so there is no threshold to set: give scores"
            yield (
                "its members have scores of their own, expected the scores of one classifier: give "
                "each member as a model of its own"
            )

    def averaged(self, model: Model) -> tuple[Curve, int]:
        ranking = model.classifiers.ranking
        negatives, positives = ranking.folds()[["negatives", "positives"]].sum().tolist()
        settings = self.settings(model.selection, positives / (negatives + positives))
        curves = [self.rule(fold, **settings).curve for fold in ranking.points]
        return average(curves, ranking.codes("repeat")), len(curves)

    def resampled(self, drawn: Drawn) -> Floats:
        rule, predicted, repeats = self._rule(drawn)
        return rule(predicted, repeats, drawn.instances.weights)

    def _rule(self, drawn: Drawn) -> tuple[Rule, Predicted, NDArray[np.int64]]:
        """Give the rule in resamples, and what it is for: predictions, the repeat of each fold."""
        rows = drawn.instances.of(drawn.model)
        rows = rows[~rows["crisp"] & rows["member"].eq("")]
        predicted, repeats = drawn.instances.folds(rows)
        settings = self.settings(drawn.selection, float(predicted.label.mean()))
        return partial(self.again(settings), grid=drawn.at), predicted, repeats

    def again(self, settings: dict[str, float]) -> Callable[..., Floats]:
        """Give what resamples the rule."""
        return partial(resampled_rules.kept_at, partial(self.rule, **settings))


class ScoreDriven(Scored):
    said = (
        "positive where the score, taken as the probability of a positive, is at least "
        "1 \N{MINUS SIGN} PC(+): the scores are trusted."
    )
    rule = staticmethod(selection.score_driven)

    def findings(self, classifiers: Classifiers) -> Iterator[str]:
        yield from super().findings(classifiers)
        if not classifiers.ranking.is_probability():
            low, high = classifiers.ranking.score_range()
            yield (
                f"its scores go from {low:.4g} to {high:.4g}, expected probabilities of the "
                "positive class, from 0 to 1: calibrate them, or leave this criterion out"
            )


class ScoreFixed(Scored):
    said = "the same threshold, {score_threshold}, at every PC(+)."
    rule = staticmethod(selection.score_fixed)

    def settings(self, study: Selection, positives: float) -> dict[str, float]:
        return {"threshold": study.score_threshold}


class Ranked(Scored):
    """A rule that is met by ranks within a fold, and again in each resample."""

    of_cases = True
    on_counts: ClassVar[Callable[..., Floats]]

    def again(self, settings: dict[str, float]) -> Callable[..., Floats]:
        return partial(resampled_rules.met_again_at, partial(self.on_counts, **settings))

    def of_folds(self, drawn: Drawn) -> OfFolds | None:
        return on_small_folds(*self._rule(drawn), drawn.instances.weights)


class RateDriven(Ranked):
    said = (
        "so many are predicted positive that the rate of positive predictions, both classes "
        "weighing the same, is PC(+)."
    )
    rule = staticmethod(selection.rate_driven)
    on_counts = staticmethod(resampled_rules.rate_driven)


class RateFixed(Ranked):
    said = "the same share of cases is predicted positive at every PC(+): {rate}."
    rule = staticmethod(selection.rate_fixed)
    on_counts = staticmethod(resampled_rules.rate_fixed)

    def settings(self, study: Selection, positives: float) -> dict[str, float]:
        return {"rate": positives if study.rate is None else study.rate}


def unlimited() -> dict[str, Unlimited]:
    """Give the criteria that keep no limit, by name."""
    found = {name: criterion_of(name) for name in KNOWN_CRITERIA}
    return {name: one for name, one in found.items() if isinstance(one, Unlimited)}
