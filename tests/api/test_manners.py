"""What users of scikit-learn expect of any package: short signatures, seeds, pickles."""

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
EXPERTS = re.findall(r"^   (\w+\.\w+)$", (ROOT / "docs/api.md").read_text("utf-8"), re.MULTILINE)
NOT_THE_CASES = "a pickle holds curves and what was asked of bands and verdicts, not the cases"


def signatures(module: Any) -> Iterator[tuple[str, str]]:
    """Yield the signature of each public function, class and method of a module."""
    for name in getattr(module, "__all__", [*vars(module)]):
        value = getattr(module, name)
        local = module is cc or getattr(value, "__module__", "") == module.__name__
        if not local or inspect.ismodule(value) or not callable(value):
            continue
        yield name, str(inspect.signature(value))
        for method, function in inspect.getmembers(value) if inspect.isclass(value) else ():
            if callable(function) and not method.startswith("_"):
                yield f"{name}.{method}", str(inspect.signature(function))


def test_signatures_can_be_read() -> None:
    public = dict(signatures(cc))
    assert {"CostCurve.cost_at", "compare_models"} <= public.keys()
    assert {name: text for name, text in public.items() if len(text) > 100} == {}
    for module in (cc, *(import_module(f"costcurves.{name}") for name in EXPERTS)):
        assert not [name for name, text in signatures(module) if "_SupportsArray" in text]


def band_of(**given: Any) -> list[float]:
    curve = cc.cost_curve(Y[:200], MODELS["a"][:200], **{"n_resamples": 50} | given)
    return [float(curve.band()[1](pc)) for pc in (0.2, 0.5, 0.8)]


def test_seeds_and_resamples_have_names() -> None:
    usual, seeded = band_of(), band_of(random_state=7)
    assert seeded == band_of(settings={"seed": 7})
    assert usual == band_of(n_resamples=None, settings={"inference": {"resamples": 50}})
    assert usual != seeded != band_of(random_state=7, n_resamples=60)
    given = {"inference": {"confidence": 0.5}}
    assert band_of(confidence=0.5) == band_of(settings=given) != usual
    assert given == {"inference": {"confidence": 0.5}}
    for kind in (np.random.default_rng, np.random.RandomState):
        generator: Any = kind(3)
        first = band_of(random_state=generator)
        assert first == band_of(random_state=kind(3))
        assert first != band_of(random_state=generator)  # it moved on


@pytest.mark.parametrize(
    ("given", "settings"),
    [
        ({"random_state": 7}, {"seed": 7}),
        ({"n_resamples": 50}, {"inference": {"resamples": 60}}),
        ({"confidence": 0.8}, {"inference": {"confidence": 0.9}}),
        ({"reference": "a"}, {"reference": "b"}),
    ],
)
def test_what_is_given_twice_is_refused(given: dict[str, Any], settings: dict[str, Any]) -> None:
    calls: list[Any] = [cc.compare_models, cc.CostCurveDisplay.from_predictions]
    for call in calls:
        with pytest.raises(ValueError, match=r"^\w+ and '\w+' of settings are the same"):
            call(Y, MODELS, **given, settings=settings)


def test_an_estimate_in_sample_is_a_warning() -> None:
    y, scores = [0, 0, 1, 0, 0], [0.1, 0.2, 0.9, 0.4, 0.1]
    message = "in-sample estimate of 'model': thresholds are chosen on the cases that judge them"
    calls: list[Callable[[], Any]] = [
        lambda: cc.cost_curve(y, scores),
        lambda: cc.compare_models(y, {"model": scores, "rule": y}),
    ]
    for call in calls:
        with pytest.warns(UserWarning, match=f"{message}, so costs are too low") as caught:
            call()
        assert caught[0].filename == __file__
    assert cc.cost_curve(y * 8, scores * 8).estimate == "cross-fitted"  # a warning would fail


def few() -> cc.Comparison:
    models = {name: scores[:300] for name, scores in MODELS.items()}
    return cc.compare_models(Y[:300], models, folds=np.arange(300) % 10, n_resamples=40)


def test_pickles_are_small_and_give_the_same(tmp_path: Path) -> None:
    comparison = few()
    bare = pickle.loads(pickle.dumps(comparison))
    assert "Ask for" in comparison._repr_html_()
    assert "Ask for" not in bare._repr_html_()
    assert bare["a"].cost_at(cost_ratio=3) == comparison["a"].cost_at(cost_ratio=3)
    asks: list[Callable[[], Any]] = [
        bare["a"].band,
        lambda: bare.verdicts,
        lambda: bare.table("operating_points"),
        lambda: bare["a"].cost_at(0.3, threshold=0.5),
        lambda: bare.report(tmp_path / "new"),
    ]
    for ask in asks:
        with pytest.raises(ValueError, match=NOT_THE_CASES):
            ask()
    assert not (tmp_path / "new").exists()
    band, verdicts = comparison["a"].band()[0], comparison.verdicts
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(comparison))))
    assert again.verdicts.equals(verdicts)
    assert np.array_equal(again["a"].band()[0].ends, band.ends)
    assert np.array_equal(again["b"].thresholds, comparison["b"].thresholds)
    for name in (None, "a"):
        before, after = (each if name is None else each[name] for each in (comparison, again))
        assert repr(after) == repr(before)
        assert after._repr_html_() == before._repr_html_()


def test_pickles_do_not_grow_with_the_cases() -> None:
    rng, rows = np.random.default_rng(9), np.arange(60_000)
    y = rng.random(60_000) < 0.3
    curve = cc.cost_curve(y, rng.normal(size=60_000) + y, folds=rows % 10)
    assert len(curve.table("operating_points")) > 60_000
    assert len(pickle.dumps(curve)) < 2e6


Ask = Callable[[cc.Comparison], pd.DataFrame]
ASKED: list[Ask] = [
    lambda asked: asked.summary(),
    lambda asked: asked.net_benefit_verdicts(),
    lambda asked: asked.net_benefit_verdicts(prior=0.4),
    lambda asked: asked["a"].net_benefit([0.2, 0.3], extent=None),
    lambda asked: asked["a"].net_benefit([0.2], extent=None),
    lambda asked: asked["b"].net_benefit([0.2], extent=None),
    lambda asked: asked["b"].net_benefit([0.2]),
    lambda asked: asked["b"].net_benefit([0.2], extent="pointwise"),
    lambda asked: asked["b"].net_benefit([0.2], prior=0.1, extent=None),
]


def test_a_pickle_answers_what_was_asked_before_and_nothing_else() -> None:
    answers: list[pd.DataFrame] = []
    for place, ask in enumerate(ASKED):
        comparison = few()
        answer = ask(comparison)
        assert not any(answer.equals(other) for other in answers)
        answers.append(answer.copy())
        answer.iloc[:, -1] = 0  # a caller's own
        read = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(comparison))))
        for asked in (comparison, read):
            pd.testing.assert_frame_equal(ask(asked), answers[-1], check_exact=True)
        with pytest.raises(ValueError, match=NOT_THE_CASES):
            ASKED[place - 1](read)


def test_a_copy_answers_anew() -> None:
    comparison = few()
    before = comparison.summary()
    other = copy.deepcopy(comparison)
    other.table("deployment")["threshold"] += 1
    assert not other.summary().equals(before)
    assert other.table("operating_points").equals(comparison.table("operating_points"))
    assert comparison.summary().equals(before)
    assert copy.deepcopy(pickle.loads(pickle.dumps(comparison))).summary().equals(before)


def test_a_curve_needs_few_copies_of_the_scores() -> None:
    for rows in (40, 200_000):  # first, what is loaded once
        y = np.random.default_rng(1).random(rows) < 0.3
        scores = np.random.default_rng(2).normal(size=rows) + y
        tracemalloc.start()
        try:
            curve = cc.cost_curve(y, scores)
            kept, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert curve.estimate == "cross-fitted"
    assert most < 27 * scores.nbytes
    assert kept < 4 * scores.nbytes


SHUFFLED = np.random.default_rng(3).permutation(700)


@pytest.mark.parametrize("ids", [SHUFFLED - 350, SHUFFLED.astype(np.uint64) + 2**63])
def test_integers_are_ids_as_their_text_is(ids: Any) -> None:
    """Splits at random and resamples depend on the text of an id, whatever its type is."""
    models = {name: scores[:700] for name, scores in MODELS.items()}
    whole, texts, places = (
        cc.compare_models(Y[:700], models, instance=given, n_resamples=50)
        for given in (ids, [str(number) for number in ids.tolist()], None)
    )
    for name in ("operating_points", "headline", "bands", "verdicts", "plausibility"):
        pd.testing.assert_frame_equal(whole.table(name), texts.table(name), check_exact=True)
    assert whole["a"].area != places["a"].area
