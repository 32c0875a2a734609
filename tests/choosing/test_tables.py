"""The tables about choosing a threshold or a member, held against cases worked by hand."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from costcurves.api.study import Tables
from costcurves.choosing.hybrids import curves_by_criterion
from costcurves.choosing.rules import LIMITS
from costcurves.counts.counted import from_table
from costcurves.counts.folds import SPLIT
from costcurves.curves.curves import Curve, average, better_than
from costcurves.curves.envelopes import lower_envelopes
from costcurves.curves.pieces import areas, curves_of
from costcurves.pairs.choices import optimism
from costcurves.settings import KNOWN_CRITERIA, NEEDS
from costcurves.tables.keys import CROSS_FITTED, IN_SAMPLE
from tests.result_tables import made_of, staged, study_of
from tests.small_study import family, folds_of, scored

NAN = float("nan")
CONSTRAINED = {"max_fp_rate": 0.1, "capacity": "10%"}
LIMITED = ["neyman-pearson", "workforce"]


def rows_of(
    scores: Sequence[Sequence[float]], labels: Sequence[Sequence[int]], times: int = 5, **keys: Any
) -> pd.DataFrame:
    """Folds of one repeat, each row `times` times."""
    parts = []
    for fold, (share_of, classes) in enumerate(zip(scores, labels, strict=True), start=1):
        part = pd.DataFrame({"fold": str(fold), "score": share_of, "label": classes})
        parts.append(part.loc[part.index.repeat(times)])
    rows = pd.concat(parts, ignore_index=True).assign(**{"model": "A", **keys})
    return rows.assign(instance=[f"{place:04}" for place in range(len(rows))])


def members(decisions: Mapping[str, Sequence[int]], train_pc: Sequence[float]) -> pd.DataFrame:
    """A family's decisions on five folds of two positives and two negatives, all alike."""
    parts = []
    for (name, decided), pc in zip(decisions.items(), train_pc, strict=True):
        fold = pd.DataFrame({"label": [1, 1, 0, 0], "decision": decided, "case": range(4)})
        rows = fold.assign(model="F", member=name, train_pc=pc).merge(FIVE, how="cross")
        parts.append(rows.assign(instance=rows["fold"] + "-" + rows.pop("case").astype(str)))
    return pd.concat(parts, ignore_index=True)


FIVE = pd.DataFrame({"fold": [*"12345"]})


def tables_of(
    predictions: pd.DataFrame, selection: Mapping[str, Any] = MappingProxyType({})
) -> Tables:
    """The tables of a study, each made when it is asked for."""
    fixed = {"score_threshold": 0.5, "rate": None, **selection}
    rows = staged(predictions) if "case_weight" not in predictions else predictions
    return made_of(*study_of(rows, "repeat", inference={}, selection=fixed, seed=3), rows)


def by_pair(tables: Tables) -> dict[tuple[str, str], Curve]:
    return curves_by_criterion(tables["hybrids"])


def curves(tables: Tables) -> dict[str, Curve]:
    """The curves of the only model, by criterion."""
    return {criterion: curve for (_, criterion), curve in by_pair(tables).items()}


def same(a: Curve, b: Curve) -> bool:
    return [interval.sign for interval in better_than(a, b)] == [0]


# Two folds, worked by hand. Chosen on fold 2, 0.8 is faultless on fold 1 too. On fold 1 the
# thresholds 0.9, 0.8 and 0.5 are faultless; on fold 2 they are (0, 1), (0, 0) and (1, 0).
BY_HAND = rows_of([[0.9, 0.3], [0.8, 0.5]], [[1, 0], [1, 0]])


@pytest.fixture(scope="module")
def by_hand() -> Tables:
    return tables_of(BY_HAND, selection=CONSTRAINED)


# What each criterion costs.


@pytest.mark.parametrize(
    ("criterion", "area"),
    [
        ("cross-fitted", Fraction(1, 6)),
        ("cost-minimizing", Fraction(0)),
        ("score-driven", Fraction(1, 4) * sum(Fraction(x, 100) for x in (1, 9, 4, 25))),
        ("score-fixed", Fraction(1, 4)),  # at 0.5 all of fold 2 is positive
        ("rate-driven", Fraction(1, 11)),  # (n L + 1/6) / (n + 1) with n = 10, AUC = 1, L = 1/12
        ("rate-fixed", Fraction(0)),
        # chosen on fold 2: 0.8 and a tenth of all; on fold 1: 0.9, 0.8 or 0.5, (1/3, 1/3) on fold 2
        ("neyman-pearson", (Fraction(1, 20) + Fraction(7, 20)) / 2),
        ("workforce", (Fraction(2, 5) + Fraction(7, 15)) / 2),
    ],
)
def test_areas_and_regrets_by_hand(by_hand: Tables, criterion: str, area: Fraction) -> None:
    row = by_hand["criteria"].set_index("criterion").loc[criterion]
    assert row["area"] == pytest.approx(float(area), abs=1e-15)
    assert row["tec"] == row["area"]
    assert row["regret"] == pytest.approx(float(area) - 1 / 6, abs=1e-15)
    assert row["regret_tec"] == pytest.approx(row["regret"], abs=1e-15)


def test_which_estimate_each_criterion_is(by_hand: Tables) -> None:
    for stage in ("hybrids", "criteria"):
        kinds = by_hand[stage].drop_duplicates("criterion").set_index("criterion")["estimate"]
        assert kinds.index[kinds == IN_SAMPLE].tolist() == ["cost-minimizing"]
        assert kinds.index[kinds == CROSS_FITTED].tolist() == ["cross-fitted", *LIMITED]
    counts = by_hand["hybrids"].groupby("criterion")["curves"].first()
    assert counts["cost-minimizing"] == 1
    assert counts.drop("cost-minimizing").eq(2).all()


def test_thresholds_and_rates_follow_the_configuration() -> None:
    tables = tables_of(BY_HAND, selection={"score_threshold": 0.6, "rate": 1})
    result = curves(tables)
    assert result["score-fixed"].area() == 0
    assert (result["rate-fixed"].at0[0], result["rate-fixed"].at1[0]) == (1, 0)
    assert set(tables["criteria"]["criterion"]) == set(KNOWN_CRITERIA[:-2])
    only = tables_of(BY_HAND, selection={"criteria": ["score-fixed"]})["criteria"]
    assert only["criterion"].tolist() == ["cross-fitted", "cost-minimizing", "score-fixed"]


def test_the_order_of_members_changes_nothing() -> None:
    given = {"x": [1, 0, 0, 0], "y": [1, 1, 1, 0], "z": [1, 1, 1, 1]}
    first, other = (
        curves(tables_of(members({name: given[name] for name in names}, pcs)))
        for names, pcs in (("xyz", [0.2, 0.6, 0.7]), ("zyx", [0.7, 0.6, 0.2]))
    )
    assert all(same(first[criterion], other[criterion]) for criterion in first)


def test_a_decision_beside_scores_is_a_candidate_of_its_own() -> None:
    rows = rows_of([[0.4, 0.6], [0.4, 0.6]], [[1, 0], [1, 0]])
    tables = tables_of(rows.assign(decision=rows["label"]))
    result = curves(tables)
    assert result["cross-fitted"].area() == 0
    assert result["score-fixed"].area() == 1  # the scores alone: all wrong
    left_out = optimism(tables["averages"], tables["criteria"], {})  # nothing, of no cost
    assert left_out["cross_fitted"].tolist() == left_out["left_out_share"].tolist() == [0, 0, 0]


# Symmetries.


def random_rows(transform: Callable[[pd.Series], pd.Series] = lambda score: score) -> pd.DataFrame:
    rows = folds_of(60, 2, 3, seed=3).astype({"repeat": str, "fold": str})
    noise = np.random.default_rng(4).integers(0, 13, len(rows))
    score = pd.Series((noise + 3 * rows["label"]) / 16)
    return rows.assign(model="A", score=transform(score))


def test_swapping_the_classes_mirrors_every_curve() -> None:
    given = random_rows()
    swapped = given.assign(label=1 - given["label"], score=1 - given["score"])
    first, other = (curves(tables_of(rows)) for rows in (given, swapped))
    assert set(first) == set(other)
    places = np.linspace(0.0041, 0.9959, 300)
    for criterion in set(first) - {"score-fixed"}:  # a score of just 0.5 is positive either way
        mirrored = other[criterion](1 - places)
        assert first[criterion](places) == pytest.approx(mirrored, abs=1e-13)


def test_only_the_ranking_matters_but_where_scores_are_read() -> None:
    first = curves(tables_of(random_rows()))
    other = curves(tables_of(random_rows(lambda score: 100 * score**3 - 7)))
    assert set(first) - set(other) == {"score-driven"}
    assert all(
        same(first[criterion], other[criterion]) for criterion in set(other) - {"score-fixed"}
    )


# What keeps a criterion from a model.

GOOD = [[0.9, 0.3], [0.8, 0.5]]
LABELS = [[1, 0], [1, 0]]
PAIR = {"x": [1, 0, 0, 0], "y": [1, 1, 1, 0]}
FEW = "too few to choose a threshold on some of them and judge it on the others: give 6 or more of"
SCORED = pd.concat(
    [
        rows_of(GOOD, LABELS).assign(member=name, train_pc=pc)
        for name, pc in (("x", 0.2), ("y", 0.6))
    ]
)
OBSTACLES = {
    "cross-fitted": [
        (rows_of([[0.9, 0.3]], [[1, 0]]), f"there are 5 positives and 5 negatives, {FEW} each"),
        (
            rows_of([[0.9, 0.3], [0.4, 0.8]], [[1, 0], [1, 1]]),
            f"there are 15 positives and 5 negatives, {FEW} each",
        ),
        (
            rows_of([[0.9, 0.3], [0.8, 0.5], [0.7, 0.6]], [[1, 0]] * 3, times=2),
            "without fold '1' of repeat '1' there are 4 positives and 4 negatives to choose on, "
            "expected 5 or more of each: give more instances, or make more and smaller folds",
        ),
    ],
    "nearest-train-pc": [
        (
            BY_HAND,
            "it is one classifier and no family of members trained for different PC(+): give a row "
            "for each member, with the columns member, train_pc and decision",
        ),
        (
            SCORED,
            "its members have scores and so many operating points each: give a decision for each "
            "member",
        ),
        (
            members(PAIR, [0.2, NAN]),
            "nothing says what its members 'y' were trained for: give it in the column train_pc",
        ),
        (
            members(PAIR, [0.5, 0.5]),
            "its members 'x', 'y' were trained for the same PC(+), 0.5, so none of them is the "
            "nearest: give each another train_pc",
        ),
    ],
    "score-driven": [
        (
            members(PAIR, [0.2, 0.6]),
            "it has decisions and no scores, so there is no threshold to set: give scores",
        ),
        (
            SCORED,
            "its members have scores of their own, expected the scores of one classifier: give "
            "each member as a model of its own",
        ),
        (
            rows_of([[1.5, 0.3], [0.8, -2]], LABELS),
            "its scores go from -2 to 1.5, expected probabilities of the positive class, from 0 to "
            "1: calibrate them, or leave this criterion out",
        ),
    ],
}


@pytest.mark.parametrize(
    ("criterion", "rows", "reason"),
    [(criterion, *each) for criterion, cases in OBSTACLES.items() for each in cases],
)
def test_what_keeps_a_criterion_from_a_model(
    criterion: str, rows: pd.DataFrame, reason: str
) -> None:
    tables = tables_of(rows)
    row = tables["criteria"].query("criterion == @criterion").iloc[0].to_dict()
    assert (row["reason"], row["applies"], row["best"]) == (reason, False, False)
    assert np.isnan(row["area"])
    assert criterion not in curves(tables)
    assert_consistent(tables)


def test_without_cross_fitting_there_is_no_regret_but_a_best_criterion() -> None:
    tables = tables_of(rows_of([[0.9, 0.3]], [[1, 0]]))
    rows, left_out = tables["criteria"], optimism(tables["averages"], tables["criteria"], {})
    assert rows.filter(like="regret").isna().all(axis=None)
    assert rows.loc[rows["best"], "criterion"].tolist() == ["score-fixed"]  # the first of equals
    assert left_out[["cross_fitted", "left_out", "left_out_share"]].isna().all(axis=None)


# Constructions.


def test_constructions_by_hand(by_hand: Tables) -> None:
    names = ["limit", "fp", "tp", "share", "first", "second", "dual_pc", "dual_nec"]
    highest, force = by_hand["constructions"][names].to_numpy().tolist()
    assert highest[:4] == pytest.approx([0.1, 0.1, 1, 0.1], abs=1e-15)
    assert highest[4:] == ["threshold 0.8", "always positive", 0, 0.1]
    assert force[:4] == pytest.approx([2, 0, 0.2, 0.2], abs=1e-15)
    assert force[4:6] == ["always negative", "threshold 0.8"]
    assert np.isnan(force[6:]).all()  # as many positives as negatives
    assert by_hand["constructions"][["positives", "negatives"]].eq(10).all(axis=None)


def test_without_other_folds_a_limit_is_kept_in_sample() -> None:
    one_fold = rows_of([[0.9, 0.8, 0.7, 0.6]], [[1, 0, 1, 0]], times=2)
    tables = tables_of(one_fold, selection=CONSTRAINED)
    rows = tables["constructions"]
    assert rows[["held_out_fp", "held_out_tp", "held_out"]].isna().all(axis=None)
    assert rows[["folds", "exceeded"]].eq(0).all(axis=None)
    kinds = tables["criteria"].set_index("criterion")["estimate"]
    assert set(kinds[LIMITED]) == {IN_SAMPLE}
    ends = [(each.at0[0], 1 - each.at1[0]) for each in map(curves(tables).__getitem__, LIMITED)]
    assert rows[["fp", "tp"]].to_numpy() == pytest.approx(np.array(ends), abs=1e-15)
    assert_consistent(tables)


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        ({"max_fp_rate": 0}, [1 / 6, 5 / 6, 1 / 6, 2, 1]),
        ({"max_fp_rate": 1}, [1, 1, 1, 2, 0]),
        ({"capacity": 0}, [0, 0, 0, 2, 0]),
        ({"capacity": 20}, [1, 1, 20, 2, 0]),
        ({"capacity": 1000}, [1, 1, 20, 2, 0]),
        ({"capacity": "300%"}, [1, 1, 20, 2, 0]),
    ],
)
def test_limits_at_their_ends(limit: dict[str, Any], expected: list[float]) -> None:
    tables = tables_of(BY_HAND, selection=limit)
    row = tables["constructions"].iloc[0]
    names = ["held_out_fp", "held_out_tp", "held_out", "folds", "exceeded"]
    assert row[names].tolist() == pytest.approx(expected, abs=1e-15)
    assert (row["share"], row["first"]) == (0, row["second"])
    assert_consistent(tables)


# What is true of any tables about choosing.


def assert_consistent(tables: Tables) -> None:
    """Compare criteria, curves, losses and limits with each other."""
    criteria, hybrids = tables["criteria"], tables["hybrids"]
    curves, choice = by_pair(tables), ["model", "criterion"]
    has_curve = [pair in curves for pair in criteria[choice].itertuples(index=False, name=None)]
    assert criteria["applies"].tolist() == has_curve == criteria["reason"].eq("").tolist()
    assert sum(has_curve) == len(curves)
    if len(criteria):
        area = areas(hybrids, choice).reindex(pd.MultiIndex.from_frame(criteria[choice]))
        np.testing.assert_allclose(criteria["area"], area, atol=1e-12)
        honest = criteria.query("criterion == 'cross-fitted'").set_index("model")["area"]
        regret = criteria["area"] - criteria["model"].map(honest)
        np.testing.assert_allclose(criteria["regret"], regret, atol=1e-12)
    usable = criteria[criteria["applies"] & criteria["estimate"].ne(IN_SAMPLE)]
    usable = usable[~usable["criterion"].isin(NEEDS)].set_index("model")
    least = usable.groupby("model", sort=False)["tec"].min()
    assert usable.loc[usable["best"], "tec"].to_dict() == least.to_dict()
    assert criteria["best"].sum() == len(least)
    losses, names = tables["threshold_choice"], ["model", "method", "axis"]
    area = areas(losses, names).reindex(pd.MultiIndex.from_frame(losses[names]))
    np.testing.assert_allclose(losses["loss"], area, atol=1e-12)
    rows = tables["constructions"]
    for name, kind in LIMITS.items():
        part = rows[rows["criterion"] == name]
        fp, tp = part["fp"] * part["negatives"], part["tp"] * part["positives"]
        used = kind.used(fp.to_numpy(), tp.to_numpy())
        times = 1 if kind.in_cases else part["negatives"]
        assert (used <= part["limit"] * times + 1e-12).all()
    for rate in ("fp", "tp"):
        mixed = (1 - rows["share"]) * rows[f"first_{rate}"] + rows["share"] * rows[f"second_{rate}"]
        np.testing.assert_allclose(rows[rate], mixed, atol=1e-12)
    points, envelopes = tables["operating_points"], tables["envelopes"]
    for (model, criterion), curve in curves.items():
        part = hybrids[(hybrids["model"] == model) & (hybrids["criterion"] == criterion)]
        kind = part["estimate"].iloc[0]
        split = points[(points["level"] == SPLIT) & (points["model"] == model)]
        if kind == CROSS_FITTED and len(split):
            sets, of = from_table(split)
            best = average(
                [entry.curve for entry in lower_envelopes(sets)], codes(of["repeat"].tolist())
            )
        else:
            folds = envelopes[(envelopes["level"] == "fold") & (envelopes["model"] == model)]
            keys, each = zip(*curves_of(folds, ["repeat", "fold"]), strict=True)
            best = average(each, codes([key["repeat"] for key in keys]))
        if kind != IN_SAMPLE:
            assert min((curve - best).starts.min(), (curve - best).ends.min()) >= -1e-12


def codes(names: Sequence[str]) -> Any:
    return pd.factorize(np.array(names))[0]


def test_tables_about_choosing_agree() -> None:
    rows = folds_of(24, 2, 3, seed=1).astype({"repeat": str, "fold": str})
    everything = [
        scored(rows, "Bayes", 2.0, 2),
        scored(rows, "Trees", 1.0, 3),
        scored(rows, "Margins", 1.0, 4).assign(score=lambda frame: 4 * frame["score"] - 2),
        family(rows, "F", 5),
    ]
    assert_consistent(tables_of(pd.concat(everything), selection=CONSTRAINED))


instances = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 3)), max_size=5)
first_two = st.tuples(st.integers(0, 3), st.integers(0, 3)).map(lambda part: list(enumerate(part)))


@settings(max_examples=5)
@given(st.lists(st.tuples(first_two, instances), min_size=1, max_size=3), st.integers(-1, 0))
def test_any_tables_about_choosing_agree(folds: list[Any], lowest: int) -> None:
    whole = [[*both_classes, *others] for both_classes, others in folds]
    labels = [[label for label, _ in fold] for fold in whole]
    scores = [[(score + lowest) / 3 for _, score in fold] for fold in whole]
    rows = rows_of(scores, labels, times=3)
    beside = rows.assign(model="B", decision=(rows["score"] > 0.5).astype(int))
    assert_consistent(tables_of(pd.concat([rows, beside]), selection=CONSTRAINED))
