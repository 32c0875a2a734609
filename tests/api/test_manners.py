"""What users of scikit-learn expect of any package: short signatures, seeds, mappings, pickles."""

import copy
import inspect
import pickle
import re
import tracemalloc
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import costcurves as cc
from tests.small_study import ROOT

RNG = np.random.default_rng(8)
Y = (RNG.random(1000) < 0.3).astype(int)
MODELS = {
    name: 1 / (1 + np.exp(1 - RNG.normal(size=1000) - d * Y)) for name, d in (("a", 1), ("b", 2))
}
FEW: dict[str, Any] = {"y_true": [0, 0, 1, 0] * 8, "y_score": [0.1, 0.2, 0.9, 0.4] * 8}

EXPERTS = re.findall(r"^   (\w+\.\w+)$", (ROOT / "docs/api.md").read_text("utf-8"), re.MULTILINE)


def functions() -> Iterator[tuple[str, Any]]:
    """Every public function, class and method, those of the mathematics included."""
    for module in (cc, *(import_module(f"costcurves.{name}") for name in EXPERTS)):
        for name in getattr(module, "__all__", [*vars(module)]):
            one = getattr(module, name)
            own = module is cc or getattr(one, "__module__", "") == module.__name__
            if not own or inspect.ismodule(one) or not callable(one):
                continue
            yield f"{module.__name__}.{name}", one
            for method, it in inspect.getmembers(one, callable) if inspect.isclass(one) else ():
                if not method.startswith("_"):
                    yield f"{module.__name__}.{name}.{method}", it


def test_signatures_can_be_read() -> None:
    signatures = {name: str(inspect.signature(one)) for name, one in functions()}
    known = {"CostCurve.cost_at", "compare_models", "ranking.delong.components"}
    assert {f"costcurves.{name}" for name in known} <= signatures.keys()
    public = {name: it for name, it in signatures.items() if name.split(".")[1] in cc.__all__}
    assert {name: it for name, it in public.items() if len(it) > 100} == {}
    assert {name for name, it in signatures.items() if "_SupportsArray" in it} == set()


@pytest.fixture(scope="module")
def found() -> cc.Comparison:
    return cc.compare_models(Y, MODELS, folds=np.arange(1000) % 10, n_resamples=200)


def test_a_comparison_is_a_mapping_of_curves(found: cc.Comparison) -> None:
    assert [*found] == [*found.keys()] == ["a", "b"]
    assert len(found) == 2
    assert "a" in found
    assert "c" not in found
    assert found.get("c") is None
    assert [(name, one.name) for name, one in found.items()] == [("a", "a"), ("b", "b")]
    assert [*found.values()] == [found["a"], found["b"]]


def band_of(**given: Any) -> list[float]:
    curve = cc.cost_curve(Y[:200], MODELS["a"][:200], **{"n_resamples": 50} | given)
    return [float(curve.band()[1](pc)) for pc in (0.2, 0.5, 0.8)]


def test_seeds_and_resamples_have_names() -> None:
    assert band_of(random_state=7) == band_of(settings={"seed": 7})
    assert band_of() == band_of(settings={"seed": 20061})
    assert band_of() != band_of(random_state=7) != band_of(random_state=7, n_resamples=60)
    assert band_of() == band_of(n_resamples=None, settings={"inference": {"resamples": 50}})
    given = {"inference": {"confidence": 0.5}}
    assert band_of(confidence=0.5) == band_of(settings=given) != band_of()
    assert given == {"inference": {"confidence": 0.5}}


@pytest.mark.parametrize("kind", [np.random.default_rng, np.random.RandomState])
def test_a_generator_gives_a_seed_and_moves_on(kind: Any) -> None:
    one, same = kind(3), kind(3)
    first = band_of(random_state=one)
    assert first == band_of(random_state=same)
    assert first != band_of(random_state=one)


@pytest.mark.parametrize(
    ("given", "settings"),
    [
        ({"random_state": 7}, {"seed": 7}),
        ({"n_resamples": 50}, {"inference": {"resamples": 60}}),
        ({"confidence": 0.8}, {"inference": {"confidence": 0.9}}),
    ],
)
def test_what_is_given_twice_is_refused(given: dict[str, Any], settings: dict[str, Any]) -> None:
    (name,) = given
    for call in (cc.cost_curve, cc.CostCurveDisplay.from_predictions):
        with pytest.raises(ValueError, match=rf"^{name} and '\w+' of settings are the same"):
            call(**FEW, **given, settings=settings)
    with pytest.raises(ValueError, match=rf"^{name} and '\w+' of settings are the same"):
        cc.compare_models(Y, MODELS, **given, settings=settings)


def test_an_estimate_in_sample_is_a_warning() -> None:
    y_true, y_score = FEW.values()
    said = "in-sample estimate of 'model': thresholds are chosen on the cases that judge them"
    small: dict[str, Any] = {"y_true": y_true[:5], "y_score": y_score[:5]}
    with pytest.warns(UserWarning, match=said) as caught:
        assert cc.cost_curve(**small).estimate == "in-sample selection"
    assert caught[0].filename == __file__
    models = {"model": y_score[:5], "rule": y_true[:5]}
    with pytest.warns(UserWarning, match=f"{said}, so costs are too low") as caught:
        cc.compare_models(y_true[:5], models)
    assert caught[0].filename == __file__
    assert cc.cost_curve(**FEW).estimate == "cross-fitted"  # and no warning, which would fail


def test_pickles_are_small_and_give_the_same(found: cc.Comparison) -> None:
    band, verdicts = found["a"].band()[0], found.verdicts
    found["a"].net_benefit([0.2])
    for one in (found, found["a"]):
        written = pickle.dumps(one)
        assert len(written) < 2e6
        read = pickle.loads(written)
        assert repr(read) == repr(one)
    assert read._repr_html_() == one._repr_html_()
    assert pickle.loads(pickle.dumps(found))._repr_html_() == found._repr_html_()
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(found))))
    assert again.verdicts.equals(verdicts)
    assert np.array_equal(again["a"].band()[0].ends, band.ends)
    assert np.array_equal(again["b"].thresholds, found["b"].thresholds)
    assert again["b"].cost_at(cost_ratio=3) == found["b"].cost_at(cost_ratio=3)
    assert found._tables.resampled  # pickling takes nothing away


def test_pickles_hold_curves_and_no_cases(tmp_path: Path) -> None:
    many = np.random.default_rng(9)
    y = many.random(60_000) < 0.3
    models = {name: many.normal(size=len(y)) + d * y for name, d in (("a", 1), ("b", 2))}
    found = cc.compare_models(y, models, folds=np.arange(len(y)) % 10)
    assert len(found.table("operating_points")) > len(y)
    written = pickle.dumps(found)
    assert len(written) < 2e6
    read = pickle.loads(written)
    assert read["a"].cost_at(0.3) == found["a"].cost_at(0.3)
    said = "a pickle holds curves and what was asked of bands and verdicts, not the cases"
    assert "Ask for" in found._repr_html_()
    assert "Ask for" not in read._repr_html_()
    for ask in (read["a"].band, lambda: read.verdicts, lambda: read.table("operating_points")):
        with pytest.raises(ValueError, match=said):
            ask()
    with pytest.raises(ValueError, match=said):
        read["a"].net_benefit([0.2])
    with pytest.raises(ValueError, match=said):
        read.report(tmp_path / "new")
    assert not (tmp_path / "new").exists()
    other = copy.deepcopy(found)
    other.table("headline")["nec_from"] = 2.0
    assert found.table("headline")["nec_from"].max() < 1
    assert other.table("operating_points").equals(found.table("operating_points"))


Ask = Callable[[cc.Comparison], pd.DataFrame]
ASKED: list[tuple[Ask, Ask]] = [  # and the same with other arguments
    (lambda it: it.summary(), lambda it: it.net_benefit_verdicts()),
    (lambda it: it.net_benefit_verdicts(), lambda it: it.net_benefit_verdicts(prior=0.4)),
    (
        lambda it: it.net_benefit_verdicts(prior=0.2),
        lambda it: it.net_benefit_verdicts(prior=0.3),
    ),
    (
        lambda it: it["a"].net_benefit([0.2, 0.3], extent=None),
        lambda it: it["a"].net_benefit([0.2], extent=None),
    ),
    (lambda it: it["b"].net_benefit([0.2]), lambda it: it["a"].net_benefit([0.2])),
    (
        lambda it: it["b"].net_benefit([0.2], extent="pointwise"),
        lambda it: it["b"].net_benefit([0.2]),
    ),
    (
        lambda it: it["b"].net_benefit([0.2], prior=0.1),
        lambda it: it["b"].net_benefit([0.2], prior=0.2),
    ),
]


@pytest.mark.parametrize(("ask", "other"), ASKED)
def test_a_pickle_answers_what_was_asked_before_and_nothing_else(ask: Ask, other: Ask) -> None:
    found = cc.compare_models(Y[:300], {it: MODELS[it][:300] for it in "ab"}, n_resamples=40)
    bare, answer = pickle.dumps(found), ask(found)
    kept = answer.copy()
    answer.iloc[:, -1] = 0  # a caller's own
    read = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(found))))
    for one in (found, read):
        pd.testing.assert_frame_equal(ask(one), kept, check_exact=True)
    match = "a pickle holds curves and what was asked"
    with pytest.raises(ValueError, match=match):
        ask(pickle.loads(bare))
    with pytest.raises(ValueError, match=match):
        other(read)
    assert not other(found).equals(kept)


def test_a_copy_answers_anew() -> None:
    found = cc.compare_models(Y[:300], {it: MODELS[it][:300] for it in "ab"}, n_resamples=40)
    before = found.summary()
    other = copy.deepcopy(found)
    other.table("deployment")["threshold"] += 1
    assert not other.summary().equals(before)
    assert found.summary().equals(before)
    assert copy.deepcopy(pickle.loads(pickle.dumps(found))).summary().equals(before)


def test_an_answer_is_that_of_its_own_arguments(found: cc.Comparison) -> None:
    found.summary()
    with pytest.raises(ValueError, match="summary"):
        found.net_benefit_verdicts(prior="summary")  # type: ignore[arg-type]
    first = found["a"].net_benefit([0.1, 0.3], prior=0.2, extent=None)
    for other in ({"prior": 0.3}, {"extent": "pointwise"}, {"thresholds": [0.1, 0.4]}):
        asked = {"thresholds": [0.1, 0.3], "prior": 0.2, "extent": None, **other}
        assert not found["a"].net_benefit(**asked).equals(first)
    with pytest.raises(ValueError, match="dimension"):
        found["a"].net_benefit([[0.1, 0.3]], prior=0.2, extent=None)
    first["net_benefit"] = 0.0
    assert not found["a"].net_benefit([0.1, 0.3], prior=0.2, extent=None).equals(first)


def allocated(rows: int) -> tuple[float, float]:
    """What a curve of distinct scores needs at most, and holds, in columns of doubles."""
    y = np.random.default_rng(1).random(rows) < 0.3
    scores = np.random.default_rng(2).normal(size=rows) + y
    tracemalloc.start()
    try:
        curve = cc.cost_curve(y, scores)
        held, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert curve.estimate == "cross-fitted"
    return most / scores.nbytes, held / scores.nbytes


def test_a_curve_needs_few_copies_of_the_scores() -> None:
    allocated(40)  # what is loaded once
    most, held = allocated(200_000)
    assert most < 27
    assert held < 4


PLACES, SHUFFLED = np.arange(700), np.random.default_rng(3).permutation(700)


@pytest.mark.parametrize(
    ("ids", "same"),
    [
        (PLACES, [str(one) for one in PLACES]),
        (SHUFFLED, [str(one) for one in SHUFFLED]),
        (SHUFFLED - 350, [str(one - 350) for one in SHUFFLED]),
        (SHUFFLED.astype(np.uint64) + 2**63, [str(one + 2**63) for one in SHUFFLED.tolist()]),
    ],
)
def test_integers_are_ids_as_their_text_is(ids: Any, same: Any) -> None:
    """Splits at random and resamples depend on the text of an id, whatever its type is."""
    models = {name: scores[:700] for name, scores in MODELS.items()}
    one, other = (
        cc.compare_models(Y[:700], models, instance=it, n_resamples=50) for it in (ids, same)
    )
    for name in ("operating_points", "headline", "bands", "verdicts", "plausibility"):
        pd.testing.assert_frame_equal(one.table(name), other.table(name), check_exact=True)


def test_ids_other_than_places_have_other_splits() -> None:
    curves = [
        cc.cost_curve(Y, MODELS["a"], instance=ids).curve
        for ids in (None, np.arange(1000) + 1, [f"{one}" for one in range(1, 1001)])
    ]
    assert curves[0].area() != curves[1].area() == curves[2].area()
