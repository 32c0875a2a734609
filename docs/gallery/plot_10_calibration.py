"""
Can scores be taken for probabilities?
======================================

Reliability curves by isotonic regression, without bins. A calibrated score lies on the diagonal.
"""

import matplotlib.pyplot as plt
import numpy as np

import costcurves as cc

rng = np.random.default_rng(23)
y = (rng.random(900) < 0.3).astype(int)
logit = np.log(0.3 / 0.7) + 2 * (rng.normal(size=900) + 2 * y) - 2
models = {"calibrated": 1 / (1 + np.exp(-logit)), "overconfident": 1 / (1 + np.exp(-3 * logit))}
both = cc.compare_models(y, models)
for name, model in both.items():
    blocks = model.table("reliability").query("line == 'curve'")
    scores = blocks[["score_from", "score_to"]].to_numpy().ravel()
    plt.plot(scores, blocks["rate"].repeat(2), label=name)
plt.plot([0, 1], [0, 1], color="0.75", linewidth=0.9)
plt.xlabel("score")
plt.ylabel("share of positives")
plt.legend(frameon=False)

# %%
# Brier score = miscalibration - discrimination + uncertainty. The ranking of both is the same, and
# so is their discrimination.

parts = both.calibration.query("minus == ''")
print(parts[["model", "part", "value", "low", "high"]].round(3).to_string(index=False))
