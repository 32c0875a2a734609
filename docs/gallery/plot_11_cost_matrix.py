"""
Several classes with a matrix of costs
======================================

Rows of the matrix are true classes, columns decisions: to send a patient home who is ill costs 30.
``compare_decisions`` compares what a case costs under each rule for deciding.
"""

import matplotlib.pyplot as plt
import numpy as np

import costcurves as cc

labels = ["ill", "unsure", "well"]
costs = [[0, 4, 30], [2, 0, 5], [3, 1, 0]]
rng = np.random.default_rng(8)
truth = rng.choice(3, 600, p=[0.125, 0.25, 0.625])
logit = 2 * np.eye(3)[truth] + 1.5 * rng.normal(size=(600, 3))
p = np.exp(logit) / np.exp(logit).sum(axis=1, keepdims=True)
decisions = cc.compare_decisions(
    np.array(labels)[truth], {"model": p}, cost_matrix=costs, folds=rng.permutation(600) % 5
)
table = decisions.costs[::-1]
names = table["name"].where(table["rule"] == "always", table["name"] + ", " + table["rule"])
plt.hlines(names, table["low"], table["high"], color="0.6", linewidth=3)
plt.plot(table["cost"], names, "o", color="black")
plt.xlabel("cost of a case")
plt.tight_layout()
