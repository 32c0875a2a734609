"""With scikit-learn itself: its searches, its classifiers, and where it has the same quantity."""

from typing import Any

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, roc_auc_score, roc_curve
from sklearn.model_selection import (
    GridSearchCV,
    RepeatedStratifiedKFold,
    TunedThresholdClassifierCV,
    cross_validate,
)
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

import costcurves as cc
from costcurves.counts.cost_weights import cost_weights
from costcurves.counts.operating_points import from_scores
from costcurves.ranking.roc import auc

RNG = np.random.default_rng(4)
Y = (RNG.random(160) < 0.3).astype(int)
X = RNG.normal(size=(160, 2)) + Y[:, None] * [1.0, 0.4]
WEIGHT = RNG.integers(1, 5, 160)
NAMED = np.where(Y, "ill", "well")
TEXTS = [" ".join(["cough"] * count + ["sleep"] * 3) for count in 3 + Y + RNG.poisson(1, 160)]


@pytest.fixture(scope="module")
def model() -> Any:
    return LogisticRegression().fit(X, Y)


def test_a_scorer_is_minus_the_loss_of_what_a_model_says(model: Any) -> None:
    scorer, score = cc.make_cost_scorer(pc=0.8), model.predict_proba(X)[:, 1]
    assert scorer(model, X, Y) == -cc.cost_loss(Y, score, pc=0.8)
    weighted = scorer(model, X, Y, sample_weight=WEIGHT)
    assert weighted == -cc.cost_loss(Y, score, pc=0.8, sample_weight=WEIGHT)
    assert weighted != scorer(model, X, Y)
    decided = cc.make_cost_scorer(pc=0.8, response_method="predict")
    assert decided(model, X, Y) == -cc.cost_loss(Y, score > 0.5, pc=0.8)
    margins = LinearSVC().fit(X, Y)
    best = cc.make_cost_scorer(pc=0.8, threshold="best")
    expected = -cc.cost_loss(Y, margins.decision_function(X), pc=0.8, threshold="best")
    assert best(margins, X, Y) == expected


@pytest.mark.parametrize("label", ["ill", "well"])
def test_the_positive_class_of_a_scorer_is_what_is_said(label: str) -> None:
    scorer = cc.make_cost_scorer(pc=0.8, pos_label=label)
    model = LogisticRegression().fit(X, NAMED)
    score = model.predict_proba(X)[:, 0 if label == "ill" else 1]
    assert scorer(model, X, NAMED) == -cc.cost_loss(label == NAMED, score, pc=0.8)


def test_another_option_is_refused_before_a_search() -> None:
    for option in ("ratio", "color", "y_true", "sample_weight"):
        with pytest.raises(TypeError, match=f"argument '{option}'"):
            cc.make_cost_scorer(**dict[str, Any]([(option, 5)]))


def test_a_search_finds_the_cheapest() -> None:
    grid = GridSearchCV(LogisticRegression(), {"C": [1e-4, 1]}, scoring=cc.make_cost_scorer())
    assert grid.fit(X, Y).best_params_ == {"C": 1}


def test_a_threshold_is_tuned_to_an_operating_condition(model: Any) -> None:
    scorer = cc.make_cost_scorer(cost_ratio=5)
    tuned = TunedThresholdClassifierCV(
        model, scoring=scorer, cv="prefit", refit=False, store_cv_results=True
    ).fit(X, Y)
    score, tried = model.predict_proba(X)[:, 1], tuned.cv_results_["thresholds"]
    costs = [float(cc.cost_loss(Y, score >= threshold, cost_ratio=5)) for threshold in tried]
    assert tuned.best_score_ == -min(costs)
    assert tuned.best_threshold_ == tried[np.argmin(costs)]


def test_classifiers_of_texts_are_cross_validated() -> None:
    cv = RepeatedStratifiedKFold(n_splits=4, n_repeats=2, random_state=3)
    options = {"cv": cv, "return_estimator": True, "return_indices": True}
    results = {}
    for alpha in (1.0, 30.0):
        model = make_pipeline(CountVectorizer(), MultinomialNB(alpha=alpha))
        results[f"alpha {alpha}"] = cross_validate(model, TEXTS, Y, **options)
    compared = cc.compare_models(Y, results, X=TEXTS)
    facts, staged = compared.table("measures").iloc[0], compared._tables["predictions"]
    assert (facts["repeats"], facts["folds"], facts["instances"]) == (2, 4, 160)
    for name, result in results.items():
        halves = zip(result["estimator"], result["indices"]["test"], strict=True)
        scores = [model.predict_proba([TEXTS[i] for i in test])[:, 1] for model, test in halves]
        assert sorted(staged["score"][staged["model"] == name]) == sorted(np.concatenate(scores))


@pytest.mark.parametrize("digits", [1, 3, 16])
@pytest.mark.parametrize("seed", range(4))
def test_the_same_quantities_are_the_same_numbers(seed: int, digits: int) -> None:
    rng = np.random.default_rng(seed)
    y = np.append(rng.random(300) < rng.uniform(0.05, 0.6), [False, True]).astype(int)
    score = np.round(1 / (1 + np.exp(1 - rng.normal(size=302) - 1.5 * y)), digits)
    weight, points = rng.random(302), from_scores(scores=score, labels=y)
    weighed = from_scores(scores=score, labels=y, weights=cost_weights(weight, y))
    near: dict[str, Any] = {"rel": 0, "abs": 4e-15}
    curve = cc.cost_curve(y, score)
    assert auc(points)[0] == pytest.approx(roc_auc_score(y, score), **near)
    expected = roc_auc_score(y, score, sample_weight=weight)
    assert auc(weighed)[0] == pytest.approx(expected, **near)
    parts = curve.table("calibration").set_index("part")[["value", "by_chance"]].sum(axis=1)
    assert parts["brier"] == pytest.approx(brier_score_loss(y, score), **near)
    fitted = IsotonicRegression().fit(score, y).predict(score)
    none = brier_score_loss(y, np.full(len(y), y.mean()))
    assert parts["discrimination"] == pytest.approx(none - brier_score_loss(y, fitted), **near)
    balanced = np.where(y, 1 / y.sum(), 1 / (1 - y).sum())
    expected = brier_score_loss(y, score, sample_weight=balanced)
    for area in (cc.cost_loss(y, score), curve.rule("score-driven").area()):
        assert area == pytest.approx(expected, **near)
    fp, tp, threshold = roc_curve(y, score, drop_intermediate=False)
    assert np.array_equal(points.threshold, threshold)
    assert points.fp == pytest.approx(fp, **near)
    assert 1 - points.fn == pytest.approx(tp, **near)
