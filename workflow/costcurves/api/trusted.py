"""Models whose scores are trusted: whose risk is at least the threshold probability is treated.

That is the selection criterion `score-driven` of scores as they would be if there were as many
positives as negatives (`maths.costs.net_benefit`). With its curves as headlines, and their
resamples, the report's own functions give bands, differences and verdicts.
"""

from dataclasses import replace
from functools import cached_property
from typing import Final

import numpy as np
import pandas as pd

from costcurves.api.study import Tables
from costcurves.maths.chance.resampled_curves import evaluation_grid
from costcurves.maths.costs.net_benefit import balanced
from costcurves.maths.geometry.curves import Curve
from costcurves.tables.configuration.settings import Inference
from costcurves.tables.curves.headline import HEADLINE, headline_of
from costcurves.tables.curves.pieces import pieces_of
from costcurves.tables.inference.resampling import Resamples, are_paired, resampled_instances
from costcurves.tables.keys import FIXED
from costcurves.tables.results import Results
from costcurves.tables.selection.criterion import Drawn, Floats
from costcurves.tables.selection.unlimited import ScoreDriven

CRITERION: Final = "score-driven"


def trusted(tables: Tables, prevalence: float) -> Tables:
    """Give the tables of the same models where scores are trusted; decisions stay what they are.

    Nothing is chosen, so all curves are fixed in advance. Instances are resampled, whatever the
    unit of the study is. Scores outside [0, 1] are a ValueError.
    """
    if prevalence not in tables.trusted:
        tables.trusted[prevalence] = _made(tables, prevalence)
    return tables.trusted[prevalence]


def _made(tables: Tables, prevalence: float) -> Tables:
    dataset = replace(tables.cases().dataset, prior=prevalence)
    rows = tables.results.predictions
    risks = rows["score"].dropna()
    if not risks.between(0, 1).all():
        low, high = risks.min(), risks.max()
        found = f"found scores from {low:g} to {high:g}"
        raise ValueError(f"decision curves need probabilities, {found}")
    scores = pd.Series(balanced(risks, prevalence), risks.index)
    selection = replace(tables.study.selection, criteria=(CRITERION,))
    study = replace(tables.study, detail="full", selection=selection)
    results = _Trusted(study, dataset, predictions=rows.assign(score=scores))
    results.chosen = headline_of(tables.results.headline)
    return replace(tables, study=study, results=results, trusted={}, answers={})


class _Trusted(Results):
    chosen: dict[str, Curve]  # the headlines of the study, for models that only decide

    @cached_property
    def scored(self) -> dict[str, Curve]:
        """The curve of each model that has scores."""
        return headline_of(self.hybrids[self.hybrids["criterion"] == CRITERION])

    @cached_property
    def headline(self) -> pd.DataFrame:
        """Curves at the threshold probability, fixed in advance."""
        curves = self.chosen | self.scored
        found = [({"model": model, "estimate": FIXED}, curve) for model, curve in curves.items()]
        return pieces_of(HEADLINE, found, dataset=self.dataset)

    @cached_property
    def resampling(self) -> Resamples:
        """The same curves in resamples of the instances."""
        models, seed, of = tuple(self.chosen), self.seed, self.original
        count = Inference(**self.of_ranges).drawn(len(models))
        drawn = resampled_instances(self.predictions, count, seed, of)
        at = evaluation_grid([], self.marked)

        def heights(model: str) -> Floats:
            if model in self.scored:
                return ScoreDriven().resampled(Drawn(drawn, model, at))
            return drawn.lines(drawn.of(model), at)

        each, repeats = np.stack([heights(model) for model in models]), drawn.repeats
        paired = are_paired(self.predictions, models)
        return Resamples(models, paired, at, each, drawn.weights, repeats, count, seed, of)
