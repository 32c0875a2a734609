"""
The same classifiers in ROC space and in cost space
===================================================

A point in ROC space is a line in cost space, and a line in ROC space is a point in cost space. The
slope of the line that touches the convex hull says what mistakes cost; the point on the lower
envelope says what they cost in all.
"""

import costcurves as cc

rows = cc.read_predictions("data/sonar.csv.gz")
first = rows[rows["repeat"] == "1"]
wide = first.pivot(index=["instance", "fold", "label"], columns="model", values="score")
wide = wide.reset_index()
found = cc.compare_models(
    wide["label"], wide[["C4.5", "Naive Bayes"]], pos_label="1", folds=wide["fold"]
)
display = cc.DualityDisplay.from_comparison(found, at=0.75).plot()

# %%
# At PC(+) = 0.75 (with as many mines as here a miss costs 2.6 false alarms):

print(f"cost ratio {3 * (1 - found['C4.5'].prior) / found['C4.5'].prior:.1f}")
for name, one in found.items():
    print(f"{name}: cost {one.cost_at(pc=0.75):.3f}, thresholds chosen on other folds")
