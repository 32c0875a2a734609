"""
Two rules with fixed thresholds
===============================

Drummond and Holte (2006, Figs 3 and 5) compare two classifiers for Japanese credit, each with the
threshold that it has. Fixed rules are straight lines. The lines of the paper cross at 0.445; those
of our predictions (other folds, J48 for C4.5) at 0.448.
"""

import costcurves as cc

rows = cc.read_predictions("data/japanese-credit.csv.gz")
keys = ["instance", "repeat", "fold", "label"]
wide = rows.pivot(index=keys, columns="model", values="score").reset_index()
found = cc.compare_models(
    wide["label"],
    wide[["1R", "C4.5"]] >= 0.5,
    pos_label="1",
    instance=wide["instance"],
    repeats=wide["repeat"],
    folds=wide["fold"],
)
display = found.plot()

# %%
# Left of the crossing C4.5 (B) is cheaper, right of it 1R (A). Near it the data do not settle it:

print(f"they cross at {found.table('crossovers')['pc_to'][0]:.3f}")
print(found.verdicts[["finding", "pc_from", "pc_to"]].round(3).to_string(index=False))
