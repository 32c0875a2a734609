"""The predictions of a dataset, and how often each resample has each of its instances.

The resamples depend on the study's seed, the dataset's name and its instances only. So a stage may
make them again instead of keeping them, and they are the very same.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from costcurves.maths.resampled_counts import Predicted
from costcurves.maths.resampling import Weights, generator, weights
from costcurves.tables.curves.dealing import dealt
from costcurves.tables.curves.operating_points import pooled_away
from costcurves.tables.keys import curve_codes

KEYS = {"fold": ["repeat", "fold"], "repeat": ["repeat"], "pooled": ["dataset"]}


@dataclass(frozen=True, eq=False)
class ResampledInstances:
    """Predictions of one dataset, and resamples of its instances."""

    # A value is a score or a decision, `crisp` says which. Folds without a class are pooled, as in
    # the operating points.
    rows: pd.DataFrame
    dealt: pd.DataFrame  # the same rows where there are folds; see `dealing`
    instances: pd.Index  # in the order of the weights
    weights: Weights

    def of(self, model: str) -> pd.DataFrame:
        """Give the rows of a model."""
        return self.rows[self.rows["model"] == model]

    def others(self, model: str) -> pd.DataFrame:
        """Give the rows of a model for a choice that is judged on other folds than made it."""
        return self.dealt[self.dealt["model"] == model]

    def predicted(self, rows: pd.DataFrame, level: str) -> tuple[Predicted, pd.DataFrame]:
        """Turn rows of a model into arrays, members in order of appearance, and name its curves."""
        curve, curves = curve_codes(rows, KEYS[level])
        members, _ = curve_codes(rows, ["member", "crisp"])
        predicted = Predicted(
            self.instances.get_indexer(pd.Index(rows["instance"])),
            rows["label"].to_numpy(),
            rows["value"].to_numpy(),
            curve.to_numpy(),
            members.to_numpy() if members.any() else None,
        )
        return predicted, curves


def resampled_instances(predictions: pd.DataFrame, resamples: int, seed: int) -> ResampledInstances:
    """Draw the instances of one dataset."""
    instances = predictions.drop_duplicates("instance").sort_values("instance", kind="stable")
    rng = generator(seed, str(predictions["dataset"].iloc[0]), "weights")
    labels, costs = instances["label"].to_numpy(), instances["weight"].to_numpy()
    drawn = weights(labels, resamples, rng, costs=costs)
    folded = predictions.assign(**pooled_away(predictions, "fold"))
    others, rows = dealt(folded, seed), _below_each_other(folded)
    apart = rows if others is folded else _below_each_other(others)
    return ResampledInstances(rows, apart, pd.Index(instances["instance"]), drawn)


def _below_each_other(rows: pd.DataFrame) -> pd.DataFrame:
    """Lay scores and decisions below each other, as one column of values."""
    scores = rows[rows["score"].notna()].assign(crisp=False, value=lambda own: own["score"])
    decided = rows[rows["decision"] >= 0].assign(crisp=True, value=lambda own: own["decision"])
    return pd.concat([scores, decided], ignore_index=True).astype({"value": float})


def are_paired(predictions: pd.DataFrame, models: Sequence[str]) -> bool:
    """Say whether models were predicted on the same instances and folds."""
    keys = ["repeat", "fold", "instance"]
    rows = predictions[predictions["model"].isin(models)].drop_duplicates(["model", *keys])
    return bool(rows.groupby(keys, sort=False)["model"].size().eq(len(models)).all())


def paired_models(predictions: pd.DataFrame, models: list[str]) -> list[str]:
    """List the models that were predicted on the same instances and folds, if all of them were."""
    return models if are_paired(predictions, models) else []
