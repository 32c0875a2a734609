"""
The same classifiers in ROC space and in cost space
===================================================

A point in ROC space is a line in cost space, and a line in ROC space is a point in cost space. The
slope of the line that touches the convex hull says what mistakes cost; the point on the lower
envelope says what they cost in all.
"""

import numpy as np

import costcurves as cc

rng = np.random.default_rng(5)
y = (rng.random(300) < 0.4).astype(int)
models = {"steep": rng.normal(size=300) * (1 + y) + 2 * y, "even": rng.normal(size=300) + 1.2 * y}
comparison = cc.compare_models(y, models, folds=np.arange(300) % 5)
display = cc.DualityDisplay.from_comparison(comparison, at=0.75).plot()

# %%
# At PC(+) = 0.75 (the share of positives makes that a cost ratio):

prior = comparison["steep"].prior
print(f"cost ratio {3 * (1 - prior) / prior:.1f}")
for name, model in comparison.items():
    print(f"{name}: cost {model.cost_at(pc=0.75):.3f}, thresholds chosen on other folds")
