"""
A rare class
============

One case in five hundred is positive. On the axis of PC(+) all ratios up to a hundred to one are in
the leftmost fifth. So this figure goes along the cost ratio, in powers of ten. Up is the share of
the cheaper no-model baseline: below 1 the model saves something.
"""

import matplotlib.pyplot as plt
import numpy as np

import costcurves as cc

rng = np.random.default_rng(17)
y = (rng.random(20000) < 0.002).astype(int)
models = {"better": rng.normal(size=y.size) + 3 * y, "other": rng.normal(size=y.size) + 2 * y}
rare = cc.compare_models(y, models)
ratios = np.logspace(0, 3, 91)
for name, model in rare.items():
    pc = model.pc_at(cost_ratio=ratios)
    baseline = np.minimum(pc, 1 - pc)
    low, high = model.band()
    plt.fill_between(ratios, low(pc) / baseline, high(pc) / baseline, alpha=0.16)
    plt.plot(ratios, model.cost_at(pc=pc) / baseline, label=name)
plt.axhline(1, color="0.5", linewidth=0.8)
plt.xscale("log")
plt.ylim(0, 1.5)
plt.xlabel("a miss costs so many false alarms")
plt.ylabel("share of the cheaper baseline's cost")
plt.legend(frameon=False)

# %%
# In numbers:

for ratio in (1, 10, 100, 1000):
    pc = rare["better"].pc_at(cost_ratio=ratio)
    least = min(pc, 1 - pc)
    shares = [f"{name} {model.cost_at(pc=pc) / least:.2f}" for name, model in rare.items()]
    print(f"{ratio}:1, PC(+) {pc:.3f}:", *shares)
