"""Cases, and classifiers of them, for tests of the Python interface."""

from typing import Any

import numpy as np
from sklearn.model_selection import KFold, RepeatedStratifiedKFold

Y = [0, 0, 1, 0, 1, 1, 0, 0]
SCORE = [0.1, 0.7, 0.4, 0.3, 0.9, 0.6, 0.2, 0.5]
TEXT = ["ill" if label else "well" for label in Y]
FIFTEEN = np.array([0, 0, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0])
GOOD = np.array([0.1, 0.4, 0.6, 0.3, 0.9, 0.35, 0.2, 0.5, 0.8, 0.15, 0.05, 0.7, 0.25, 0.95, 0.0])
POOR = np.round(np.sqrt(1 - GOOD[::-1]) / 2 + 0.1 * FIFTEEN, 2)
RNG = np.random.default_rng(12)
MANY = (RNG.random(300) < 0.3).astype(int)
X = RNG.normal(size=(300, 2)) + MANY[:, None] * [1.5, 0.5]
CV = {
    "random": KFold(2, shuffle=True),
    "repeated": RepeatedStratifiedKFold(n_splits=2, random_state=1),
}


class Model:
    """A classifier that was fitted: its score is one of its features."""

    def __init__(self, classes: list[Any], feature: int = 0) -> None:
        self.classes_ = np.array(classes)
        self.feature = feature

    def predict_proba(self, X: Any) -> Any:  # noqa: N803
        score = np.asarray(X)[:, self.feature]
        first = self.classes_[0] in (0, "well")
        return np.column_stack([1 - score, score] if first else [score, 1 - score])
