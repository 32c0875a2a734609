"""Claims about means: of one model and of two, decided as by hand from the resamples."""

from itertools import pairwise
from math import hypot, log
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.stats import t

from costcurves.chance.resamples import resampled_instances
from costcurves.choosing.headline import headline_of
from costcurves.curves.priors import LogRatio
from costcurves.many.audit import over
from costcurves.many.claims import claims
from costcurves.many.evidence import Basis
from tests.claimed_data import RESAMPLES, Tables, claim, data_of, decide, decided, in_folds
from tests.small_study import scored

Both = tuple[Basis, Tables]
Keys = dict[str, Any]
OVER_ALL: Keys = {"average": True}
OVER_RANGE: Keys = {"average": True, "pc": [0.1, 0.5]}
RATIOS: Keys = {"average": True, "at": ["0.5:1", "6:1"], "prior": 0.2}
LOW, HIGH = 0.5 * 0.2 / (0.5 * 0.2 + 0.8), 6 * 0.2 / (6 * 0.2 + 0.8)  # 1/9 and 3/5
OF_RATIOS = log((1 - LOW) / (1 - HIGH)) / log(12)  # the mean of PC(+) over these ratios
COST_RATIO = LogRatio(0.5, 6, 0.2)


@pytest.fixture(scope="module")
def known() -> Both:
    """One case in five of the rarer class is positive; no two models err alike."""
    rows = in_folds(instances=230, folds=3)
    positives = sorted(rows.loc[rows["label"] == 1, "instance"].unique())
    rows = rows[~rows["instance"].isin(positives[::2])]
    models = scored(rows, "Good", 2.5, 2), scored(rows, "Fair", 1.4, 3)
    crisp = decided(rows, "Rule", 0.15, 4), decided(rows, "Coin", 0.24, 5)
    return data_of(*models, *crisp, crisp[0].assign(model="Copy"), prior=0.2)


def rates(data: Basis, model: str) -> NDArray[np.float64]:
    """FP and FN rates of decisions, (2, 1 + resamples): of the data, then of each resample."""
    drawn = resampled_instances(data.predictions, RESAMPLES, data.resampling.seed, "d")
    rows = data.predictions[data.predictions["model"] == model].astype({"instance": "str"})
    names = sorted(set(rows["instance"]))
    times = np.vstack([np.ones(len(names)), drawn.weights.drawn])
    times = times[:, np.searchsorted(names, rows["instance"].tolist())]
    wrong = (rows["decision"] != rows["label"]).to_numpy()
    table = np.zeros((2, len(times)))
    for place, (_, of_fold) in enumerate(rows.reset_index().groupby(["label", "fold"])):
        drawn_of_fold = times[:, of_fold.index]
        table[place // 3] += drawn_of_fold @ wrong[of_fold.index] / drawn_of_fold.sum(axis=1) / 3
    return table


@pytest.mark.parametrize(
    ("keys", "at"),
    [
        ({"average": True, "pc": [0, 1]}, 0.5),
        (OVER_RANGE, 0.3),
        (RATIOS, OF_RATIOS),
        (OVER_ALL, OF_RATIOS),
    ],
)
@pytest.mark.parametrize(
    ("kind", "limit"), [("cheaper", 0), ("not worse", 0.02), ("equivalent", 0.03)]
)
def test_a_mean_difference_of_decisions_is_tested_as_by_hand(
    known: Both, keys: Keys, at: float, kind: str, limit: float
) -> None:
    """A mean of lines is the line's height at the mean PC(+)."""
    data, _ = known
    each = rates(data, "Rule") - rates(data, "Coin")
    value, *again = each[0] * (1 - at) + each[1] * at
    spread, dof = np.std(again, ddof=1), data.resampling.weights.dof
    delta: Keys = {"margin": limit} if limit else {}
    table = claims({"d": data}, [claim(kind, "Rule", "Coin", **delta, **keys)], COST_RATIO)
    (row,) = table.to_dict("records")
    assert row["value"] == pytest.approx(value)
    height = ((abs(value) if kind == "equivalent" else value) - limit) / spread
    tails = 2 if kind == "equivalent" and height > 0 else 1
    assert row["p_value"] == pytest.approx(min(tails * 2 * t.sf(abs(height), dof), 1))
    half = t.ppf(1 - 0.1 / tails / 2, dof) * spread
    assert (row["low"], row["high"]) == pytest.approx((value - half, value + half))
    assert row["method"] == "resampled instances"
    assert value < -0.02  # so that signs can be told apart
    assert np.isnan([row["at_pc"], row["kept_share"]]).all()


@pytest.mark.parametrize(("delta", "verdict"), [(0.01, "UNDECIDED"), (0.1, "SUPPORTED")])
def test_agreeing_on_every_case_is_no_proof_of_equal_means(
    known: Both, delta: float, verdict: str
) -> None:
    data, tables = known
    wanted = claim("equivalent", "Rule", "Copy", margin=delta, **RATIOS)
    (row,) = decide({"d": data}, [tables], wanted).to_dict("records")
    weights = data.resampling.weights
    spread = hypot((1 - OF_RATIOS) / weights.negatives, OF_RATIOS / weights.positives)
    assert (row["value"], row["verdict"]) == (0, verdict)
    assert row["p_value"] == pytest.approx(2 * t.sf(delta / spread, weights.dof))
    assert row["high"] == pytest.approx(t.ppf(0.95, weights.dof) * spread)


@pytest.mark.parametrize("keys", [RATIOS, OVER_RANGE, OVER_ALL])
def test_a_mean_of_scores_is_that_of_the_difference_of_their_curves(
    known: Both, keys: Keys
) -> None:
    data, tables = known
    wanted = claim("cheaper", "Good", "Fair", **keys), claim("cheaper", "Fair", "Good", **keys)
    given, swapped = decide({"d": data}, [tables], *wanted).to_dict("records")
    curves = headline_of(tables["headline"])
    apart = curves["Good"] - curves["Fair"]
    low, high = given["pc_from"], given["pc_to"]
    density = (lambda x: 1 / x / (1 - x)) if "at" in keys else (lambda _: 1.0)
    cuts = sorted({low, high, *(x for x in apart.pc if low < x < high)})
    cost = sum(quad(lambda x: apart(x) * density(x), *cell)[0] for cell in pairwise(cuts))
    assert given["value"] == pytest.approx(cost / quad(density, low, high)[0])
    assert (given["verdict"], swapped["verdict"]) == ("SUPPORTED", "CONTRADICTED")
    assert given["value"] == -swapped["value"]
    assert (given["low"], given["high"]) == pytest.approx((-swapped["high"], -swapped["low"]))


def test_the_rows_of_a_mean_are_named(known: Both) -> None:
    rules = ["score-driven", "cross-fitted"]
    wanted = [claim("cheaper", "Rule", "Coin", **keys) for keys in (OVER_ALL, RATIOS, OVER_RANGE)]
    wanted += [claim("not worse", "Good", criterion=rules, margin=0.2, **OVER_ALL)]
    table = decide({"d": known[0]}, [known[1]], *wanted)
    assert table["mean"].tolist() == ["tec", "cost ratio", "range", "tec"]
    assert table["stage"].tolist() == ["measures", "headline", "headline", "criteria"]
    assert table["key"].tolist() == [
        "model = Rule, headline = true; model = Coin, headline = true",
        "model = Rule; model = Coin",
        "model = Rule; model = Coin",
        "model = Good, criterion = score-driven; model = Good, criterion = cross-fitted",
    ]
    assert [over(row) for row in table.to_dict("records")[:3]] == [
        "the mean over PC(+), weighted by the prior of the study",
        "the mean over PC(+) 0.11\u20130.60, uniform in the logarithm of the cost ratio",
        "the mean over PC(+) 0.10\u20130.50",
    ]
