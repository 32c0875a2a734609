"""
Two classifiers from a cross-validation
=======================================

``compare_models`` takes what scikit-learn's ``cross_validate`` returns. Both classifiers are held
out in the same folds, and each threshold is chosen on other folds than those on which it counts.
"""

from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB

import costcurves as cc

X, y = make_classification(2000, 20, n_informative=4, weights=[0.8], random_state=8)
held_out = {"cv": 5, "return_estimator": True, "return_indices": True}
models = {"logistic": LogisticRegression(), "Bayes": GaussianNB()}
results = {name: cross_validate(model, X, y, **held_out) for name, model in models.items()}
comparison = cc.compare_models(y, results, X=X)
display = cc.CostDifferenceDisplay.from_comparison(comparison).plot()

# %%
# Below zero the first model is cheaper. Where the band leaves zero on one side the data settle it;
# these verdicts hold together, for all pairs and cost ratios.

print(comparison.verdicts[["model_a", "model_b", "finding", "pc_from", "pc_to"]].round(3))
