"""The stages of an analysis, in order: each takes tables by name, and returns others by name.

    count, cost_lines, rank, find       from predictions to operating points, envelopes, rankings
    choose, average_in_roc_space, ...   threshold rules and averages, of counts at every threshold
    average, judge, measure             headline curves, and their measures
    resample, confidence, ...           the same curves in resamples of the cases, and intervals
    compare, compare_rankings           differences of every two models, and verdicts
    basis                               what claims about a dataset are decided by

A table has one name: in the function that computes it, in its file and in the report. The workflow
reads and writes these tables as files (`command.stage`); the Python interface and `gate` call the
same functions in memory (`api.study`).
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

import pandas as pd

from costcurves.chance import bands
from costcurves.chance.resampled_rules import ResampledCriteria, resampled_criteria
from costcurves.chance.resamples import Resamples, resampling
from costcurves.choosing import headline, hybrids, to_use
from costcurves.choosing.choosable import operating_points
from costcurves.costs import instance_costs
from costcurves.counts.counted import Counted, counted
from costcurves.curves import averages, envelopes
from costcurves.curves.conditions import Condition, conditions, marked
from costcurves.curves.priors import means_of, weight_of_pc
from costcurves.many import evidence
from costcurves.pairs import choices, comparisons, not_ruled_out, pair_intervals, verdicts
from costcurves.pairs.comparisons import Pair
from costcurves.predictions import findings
from costcurves.predictions.predicted import PREDICTIONS
from costcurves.ranking import calibration, delong, measures, roc_averages, threshold_choice
from costcurves.settings import Dataset, Study
from costcurves.tables.contract import stacked

Made = dict[str, pd.DataFrame]


class Tables(Protocol):
    """Tables by name: in a dictionary, in files that are read, or computed when asked for."""

    def __getitem__(self, name: str, /) -> pd.DataFrame:
        """Return a table."""


# Cost lines


def count(study: Study, tables: Tables, threads: int = 1) -> Sequence[Counted]:
    """Count both mistakes at every threshold: per fold, per repeat and pooled."""
    return counted(tables["predictions"], study.seed, threads=threads)


def cost_lines(counts: Sequence[Counted]) -> Made:
    """Turn counts into rates, whose points are cost lines, and take the lower envelope of each."""
    points = operating_points(counts)
    return {"operating_points": points, "envelopes": envelopes.envelopes(points)}


def rank(tables: Tables, counts: Sequence[Counted], threads: int = 1) -> Made:
    """Measure how each model ranks the cases."""
    return {"rankings": measures.rankings(tables["predictions"], counts, threads=threads)}


def find(dataset: Dataset, tables: Tables, counts: Sequence[Counted]) -> Made:
    """Find possible problems in the predictions."""
    rows, by_cost = tables["predictions"], dataset.weighted
    return {"plausibility": findings.plausibility(rows, counts, by_cost=by_cost)}


def choose(study: Study, counts: Sequence[Counted]) -> Made:
    """Apply each threshold rule, chosen on other folds than are judged, and take its curve."""
    selection = study.selection
    curves = hybrids.hybrids(counts, level=study.level, selection=selection)
    costs = hybrids.criteria(counts, curves, selection=selection, weight=weight_of_pc(study.prior))
    return {"hybrids": curves, "criteria": costs, "deployment": to_use.deployment(counts)}


def choose_from_rankings(study: Study, tables: Tables, counts: Sequence[Counted]) -> Made:
    """Take the loss curves of the threshold choice methods, and what rules with a limit mix."""
    points, selection = tables["operating_points"], study.selection
    return {
        "threshold_choice": threshold_choice.threshold_choice(counts, selection=selection),
        "constructions": to_use.constructions(points, counts, selection=selection),
    }


def average_in_roc_space(study: Study, counts: Sequence[Counted]) -> Made:
    """Average the ROC curves of each model."""
    return {"roc": roc_averages.roc(counts, level=study.level)}


# The curve by which each model is judged


def average(tables: Tables) -> Made:
    """Average the envelopes in cost space, and add what averages in ROC space cost."""
    in_cost_space = averages.averages(tables["envelopes"])
    return {"averages": stacked([in_cost_space, roc_averages.costs(tables["roc"])])}


def judge(tables: Tables) -> Made:
    """Take the curve by which each model is judged: cross-fitted, where that can be."""
    return {"headline": headline.headline(tables["operating_points"], tables["hybrids"])}


def measure(study: Study, dataset: Dataset, tables: Tables) -> Made:
    """Measure each headline curve, and find its cheapest points in cost space and ROC space."""
    points = tables["operating_points"]
    measured = measures.measures(
        points,
        tables["averages"],
        tables["headline"],
        tables["rankings"],
        level=study.level,
        weight=weight_of_pc(study.prior),
        prior=dataset.prior,
        confidence=study.inference.confidence,
    )
    at = conditions_of(study, measured)
    return {
        "measures": measured,
        "duality": envelopes.duality(points, tables["envelopes"], measured, at),
    }


def sizes_of(dataset: Dataset, tables: Tables) -> pd.DataFrame:
    """Return how many cases there are, and which share is positive, as `measures` has them."""
    return measures.sizes_and_prior(tables["predictions"], dataset.prior)


def conditions_of(study: Study, sizes: pd.DataFrame) -> list[Condition]:
    """Return the operating conditions of a study, with the PC(+) of each on this dataset."""
    prior = prior_of(sizes)
    sampled = prior == sizes["share"].iloc[0]
    return conditions(prior, study.operating_conditions, sampled)


def marked_by(study: Study, sizes: pd.DataFrame) -> list[float]:
    """Return the PC(+) at which costs are wanted."""
    return marked(conditions_of(study, sizes), prior_of(sizes))


def prior_of(sizes: pd.DataFrame) -> float:
    """Return the proportion of positives in deployment, or that of the data."""
    return float(sizes["prior"].iloc[0])


# Confidence


def resample(
    study: Study, dataset: Dataset, tables: Tables, sizes: pd.DataFrame, threads: int = 1
) -> Resamples:
    """Resample the cases, the same draws for every model, and choose every threshold again."""
    return resampling(
        tables["predictions"],
        tables["headline"],
        level=study.level,
        marked=marked_by(study, sizes),
        inference=study.of_ranges,
        seed=study.seed,
        dataset=dataset.original,
        threads=threads,
    )


def confidence(study: Study, tables: Tables, sizes: pd.DataFrame, resamples: Resamples) -> Made:
    """Draw bands around the headline curves, and give their measures intervals."""
    points, judged = tables["operating_points"], tables["headline"]
    of_models = bands.bands_of(points, judged, resamples, study.inference)
    level = study.inference.confidence
    return {
        "bands": bands.bands(judged, of_models, level),
        "intervals": bands.intervals(
            judged,
            of_models,
            resamples,
            confidence=level,
            weight=weight_of_pc(study.prior),
            conditions=conditions_of(study, sizes),
        ),
    }


def cost_cases(
    study: Study, dataset: Dataset, tables: Tables, sizes: pd.DataFrame, resamples: Resamples
) -> Made:
    """Compute what each model costs per case, in the unit of the cases' costs."""
    costs = instance_costs.instance_costs(
        tables["predictions"],
        tables["operating_points"],
        tables["headline"],
        sizes,
        resamples,
        weighted=dataset.weighted,
        confidence=study.inference.confidence,
    )
    return {"instance_costs": costs}


def resample_rules(
    study: Study, tables: Tables, sizes: pd.DataFrame, resamples: Resamples
) -> ResampledCriteria:
    """Take the curve of every threshold rule in the same resamples."""
    return resampled_criteria(
        tables["predictions"],
        tables["hybrids"],
        tables["headline"],
        resamples,
        marked=marked_by(study, sizes),
        level=study.level,
        selection=study.selection,
    )


def compare_rules(
    study: Study, dataset: Dataset, tables: Tables, sizes: pd.DataFrame, resamples: Resamples
) -> Made:
    """Give the cost of every threshold rule intervals, and compare rules."""
    intervals = choices.choice_intervals(
        dataset.name,
        resample_rules(study, tables, sizes, resamples),
        confidence=study.inference.confidence,
        weight=weight_of_pc(study.prior),
        conditions=conditions_of(study, sizes),
    )
    optimism = choices.optimism(tables["averages"], tables["criteria"], intervals, study.level)
    return {"choice_intervals": intervals, "optimism": optimism}


def calibrate(study: Study, dataset: Dataset, tables: Tables) -> Made:
    """Compare scores that are probabilities with the shares of positives they stand for."""
    scores = calibration.calibrated(
        tables["predictions"],
        seed=study.seed,
        dataset=dataset.name,
        confidence=study.inference.confidence,
        weighted=dataset.weighted,
    )
    return {
        "reliability": calibration.reliability(dataset.name, scores),
        "calibration": calibration.calibration(dataset.name, scores),
    }


# Comparisons


def subtract(study: Study, tables: Tables, sizes: pd.DataFrame, resamples: Resamples) -> list[Pair]:
    """Subtract every two headline curves, resample by resample."""
    at, points = conditions_of(study, sizes), tables["operating_points"]
    decided = points["threshold"].isna().any()  # decisions are compared case by case
    return comparisons.pairs(
        tables["predictions"] if decided else PREDICTIONS.empty(),
        points,
        tables["headline"],
        resamples,
        confidence=study.of_ranges.confidence,
        reference=study.reference,
        named=[condition.pc for condition in at if condition.named],
        means=means_of(weight_of_pc(study.prior)),
    )


def compare(
    study: Study, dataset: Dataset, tables: Tables, sizes: pd.DataFrame, resamples: Resamples
) -> Made:
    """Find where the data settle which of two models is cheaper, and what could be cheapest."""
    judged, inference = tables["headline"], study.of_ranges
    level, over_all = study.inference.confidence, inference.confidence
    at, pairs = conditions_of(study, sizes), subtract(study, tables, sizes, resamples)
    settled = verdicts.verdicts(sizes, pairs, inference=inference)
    return {
        "comparisons": comparisons.comparisons(dataset.name, pairs, confidence=level),
        "verdicts": settled,
        "pair_intervals": pair_intervals.pair_intervals(
            dataset.name, pairs, at, confidence=level, named=over_all
        ),
        "crossovers": verdicts.crossovers(judged, sizes, pairs, confidence=over_all),
        "not_ruled_out": not_ruled_out.not_ruled_out(
            judged, sizes, resamples, pairs, settled, over_all
        ),
    }


def compare_rankings(tables: Tables) -> Made:
    """Test every two AUCs as DeLong does."""
    tested = delong.auc_differences(tables["predictions"], tables["measures"])
    return {"auc_differences": tested}


# Claims


def basis(
    study: Study, dataset: Dataset, tables: Tables, sizes: pd.DataFrame, resamples: Resamples
) -> evidence.Basis:
    """Collect what claims about a dataset are decided by."""
    return evidence.Basis(
        original=dataset.original,
        prior=prior_of(sizes),
        rules=lambda: resample_rules(study, tables, sizes, resamples),
        predictions=tables["predictions"],
        operating_points=tables["operating_points"],
        hybrids=tables["hybrids"],
        criteria=tables["criteria"],
        headline=tables["headline"],
        resampling=resamples,
    )


class Computed:
    """The tables of a dataset by name, each made when it is asked for, and once."""

    threads = 1

    def __init__(self, study: Study, dataset: Dataset, made: Made) -> None:
        self.study, self.dataset, self.made = study, dataset, made

    def __getitem__(self, name: str, /) -> pd.DataFrame:
        """Return a table."""
        if name not in self.made:
            self.made = self.make(name) | self.made
        return self.made[name]

    def make(self, name: str) -> Made:
        """Run the stage that makes a table."""
        study, dataset = self.study, self.dataset
        match name:
            case "operating_points" | "envelopes":
                return cost_lines(self.counts)
            case "rankings":
                return rank(self, self.counts, self.threads)
            case "plausibility":
                return find(dataset, self, self.counts)
            case "hybrids" | "criteria" | "deployment":
                return choose(study, self.counts)
            case "threshold_choice" | "constructions":
                return choose_from_rankings(study, self, self.counts)
            case "roc":
                return average_in_roc_space(study, self.counts)
            case "averages":
                return average(self)
            case "headline":
                return judge(self)
            case "measures" | "duality":
                return measure(study, dataset, self)
            case "bands" | "intervals":
                return confidence(study, self, self.sizes, self.resamples)
            case "instance_costs":
                return cost_cases(study, dataset, self, self.sizes, self.resamples)
            case "reliability" | "calibration":
                return calibrate(study, dataset, self)
            case "auc_differences":
                return compare_rankings(self)
            case "choice_intervals" | "optimism":
                return compare_rules(study, dataset, self, self.sizes, self.resamples)
        return compare(study, dataset, self, self.sizes, self.resamples)

    @cached_property
    def counts(self) -> Sequence[Counted]:
        """Counts at every threshold."""
        return count(self.study, self, self.threads)

    @cached_property
    def sizes(self) -> pd.DataFrame:
        """How many cases there are, and which share of them is positive."""
        return sizes_of(self.dataset, self)

    @cached_property
    def resamples(self) -> Resamples:
        """The headline curves in resamples of the cases."""
        return resample(self.study, self.dataset, self, self.sizes, self.threads)

    @property
    def basis(self) -> evidence.Basis:
        """What claims about the dataset are decided by."""
        return basis(self.study, self.dataset, self, self.sizes, self.resamples)
