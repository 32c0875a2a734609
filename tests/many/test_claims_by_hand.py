"""Values, bands and p-values of claims, from the resamples of the study and nothing else."""

from math import hypot, log
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import t

from costcurves.chance.resamples import resampled_instances
from costcurves.curves.priors import LogRatio
from costcurves.many.audit import over
from costcurves.many.claims import claims
from tests.claimed_data import claim, decide, known

Keys = dict[str, Any]
OVER_ALL: Keys = {"average": True}
OVER_RANGE: Keys = {"average": True, "pc": [0.1, 0.5]}
RATIOS: Keys = {"average": True, "at": ["0.5:1", "6:1"], "prior": 0.2}
LOW, HIGH = 0.5 * 0.2 / (0.5 * 0.2 + 0.8), 6 * 0.2 / (6 * 0.2 + 0.8)  # 1/9 and 3/5
OF_RATIOS = log((1 - LOW) / (1 - HIGH)) / log(12)  # the mean of PC(+) over these ratios


def rates(model: str, threshold: float | None = None) -> NDArray[np.float64]:
    """Compute FP and FN rates, (2, 1 + resamples): of the data, then of each resample.

    Of decisions those of each fold as drawn; of a threshold sums over cases, with as many in each
    fold as there were, and of each class as many as were drawn.
    """
    data, _ = known()
    draws, every = data.resampling, data.predictions
    drawn = resampled_instances(every, draws.resamples, draws.seed, "d")
    rows = every[every["model"] == model].astype({"instance": "str"})
    names = sorted(set(rows["instance"]))
    times = np.vstack([np.ones(len(names)), drawn.weights.drawn])
    times = times[:, np.searchsorted(names, rows["instance"].tolist())]
    decision = rows["decision"] if threshold is None else rows["score"] >= threshold
    wrong, table = (decision != rows["label"]).to_numpy(), np.zeros((2, len(times)))
    for label in (0, 1):
        of_class = (rows["label"] == label).to_numpy()
        share = times[:, of_class].mean(axis=1)
        for fold in rows["fold"].unique():
            here = of_class & (rows["fold"] == fold).to_numpy()
            size = times[:, here].sum(axis=1) if threshold is None else share * here.sum()
            table[label] += times[:, here] @ wrong[here] / size / rows["fold"].nunique()
    return table


@pytest.mark.parametrize(
    ("keys", "at"),
    [(OVER_RANGE, 0.3), (RATIOS, OF_RATIOS), (OVER_ALL, OF_RATIOS)],
)
@pytest.mark.parametrize(
    ("kind", "limit"), [("cheaper", 0), ("not worse", 0.02), ("equivalent", 0.03)]
)
def test_a_mean_difference_of_decisions_is_tested_as_by_hand(
    keys: Keys, at: float, kind: str, limit: float
) -> None:
    """A mean of lines is the line's height at the mean PC(+)."""
    data, _ = known()
    dof, each = data.resampling.weights.dof, rates("Rule") - rates("Coin")
    value, *again = each[0] * (1 - at) + each[1] * at
    spread = np.std(again, ddof=1)
    delta: Keys = {"margin": limit} if limit else {}
    wanted = claim(kind, "Rule", "Coin", **delta, **keys)
    (row,) = claims({"d": data}, [wanted], LogRatio(0.5, 6, 0.2)).to_dict("records")
    assert row["value"] == pytest.approx(value)
    height = ((abs(value) if kind == "equivalent" else value) - limit) / spread
    tails = 2 if kind == "equivalent" and height > 0 else 1
    assert row["p_value"] == pytest.approx(min(tails * 2 * t.sf(abs(height), dof), 1))
    half = t.ppf(1 - 0.1 / tails / 2, dof) * spread
    assert (row["low"], row["high"]) == pytest.approx((value - half, value + half))
    assert value < -0.02  # so that signs can be told apart
    assert np.isnan([row["at_pc"], row["kept_share"]]).all()


@pytest.mark.parametrize(("delta", "verdict"), [(0.01, "UNDECIDED"), (0.1, "SUPPORTED")])
def test_agreeing_on_every_case_is_no_proof_of_equal_means(delta: float, verdict: str) -> None:
    data, tables = known()
    weights = data.resampling.weights
    wanted = claim("equivalent", "Rule", "Copy", margin=delta, **RATIOS)
    (row,) = decide({"d": data}, [tables], wanted).to_dict("records")
    spread = hypot((1 - OF_RATIOS) / weights.negatives, OF_RATIOS / weights.positives)
    assert (row["value"], row["verdict"]) == (0, verdict)
    assert row["p_value"] == pytest.approx(2 * t.sf(delta / spread, weights.dof))
    assert row["high"] == pytest.approx(t.ppf(0.95, weights.dof) * spread)


@pytest.mark.parametrize(
    ("keys", "mean", "stage", "words"),
    [
        (RATIOS, "cost ratio", "headline", "0.11\u20130.60, uniform in the logarithm of"),
        (OVER_RANGE, "range", "headline", "0.10\u20130.50"),
        (OVER_ALL, "tec", "measures", ", weighted by the prior of the study"),
    ],
)
def test_a_mean_of_scores_mirrors_and_names_its_rows(
    keys: Keys, mean: str, stage: str, words: str
) -> None:
    """The mean itself is that of the oracle of reports."""
    data, tables = known()
    wanted = claim("cheaper", "Good", "Bad", **keys), claim("cheaper", "Bad", "Good", **keys)
    given, swapped = decide({"d": data}, [tables], *wanted).to_dict("records")
    assert (given["verdict"], swapped["verdict"]) == ("SUPPORTED", "CONTRADICTED")
    assert given["value"] == -swapped["value"]
    assert (given["low"], given["high"]) == pytest.approx((-swapped["high"], -swapped["low"]))
    assert (given["mean"], given["stage"]) == (mean, stage)
    assert over(given).removeprefix("the mean over PC(+)").strip().startswith(words)
    of = ", headline = true" if stage == "measures" else ""
    assert given["key"] == f"model = Good{of}; model = Bad{of}"


@pytest.mark.parametrize("delta", [0.01, 0.03, 0.06])
def test_a_difference_at_a_condition_is_decided_as_by_hand(delta: float) -> None:
    data, tables = known()
    weights, resamples = data.resampling.weights, data.resampling.resamples
    pc = 0.25  # a point of the grid, and no score is near 1 - 0.25: they are whole tenths
    each = rates("Good", 0.75) - rates("Good", 0.5)
    before, here, after = (
        each[0] * (1 - place) + each[1] * place for place in (pc - 1 / 128, pc, pc + 1 / 128)
    )
    value, again = here[0], here[1:]
    # Deviations from zero that add up to a difference have a size, see `resampled_bands`.
    floors = [abs(edge[0]) / weights.dof**0.5 for edge in (before, after)]
    of_case = np.hypot((1 - pc) / weights.negatives, pc / weights.positives)
    width = max(np.std(again, ddof=1), *floors, of_case)
    deviations = (again - again.mean()) / width / weights.studentizer
    place = -int(0.05 * (resamples + 1))
    upper, lower = np.fmax(
        t.ppf(0.95, weights.dof), [np.sort(deviations)[place], np.sort(-deviations)[place]]
    )
    rules = ["score-driven", "score-fixed"]
    wanted = claim("not worse", "Good", criterion=rules, margin=delta, pc=pc)
    row = decide({"d": data}, [tables], wanted).iloc[0]
    assert row["value"] == pytest.approx(value)
    assert row["low"] == pytest.approx(value - upper * width)
    assert row["high"] == pytest.approx(value + lower * width)
    height = (value - delta) / width
    beyond = (1 + np.sum(np.sign(height) * deviations >= abs(height))) / (resamples + 1)
    p_value = min(max(2 * beyond, 2 * t.cdf(-abs(height), weights.dof)), 1)
    assert row["p_value"] == pytest.approx(p_value)
