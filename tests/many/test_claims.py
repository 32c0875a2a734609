"""Claims about data whose truth is known: supported, contradicted or undecided, as they must be."""

from typing import Any

import numpy as np
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
KEPT = ["kept_from", "kept_to", "kept_share"]


@pytest.fixture(scope="module")
def known() -> Both:
    """Good costs about 0.08 and Bad about 0.4 at PC(+) = 0.5; Twin predicts what Good does."""
    return good_and_bad()


@pytest.fixture(scope="module")
def crisp() -> Both:
    """A is wrong one time in ten, B four times, Wrong eight; Same decides as A does."""
    rows = in_folds()
    models = [decided(rows, name, share, 1) for name, share in zip("AB", (0.1, 0.4), strict=True)]
    return data_of(*models, models[0].assign(model="Same"), decided(rows, "Wrong", 0.8, 3))


TRUE = [
    claim("cheaper", "Good", "Bad"),
    claim("not worse", "Good", "Bad", margin=0.02),
    claim("equivalent", "Good", "Twin", margin=0.05),
    claim("cheaper", "Good", "no model"),
    claim("at most", "Good", at_most=0.2),
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
OF_DECISIONS = [
    claim("cheaper", "A", "B"),
    claim("not worse", "A", "B", margin=0.02),
    claim("equivalent", "A", "Same", margin=0.1),
    claim("cheaper", "A", "no model"),
    claim("cheaper", "B", "A"),
    claim("equivalent", "A", "B", margin=0.02),
    claim("cheaper", "Wrong", "no model"),
    claim("equivalent", "A", "Same", margin=0.01),  # to agree everywhere is no proof
]
IN_PAIRS = ["sign flips"] * 3 + ["resampled instances"] + ["sign flips"] * 2


def test_every_kind_comes_out_as_the_truth_is(known: Both, crisp: Both) -> None:
    table = decide({"d": known[0]}, [known[1]], *TRUE, *FALSE, *OPEN)
    verdicts = ["SUPPORTED"] * 7 + ["CONTRADICTED"] * 6 + ["UNDECIDED"] * 6
    assert table["verdict"].tolist() == verdicts
    table = decide({"d": crisp[0]}, [crisp[1]], *OF_DECISIONS)
    assert table["method"].tolist() == [*IN_PAIRS, "resampled instances", "sign flips"]
    verdicts = ["SUPPORTED"] * 4 + ["CONTRADICTED"] * 3 + ["UNDECIDED"]
    assert table["verdict"].tolist() == verdicts


def test_by_cost_what_costs_less_may_be_what_is_wrong_more_often() -> None:
    rows = in_folds()
    place = rows["instance"].astype("category").cat.codes
    dear = place % 4 == 0
    rows["cost_fn"], rows["cost_fp"] = np.where(dear, 30.0, 1.0), np.where(dear, 20.0, 2.0)
    right = {"Often": dear | (place % 3 == 0), "Seldom": ~dear | (place % 8 != 0)}
    models = [
        rows.assign(model=name, decision=np.where(of_model, rows["label"], 1 - rows["label"]))
        for name, of_model in right.items()
    ]
    weight = np.where(rows["label"] == 1, rows["cost_fn"], rows["cost_fp"])
    by_cost = [model.assign(weight=weight) for model in models]
    unweighted, tables = data_of(*models)
    more: dict[str, Any] = {"dataset": "d--costs", "weighted": True}
    weighed, tables_by_cost = data_of(*by_cost, **more)
    wanted = [
        claim("cheaper", "Seldom", "Often", pc=0.5),
        claim("cheaper", "Often", "Seldom", pc=None, by_cost=True),
    ]
    table = claims({"d": unweighted, "d--costs": weighed}, wanted, UNIFORM)
    assert table["verdict"].tolist() == ["SUPPORTED", "SUPPORTED"]
    assert table["method"].tolist() == ["sign flips", "resampled instances"]
    assert table["dataset"].tolist() == ["d", "d"]
    check_claims(table, sources_of([tables, tables_by_cost]))
    # PC(+) by definition, with p = .3
    cases = rows.drop_duplicates("instance")
    fp, fn = (
        cases.query("label == 0")["cost_fp"].mean(),
        cases.query("label == 1")["cost_fn"].mean(),
    )
    places = table[["pc_from", "pc_to", "at_pc"]].to_numpy()[1]
    assert places == pytest.approx([0.3 * fn / (0.3 * fn + 0.7 * fp)] * 3)


def test_amounts_are_those_of_normalized_costs(known: Both) -> None:
    """At 30 and 10 EUR and a prior of .3 a case costs 16 EUR where every decision is wrong."""
    pairs: list[dict[str, Any]] = [{"at": "ours", "margin": 0.8}, {"pc": 9 / 16, "margin": 0.05}]
    wanted = [claim("not worse", "Good", "Bad", **keys) for keys in pairs]
    wanted.append(claim("at most", "Good", at="ours", at_most=2))
    table = decide({"d": known[0]}, [known[1]], *wanted)
    amounts, plain = table[["value", "limit", "dataset_p_value", "pc_from"]].to_numpy()[:2]
    assert amounts == pytest.approx(plain)
    assert table["unit"].tolist() == ["EUR", "", "EUR"]
    assert table["most"].tolist() == pytest.approx([16, 1, 16])
    lines, _ = audit(table, [])
    assert "claimed below 0.8 EUR a case at PC(+) = 0.5625; " in lines[0]
    assert "[tested: 'Good', at most, ours (PC(+) = 0.5625); 1." in lines[2]


def test_a_range_that_ends_where_curves_cross_says_so(known: Both) -> None:
    bad = headline_of(known[1]["headline"])["Bad"]
    assert np.abs(crossings(bad, trivial()) - 0.8).min() < 1e-12
    ends = [claim("cheaper", "Bad", "no model", pc=[0.5, end]) for end in (0.79, 0.6)]
    table = decide({"d": known[0]}, [known[1]], *ends)
    assert table["crossing"].tolist() == pytest.approx([0.8, np.nan], nan_ok=True)
    assert "cross, no data could support the claim" in audit(table, [])[0][0]


IN_SAMPLE = [
    claim("cheaper", "Good", "Bad"),
    claim("cheaper", "Bad", "Crisp", pc=0.4),
    claim("not worse", "Bad", "Good", margin=0.01),
    claim("equivalent", "Good", "Bad", margin=0.9),
    claim("cheaper", "no model", "Good"),
    claim("at most", "Good", at_most=0.4),
    claim("at most", "Good", at_most=0.2, average=True),
]


@pytest.mark.parametrize("folds", [1, 4])
def test_a_curve_judged_on_the_data_that_chose_decides_no_claim(folds: int) -> None:
    """One test set with five positives is too few to be split into folds."""
    rows = in_folds(folds=folds)
    rows = rows if folds > 1 else rows.query("instance < '105'")
    models = scored(rows, "Good", 3.0, 2), scored(rows, "Bad", 0.5, 3)
    of_decisions = decided(rows, "Crisp", 0.1, 1), decided(rows, "Poor", 0.5, 1)
    data, tables = data_of(*models, *of_decisions)
    fixed = claim("cheaper", "Crisp", "Poor", pc=[0.01, 0.1])  # where negatives decide
    table = decide({"d": data}, [tables], *IN_SAMPLE, fixed)
    assert table["in_sample"].tolist() == [folds == 1] * len(IN_SAMPLE) + [False]
    *in_sample, last = table["verdict"]
    assert last == "SUPPORTED"
    assert ("SUPPORTED" in in_sample) == (folds > 1)
    if folds == 1:
        rows = table.iloc[:-1]
        assert {*rows["verdict"], *rows["method"]} == {"UNDECIDED", "in-sample selection"}
        assert (rows["p_value"] == 1).all()
        assert rows[["low", "high", "kept_from"]].isna().all(axis=None)
        good, bad = (headline_of(tables["headline"])[name] for name in ("Good", "Bad"))
        most = (good - bad)(np.linspace(0.3, 0.7, 2001)).max()
        assert table["value"].iloc[0] == pytest.approx(most, abs=1e-3)


def test_models_that_are_not_paired_decide_nothing_about_each_other() -> None:
    rows = in_folds()
    other = rows.assign(fold=np.roll(rows["fold"].to_numpy(), 1))
    data, tables = data_of(scored(rows, "Good", 3.0, 2), scored(other, "Bad", 0.5, 3))
    wanted = claim("cheaper", "Good", "Bad"), claim("at most", "Good", at_most=0.2)
    first, second = decide({"d": data}, [tables], *wanted).to_dict("records")
    assert (first["verdict"], second["verdict"]) == ("UNDECIDED", "SUPPORTED")
    assert (first["method"], first["p_value"]) == (UNPAIRED, 1)
    assert first["value"] < -0.1
    assert np.isnan([first["low"], first["high"]]).all()


def test_a_claim_about_several_datasets_needs_each_of_them() -> None:
    names = {"first": ("Good", "Bad"), "second": ("Good", "Bad"), "third": ("Bad", "Good")}
    made = {name: good_and_bad(name, *models) for name, models in names.items()}
    data, tables = ({name: both[side] for name, both in made.items()} for side in (0, 1))
    table = decide(
        data,  # type: ignore[arg-type]
        [*tables.values()],  # type: ignore[list-item]
        claim("cheaper", "Good", "Bad", datasets=["first", "second"], pc=[0, 1]),
        claim("cheaper", "Good", "Bad", datasets=["first", "second"]),
        claim("cheaper", "Good", "Bad", datasets=[*names]),
    )
    assert table["verdict"].tolist() == ["UNDECIDED"] * 2 + ["SUPPORTED"] * 2 + ["CONTRADICTED"] * 3
    assert table["decides"].tolist()[4:] == [False, False, True]
    assert table["decides"].tolist()[2:4].count(True) == 1
    # Contradicted by one of three, so each has a third of the claim's error: 0.1, and 3 claims.
    assert table["confidence"].tolist()[4:] == pytest.approx([1 - 0.1 / 3 / 3] * 3)
    assert table[KEPT].isna().all(axis=None)  # no error is kept for parts


PARTS = [
    claim("cheaper", "Good", "Twin", pc=[0, 1]),
    claim("cheaper", "Good", "Bad", pc=[0, 1]),
    claim("not worse", "Bad", "Good", margin=0.3, pc=[0, 1]),
    claim("equivalent", "Good", "Bad", margin=0.3, pc=[0, 1]),
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
    assert isinstance(look.evidence, evidence.Evidence)
    wide = look.kept(0.8)
    monkeypatch.setattr(evidence, "is_sliver", lambda *_: False)
    table = look.kept(0.8)
    ratio = {end: end / (1 - end) for part in table for end in part if end < 1} | {1.0: np.inf}
    assert wide == [
        part for part in table if not ratio[part[0]] or ratio[part[1]] / ratio[part[0]] > 1.15
    ]
    both = wanted.kind == "equivalent"
    down, up = look.evidence.critical(0.8)
    for pc in np.linspace(look.low, look.high, 400):
        if min((abs(pc - end) for part in table for end in part), default=1) < 1e-9:
            continue
        value = look.evidence.estimate(pc)
        width = float(np.interp(pc, look.evidence.places, look.evidence.wide))
        low, high = value - up * width, value + down * width
        keeps = max(-low, high) if both else high
        assert any(start < pc < end for start, end in table) == (keeps < wanted.limit)


def test_a_claim_that_fails_at_its_ends_is_supported_between_them(known: Both) -> None:
    alone = [  # which have no parts
        claim("at most", "Good", at_most=0.12, average=True),
        claim("cheaper", "Good", "Bad", pc=0.5),
    ]
    table = decide({"d": known[0]}, [known[1]], *PARTS, claim("cheaper", "Good", "Bad"), *alone)
    assert table["verdict"].tolist()[: len(PARTS)] == ["UNDECIDED"] * len(PARTS)
    assert table[KEPT].iloc[0].tolist() == pytest.approx([np.nan, np.nan, 0], nan_ok=True)
    low, high, share = table[KEPT].iloc[1]
    assert 0 < low < 0.3 < 0.6 < high < 1
    assert high - low < share < 1  # the widest of several stretches
    assert table[KEPT].iloc[-3].tolist() == [0.3, 0.7, 1]
    assert table[KEPT].iloc[-2:].isna().all(axis=None)


NO_BADD = "claims[0].models: dataset 'd' has no model 'Badd'; did you mean 'Bad'?"
TOO_MUCH = "claims[0].margin is 17, expected 16 or less: what a case costs where every decision is"


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (claim("cheaper", "Good", "Badd"), NO_BADD),
        (claim("not worse", "Good", "Bad", at="ours", margin=17), TOO_MUCH),
    ],
)
def test_claims_that_data_can_not_decide_are_refused(
    known: Both, wanted: Claim, message: str
) -> None:
    with pytest.raises(InputError) as error:
        claims({"d": known[0]}, [wanted, claim("cheaper", "Good", "Bad")], UNIFORM)
    assert str(error.value).startswith(message)
    assert claims({}, [], UNIFORM).empty
