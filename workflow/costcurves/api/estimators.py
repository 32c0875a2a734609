"""What classifiers with scikit-learn's interface predict; scikit-learn itself is not needed."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from costcurves.api.inputs import Classes, column, columns

METHODS: Final = ("predict_proba", "decision_function", "predict")


def response(estimator: Any, X: Any, classes: Classes) -> Any:
    """Return what a fitted classifier predicts: scores of the positive class, or decisions."""
    having = [name for name in METHODS if hasattr(estimator, name)]
    if not having:
        kind = type(estimator).__name__
        raise TypeError(f"{kind} has none of the methods {', '.join(METHODS)}: no classifier")
    values = np.asarray(getattr(estimator, having[0])(X))
    if having[0] == "predict":
        return values
    known = np.asarray(estimator.classes_).tolist()
    if {*known} != {classes.negative, classes.positive}:
        labels = [classes.negative, classes.positive]
        raise ValueError(f"the classifier knows the classes {known}, but y_true has {labels}")
    place = known.index(classes.positive)
    return values[:, place] if having[0] == "predict_proba" else values * (1 if place else -1)


def with_threshold(estimator: Any, threshold: Any, positive: Any, response_method: str) -> Any:
    """Return scikit-learn's classifier that predicts positive from a threshold on."""
    from sklearn.model_selection import FixedThresholdClassifier

    if np.isnan(threshold):
        raise ValueError("the model decides without scores: it has no threshold")
    if response_method == "auto":
        response_method = next(name for name in METHODS if hasattr(estimator, name))
    no_probability = np.isfinite(threshold) and not 0 <= threshold <= 1
    if response_method == "predict_proba" and no_probability:
        mend = "give the response_method that made the scores, such as 'decision_function'"
        raise ValueError(f"the threshold {threshold:g} is no probability; {mend}")
    return FixedThresholdClassifier(
        estimator, threshold=threshold, pos_label=positive, response_method=response_method
    )


def held_out(models: Any, X: Any, y: Any, pos_label: Any) -> tuple[Any, Any, dict[str, Any]]:
    """Let classifiers, or those of cross-validations, predict what they were not trained on.

    Return what each predicts, the labels, and of cross-validations instance, fold and repeat of
    each row.
    """
    labels = column("y_true", y)
    classes = Classes.of(labels, pos_label)
    predictions, layouts = {}, list[Any]()
    for name, model in columns(models).items():
        layout, predictions[name] = (
            of_cv(model, X, labels, classes, name)
            if isinstance(model, Mapping)
            else (None, response(model, X, classes))
        )
        layouts.append(layout)
    first = next((layout for layout in layouts if layout is not None), None)
    if first is None:
        return predictions, y, {}
    if not all(np.array_equal(layout, first) for layout in layouts):
        raise ValueError("the models were held out in different folds; use one cv for all of them")
    names = "instance", "folds", "repeats"
    return predictions, labels[first[0]], dict(zip(names, first, strict=True))


def of_cv(
    results: Mapping[str, Any], X: Any, labels: Any, classes: Classes, name: str
) -> tuple[Any, Any]:
    """Return (3, n_rows) instance, fold and repeat of what was held out, and its predictions."""
    if not {"estimator", "indices"} <= results.keys():
        needs = "return_estimator=True, return_indices=True"
        raise ValueError(f"the cross-validation of {name!r} lacks what {needs} of it would give")
    parts, predictions, seen = [], [], np.zeros(len(labels), dtype=int)
    tests = results["indices"]["test"]
    for fold, (estimator, test) in enumerate(zip(results["estimator"], tests, strict=True)):
        seen[test] += 1
        parts.append(np.broadcast_arrays(test, fold, seen[test].max()))
        predictions.append(response(estimator, _rows(X, test), classes))
    return np.concatenate(parts, axis=1), np.concatenate(predictions)


def _rows(X: Any, test: Any) -> Any:
    if hasattr(X, "shape"):
        return X.iloc[test] if hasattr(X, "iloc") else X[test]
    return [X[row] for row in test]
