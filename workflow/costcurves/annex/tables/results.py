"""The tables of one dataset that only an annex shows: what each is computed from."""

from collections.abc import Mapping
from functools import cached_property

import pandas as pd

from costcurves.annex.tables.calibration import Calibrated, calibrated, calibration, reliability
from costcurves.annex.tables.choices import (
    Choices,
    choice_bands,
    choice_intervals,
    choices,
    left_out,
    optimism,
)
from costcurves.annex.tables.constructions import constructions
from costcurves.annex.tables.rankings import auc_differences
from costcurves.annex.tables.roc import costs, roc
from costcurves.maths.chance.intervals import Rate
from costcurves.tables.contract import stacked
from costcurves.tables.curves.averages import averages
from costcurves.tables.results import Results


class AnnexResults(Results):
    """Those of the core, and with `averages` in ROC space those that the annex adds."""

    @cached_property
    def roc(self) -> pd.DataFrame:
        """Averages in ROC space."""
        return roc(self.operating_points, level=self.level)

    @cached_property
    def averages(self) -> pd.DataFrame:
        """Averages in cost space, and the costs of those in ROC space."""
        return stacked([averages(self.envelopes), costs(self.roc)])

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
