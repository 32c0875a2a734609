"""What classifiers with scikit-learn's interface predict; scikit-learn itself is not needed."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from costcurves.api.inputs import Classes, column, columns

METHODS: Final = ("predict_proba", "decision_function", "predict")


def response(estimator: Any, X: Any, classes: Classes) -> Any:
    """Give what a fitted classifier says of rows: scores of the positive class, or decisions."""
    having = [name for name in METHODS if hasattr(estimator, name)]
    if not having:
        kind = type(estimator).__name__
        raise TypeError(f"{kind} has none of the methods {', '.join(METHODS)}: no classifier")
    said = np.asarray(getattr(estimator, having[0])(X))
    if having[0] == "predict":
        return said
    known = np.asarray(estimator.classes_).tolist()
    if {*known} != {classes.negative, classes.positive}:
        labels = [classes.negative, classes.positive]
        raise ValueError(f"the classifier knows the classes {known}, but y_true has {labels}")
    place = known.index(classes.positive)
    return said[:, place] if having[0] == "predict_proba" else said * (1 if place else -1)


def held_out(models: Any, X: Any, y: Any, pos_label: Any) -> tuple[Any, Any, dict[str, Any]]:
    """Let classifiers, or those of cross-validations, predict what they were not trained on.

    Give what each says, the labels, and of cross-validations instance, fold and repeat of each row.
    """
    labels = column("y_true", y)
    classes = Classes.of(labels, pos_label)
    given = columns(models)
    found = [
        of_cv(one, X, labels, classes, name)
        if isinstance(one, Mapping)
        else (None, response(one, X, classes))
        for name, one in given.items()
    ]
    layouts = [layout for layout, _ in found]
    said = dict(zip(given, (values for _, values in found), strict=True))
    if all(layout is None for layout in layouts):
        return said, y, {}
    first = layouts[0]
    if first is None or any(one is None or not np.array_equal(one, first) for one in layouts):
        raise ValueError("the models were held out in different folds; use one cv for all of them")
    return said, labels[first[0]], dict(zip(("instance", "folds", "repeats"), first, strict=True))


def of_cv(
    results: Mapping[str, Any], X: Any, labels: Any, classes: Classes, name: str
) -> tuple[Any, Any]:
    """Give (3, n_rows) instance, fold and repeat of all that was held out, and the predictions."""
    if not {"estimator", "indices"} <= results.keys():
        needs = "return_estimator=True, return_indices=True"
        raise ValueError(f"the cross-validation of {name!r} lacks what {needs} of it would give")
    parts, said, seen = [], [], np.zeros(len(labels), dtype=int)
    for fold, (estimator, test) in enumerate(
        zip(results["estimator"], results["indices"]["test"], strict=True)
    ):
        seen[test] += 1
        repeat = np.full(len(test), seen[test].max())
        parts.append(np.stack([test, np.full(len(test), fold), repeat]))
        said.append(response(estimator, _rows(X, test), classes))
    return np.concatenate(parts, axis=1), np.concatenate(said)


def _rows(X: Any, test: Any) -> Any:
    if hasattr(X, "shape"):
        return X.iloc[test] if hasattr(X, "iloc") else X[test]
    return [X[row] for row in test]
