"""
Credit: costs that differ by applicant
======================================

A bad loan that is granted costs its amount; a good one that is refused costs what it would have
brought. These costs of each applicant in German credit put the data at one place of the axis, and
the better ranking is not the cheaper model.
"""

import matplotlib.pyplot as plt

import costcurves as cc

rows = cc.read_predictions("data/german-credit.csv.gz")
rows["cost"] = rows["cost_fn"].where(rows["label"] == "1", rows["cost_fp"])
keys = ["instance", "fold", "label", "cost"]
wide = rows.pivot(index=keys, columns="model", values="score").reset_index()
found = cc.compare_models(
    wide["label"],
    wide[["Naive Bayes", "Logistic regression", "Neural network"]],
    pos_label="1",
    folds=wide["fold"],
    costs=wide["cost"],
)
table = found.table("instance_costs")
print(table[["model", "auc", "cost", "low", "high"]].round(3).to_string(index=False))

# %%
# The cost of an applicant, in DM, with 90 % intervals. Granting every loan (always positive) costs
# ten times as much and is left out.

table = table[table["model"] != "always positive"][::-1]
plt.hlines(table["model"], table["low"], table["high"], color="0.6", linewidth=3)
plt.plot(table["cost"], table["model"], "o", color="black")
plt.xlabel("cost of an applicant, DM")
plt.tight_layout()
