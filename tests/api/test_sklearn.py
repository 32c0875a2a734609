"""With scikit-learn itself: its searches, its classifiers, and where it has the same quantity."""

from typing import Any

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss
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
from tests.api.data import Model

RNG = np.random.default_rng(4)
Y = (RNG.random(160) < 0.3).astype(int)
X = RNG.normal(size=(160, 2)) + Y[:, None] * [1.0, 0.4]
WEIGHT = RNG.integers(1, 5, 160)
NAMED = np.where(Y, "ill", "well")
TEXTS = [" ".join(["cough"] * count + ["sleep"] * 3) for count in 3 + Y + RNG.poisson(1, 160)]
MODEL, BY_NAME = LogisticRegression().fit(X, Y), LogisticRegression().fit(X, NAMED)
RISK, AT = MODEL.predict_proba(X)[:, 1], {"pc": 0.6}


@pytest.mark.parametrize(
    ("options", "model", "y", "score"),
    [
        ({}, MODEL, Y, RISK),
        ({"response_method": "predict"}, MODEL, Y, RISK > 0.5),
        ({"threshold": "best"}, LinearSVC(random_state=1).fit(X, Y), Y, None),
        ({"pos_label": "ill"}, BY_NAME, NAMED, BY_NAME.predict_proba(X)[:, 0]),
        ({"pos_label": "well"}, BY_NAME, NAMED, BY_NAME.predict_proba(X)[:, 1]),
    ],
)
def test_a_scorer_is_minus_the_loss_of_what_a_model_says(
    options: dict[str, Any], model: Any, y: Any, score: Any
) -> None:
    scorer, others = cc.make_cost_scorer(**AT, **options), {**AT, **options}
    others.pop("response_method", None)
    score = model.decision_function(X) if score is None else score
    assert scorer(model, X, y) == -cc.cost_loss(y, score, **others)
    weighted = scorer(model, X, y, sample_weight=WEIGHT)
    assert weighted == -cc.cost_loss(y, score, sample_weight=WEIGHT, **others)
    assert weighted != scorer(model, X, y)


def test_searches_find_the_cheapest() -> None:
    grid = GridSearchCV(LogisticRegression(), {"C": [1e-4, 1]}, scoring=cc.make_cost_scorer())
    assert grid.fit(X, Y).best_params_ == {"C": 1}
    options = {"cv": "prefit", "refit": False, "store_cv_results": True}
    scorer = cc.make_cost_scorer(cost_ratio=5)
    tuned = TunedThresholdClassifierCV(MODEL, scoring=scorer, **options).fit(X, Y)
    tried = tuned.cv_results_["thresholds"]
    costs = [float(cc.cost_loss(Y, threshold <= RISK, cost_ratio=5)) for threshold in tried]
    assert tuned.best_score_ == -min(costs)
    assert tuned.best_threshold_ == tried[np.argmin(costs)]


def test_classifiers_of_texts_are_cross_validated() -> None:
    cv = RepeatedStratifiedKFold(n_splits=4, n_repeats=2, random_state=3)
    model = make_pipeline(CountVectorizer(), MultinomialNB())
    result = cross_validate(model, TEXTS, Y, cv=cv, return_estimator=True, return_indices=True)
    staged = cc.compare_models(Y, {"m": result}, X=TEXTS)._tables["predictions"]
    assert staged.groupby("repeat")["instance"].nunique().to_dict() == {"1": 160, "2": 160}
    halves = zip(result["estimator"], result["indices"]["test"], strict=True)
    scores = [model.predict_proba([TEXTS[i] for i in test])[:, 1] for model, test in halves]
    assert sorted(staged["score"]) == sorted(np.concatenate(scores))


def test_held_out_predictions_of_repeats_are_of_the_same_instances() -> None:
    halves = [np.arange(0, 160, 2), np.arange(1, 160, 2), np.arange(70, 160), np.arange(70)]
    results = {"m": {"estimator": [Model([0, 1])] * 4, "indices": {"test": halves}}}
    rows, folds = np.concatenate(halves), np.repeat([0, 1, 2, 3], [len(half) for half in halves])
    repeats = np.repeat([1, 2], 160)
    expected = cc.cost_curve(Y[rows], X[rows, 0], folds=folds, repeats=repeats, instance=rows)
    assert np.array_equal(cc.compare_models(Y, results, X=X)["m"].cost, expected.cost)
    weighted = cc.compare_models(Y, results, X=X, costs=WEIGHT)
    row = weighted.table("operating_points").query("level == 'pooled'").iloc[-1]
    whole = row["negatives_weight"], row["positives_weight"]
    assert whole == (2 * WEIGHT[Y == 0].sum(), 2 * WEIGHT[Y == 1].sum())  # in each repeat
    for model in (Model(["ill", "well"]), Model(["well", "ill"])):  # the class is looked up
        comparison = cc.compare_models(NAMED, {"m": model}, X=X, pos_label="ill")
        assert np.array_equal(comparison["m"].cost, cc.cost_curve(Y, X[:, 0]).cost)


@pytest.mark.parametrize("digits", [1, 3, 16])
def test_the_same_quantities_are_the_same_numbers(digits: int) -> None:
    score, balanced = np.round(RISK, digits), np.where(Y, 1 / Y.sum(), 1 / (1 - Y).sum())
    curve = cc.cost_curve(Y, score)
    parts = curve.table("calibration").set_index("part")[["value", "by_chance"]].sum(axis=1)
    fitted = IsotonicRegression().fit(score, Y).predict(score)
    gain = brier_score_loss(Y, np.full(160, Y.mean())) - brier_score_loss(Y, fitted)
    assert parts["discrimination"] == pytest.approx(gain, rel=0, abs=4e-15)
    brier = brier_score_loss(Y, score, sample_weight=balanced)
    for cost in (cc.cost_loss(Y, score), curve.rule("score-driven").area()):
        assert cost == pytest.approx(brier, rel=0, abs=4e-15)
