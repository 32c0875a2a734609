"""
Two rules with fixed thresholds
===============================

Drummond and Holte (2006, Figs 3 and 5) compare 1R and C4.5 on 690 applications for credit, each
with the threshold that it has. Fixed rules are straight lines. The lines of the paper cross at
0.445; those of our predictions (one repeat, other folds, J48 for C4.5) at 0.479.
"""

import numpy as np

import costcurves as cc

# how many of the refused (0) and of the approved (1) each pair of decisions was made for
counts = {(0, 0): (306, 23), (0, 1): (0, 0), (1, 0): (31, 27), (1, 1): (46, 257)}
cells = [(label, *pair) for pair in counts for label in (0, 1)]
sizes = [size for both in counts.values() for size in both]
approved, one_rule, tree = np.repeat(cells, sizes, axis=0).T
comparison = cc.compare_models(approved, {"1R": one_rule == 1, "C4.5": tree == 1})
display = comparison.plot()

# %%
# Left of the crossing C4.5 (B) is cheaper, right of it 1R (A). Near it the data do not settle it:

print(f"they cross at {comparison.table('crossovers')['pc_to'][0]:.3f}")
print(comparison.verdicts[["finding", "pc_from", "pc_to"]].round(3).to_string(index=False))
