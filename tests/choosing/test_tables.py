"""The tables about choosing a threshold or a member, against the slow study and its reasons."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from costcurves.api.study import Tables
from costcurves.pairs.choices import CHOICE_INTERVALS, optimism
from costcurves.settings import KNOWN_CRITERIA
from tests.oracle import slow_study as slow
from tests.oracle.slow_views import (
    LIMITS,
    RATE,
    THRESHOLD,
    Published,
    View,
    assert_close,
    each,
    published,
)
from tests.result_tables import made_of, staged, study_of
from tests.workflow import test_slow_study as slowly

NAN = float("nan")
# As the slow study has them.
OF_VIEWS: dict[str, Any] = {
    "weight_of_pc": {"kind": "beta", "a": 2, "b": 4, "low": 0.05, "high": 0.9},
    "selection": {
        "score_threshold": THRESHOLD,
        "rate": float(RATE),
        "max_fp_rate": float(LIMITS["neyman-pearson"]),
        "capacity": f"{float(100 * LIMITS['workforce'])}%",
    },
}


def rows_of(
    scores: Sequence[Sequence[float]], labels: Sequence[Sequence[int]], times: int = 5
) -> pd.DataFrame:
    """Folds of one repeat, each row `times` times."""
    parts = []
    for fold, (share_of, classes) in enumerate(zip(scores, labels, strict=True), start=1):
        part = pd.DataFrame({"fold": str(fold), "score": share_of, "label": classes, "model": "A"})
        parts.append(part.loc[part.index.repeat(times)])
    rows = pd.concat(parts, ignore_index=True)
    return rows.assign(instance=[f"{place:04}" for place in range(len(rows))])


def members(rows: pd.DataFrame, *train_pc: float) -> pd.DataFrame:
    """A family whose members predict the same."""
    named = zip("xy", train_pc, strict=True)
    return pd.concat([rows.assign(member=name, train_pc=pc) for name, pc in named])


def tables_of(
    predictions: pd.DataFrame, selection: Mapping[str, Any] = MappingProxyType({}), **keys: Any
) -> Tables:
    """The tables of a study, each made when it is asked for."""
    fixed = {"score_threshold": 0.5, "rate": None, **selection}
    rows = staged(predictions)
    study = study_of(rows, "fold", inference={}, seed=3, **{"selection": fixed, **keys})
    return made_of(*study, rows)


# Against the slow study


class Drawn(View):
    """What follows from rows that were drawn."""

    def __init__(self, rows: pd.DataFrame) -> None:
        self.name, self.weighed, self._kept = "d", False, {}
        self.models = {}
        for model, part in rows.groupby("model", sort=False):
            listed = []
            for row in part.to_dict("records"):
                crisp = row["decision"] >= 0
                trained = None if np.isnan(row["train_pc"]) else Fraction(row["train_pc"])
                names = str(model), row["member"], trained, row["repeat"], row["fold"]
                value = float(row["decision"] if crisp else row["score"])
                judged = row["instance"], row["label"] == 1, value, crisp
                listed.append(slow.Row(*names, *judged, slow.ONE))
            self.models[str(model)] = slow.Rows(tuple(listed))


@st.composite
def predictions(draw: st.DrawFn) -> pd.DataFrame:
    """Scores in two repeats of folds with ties, decisions, and those of a family."""
    sizes = draw(st.lists(st.integers(0, 3), min_size=2, max_size=3))
    times = draw(st.integers(2, 4))  # with fewer than 5 of a class left nothing can be chosen
    label = [y for size in sizes for y in [0, 1, *draw(st.permutations([0, 1, 1]))[:size]] * times]
    fold = [str(number) for number, size in enumerate(sizes) for _ in range((2 + size) * times)]
    rows = pd.DataFrame({"label": label, "fold": fold, "instance": range(len(label))})
    seed, shift = draw(st.integers(0, 10**6)), draw(st.integers(-1, 0))
    rng = np.random.default_rng(seed)
    rows = pd.concat([rows.assign(repeat="1"), rows.assign(repeat="2")]).astype({"instance": str})
    noise = rng.integers(0, 4, (2, len(rows)))
    scored = rows.assign(model="A", score=np.minimum(noise[0] + rows["label"] + shift, 4) / 4)
    decided = rows.assign(model="B", decision=(noise[1] > 1).astype(int))
    family = [
        rows.assign(model="F", member=str(pc), train_pc=pc, decision=(noise[0] / 4 > 1 - pc) * 1)
        for pc in draw(st.permutations([0.25, 0.5, 0.875]))
    ]
    return staged(pd.concat([scored, decided, *family], ignore_index=True))


@settings(max_examples=5, phases=[Phase.generate])  # to shrink rows takes minutes
@given(predictions())
def test_any_tables_about_choosing_equal_the_slow_study(rows: pd.DataFrame) -> None:
    tables, view = tables_of(rows, **OF_VIEWS), Drawn(rows)
    csv: Published = lambda name, _="": published(tables[name])  # noqa: E731
    slowly.test_every_selection_criterion(csv, view)
    slowly.test_what_criteria_cost_and_regret(csv, view)
    slowly.test_what_is_to_serve_from_now_on(csv, view)
    slowly.test_headline_curves(csv, view)
    for names, part in each(tables["threshold_choice"], "model", "method", "axis"):
        areas = (part["pc_to"] - part["pc_from"]) * (part["nec_from"] + part["nec_to"]) / 2
        assert_close(part["loss"].iloc[0], areas.sum(), names)
    constructions = tables["constructions"].set_index(["model", "criterion"])
    for model, name in product(view.models, LIMITS):
        assert_construction(constructions.loc[(model, name)], view, model, name)


def assert_construction(row: Any, view: View, model: str, name: str) -> None:
    """Compare a limit's point on the pooled hull, and what it comes to on held-out folds."""
    whole, in_cases = view.models[model], name == "workforce"
    (negatives, positives), mix = whole.counts, view.mix(name, whole)
    limit = LIMITS[name] * (Fraction(negatives + positives, 2) if in_cases else 1)
    expected: dict[str, Any] = {"share": mix.share, "limit": limit, "positives": positives / 2}
    second = mix.second if mix.share else mix.first
    for which, (fp, tp) in (("", mix.point), ("first_", mix.first), ("second_", second)):
        expected |= {f"{which}fp": fp, f"{which}tp": tp}
    if not in_cases:
        expected |= {"dual_pc": 0, "dual_nec": limit}
    elif more := positives - negatives:
        expected |= {"dual_pc": positives / more, "dual_nec": (positives - 2 * limit) / more}
    held_out = view.held_out(model, name) if view.can_choose else []
    used, exceeded = Fraction(0), 0
    for fold, fp, tp in held_out:
        n, p = fold.counts
        cases = fp * n + (tp * p if in_cases else 0)
        used += cases
        exceeded += cases > LIMITS[name] * (n + p if in_cases else n)
    mean = slow.mean_rates(held_out) if held_out else slow.NEGATIVE
    assert (row["folds"], row["exceeded"]) == (len(held_out), exceeded)
    for column, value in (
        ("held_out_fp", mean.at0),
        ("held_out_tp", 1 - mean.at1),
        ("held_out", used / 2 if in_cases else mean.at0),
    ):
        expected[column] = value if held_out else None
    for column, value in expected.items():
        assert_close(row[column], value, (model, name, column))


# What keeps a criterion from a model

LABELS = [[1, 0], [1, 0]]
BY_HAND = rows_of([[0.9, 0.3], [0.8, 0.5]], LABELS)
DECIDED = BY_HAND.assign(score=NAN, decision=BY_HAND["label"])
SCORED = members(BY_HAND, 0.2, 0.6)
FEW = "too few to choose a threshold on some of them and judge it on the others: give 6 or more of"
OBSTACLES = {
    "cross-fitted": {
        f"there are 15 positives and 5 negatives, {FEW} each": rows_of(
            [[0.9, 0.3], [0.4, 0.8]], [[1, 0], [1, 1]]
        ),
        "without fold '1' of repeat '1' there are 4 positives and 4 negatives to choose on, "
        "expected 5 or more of each: give more instances, or make more and smaller folds": rows_of(
            [[0.9, 0.3], [0.8, 0.5], [0.7, 0.6]], [[1, 0]] * 3, times=2
        ),
    },
    "nearest-train-pc": {
        "it is one classifier and no family of members trained for different PC(+): give a row "
        "for each member, with the columns member, train_pc and decision": BY_HAND,
        "its members have scores and so many operating points each: give a decision for each "
        "member": SCORED,
        "nothing says what its members 'y' were trained for: give it in the column train_pc": (
            members(DECIDED, 0.2, NAN)
        ),
        "its members 'x', 'y' were trained for the same PC(+), 0.5, so none of them is the "
        "nearest: give each another train_pc": members(DECIDED, 0.5, 0.5),
    },
    "score-driven": {
        "it has decisions and no scores, so there is no threshold to set: give scores": (
            members(DECIDED, 0.2, 0.6)
        ),
        "its members have scores of their own, expected the scores of one classifier: give "
        "each member as a model of its own": SCORED,
        "its scores go from -2 to 1.5, expected probabilities of the positive class, from 0 to "
        "1: calibrate them, or leave this criterion out": rows_of([[1.5, 0.3], [0.8, -2]], LABELS),
    },
}


@pytest.mark.parametrize(
    ("criterion", "reason"), [(name, reason) for name, of in OBSTACLES.items() for reason in of]
)
def test_what_keeps_a_criterion_from_a_model(criterion: str, reason: str) -> None:
    table = tables_of(OBSTACLES[criterion][reason])["criteria"].set_index("criterion")
    row = table.loc[[criterion]].iloc[0].to_dict()
    assert (row["reason"], row["applies"], row["best"]) == (reason, False, False)
    assert np.isnan(row["area"])
    assert table.index.tolist() == [*KNOWN_CRITERIA[:-2]]  # none with a limit
    if criterion == "cross-fitted":
        assert table.filter(like="regret").isna().all(axis=None)
        assert table.loc[table["best"], "estimate"].tolist() == ["fixed in advance"]


CHOSEN = {"cross-fitted": 0, "cost-minimizing": 0}


def test_a_decision_beside_scores_is_a_candidate_and_only_what_is_considered_has_a_row() -> None:
    rows = rows_of([[0.4, 0.6], [0.4, 0.6]], LABELS)
    tables = tables_of(
        rows.assign(decision=rows["label"]), {"criteria": ["score-fixed", "rate-fixed"]}
    )
    areas = tables["criteria"].set_index("criterion")["area"].to_dict()
    assert areas == CHOSEN | {"score-fixed": 1, "rate-fixed": 1}  # scores alone are all wrong
    whole = tables_of(rows_of([[0.9, 0.3]], [[1, 0]]))
    for table, expected in ((tables, [0, 0, 0]), (whole, [NAN] * 3)):
        left_out = optimism(table["averages"], table["criteria"], CHOICE_INTERVALS.empty(), "fold")
        for name in ("cross_fitted", "left_out", "left_out_share"):
            assert left_out[name].tolist() == pytest.approx(expected, nan_ok=True)


# Limits

HELD_OUT = ["held_out_fp", "held_out_tp", "held_out", "folds", "exceeded"]


@pytest.mark.parametrize(
    ("limit", "words", "share", "expected"),
    [
        ({"max_fp_rate": 0.1}, ["threshold 0.8", "always positive"], 0.1, [0.25, 0.85, 0.25, 2, 1]),
        ({"capacity": "10%"}, ["always negative", "threshold 0.8"], 0.2, [1 / 30, 1 / 6, 2, 2, 0]),
        ({"max_fp_rate": 0}, ["threshold 0.8"] * 2, 0, [1 / 6, 5 / 6, 1 / 6, 2, 1]),
        ({"max_fp_rate": 1}, ["always positive"] * 2, 0, [1, 1, 1, 2, 0]),
        ({"capacity": 0}, ["always negative"] * 2, 0, [0, 0, 0, 2, 0]),
        ({"capacity": 20}, ["always positive"] * 2, 0, [1, 1, 20, 2, 0]),
        ({"capacity": "300%"}, ["always positive"] * 2, 0, [1, 1, 20, 2, 0]),
    ],
)
def test_limits_by_hand_and_at_their_ends(
    limit: dict[str, Any], words: list[str], share: float, expected: list[float]
) -> None:
    row = tables_of(BY_HAND, limit)["constructions"].iloc[0]
    assert (row[["first", "second"]].tolist(), row["share"]) == (words, pytest.approx(share))
    assert row[HELD_OUT].tolist() == pytest.approx(expected, abs=1e-15)
    if "capacity" in limit:  # as many positives as negatives
        assert np.isnan([row["dual_pc"], row["dual_nec"]]).all()


def test_what_keeps_a_limit_is_not_the_best_rule_though_it_may_cost_less() -> None:
    selection = {"max_fp_rate": 1, "criteria": ["neyman-pearson"]}
    table = tables_of(rows_of([[2, 1], [1, 2]], LABELS), selection)["criteria"]
    assert table.set_index("criterion")["tec"].to_dict() == pytest.approx(
        {"cross-fitted": 0.625, "cost-minimizing": 0.125, "neyman-pearson": 0.5}
    )
    assert table.loc[table["best"], "criterion"].tolist() == ["cross-fitted"]
