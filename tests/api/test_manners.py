"""What users expect of any package: names, short signatures, seeds, pickles."""

import copy
import inspect
import pickle
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import costcurves as cc
from tests.api.data import MANY as Y

RNG = np.random.default_rng(8)
MODELS = {
    name: 1 / (1 + np.exp(1 - RNG.normal(size=300) - d * Y)) for name, d in (("a", 1), ("b", 2))
}


def test_signatures_can_be_read() -> None:
    assert {*cc.__all__, "__version__"} == set(dir(cc))
    for name in cc.__all__:
        value = getattr(cc, name)
        members = inspect.getmembers(value, callable) if inspect.isclass(value) else []
        for public in (value, *(each for key, each in members if not key.startswith("_"))):
            text = str(inspect.signature(public))
            assert len(text) <= 100, (name, text)
            assert "_SupportsArray" not in text


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


def few() -> cc.Comparison:
    return cc.compare_models(Y, MODELS, folds=np.arange(300) % 10, n_resamples=40)


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(thing))))


def refuse(ask: Callable[..., object], *given: Any) -> None:
    with pytest.raises(ValueError, match="a pickle holds curves and what was asked of bands"):
        ask(*given)


def test_pickles_give_the_same_or_say_what_they_do_not_hold(tmp_path: Path) -> None:
    comparison = few()
    bare = pickled(comparison)
    assert ["Ask for" in each._repr_html_() for each in (comparison, bare)] == [True, False]
    assert bare["a"].cost_at(cost_ratio=3) == comparison["a"].cost_at(cost_ratio=3)
    for ask in (
        bare["a"].band,
        lambda: bare.verdicts,
        lambda: bare.table("operating_points"),
        lambda: bare["a"].cost_at(0.3, threshold=0.5),
        lambda: bare.report(tmp_path / "new"),
    ):
        refuse(ask)
    assert not (tmp_path / "new").exists()
    band, verdicts = comparison["a"].band()[0], comparison.verdicts
    again = pickled(comparison)
    assert again.verdicts.equals(verdicts)
    assert np.array_equal(again["a"].band()[0].ends, band.ends)
    assert np.array_equal(again["b"].thresholds, comparison["b"].thresholds)
    for before, after in ((comparison, again), (comparison["a"], again["a"])):
        assert (repr(after), after._repr_html_()) == (repr(before), before._repr_html_())


ASKED: list[Callable[[cc.Comparison], pd.DataFrame]] = [
    lambda asked: asked.summary(),
    lambda asked: asked.net_benefit_verdicts(),
    lambda asked: asked.net_benefit_verdicts(prior=0.4),
    lambda asked: asked["a"].net_benefit([0.2, 0.3], extent=None),
    lambda asked: asked["a"].net_benefit([0.2], extent=None),
    lambda asked: asked["b"].net_benefit([0.2], extent=None),
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
        answer.iloc[:, -1] = 0  # the caller's copy
        read = pickled(comparison)
        for asked in (comparison, read):
            pd.testing.assert_frame_equal(ask(asked), answers[-1], check_exact=True)
        refuse(ASKED[place - 1], read)


def test_a_copy_answers_anew() -> None:
    comparison = few()
    before = comparison.summary()
    other = copy.deepcopy(comparison)
    other.table("deployment")["threshold"] += 1
    assert not other.summary().equals(before)
    assert other.table("operating_points").equals(comparison.table("operating_points"))
    for same in (comparison, copy.deepcopy(pickled(comparison))):
        assert same.summary().equals(before)


def test_a_curve_needs_few_copies_of_the_scores() -> None:
    few()  # what is loaded once
    y = np.random.default_rng(1).random(200_000) < 0.3
    scores = np.random.default_rng(2).normal(size=len(y)) + y
    tracemalloc.start()
    curve = cc.cost_curve(y, scores)
    kept, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert curve.estimate == "cross-fitted"
    assert most < 27 * scores.nbytes
    assert kept < 4 * scores.nbytes
    folded = cc.cost_curve(y[:60_000], scores[:60_000], folds=np.arange(60_000) % 10)
    assert len(folded.table("operating_points")) > 60_000
    assert len(pickle.dumps(folded)) < 2e6


def test_importing_the_package_imports_no_numpy() -> None:
    code = "import sys, costcurves; print({'numpy', 'pandas', 'matplotlib'} & {*sys.modules})"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "set()"
