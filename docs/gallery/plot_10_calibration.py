"""
Can scores be taken for probabilities?
======================================

Reliability curves by isotonic regression, without bins. A calibrated score lies on the diagonal.
The bands hold for all scores at once.
"""

import numpy as np

import costcurves as cc

rng = np.random.default_rng(23)
y = (rng.random(900) < 0.3).astype(int)
logit = np.log(0.3 / 0.7) + 2 * (rng.normal(size=900) + 2 * y) - 2
models = {"calibrated": 1 / (1 + np.exp(-logit)), "overconfident": 1 / (1 + np.exp(-3 * logit))}
both = cc.compare_models(y, models)
display = cc.CalibrationDisplay.from_comparison(both).plot()

# %%
# Brier score = miscalibration - discrimination + uncertainty. The ranking of both is the same, and
# so is their discrimination.

parts = both.calibration.query("minus == ''")
print(parts[["model", "part", "value", "low", "high"]].round(3).to_string(index=False))
