"""
One question at many clinics
============================

At each of eight clinics a new rule finds more of the ill than the old one, and raises more false
alarms. A strip is a clinic; it is coloured where its data settle which rule is cheaper.
"""

import matplotlib.pyplot as plt
import numpy as np

import costcurves as cc

rng = np.random.default_rng(29)
clinics = []
for _ in range(8):
    size = rng.integers(400, 4000)
    ill = rng.random(size) < rng.uniform(0.1, 0.5)
    hits, alarms = rng.uniform(0.75, 0.9), rng.uniform(0.15, 0.25)
    new = rng.random(size) < np.where(ill, hits, alarms)
    old = rng.random(size) < np.where(ill, 0.7, 0.15)
    clinics.append(cc.compare_models(ill, {"new": new, "old": old}).verdicts)

colors = {"A cheaper": "tab:blue", "B cheaper": "tab:orange", "undecided": "0.9"}
words = {"A cheaper": "new rule cheaper", "B cheaper": "old rule cheaper", "undecided": "undecided"}
for row, verdicts in enumerate(clinics, 1):
    for verdict in verdicts.itertuples():
        width = verdict.pc_to - verdict.pc_from
        plt.barh(row, width, 0.7, verdict.pc_from, color=colors[verdict.finding])
plt.xlabel("PC(+): false alarms matter at 0, misses at 1")
plt.ylabel("clinic")
plt.legend(
    [plt.Rectangle((0, 0), 1, 1, color=color) for color in colors.values()],
    [words[finding] for finding in colors],
    loc="lower center",
    bbox_to_anchor=(0.5, 1),
    ncols=3,
    frameon=False,
)

# %%
# Each clinic has an error of its own: of eight one may have a wrong verdict. A report counts
# such verdicts and puts a sign test beside the count.

for pc in (0.25, 0.5, 0.75):
    here = [verdicts.query("pc_from <= @pc < pc_to")["finding"].item() for verdicts in clinics]
    print(f"PC(+) = {pc}: new cheaper {here.count('A cheaper')}, old {here.count('B cheaper')}")
