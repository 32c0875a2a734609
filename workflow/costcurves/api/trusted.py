"""Models whose scores are trusted: whose risk is at least the threshold probability is treated.

That is the selection criterion `score-driven` of scores as they would be if there were as many
positives as negatives (`ranking.net_benefit`). With its curves as headlines, and their
resamples, the report's own functions give bands, differences and verdicts.
"""

from dataclasses import replace
from functools import cached_property
from typing import Final

import numpy as np
import pandas as pd

from costcurves.api.study import Tables
from costcurves.chance.resampled_curves import evaluation_grid
from costcurves.chance.resampled_rules import rule_heights
from costcurves.chance.resamples import Resamples, are_paired, resampled_instances
from costcurves.choosing.headline import HEADLINE, headline_of
from costcurves.choosing.rules import ScoreDriven
from costcurves.curves.pieces import pieces_of
from costcurves.ranking.net_benefit import balanced
from costcurves.stages import marked_by
from costcurves.tables.keys import FIXED

CRITERION: Final = "score-driven"


def trusted(tables: Tables, prevalence: float) -> Tables:
    """Return the tables of the same models where scores are trusted; decisions stay what they are.

    Nothing is chosen, so all curves are fixed in advance. Instances are resampled, whatever the
    unit of the study is. Scores outside [0, 1] are a ValueError.
    """
    if prevalence not in tables.trusted:
        tables.trusted[prevalence] = _made(tables, prevalence)
    return tables.trusted[prevalence]


def _made(tables: Tables, prevalence: float) -> Tables:
    dataset = replace(tables.cases().dataset, prior=prevalence)
    rows = tables["predictions"]
    risks = rows["score"].dropna()
    if not risks.between(0, 1).all():
        low, high = risks.min(), risks.max()
        scores_are = f"found scores from {low:g} to {high:g}"
        raise ValueError(f"decision curves need probabilities, {scores_are}")
    scores = pd.Series(balanced(risks, prevalence), risks.index)
    selection = replace(tables.study.selection, criteria=(CRITERION,))
    study = replace(tables.study, detail="standard", selection=selection)
    made = {"predictions": rows.assign(score=scores)}
    trusting = _Trusting(tables.configuration, study, dataset, tables.rows, made)
    hybrids = trusting["hybrids"]
    curves = headline_of(tables["headline"])  # those of models that only decide stay
    curves |= headline_of(hybrids[hybrids["criterion"] == CRITERION])
    fixed = [({"model": model, "estimate": FIXED}, curve) for model, curve in curves.items()]
    trusting.made["headline"] = pieces_of(HEADLINE, fixed, dataset=dataset.name)
    return trusting


class _Trusting(Tables):
    @cached_property
    def resamples(self) -> Resamples:
        """The same curves in resamples of the instances."""
        rows, seed, of = self["predictions"], self.study.seed, self.dataset.original
        models = tuple(headline_of(self["headline"]))
        count = self.study.of_ranges.drawn(len(models))
        drawn = resampled_instances(rows, count, seed, of)
        at = evaluation_grid([], marked_by(self.study, self.sizes))
        scored = rows["model"][rows["score"].notna()].unique()
        each = np.stack(
            [
                rule_heights(ScoreDriven(), drawn, model, at)
                if model in scored
                else drawn.heights(model, FIXED, self.study.level, at)
                for model in models
            ]
        )
        paired = are_paired(rows, models)
        return Resamples(models, paired, at, each, drawn.weights, drawn.repeats, count, seed, of)
