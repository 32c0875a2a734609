"""Claims about data whose truth is known: supported, contradicted or undecided, as they must be."""

from typing import Any

import numpy as np
import pytest

from costcurves.chance.resampled_rules import Ruled
from costcurves.choosing.headline import headline_of
from costcurves.curves.cost_space import pc_from_ratio, ratio_from_pc
from costcurves.curves.curves import crossings, trivial
from costcurves.errors import InputError
from costcurves.many import audit, evidence
from costcurves.many.claims import claims
from costcurves.many.evidence import UNPAIRED, judge
from costcurves.settings import Claim
from tests.claimed_data import (
    UNIFORM,
    claim,
    data_of,
    decide,
    decided,
    in_folds,
    known,
)
from tests.small_study import scored

IN_SAMPLE = "in-sample selection"
RESAMPLED = "resampled instances"
TRUST = "score-driven"
RATES, MOST = "nearest-train-pc", "expected 14 or less: what a case costs where every decision"
NEITHER = "does not apply to 'Good' of 'd', expected one of 'cross-fitted', 'cost-minimizing', "
MEAN: dict[str, Any] = {"average": True}
PAIRS = [
    *[("Good", "Bad"), ("Bad", "Good"), ("Good", "Twin")],
    *[("Rule", "Coin"), ("Coin", "Rule"), ("Rule", "Copy")],
    *[("Good", "no model"), ("no model", "Good"), ("Rule", "no model"), ("Wrong", "no model")],
]


@pytest.mark.parametrize(
    ("kind", "keys", "letters"),
    [
        ("cheaper", {}, "SCU SCU SCSC"),
        ("cheaper", {"pc": 0.5}, "SCU SCU SCSC"),
        ("cheaper", {"pc": [0.1, 0.9]}, "UCU UCU SCUC"),
        ("cheaper", MEAN, "SCU SCU SCSC"),
        ("not worse", {"margin": 0.02}, "SCU SCU"),
        ("not worse", {"margin": 0.3}, "SUS SSS"),
        ("equivalent", {"margin": 0.02}, "CCU CCU"),  # to agree everywhere is no proof
        ("equivalent", {"margin": 0.05}, "CCS CCS"),
        ("equivalent", {"margin": 0.3}, "UUS UUS"),
        ("equivalent", {"margin": 0.1} | MEAN, "CCS UUS"),
    ],
)
def test_two_models_come_out_as_the_truth_is(kind: str, keys: dict[str, Any], letters: str) -> None:
    data, tables = known()
    expected = letters.replace(" ", "")
    wanted = [claim(kind, *pair, **keys) for pair in PAIRS[: len(expected)]]
    table = decide({"d": data}, [tables], *wanted)
    assert "".join(verdict[0] for verdict in table["verdict"]) == expected
    methods = [RESAMPLED] * 3 + [RESAMPLED if keys.get("average") else "sign flips"] * 3
    assert table["method"].tolist() == [*methods, *[RESAMPLED] * 4][: len(expected)]


@pytest.mark.parametrize(
    ("verdict", "wanted"),
    [
        ("SUPPORTED", claim("at most", "Good", at_most=0.2)),
        ("SUPPORTED", claim("cheaper", "no model", "Shy", criterion=TRUST, pc=[0.6, 0.85])),
        ("SUPPORTED", claim("cheaper", "Shy", criterion=["cross-fitted", TRUST])),
        ("SUPPORTED", claim("not worse", "Good", criterion=[TRUST, "cross-fitted"], margin=0.2)),
        ("SUPPORTED", claim("cheaper", "Good", "Family", criterion="cross-fitted")),
        ("SUPPORTED", claim("at most", "Good", criterion="rate-driven", at_most=0.15, **MEAN)),
        ("CONTRADICTED", claim("at most", "Bad", at_most=0.1, average=True)),
        ("CONTRADICTED", claim("cheaper", "Shy", "no model", criterion=TRUST, pc=[0.6, 0.8])),
        ("CONTRADICTED", claim("at most", "Shy", criterion=TRUST, at_most=0.2)),
        ("UNDECIDED", claim("at most", "Good", at_most=0.09)),
        (IN_SAMPLE, claim("cheaper", "Shy", criterion=["cost-minimizing", TRUST])),
        (IN_SAMPLE, claim("at most", "Good", criterion="cost-minimizing", at_most=0.5)),
        (UNPAIRED, claim("cheaper", "Good", "Apart")),
    ],
)
def test_models_and_criteria_come_out_as_the_truth_is(verdict: str, wanted: Claim) -> None:
    """What is not tested has no band, but the highest value."""
    data, tables = known()
    (row,) = decide({"d": data}, [tables], wanted).to_dict("records")
    sides = [(row[f"model_{side}"], row[f"criterion_{side}"]) for side in "ab"]
    assert sides[: len(wanted.sides)] == [*wanted.sides]
    words = audit.tested(row)
    assert all(f"{side[0]!r} ({side[1]})" in words for side in wanted.sides if side[1])
    assert row["in_sample"] == (", in-sample, PC(+)" in words) == (verdict == IN_SAMPLE)
    if verdict not in (IN_SAMPLE, UNPAIRED):
        assert (row["verdict"], row["method"]) == (verdict, RESAMPLED)
        return
    assert (row["verdict"], row["method"], row["p_value"]) == ("UNDECIDED", verdict, 1)
    assert np.isnan([row["low"], row["high"], row["kept_from"]]).all()
    curves = [data.curve(Ruled(*side))[0] for side in wanted.sides]
    apart = curves[0] - curves[1] if curves[1:] else curves[0]
    assert row["value"] == pytest.approx(apart(np.linspace(0.3, 0.7, 2001)).max(), abs=1e-3)


def test_a_test_set_that_is_too_small_to_be_split_decides_no_claim() -> None:
    """With five positives thresholds are chosen on the cases that judge them."""
    rows = in_folds(folds=1).query("instance < '105'")
    data, tables = data_of(scored(rows, "Good", 3.0, 2), decided(rows, "Crisp", 0.1, 1))
    wanted = claim("at most", "Good", at_most=0.4), claim("at most", "Crisp", at_most=0.9)
    table = decide({"d": data}, [tables], *wanted)
    assert table["in_sample"].tolist() == [True, False]
    assert table["verdict"].tolist() == ["UNDECIDED", "SUPPORTED"]


def test_by_cost_what_costs_less_may_be_what_is_wrong_more_often() -> None:
    rows = in_folds()
    place = rows["instance"].astype("category").cat.codes
    dear = place % 4 == 0
    rows = rows.assign(cost_fn=np.where(dear, 30.0, 1.0), cost_fp=np.where(dear, 20.0, 2.0))
    right = {"Often": dear | (place % 3 == 0), "Seldom": ~dear | (place % 8 != 0)}
    decisions = {name: rows["label"].where(each, 1 - rows["label"]) for name, each in right.items()}
    models = [rows.assign(model=name, decision=each) for name, each in decisions.items()]
    weight = rows["cost_fn"].where(rows["label"] == 1, rows["cost_fp"])
    by_cost = [model.assign(weight=weight) for model in models]
    made = data_of(*models), data_of(*by_cost, dataset="d--costs", weighted=True)
    table = decide(
        {name: basis for name, (basis, _) in zip(("d", "d--costs"), made, strict=True)},
        [tables for _, tables in made],
        claim("cheaper", "Seldom", "Often", pc=0.5),
        claim("cheaper", "Often", "Seldom", pc=None, by_cost=True),
    )
    results = table[["verdict", "method", "dataset"]].to_numpy().tolist()
    assert results == [["SUPPORTED", method, "d"] for method in ("sign flips", RESAMPLED)]
    cases = rows.drop_duplicates("instance").groupby("label")[["cost_fp", "cost_fn"]].mean()
    fp, fn = 0.7 * cases["cost_fp"][0], 0.3 * cases["cost_fn"][1]  # p = .3
    assert table["at_pc"][1] == pytest.approx(fn / (fn + fp))


def test_amounts_are_those_of_normalized_costs() -> None:
    """At 30 and 10 EUR and a prior of .2 a case costs 14 EUR where every decision is wrong."""
    data, tables = known()
    in_amounts = claim("not worse", "Good", "Bad", at="ours", margin=0.7)
    plain = claim("not worse", "Good", "Bad", pc=3 / 7, margin=0.05)
    table = decide({"d": data}, [tables], in_amounts, plain)
    first, second = table[["value", "limit", "dataset_p_value", "pc_from"]].to_numpy()
    assert first == pytest.approx(second)
    assert table["unit"].tolist() == ["EUR", ""]
    assert table["most"].tolist() == pytest.approx([14, 1])


def test_a_range_that_ends_where_curves_cross_says_so() -> None:
    data, tables = known()
    bad = headline_of(tables["headline"])["Bad"]
    crossing = crossings(bad, trivial())[-1]
    ends = pc_from_ratio(ratio_from_pc(crossing, 0.5) * np.array([1 / 1.1, 1.1, 0.5]), 0.5)
    wanted = [claim("cheaper", "Bad", "no model", pc=[0.1, end]) for end in ends.tolist()]
    table = decide({"d": data}, [tables], *wanted)
    assert table["crossing"].tolist() == pytest.approx([crossing] * 2 + [np.nan], nan_ok=True)


def test_a_claim_about_several_datasets_needs_each_of_them() -> None:
    rows = in_folds()
    swapped = data_of(scored(rows, "Bad", 3.0, 2), scored(rows, "Good", 0.5, 3), dataset="third")
    made = {"first": known(), "second": known(), "third": swapped}
    table = decide(
        {name: data for name, (data, _) in made.items()},
        [known()[1], swapped[1]],
        claim("cheaper", "Good", "Bad", datasets=["first", "second"], pc=[0, 1]),
        claim("cheaper", "Good", "Bad", datasets=["first", "second"]),
        claim("cheaper", "Good", "Bad", datasets=[*made]),
    )
    assert table["verdict"].tolist() == ["UNDECIDED"] * 2 + ["SUPPORTED"] * 2 + ["CONTRADICTED"] * 3
    assert table["decides"].tolist()[4:] == [False, False, True]
    assert table["decides"].tolist()[2:4].count(True) == 1
    # Contradicted by one of three, so each has a third of the claim's error: 0.1, and 3 claims.
    assert table["confidence"].tolist()[4:] == pytest.approx([1 - 0.1 / 3 / 3] * 3)
    assert table[["kept_from", "kept_to", "kept_share"]].isna().all(axis=None)


@pytest.mark.parametrize(
    ("wanted", "stretches"),
    [
        (claim("cheaper", "Good", "Twin", pc=[0, 1]), 0),
        (claim("cheaper", "Good", "Bad", pc=[0, 1]), 1),
        (claim("cheaper", "Good", "Bad"), 1),
        (claim("not worse", "Bad", "Good", margin=0.3, pc=[0, 1]), 2),
        (claim("equivalent", "Good", "Bad", margin=0.3, pc=[0, 1]), 2),
        (claim("cheaper", "Bad", "no model", pc=[0.1, 0.9]), 1),
        (claim("at most", "Good", at_most=0.097, pc=[0.1, 0.9]), 2),
    ],
)
def test_a_claim_is_kept_exactly_where_its_band_keeps_the_limit(
    monkeypatch: pytest.MonkeyPatch, wanted: Claim, stretches: int
) -> None:
    """Place by place; stretches too narrow to be of use count here."""
    data, tables = known()
    look, level = judge(wanted, data, UNIFORM), wanted.level
    assert isinstance(look.evidence, evidence.Evidence)
    wide = look.kept(level)
    assert len(wide) == stretches
    widest = max(wide, key=lambda part: part[1] - part[0], default=(np.nan, np.nan))
    share = np.diff(wide).sum() / (look.high - look.low)
    (row,) = decide({"d": data}, [tables], wanted).to_dict("records")
    kept = [row[f"kept_{name}"] for name in ("from", "to", "share")]
    assert kept == pytest.approx([*widest, share], nan_ok=True)
    assert (share == 1) == (row["verdict"] == "SUPPORTED")
    monkeypatch.setattr(evidence, "is_sliver", lambda *_: False)
    table = look.kept(level)
    odds = [[end / (1 - end) if end < 1 else np.inf for end in part] for part in table]
    narrow = [low > 0 and high / low <= 1.15 for low, high in odds]
    assert wide == [part for part, sliver in zip(table, narrow, strict=True) if not sliver]
    down, up = look.evidence.critical(level)
    for pc in np.linspace(look.low, look.high, 400):
        if min((abs(pc - end) for part in table for end in part), default=1) < 1e-9:
            continue
        value = look.evidence.estimate(pc)
        width = float(np.interp(pc, look.evidence.places, look.evidence.wide))
        low, high = value - up * width, value + down * width
        keeps = max(-low, high) if wanted.kind == "equivalent" else high
        assert any(start < pc < end for start, end in table) == (keeps < wanted.limit)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (claim("cheaper", "Good", "Family", criterion=RATES), f"criterion: '{RATES}' {NEITHER}"),
        (claim("not worse", "Good", "Bad", at="ours", margin=15), f"margin is 15, {MOST}"),
    ],
)
def test_claims_that_data_can_not_decide_are_refused(wanted: Claim, message: str) -> None:
    with pytest.raises(InputError, match=rf"claims\[0\].{message}"):
        claims({"d": known()[0]}, [wanted], UNIFORM)
    assert claims({}, [], UNIFORM).empty
