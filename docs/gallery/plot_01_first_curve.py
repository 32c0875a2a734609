"""
A first cost curve
==================

From a fitted classifier to its cost curve. Across is the cost ratio, from "false alarms matter" on
the left to "misses matter" on the right, as PC(+). Up is the expected cost: 0 means no mistake, 1
every decision wrong.
"""

from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

import costcurves as cc

X, y = make_classification(2000, 20, n_informative=4, weights=[0.8], random_state=8)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=8)
model = LogisticRegression().fit(X_train, y_train)
display = cc.CostCurveDisplay.from_estimator(model, X_test, y_test)

# %%
# The shaded band holds for the whole curve at once, with 90 % confidence. The grey lines are the
# no-model baselines: always positive and always negative.
#
# The same curve as an object. A miss that costs ten false alarms:

curve = cc.cost_curve(y_test, model.predict_proba(X_test)[:, 1])
print(f"cost: {curve.cost_at(cost_ratio=10):.3f}")
print(f"predict positive at or above: {curve.threshold_for(cost_ratio=10):.3f}")
