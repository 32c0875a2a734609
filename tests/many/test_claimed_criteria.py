"""Claims about selection criteria: decided by the draws that decide all others, as truth is."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

from costcurves.chance.resamples import resampled_instances
from costcurves.errors import InputError
from costcurves.many.audit import audit
from costcurves.many.claims import claims
from costcurves.many.evidence import Basis
from tests.claimed_data import RESAMPLES, UNIFORM, Tables, claim, data_of, decide, in_folds
from tests.small_study import family, scored

Both = tuple[Basis, Tables]
TRUST = "score-driven"


@pytest.fixture(scope="module")
def known() -> Both:
    """Good and Shy rank alike, but Shy never believes in a positive by more than a tenth.

    Trusting its scores is to say no wherever PC(+) is below 0.9: the wrong trivial classifier from
    0.5 on. Crisp decides as Good does at a score of one half.
    """
    rows = in_folds()
    good = scored(rows, "Good", 3.0, 2)
    shy = good.assign(model="Shy", score=good["score"] / 10)
    decision = (good["score"] >= 0.5).astype(int)
    crisp = good.assign(model="Crisp", decision=decision, score=np.nan)
    return data_of(good, shy, crisp, family(rows, "Family", 4))


TRUE = [
    claim("cheaper", "no model", "Shy", criterion=TRUST, pc=[0.6, 0.85]),
    claim("at most", "Good", criterion="rate-driven", at_most=0.15, average=True),
    claim("cheaper", "Shy", criterion=["cross-fitted", TRUST]),
    claim("not worse", "Good", criterion=[TRUST, "cross-fitted"], margin=0.1),
    claim("cheaper", "Good", "Shy", criterion=TRUST),
    claim("cheaper", "Good", "Family", criterion="cross-fitted"),
    claim("cheaper", "Good", "Shy", criterion=["score-fixed", TRUST]),
    claim("cheaper", "Good", "no model", criterion=TRUST),
    claim("at most", "Good", criterion="rate-fixed", at_most=0.2),
]
FALSE = [
    claim("cheaper", "Shy", criterion=[TRUST, "cross-fitted"]),
    claim("cheaper", "Shy", "Good", criterion=TRUST),
    claim("equivalent", "Shy", criterion=[TRUST, "cross-fitted"], margin=0.05),
    claim("cheaper", "no model", "Good", criterion=TRUST, pc=[0.4, 0.6]),
    claim("cheaper", "no model", "Good", pc=[0.4, 0.6]),
    claim("cheaper", "Shy", "no model", criterion=TRUST, pc=[0.6, 0.8]),
    claim("at most", "Shy", criterion=TRUST, at_most=0.2),
    claim("at most", "Shy", criterion=TRUST, at_most=0.2, average=True),
]
HINDSIGHT = [  # judged on the data that chose
    claim("cheaper", "Good", "Family", criterion="cost-minimizing"),
    claim("cheaper", "Shy", criterion=["cost-minimizing", TRUST]),
    claim("at most", "Good", criterion="cost-minimizing", at_most=0.5),
]


def test_every_kind_comes_out_as_the_truth_is_and_the_audit_says_which_rows_decide(
    known: Both,
) -> None:
    data, tables = known
    others = decide({"d": data}, [tables], *FALSE, *HINDSIGHT)
    assert others["verdict"].tolist() == ["CONTRADICTED"] * 8 + ["UNDECIDED"] * 3
    assert others["in_sample"].tolist() == [False] * 8 + [True] * 3
    assert ", in-sample, " in audit(others, [])[0][-2]
    table = decide({"d": data}, [tables], *TRUE)
    assert table["verdict"].tolist() == ["SUPPORTED"] * 9
    lines, passed = audit(table, ["contradicted", "undecided"])
    assert passed
    assert table["stage"].tolist()[:4] == ["hybrids", "criteria", "hybrids", "hybrids"]
    assert table["key"][0].startswith("model = Shy, criterion = score-driven, piece = ")
    assert table["key"][1] == "model = Good, criterion = rate-driven"
    assert table["criterion_a"].tolist()[:4] == ["", "rate-driven", "cross-fitted", TRUST]
    assert table["criterion_b"].tolist()[:4] == [TRUST, "", TRUST, "cross-fitted"]
    assert table["model_b"].tolist()[:4] == ["Shy", "", "Shy", "Good"]
    assert lines[0].startswith("SUPPORTED     1. cheaper ('no model', 'Shy')  [tested: no model c")
    for words in (
        "[tested: no model cheaper than 'Shy' (score-driven), PC(+) 0.60 to 0.85; -0.2",
        "claimed below 0 at PC(+) = 0.60; ",
        "dataset 'd', table hybrids: model = Shy, criterion = score-driven, piece",
    ):
        assert words in lines[0]


def costs(data: Basis, threshold: float, pc: float) -> np.ndarray[Any, Any]:
    """What a threshold of Good costs: in the data, then in each resample, fold by fold."""
    drawn = resampled_instances(data.predictions, RESAMPLES, data.resampling.seed, "d")
    rows = data.predictions[data.predictions["model"] == "Good"].astype({"instance": "str"})
    instances = pd.Index(sorted(set(data.predictions["instance"])))
    times = np.vstack([np.ones(len(instances)), drawn.weights.drawn])
    times = times[:, instances.get_indexer(pd.Index(rows["instance"]))]
    wrong = ((rows["score"] >= threshold).astype(int) != rows["label"]).to_numpy()
    total = np.zeros(RESAMPLES + 1)
    for label, share in ((0, 1 - pc), (1, pc)):
        of_class = (rows["label"] == label).to_numpy()
        whole = of_class.sum() / times[:, of_class].sum(axis=1)  # one fewer is drawn
        for fold in rows["fold"].unique():
            fold_of = of_class & (rows["fold"] == fold).to_numpy()
            total += share * whole * (times[:, fold_of] @ wrong[fold_of]) / fold_of.sum()
    return total / rows["fold"].nunique()


@pytest.mark.parametrize("delta", [0.01, 0.03, 0.06])
def test_a_difference_at_one_condition_is_decided_as_by_hand(known: Both, delta: float) -> None:
    data, tables = known
    pc = 0.25  # a point of the grid, and no score is near 1 - 0.25: they are whole tenths
    before, here, after = (
        costs(data, 0.75, place) - costs(data, 0.5, place)
        for place in (pc - 1 / 128, pc, pc + 1 / 128)
    )
    value, again, dof = here[0], here[1:], data.resampling.weights.dof
    # Deviations from zero that add up to a difference have a size, see `resampled_bands`.
    floors = [abs(edge[0]) / dof**0.5 for edge in (before, after)]
    width = max(np.std(again, ddof=1), *floors, np.hypot(1 - pc, pc) / 100)
    deviations = (again - again.mean()) / width / data.resampling.weights.studentizer
    upper, lower = np.sort(deviations)[-20], np.sort(-deviations)[-20]  # 20 of 401, at most 5 %
    least = t.ppf(0.95, dof)
    wanted = claim("not worse", "Good", criterion=[TRUST, "score-fixed"], margin=delta, pc=pc)
    table = decide({"d": data}, [tables], wanted).iloc[0]
    assert table["value"] == pytest.approx(value)
    assert min(upper, lower) > least
    assert table["low"] == pytest.approx(value - upper * width)
    assert table["high"] == pytest.approx(value + lower * width)
    height = (value - delta) / width
    beyond = (1 + np.sum(np.sign(height) * deviations >= abs(height))) / (RESAMPLES + 1)
    p_value = min(max(2 * beyond, 2 * t.cdf(-abs(height), dof)), 1)
    assert table["p_value"] == pytest.approx(p_value)


def test_criteria_that_do_not_apply_are_named_with_those_that_do(known: Both) -> None:
    wrong = claim("cheaper", "no model", "Family", criterion=TRUST)
    other = claim("cheaper", "Good", "Family", criterion="nearest-train-pc")
    with pytest.raises(InputError) as error:
        claims({"d": known[0]}, [wrong, other], UNIFORM)
    for words in (
        "claims[0].criterion: 'score-driven' does not apply to 'Family' of 'd', expected one of "
        "'cross-fitted', 'cost-minimizing', 'nearest-train-pc': it has decisions and no scores",
        "claims[1].criterion: 'nearest-train-pc' does not apply to 'Good' of 'd'",
        "it is one classifier and no family of members",
    ):
        assert words in str(error.value)
