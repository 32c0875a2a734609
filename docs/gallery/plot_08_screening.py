"""
Screening: decision curves of two tests
=======================================

To refer from a risk of 0.10 means that a missed patient is as bad as nine unneeded referrals. The
new test tells ill from well better, but its risks are too high, so that referring by them as they
are brings less. Thick: risks as they are. Thin: with the threshold that other data choose.
"""

import matplotlib.pyplot as plt
import numpy as np

import costcurves as cc

rng = np.random.default_rng(23)
ill = (rng.random(3000) < 0.1).astype(int)


def risk(shift, prior):
    score = rng.normal(size=ill.size) + shift * ill
    return 1 / (1 + (1 - prior) / prior * np.exp(shift**2 / 2 - shift * score))


tests = cc.compare_models(ill, {"old test": risk(1.2, 0.1), "new test": risk(1.6, 0.4)})
for name, test in tests.items():
    table = test.net_benefit(np.linspace(0.01, 0.4, 40))
    (line,) = plt.plot(table["threshold"], table["net_benefit"], linewidth=1.9, label=name)
    plt.plot(table["threshold"], table["chosen"], linewidth=0.8, color=line.get_color())
plt.plot(table["threshold"], table["treat_all"], color="0.6", linewidth=0.9, label="treat all")
plt.axhline(0, color="black", linewidth=0.9, label="treat none")
plt.ylim(-0.03, 0.12)
plt.xlabel("threshold probability")
plt.ylabel("net benefit")
plt.legend(frameon=False)

# %%
# Net benefit at three thresholds, as the risks are and with chosen thresholds:

columns = ["threshold", "net_benefit", "chosen", "treat_all"]
for name, test in tests.items():
    print(name)
    print(test.net_benefit([0.05, 0.1, 0.2])[columns].round(3).to_string(index=False))
for row in tests.net_benefit_verdicts().query("finding == 'A cheaper'").itertuples():
    print(f"{row.model_a} better from {row.threshold_from:.3f} to {row.threshold_to:.3f}")
