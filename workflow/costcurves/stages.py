"""The stages of an analysis: each method makes tables of others.

    cost_lines, rank, find              from predictions to operating points, envelopes, rankings
    choose, average_in_roc_space, ...   threshold rules and averages, of counts at every threshold
    average, judge, measure             headline curves, and their measures
    resample, confidence, ...           the same curves in resamples of the cases, and intervals
    compare, compare_rankings           differences of every two models, and verdicts
    basis                               what claims about a dataset are decided by

A table has one name: in the function that computes it, in its file and in the report. The workflow
reads and writes these tables as files (`command.stage`); the Python interface and `gate` keep them
in memory (`api.study`).
"""

from collections.abc import Sequence
from functools import cached_property

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
from costcurves.settings import Dataset, Selection, Study
from costcurves.tables.contract import stacked

Made = dict[str, pd.DataFrame]


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
        match name:
            case "operating_points" | "envelopes":
                return self.cost_lines()
            case "rankings":
                return self.rank()
            case "plausibility":
                return self.find()
            case "hybrids" | "criteria" | "deployment":
                return self.choose(self.study.selection)
            case "threshold_choice" | "constructions":
                return self.choose_from_rankings()
            case "roc":
                return self.average_in_roc_space()
            case "averages":
                return self.average()
            case "headline":
                return self.judge()
            case "measures" | "duality":
                return self.measure()
            case "bands" | "intervals":
                return self.confidence()
            case "instance_costs":
                return self.cost_cases()
            case "reliability" | "calibration":
                return self.calibrate()
            case "auc_differences":
                return self.compare_rankings()
            case "choice_intervals" | "optimism":
                return self.compare_rules()
        return self.compare()

    # Cost lines

    @cached_property
    def counts(self) -> Sequence[Counted]:
        """Both mistakes, counted at every threshold: per fold, per repeat and pooled."""
        return counted(self["predictions"], self.study.seed, threads=self.threads)

    def cost_lines(self) -> Made:
        """Turn counts into rates, whose points are cost lines, and take the lower envelopes."""
        points = operating_points(self.counts)
        return {"operating_points": points, "envelopes": envelopes.envelopes(points)}

    def rank(self) -> Made:
        """Measure how each model ranks the cases."""
        rows = self["predictions"]
        return {"rankings": measures.rankings(rows, self.counts, threads=self.threads)}

    def find(self) -> Made:
        """Find possible problems in the predictions."""
        rows, by_cost = self["predictions"], self.dataset.weighted
        return {"plausibility": findings.plausibility(rows, self.counts, by_cost=by_cost)}

    def choose(self, selection: Selection) -> Made:
        """Apply each threshold rule, chosen on other folds than are judged, and take its curve."""
        curves = hybrids.hybrids(self.counts, level=self.study.level, selection=selection)
        weight = weight_of_pc(self.study.prior)
        return {
            "hybrids": curves,
            "criteria": hybrids.criteria(self.counts, curves, selection=selection, weight=weight),
            "deployment": to_use.deployment(self.counts),
        }

    def choose_from_rankings(self) -> Made:
        """Take the loss curves of threshold choice methods, and what rules with a limit mix."""
        points, counts, selection = self["operating_points"], self.counts, self.study.selection
        return {
            "threshold_choice": threshold_choice.threshold_choice(counts, selection=selection),
            "constructions": to_use.constructions(points, counts, selection=selection),
        }

    def average_in_roc_space(self) -> Made:
        """Average the ROC curves of each model."""
        return {"roc": roc_averages.roc(self.counts, level=self.study.level)}

    # The curve by which each model is judged

    def average(self) -> Made:
        """Average the envelopes in cost space, and add what averages in ROC space cost."""
        in_cost_space = averages.averages(self["envelopes"])
        return {"averages": stacked([in_cost_space, roc_averages.costs(self["roc"])])}

    def judge(self) -> Made:
        """Take the curve by which each model is judged: cross-fitted, where that can be."""
        return {"headline": headline.headline(self["operating_points"], self["hybrids"])}

    def measure(self) -> Made:
        """Measure each headline curve, and find its cheapest points in cost space and ROC space."""
        points = self["operating_points"]
        measured = measures.measures(
            points,
            self["averages"],
            self["headline"],
            self["rankings"],
            level=self.study.level,
            weight=weight_of_pc(self.study.prior),
            prior=self.dataset.prior,
            confidence=self.study.inference.confidence,
        )
        at = self.conditions(measured)
        return {
            "measures": measured,
            "duality": envelopes.duality(points, self["envelopes"], measured, at),
        }

    @cached_property
    def sizes(self) -> pd.DataFrame:
        """How many cases there are, and which share is positive, as `measures` has them."""
        return measures.sizes_and_prior(self["predictions"], self.dataset.prior)

    @property
    def prior(self) -> float:
        """The proportion of positives in deployment, or that of the data."""
        return float(self.sizes["prior"].iloc[0])

    def conditions(self, sizes: pd.DataFrame) -> list[Condition]:
        """Return the operating conditions of the study, with the PC(+) of each on this dataset."""
        prior, share = map(float, sizes[["prior", "share"]].iloc[0])
        return conditions(prior, self.study.operating_conditions, prior == share)

    @property
    def marked(self) -> list[float]:
        """The PC(+) at which costs are wanted."""
        return marked(self.conditions(self.sizes), self.prior)

    # Confidence

    @cached_property
    def resamples(self) -> Resamples:
        """The headline curves in resamples of the cases."""
        return self.resample()

    def resample(self) -> Resamples:
        """Resample the cases, the same draws for every model, and choose every threshold again."""
        return resampling(
            self["predictions"],
            self["headline"],
            level=self.study.level,
            marked=self.marked,
            inference=self.study.of_ranges,
            seed=self.study.seed,
            dataset=self.dataset.original,
            threads=self.threads,
        )

    def confidence(self) -> Made:
        """Draw bands around the headline curves, and give their measures intervals."""
        judged, resamples, inference = self["headline"], self.resamples, self.study.inference
        of_models = bands.bands_of(self["operating_points"], judged, resamples, inference)
        return {
            "bands": bands.bands(judged, of_models, inference.confidence),
            "intervals": bands.intervals(
                judged,
                of_models,
                resamples,
                confidence=inference.confidence,
                weight=weight_of_pc(self.study.prior),
                conditions=self.conditions(self.sizes),
            ),
        }

    def cost_cases(self) -> Made:
        """Compute what each model costs per case, in the unit of the cases' costs."""
        costs = instance_costs.instance_costs(
            self["predictions"],
            self["operating_points"],
            self["headline"],
            self.sizes,
            self.resamples,
            weighted=self.dataset.weighted,
            confidence=self.study.inference.confidence,
        )
        return {"instance_costs": costs}

    def resample_rules(self) -> ResampledCriteria:
        """Take the curve of every threshold rule in the same resamples."""
        return resampled_criteria(
            self["predictions"],
            self["hybrids"],
            self["headline"],
            self.resamples,
            marked=self.marked,
            level=self.study.level,
            selection=self.study.selection,
        )

    def compare_rules(self) -> Made:
        """Give the cost of every threshold rule intervals, and compare rules."""
        name, level = self.dataset.name, self.study.inference.confidence
        chosen = choices.choices(self["predictions"], self.resample_rules())
        left_out = choices.left_out(chosen, level)
        return {
            "choice_intervals": choices.choice_intervals(
                name,
                chosen,
                confidence=level,
                weight=weight_of_pc(self.study.prior),
                conditions=self.conditions(self.sizes),
            ),
            "optimism": choices.optimism(self["averages"], self["criteria"], left_out),
        }

    def calibrate(self) -> Made:
        """Compare scores that are probabilities with the shares of positives they stand for."""
        name = self.dataset.name
        scores = calibration.calibrated(
            self["predictions"],
            seed=self.study.seed,
            dataset=name,
            confidence=self.study.inference.confidence,
            weighted=self.dataset.weighted,
        )
        return {
            "reliability": calibration.reliability(name, scores),
            "calibration": calibration.calibration(name, scores),
        }

    # Comparisons

    def subtract(self) -> list[Pair]:
        """Subtract every two headline curves, resample by resample."""
        at, points = self.conditions(self.sizes), self["operating_points"]
        decided = points["threshold"].isna().any()  # decisions are compared case by case
        return comparisons.pairs(
            self["predictions"] if decided else PREDICTIONS.empty(),
            points,
            self["headline"],
            self.resamples,
            confidence=self.study.of_ranges.confidence,
            reference=self.study.reference,
            named=[condition.pc for condition in at if condition.named],
            means=means_of(weight_of_pc(self.study.prior)),
        )

    def compare(self) -> Made:
        """Find where the data settle which of two models is cheaper, and what could be cheapest."""
        judged, sizes, name = self["headline"], self.sizes, self.dataset.name
        level, inference = self.study.inference.confidence, self.study.of_ranges
        over_all, pairs = inference.confidence, self.subtract()
        settled = verdicts.verdicts(sizes, pairs, inference=inference)
        return {
            "comparisons": comparisons.comparisons(name, pairs, confidence=level),
            "verdicts": settled,
            "pair_intervals": pair_intervals.pair_intervals(
                name, pairs, self.conditions(sizes), confidence=level, named=over_all
            ),
            "crossovers": verdicts.crossovers(judged, sizes, pairs, confidence=over_all),
            "not_ruled_out": not_ruled_out.not_ruled_out(
                judged, sizes, self.resamples, pairs, settled, over_all
            ),
        }

    def compare_rankings(self) -> Made:
        """Test every two AUCs as DeLong does."""
        tested = delong.auc_differences(self["predictions"], self["measures"])
        return {"auc_differences": tested}

    # Claims

    @property
    def basis(self) -> evidence.Basis:
        """What claims about the dataset are decided by."""
        return evidence.Basis(
            original=self.dataset.original,
            prior=self.prior,
            level=self.study.level,
            marked=self.marked,
            selection=self.study.selection,
            predictions=self["predictions"],
            operating_points=self["operating_points"],
            hybrids=self["hybrids"],
            criteria=self["criteria"],
            headline=self["headline"],
            resampling=self.resamples,
        )
