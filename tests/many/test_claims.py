"""Claims about data whose truth is known: supported, contradicted or undecided, as they must be."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from costcurves.choosing.headline import headline_of
from costcurves.curves.curves import crossings, trivial
from costcurves.errors import InputError
from costcurves.invariants import check_claims
from costcurves.many import evidence
from costcurves.many.audit import audit
from costcurves.many.claims import claims
from costcurves.many.evidence import UNPAIRED, Basis, judge
from costcurves.settings import Claim
from tests.claimed_data import (
    UNIFORM,
    Tables,
    claim,
    data_of,
    decide,
    decided,
    good_and_bad,
    in_folds,
    sources_of,
)
from tests.small_study import scored

Both = tuple[Basis, Tables]


@pytest.fixture(scope="module")
def known() -> Both:
    """Good costs about 0.08 and Bad about 0.4 at PC(+) = 0.5; Twin predicts what Good does."""
    return good_and_bad()


def verdicts(both: Both, *wanted: Claim) -> list[str]:
    return decide({"d": both[0]}, [both[1]], *wanted)["verdict"].tolist()


TRUE = [
    claim("cheaper", "Good", "Bad"),
    claim("not worse", "Good", "Bad", margin=0.02),
    claim("equivalent", "Good", "Twin", margin=0.05),
    claim("cheaper", "Good", "no model"),
    claim("at most", "Good", at_most=0.2),
    claim("at most", "Good", at_most=0.12, average=True),
    claim("at most", "Good", at_most=0.12, average=True),
    claim("cheaper", "Good", "Bad", pc=0.5),
]
FALSE = [
    claim("cheaper", "Bad", "Good"),
    claim("not worse", "Bad", "Good", margin=0.02),
    claim("equivalent", "Bad", "Good", margin=0.05),
    claim("equivalent", "Good", "Bad", margin=0.05),
    claim("at most", "Bad", at_most=0.2),
    claim("at most", "Bad", at_most=0.1, average=True),
]
OPEN = [
    claim("cheaper", "Good", "Twin"),
    claim("not worse", "Bad", "Good", margin=0.3),
    claim("equivalent", "Good", "Bad", margin=0.3),
    claim("cheaper", "Bad", "no model", pc=[0.1, 0.9]),
    claim("at most", "Good", at_most=0.097),
    claim("at most", "Good", at_most=0.06, average=True),
]


def test_every_kind_comes_out_as_the_truth_is(known: Both) -> None:
    assert verdicts(known, *TRUE) == ["SUPPORTED"] * len(TRUE)
    assert verdicts(known, *FALSE) == ["CONTRADICTED"] * len(FALSE)
    assert verdicts(known, *OPEN) == ["UNDECIDED"] * len(OPEN)


def test_by_cost_what_costs_less_may_be_what_is_wrong_more_often() -> None:
    rows = in_folds()
    place = rows["instance"].astype("category").cat.codes
    dear = place % 4 == 0
    rows["cost_fn"] = np.where(dear, 30.0, 1.0)
    rows["cost_fp"] = np.where(dear, 20.0, 2.0)
    often = decided(rows, "Often", 0.0, 2).assign(
        decision=np.where(dear | (place % 3 == 0), rows["label"], 1 - rows["label"])
    )
    seldom = decided(rows, "Seldom", 0.0, 2).assign(
        decision=np.where(dear & (place % 8 == 0), 1 - rows["label"], rows["label"])
    )
    by_cost = [
        model.assign(weight=np.where(rows["label"] == 1, rows["cost_fn"], rows["cost_fp"]))
        for model in (often, seldom)
    ]
    unweighted, tables = data_of(often, seldom)
    known: dict[str, Any] = {"dataset": "d--costs", "weighted": True}
    weighed, tables_by_cost = data_of(*by_cost, **known)
    data = {"d": unweighted, "d--costs": weighed}
    less = claim("cheaper", "Seldom", "Often", pc=0.5)
    more = claim("cheaper", "Often", "Seldom", pc=None, by_cost=True)
    table = claims(data, [less, more], UNIFORM)
    assert table["verdict"].tolist() == ["SUPPORTED", "SUPPORTED"]
    assert table["method"].tolist() == ["sign flips", "resampled instances"]
    assert table["dataset"].tolist() == ["d", "d"]
    check_claims(table, sources_of([tables, tables_by_cost]))
    # PC(+) by definition, with p = .3
    cases = rows.drop_duplicates("instance")
    fp = cases.loc[cases["label"] == 0, "cost_fp"].mean()
    fn = cases.loc[cases["label"] == 1, "cost_fn"].mean()
    at = 0.3 * fn / (0.3 * fn + 0.7 * fp)
    places = table[["pc_from", "pc_to", "at_pc"]].to_numpy()[1]
    assert places == pytest.approx([at] * 3)


def test_a_model_worse_than_trivial_contradicts_its_operating_range() -> None:
    rows = in_folds()
    upside_down = scored(rows, "Wrong", -3.0, 2)
    wrong = upside_down.assign(decision=(upside_down["score"] > 0.5).astype(int)).drop(
        columns="score"
    )
    both = data_of(wrong, decided(rows, "Fine", 0.05, 3))
    assert verdicts(both, claim("cheaper", "Wrong", "no model")) == ["CONTRADICTED"]
    assert verdicts(both, claim("cheaper", "Fine", "no model")) == ["SUPPORTED"]


def test_amounts_are_those_of_normalized_costs(known: Both) -> None:
    """At 30 and 10 EUR and a prior of .3 a case costs 16 EUR where every decision is wrong."""
    pairs: list[dict[str, Any]] = [{"at": "ours", "margin": 0.8}, {"pc": 9 / 16, "margin": 0.05}]
    wanted = [claim("not worse", "Good", "Bad", **keys) for keys in pairs]
    wanted.append(claim("at most", "Good", at="ours", at_most=2))
    table = decide({"d": known[0]}, [known[1]], *wanted)
    amounts, plain = (row.drop(["number", "most"]) for _, row in table.iloc[:2].iterrows())
    same = ["value", "limit", "dataset_p_value", "pc_from"]
    assert amounts[same].tolist() == pytest.approx(plain[same].tolist())
    assert table["unit"].tolist() == ["EUR", "", "EUR"]
    assert table["most"].tolist() == pytest.approx([16, 1, 16])
    lines, _ = audit(table, [])
    assert "claimed below 0.8 EUR a case at PC(+) = 0.5625; " in lines[0]
    assert "[tested: 'Good', at most, ours (PC(+) = 0.5625); 1." in lines[2]
    text = r"claims\[0\].margin is 17, expected 16 or less: what a case costs where every decision"
    with pytest.raises(InputError, match=text):
        claims({"d": known[0]}, [claim("not worse", "Good", "Bad", at="ours", margin=17)], UNIFORM)


def test_a_range_that_ends_where_curves_cross_says_so(known: Both) -> None:
    bad = headline_of(known[1]["headline"])["Bad"]
    assert np.abs(crossings(bad, trivial()) - 0.8).min() < 1e-12
    ends = [claim("cheaper", "Bad", "no model", pc=[0.5, end]) for end in (0.79, 0.6)]
    table = decide({"d": known[0]}, [known[1]], *ends)
    assert table["crossing"].tolist() == pytest.approx([0.8, np.nan], nan_ok=True)
    assert "cross, no data could support the claim" in audit(table, [])[0][0]


def test_crisp_pairs_are_decided_by_sign_changes_alike_either_way_round() -> None:
    rows = in_folds()
    both = data_of(decided(rows, "A", 0.1, 1), decided(rows, "B", 0.4, 2))
    table = decide(
        {"d": both[0]},
        [both[1]],
        claim("cheaper", "A", "B"),
        claim("cheaper", "B", "A"),
        claim("equivalent", "A", "B", margin=0.02),
        claim("not worse", "A", "B", margin=0.02),
    )
    assert set(table["method"]) == {"sign flips"}
    expected = ["SUPPORTED", "CONTRADICTED", "CONTRADICTED", "SUPPORTED"]
    assert table["verdict"].tolist() == expected


def test_agreeing_on_every_instance_is_no_proof_of_equivalence() -> None:
    rows = in_folds(instances=24)
    model = decided(rows, "A", 0.2, 1)
    both = data_of(model, model.assign(model="B"))
    narrow, wide = (claim("equivalent", "A", "B", margin=delta) for delta in (0.01, 0.4))
    assert verdicts(both, narrow, wide) == ["UNDECIDED", "SUPPORTED"]


def few_positives() -> pd.DataFrame:
    """One test set with a hundred negatives and five positives, too few to be split into folds."""
    return in_folds(folds=1).query("instance < '105'")


IN_SAMPLE = [
    claim("cheaper", "Good", "Bad"),
    claim("cheaper", "Bad", "Crisp", pc=0.4),
    claim("not worse", "Bad", "Good", margin=0.01),
    claim("equivalent", "Good", "Bad", margin=0.9),
    claim("cheaper", "Good", "no model"),
    claim("cheaper", "no model", "Good"),
    claim("at most", "Good", at_most=0.4),
    claim("at most", "Good", at_most=0.2, average=True),
]


@pytest.mark.parametrize("folds", [1, 4])
def test_a_curve_judged_on_the_data_that_chose_decides_no_claim(folds: int) -> None:
    rows = in_folds(folds=folds) if folds > 1 else few_positives()
    models = scored(rows, "Good", 3.0, 2), scored(rows, "Bad", 0.5, 3)
    crisp = [decided(rows, name, share, 1) for name, share in (("Crisp", 0.1), ("Poor", 0.5))]
    data, tables = data_of(*models, *crisp)
    fixed = claim("cheaper", "Crisp", "Poor", pc=[0.01, 0.1])  # where negatives decide
    table = decide({"d": data}, [tables], *IN_SAMPLE, fixed)
    assert table["in_sample"].tolist() == [folds == 1] * len(IN_SAMPLE) + [False]
    *in_sample, of_decisions = table["verdict"]
    assert of_decisions == "SUPPORTED"
    assert ("SUPPORTED" in in_sample) == (folds > 1)
    if folds == 1:
        assert set(in_sample) == {"UNDECIDED"}
        rows = table.iloc[:-1]
        assert (rows["p_value"] == 1).all()
        assert rows[["low", "high", "kept_from"]].isna().all(axis=None)
        assert set(rows["method"]) == {"in-sample selection"}
        good, bad = (headline_of(tables["headline"])[name] for name in ("Good", "Bad"))
        most = (good - bad)(np.linspace(0.3, 0.7, 2001)).max()
        assert table["value"].iloc[0] == pytest.approx(most, abs=1e-3)


def test_models_that_are_not_paired_decide_nothing_about_each_other() -> None:
    rows = in_folds()
    other = rows.assign(fold=np.roll(rows["fold"].to_numpy(), 1))
    both = data_of(scored(rows, "Good", 3.0, 2), scored(other, "Bad", 0.5, 3))
    table = decide(
        {"d": both[0]},
        [both[1]],
        claim("cheaper", "Good", "Bad"),
        claim("at most", "Good", at_most=0.2),
    )
    assert table["verdict"].tolist() == ["UNDECIDED", "SUPPORTED"]
    first = table.iloc[0]
    assert first["method"] == UNPAIRED
    assert first["value"] < -0.1
    assert np.isnan(first[["low", "high"]].astype(float)).all()
    assert first["p_value"] == 1


def test_a_claim_about_several_datasets_needs_each_of_them() -> None:
    names = ["one", "two", "three"]
    made = {
        "one": good_and_bad("one"),
        "two": good_and_bad("two"),
        "three": good_and_bad("three", good="Bad", bad="Good"),
    }
    table = decide(
        {name: both[0] for name, both in made.items()},
        [both[1] for both in made.values()],
        claim("cheaper", "Good", "Bad", datasets=names[:2]),
        claim("cheaper", "Good", "Bad", datasets=names),
    )
    assert table["verdict"].tolist() == ["SUPPORTED"] * 2 + ["CONTRADICTED"] * 3
    assert table["decides"].tolist()[2:] == [False, False, True]
    assert table["decides"].tolist()[:2].count(True) == 1
    # Contradicted by one of three, so each has a third of the claim's error: 0.1, and 2 claims.
    assert table["confidence"].tolist()[2:] == pytest.approx([1 - 0.1 / 2 / 3] * 3)


PARTS = [
    claim("cheaper", "Good", "Twin", pc=[0, 1]),
    claim("cheaper", "Good", "Bad", pc=[0, 1]),
    claim("not worse", "Bad", "Good", margin=0.3, pc=[0, 1]),
    claim("equivalent", "Good", "Bad", margin=0.3, pc=[0, 1]),
    claim("cheaper", "Good", "no model", pc=[0, 1]),
    claim("cheaper", "Bad", "no model", pc=[0.1, 0.9]),
    claim("cheaper", "no model", "Bad", pc=[0, 1]),
    claim("at most", "Good", at_most=0.097, pc=[0.1, 0.9]),
]


@pytest.mark.parametrize("wanted", PARTS, ids=[f"{part.kind} {part.models}" for part in PARTS])
def test_a_claim_is_kept_exactly_where_its_band_keeps_the_limit(
    known: Both, monkeypatch: pytest.MonkeyPatch, wanted: Claim
) -> None:
    """Place by place; stretches too narrow to be of use count here."""
    look = judge(wanted, known[0], UNIFORM)
    assert look.evidence is not None
    wide = look.kept(wanted, 0.8)
    monkeypatch.setattr(evidence, "is_sliver", lambda *_: False)
    table = look.kept(wanted, 0.8)
    ratio = {end: end / (1 - end) for part in table for end in part if end < 1} | {1.0: np.inf}
    assert wide == [
        part for part in table if not ratio[part[0]] or ratio[part[1]] / ratio[part[0]] > 1.15
    ]
    both = wanted.kind == "equivalent"
    down, up = look.evidence.chance.critical(0.8, both)
    for pc in np.linspace(look.low, look.high, 400):
        if min((abs(pc - end) for part in table for end in part), default=1) < 1e-9:
            continue
        value = look.evidence.estimate(pc)
        width = float(np.interp(pc, look.evidence.places, look.evidence.wide))
        low, high = value - up * width, value + down * width
        keeps = max(-low, high) if both else high
        assert any(start < pc < end for start, end in table) == (keeps < wanted.limit)


def test_a_claim_that_fails_at_its_ends_is_supported_between_them(known: Both) -> None:
    table = decide({"d": known[0]}, [known[1]], *PARTS, claim("cheaper", "Good", "Bad"))
    assert table["verdict"].tolist()[:-1] == ["UNDECIDED"] * len(PARTS)
    ends = table[["kept_from", "kept_to", "kept_share"]]
    assert np.isnan(ends.iloc[0, :2]).all()
    assert ends.iloc[0, 2] == 0
    low, high, share = ends.iloc[1]
    assert 0 < low < 0.3 < 0.6 < high < 1
    assert high - low < share < 1  # the widest of several stretches
    assert ends.iloc[-1].tolist() == [0.3, 0.7, 1]


def test_parts_are_not_looked_at_where_no_error_is_kept_for_them(known: Both) -> None:
    two = {name: good_and_bad(name) for name in ("d", "e")}
    several = decide(
        {name: both[0] for name, both in two.items()},
        [both[1] for both in two.values()],
        claim("cheaper", "Good", "Bad", datasets=["d", "e"], pc=[0, 1]),
    )
    mean = claim("at most", "Good", at_most=0.12, average=True)
    at_one = claim("cheaper", "Good", "Bad", pc=0.5)
    single = decide({"d": known[0]}, [known[1]], mean, at_one)
    for table in (several, single):
        assert table[["kept_from", "kept_to", "kept_share"]].isna().all(axis=None)


def test_unknown_models_are_named(known: Both) -> None:
    unknown = claim("cheaper", "Good", "Badd")
    with pytest.raises(InputError) as error:
        claims({"d": known[0]}, [unknown, claim("cheaper", "Good", "Bad")], UNIFORM)
    text = "claims[0].models: dataset 'd' has no model 'Badd'; did you mean 'Bad'?"
    assert str(error.value) == text
    assert claims({}, [], UNIFORM).empty
