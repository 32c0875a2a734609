"""The tables of one dataset, from its predictions to verdicts: what each is computed from."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import pandas as pd

from costcurves.maths.chance.intervals import Rate
from costcurves.tables.checks.plausibility import plausibility
from costcurves.tables.configuration.dataset import Dataset
from costcurves.tables.configuration.study import Study
from costcurves.tables.contract import stacked
from costcurves.tables.curves.averages import averages
from costcurves.tables.curves.conditions import conditions, marked
from costcurves.tables.curves.envelopes import duality, envelopes
from costcurves.tables.curves.headline import headline, means_of, measures
from costcurves.tables.curves.operating_points import Counted, counted, operating_points
from costcurves.tables.curves.ranked import rankings, sizes_and_prior
from costcurves.tables.curves.roc import costs, roc
from costcurves.tables.curves.threshold_choice import threshold_choice
from costcurves.tables.inference.auc_differences import auc_differences
from costcurves.tables.inference.bands import bands, intervals
from costcurves.tables.inference.calibration import Calibrated, calibrated, calibration, reliability
from costcurves.tables.inference.comparisons import Pair, comparisons, pairs
from costcurves.tables.inference.decisions import (
    Judged,
    confusions,
    decision_differences,
    decisions,
    judged,
)
from costcurves.tables.inference.instance_costs import instance_costs
from costcurves.tables.inference.pair_intervals import pair_intervals
from costcurves.tables.inference.resampling import Resamples, resampling
from costcurves.tables.inference.segments import segments
from costcurves.tables.inference.verdicts import crossovers, in_the_running, verdicts
from costcurves.tables.selection.choice_bands import (
    Choices,
    choice_bands,
    choice_intervals,
    choices,
    left_out,
    optimism,
)
from costcurves.tables.selection.choices import ResampledCriteria, resampled_criteria
from costcurves.tables.selection.constructions import constructions
from costcurves.tables.selection.criteria import criteria, hybrids
from costcurves.tables.selection.deployment import deployment


class Results:
    """Each table is computed when it is first asked for, unless it is among those that are `known`.

    Predictions always are: a copy that was checked.
    """

    predictions: pd.DataFrame

    def __init__(
        self, study: Study, dataset: Dataset, *, annexed: bool = False, **known: Any
    ) -> None:
        self.dataset, self.original = dataset.name, dataset.original
        self.weighted, self.stated_prior = dataset.weighted, dataset.prior
        self.cost_matrix = dataset.cost_matrix
        self.operating_conditions = [one.plain() for one in study.operating_conditions]
        self.level, self.seed, self.every_threshold = study.level, study.seed, study.every_threshold
        self.selection, self.weight_of_pc = study.applied.plain(), study.prior.plain()
        self.confidence = study.inference.confidence
        self.inference, self.of_ranges = study.inference.plain(), study.of_ranges.plain()
        self.annexed = annexed
        vars(self).update(known)  # where a cached property looks first

    # Cost lines

    @cached_property
    def counted(self) -> list[Counted]:
        """Counts at every threshold, per fold, per repeat and pooled."""
        return counted(self.predictions, seed=self.seed, every_threshold=self.every_threshold)

    @cached_property
    def operating_points(self) -> pd.DataFrame:
        """Rates at every threshold: each point is a cost line."""
        return operating_points(self.predictions, self.counted)

    @cached_property
    def envelopes(self) -> pd.DataFrame:
        """The lower envelope of the cost lines of each fold, repeat and of all."""
        return envelopes(self.operating_points)

    @cached_property
    def rankings(self) -> pd.DataFrame:
        """How each model ranks the cases: AUC with DeLong's standard error."""
        return rankings(self.predictions, self.counted)

    @cached_property
    def plausibility(self) -> pd.DataFrame:
        """What looks wrong with the predictions."""
        return plausibility(self.predictions, self.counted, by_cost=self.weighted)

    # Averages

    @cached_property
    def averages(self) -> pd.DataFrame:
        """Averages of the envelopes in cost space; for an annex the costs of those in ROC space."""
        own = averages(self.envelopes)
        return stacked([own, costs(self.roc)]) if self.annexed else own

    # Threshold rules

    @cached_property
    def hybrids(self) -> pd.DataFrame:
        """The curve of each model under each threshold rule."""
        return hybrids(self.operating_points, level=self.level, selection=self.selection)

    @cached_property
    def criteria(self) -> pd.DataFrame:
        """What each threshold rule costs, compared with the others."""
        return criteria(
            self.operating_points, self.hybrids, selection=self.selection, prior=self.weight_of_pc
        )

    @cached_property
    def deployment(self) -> pd.DataFrame:
        """The threshold to use at each PC(+), chosen with all folds."""
        return deployment(self.operating_points)

    @cached_property
    def threshold_choice(self) -> pd.DataFrame:
        """Loss curves of the threshold choice methods."""
        return threshold_choice(self.operating_points, selection=self.selection)

    # Headline curves and their measures

    @cached_property
    def headline(self) -> pd.DataFrame:
        """The curve by which each model is judged, cross-fitted where possible."""
        return headline(self.operating_points, self.hybrids)

    @cached_property
    def measures(self) -> pd.DataFrame:
        """Area, total expected cost, operating range and AUC of each model."""
        return measures(
            self.operating_points,
            self.averages,
            self.headline,
            self.rankings,
            level=self.level,
            prior=self.weight_of_pc,
            priors={self.dataset: self.stated_prior},
            confidence=self.confidence,
        )

    @cached_property
    def sizes_and_prior(self) -> pd.DataFrame:
        """Measures, or of the first model what needs no measuring: sizes, and the prior."""
        known = vars(self).get("measures")
        own = self.predictions, self.stated_prior
        return sizes_and_prior(*own) if known is None else known

    @property
    def prior(self) -> float:
        """The proportion of positives in deployment, or that of the data."""
        return float(self.sizes_and_prior["prior"].iloc[0])

    @cached_property
    def conditions(self) -> list[dict[str, Any]]:
        """The marked operating conditions, with the PC(+) of each."""
        return conditions(self.prior, self.operating_conditions)

    @cached_property
    def marked(self) -> list[float]:
        """The PC(+) of the marked operating conditions."""
        return marked(self.conditions, self.prior)

    @cached_property
    def duality(self) -> pd.DataFrame:
        """The cheapest operating point at each condition, in both spaces."""
        return duality(self.operating_points, self.envelopes, self.measures, self.conditions)

    # Confidence

    @cached_property
    def resampling(self) -> Resamples:
        """The headline curves in resamples of the cases."""
        return resampling(
            self.predictions,
            self.headline,
            level=self.level,
            marked=self.marked,
            inference=self.of_ranges,
            seed=self.seed,
            dataset=self.original,
        )

    @cached_property
    def bands(self) -> pd.DataFrame:
        """Confidence bands of the headline curves."""
        return bands(
            self.operating_points, self.headline, self.resampling, inference=self.inference
        )

    @cached_property
    def intervals(self) -> pd.DataFrame:
        """Confidence intervals of the measures, and of costs at conditions."""
        return intervals(
            self.operating_points,
            self.headline,
            self.resampling,
            inference=self.inference,
            prior=self.weight_of_pc,
            conditions=self.conditions,
        )

    @cached_property
    def instance_costs(self) -> pd.DataFrame:
        """What each model costs per case, where cases have costs."""
        return instance_costs(
            self.predictions,
            self.operating_points,
            self.headline,
            self.sizes_and_prior,
            self.resampling,
            weighted=self.weighted,
            confidence=self.confidence,
        )

    @cached_property
    def segments(self) -> pd.DataFrame:
        """What each model costs for whom."""
        return segments(
            self.predictions,
            self.deployment,
            self.conditions,
            weighted=self.weighted,
            confidence=self.confidence,
        )

    # Decisions among several classes

    @cached_property
    def by_matrix(self) -> Judged | None:
        """What a matrix of costs makes of the predictions; None: there is none."""
        own, matrix, seed = self.predictions, self.cost_matrix, self.seed
        return judged(own, matrix, seed=seed, level=self.confidence) if matrix else None

    @cached_property
    def decisions(self) -> pd.DataFrame:
        """What each decision by the matrix costs."""
        return decisions(self.by_matrix, dataset=self.dataset)

    @cached_property
    def decision_differences(self) -> pd.DataFrame:
        """What every two decisions by the matrix differ in cost."""
        return decision_differences(self.by_matrix, dataset=self.dataset)

    @cached_property
    def confusions(self) -> pd.DataFrame:
        """How many cases of each class are decided for each."""
        return confusions(self.by_matrix, dataset=self.dataset)

    # Comparisons

    @cached_property
    def pairs(self) -> list[Pair]:
        """The difference of every two headline curves, resample by resample."""
        return pairs(
            self.predictions,
            self.operating_points,
            self.headline,
            self.resampling,
            inference=self.of_ranges,
            named=[one["pc"] for one in self.conditions if one["named"]],
            means=means_of(self.weight_of_pc),
        )

    @cached_property
    def pair_intervals(self) -> pd.DataFrame:
        """Differences of mean costs, and of costs at named conditions, with intervals."""
        return pair_intervals(
            self.dataset,
            self.pairs,
            self.conditions,
            confidence=self.confidence,
            named=self.of_ranges["confidence"],
        )

    @cached_property
    def comparisons(self) -> pd.DataFrame:
        """The differences with their bands."""
        return comparisons(self.dataset, self.pairs, confidence=self.confidence)

    @cached_property
    def verdicts(self) -> pd.DataFrame:
        """Which model of a pair is cheaper, and where the data settle it."""
        return verdicts(self.sizes_and_prior, self.pairs, inference=self.of_ranges)

    @cached_property
    def crossovers(self) -> pd.DataFrame:
        """Where the curves of a pair cross."""
        level = self.of_ranges["confidence"]
        return crossovers(self.headline, self.sizes_and_prior, self.pairs, confidence=level)

    @cached_property
    def in_the_running(self) -> pd.DataFrame:
        """Which decisions could still be cheapest at every PC(+)."""
        return in_the_running(
            self.headline,
            self.sizes_and_prior,
            self.resampling,
            self.pairs,
            self.verdicts,
            inference=self.of_ranges,
        )

    # Confidence of threshold rules

    @cached_property
    def resampled_criteria(self) -> ResampledCriteria:
        """The curve of every threshold rule in the same resamples."""
        return resampled_criteria(
            self.predictions,
            self.hybrids,
            self.headline,
            self.resampling,
            marked=self.marked,
            level=self.level,
            selection=self.selection,
        )

    # Of an annex alone

    @cached_property
    def roc(self) -> pd.DataFrame:
        """Averages in ROC space."""
        return roc(self.operating_points, level=self.level)

    @cached_property
    def constructions(self) -> pd.DataFrame:
        """The points that a rule with a limit mixes."""
        return constructions(self.operating_points, selection=self.selection)

    @cached_property
    def auc_differences(self) -> pd.DataFrame:
        """DeLong's test of every two AUCs."""
        return auc_differences(self.predictions, self.measures)

    @cached_property
    def calibrated(self) -> Calibrated:
        """Scores that are probabilities, with labels that were drawn for them."""
        return calibrated(
            self.predictions,
            seed=self.seed,
            dataset=self.dataset,
            confidence=self.confidence,
            weighted=self.weighted,
        )

    @cached_property
    def reliability(self) -> pd.DataFrame:
        """The share of positives that scores stand for, with bands."""
        return reliability(self.dataset, self.calibrated)

    @cached_property
    def calibration(self) -> pd.DataFrame:
        """Brier scores and their parts, with intervals and differences."""
        return calibration(self.dataset, self.calibrated)

    @cached_property
    def choices(self) -> Choices:
        """Which rules and models are compared with which."""
        return choices(self.predictions, self.resampled_criteria)

    @cached_property
    def left_out(self) -> Mapping[tuple[str, str], Rate]:
        """What lower envelopes leave out of the cost of cross-fitted choice."""
        return left_out(self.averages, self.resampled_criteria, confidence=self.confidence)

    @cached_property
    def choice_bands(self) -> pd.DataFrame:
        """Bands of the curves of rules, and of their differences."""
        return choice_bands(self.dataset, self.choices, confidence=self.confidence)

    @cached_property
    def choice_intervals(self) -> pd.DataFrame:
        """Intervals of their areas and costs."""
        return choice_intervals(
            self.dataset,
            self.choices,
            confidence=self.confidence,
            prior=self.weight_of_pc,
            conditions=self.conditions,
        )

    @cached_property
    def optimism(self) -> pd.DataFrame:
        """By how much in-sample averages are too low."""
        return optimism(self.averages, self.criteria, self.left_out)
