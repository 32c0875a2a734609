"""Models whose scores are trusted: whose risk is at least the threshold probability is treated.

That is the selection criterion `score-driven` of scores as they would be if there were as many
positives as negatives (`maths.net_benefit`). With its curves as headlines, and their resamples, the
report's own functions give bands, differences and verdicts.
"""

from dataclasses import replace
from typing import Final

import numpy as np
import pandas as pd

from costcurves.api.study import Tables
from costcurves.maths.net_benefit import balanced
from costcurves.maths.resampled_curves import evaluation_grid
from costcurves.tables.configuration.settings import Inference
from costcurves.tables.curves.headline import HEADLINE, headline_of
from costcurves.tables.curves.pieces import pieces_of
from costcurves.tables.inference.resampling import Resamples, resampled_instances
from costcurves.tables.keys import FIXED
from costcurves.tables.making import in_memory
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
    rows = tables.known["predictions"]
    risks = rows["score"].dropna()
    if not risks.between(0, 1).all():
        low, high = risks.min(), risks.max()
        raise ValueError(
            f"decision curves need probabilities, found scores from {low:g} to {high:g}"
        )
    scores = pd.Series(balanced(risks, prevalence), risks.index)
    selection = replace(tables.study.selection, criteria=(CRITERION,))
    study = replace(tables.study, detail="full", selection=selection)
    known = in_memory(study, replace(tables.rows.dataset, prior=prevalence))
    known["predictions"] = rows.assign(score=scores)
    hybrids = known["hybrids"]
    scored = headline_of(hybrids[hybrids["criterion"] == CRITERION])
    curves = headline_of(tables["headline"]) | scored
    found = [({"model": model, "estimate": FIXED}, curve) for model, curve in curves.items()]
    dataset = known["dataset"]
    known["headline"] = pieces_of(HEADLINE, found, dataset=dataset)

    def resampled() -> Resamples:
        count = Inference(**known["inference"]).drawn(len(curves))
        drawn = resampled_instances(known["predictions"], count, study.seed)
        at = evaluation_grid([], known["marked"])

        def heights(model: str) -> Floats:
            own = drawn.of(model)
            if model in scored:
                return ScoreDriven().resampled(Drawn(drawn, own, at))
            return drawn.lines(own, at)

        each, repeats = np.stack([heights(model) for model in curves]), drawn.repeats
        return Resamples(
            tuple(curves), at, each, drawn.weights, 0, repeats, count, study.seed, dataset
        )

    known.otherwise["resampling"] = resampled
    return replace(tables, study=study, known=known, trusted={})
