"""
Credit: costs that differ by applicant
======================================

A bad loan that is granted costs its amount; a good one that is refused costs what it would have
brought. With these costs of each applicant the better ranking need not be the cheaper model: the
one that is careful with large loans has the lowest cost here.
"""

import matplotlib.pyplot as plt
import numpy as np

import costcurves as cc

rng = np.random.default_rng(40)
good = (rng.random(1000) < 0.7).astype(int)
amount = rng.lognormal(7.5, 0.8, good.size)
cost = 20 + np.where(good == 1, 0.05, 1.0) * amount
large = (amount > np.quantile(amount, 0.7)) * (1 - good)  # bad loans of a large amount
models = {
    "ranks best": rng.normal(size=good.size) + 1.4 * good,
    "careful": rng.normal(size=good.size) + 0.6 * good - 1.5 * large,
}
comparison = cc.compare_models(good, models, costs=cost, folds=np.arange(good.size) % 5)
table = comparison.table("instance_costs")
print(table[["model", "auc", "cost", "low", "high"]].round(3).to_string(index=False))

# %%
# The cost of an applicant, with 90 % intervals. Granting every loan (always positive) costs several
# times as much and is left out.

table = table[table["model"] != "always positive"][::-1]
plt.hlines(table["model"], table["low"], table["high"], color="0.6", linewidth=3)
plt.plot(table["cost"], table["model"], "o", color="black")
plt.xlabel("cost of an applicant")
plt.tight_layout()
