"""A study in which no two quantities agree by symmetry or default, built once a session.

What reads a number from the wrong end, at another prior or level, or of another model shows here:
the prior is not the data's share, mistakes cost unequally, folds differ in size and repeats in
their number of folds, and models are listed neither by name nor by cost. All of it goes through the
workflow.
"""

import fcntl
import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from tests.small_study import snakemake

NAME: Final = "asymmetric"
SPECIES: Final = ["setosa", "virginica", "versicolor"]
DATASETS: Final = ["loans", "calls", *(f"species--{name}" for name in SPECIES)]
BY_COST: Final = "loans--costs"
REFERENCE: Final = "Bayes"
LIMITS: Final = {"score_threshold": 0.35, "rate": 0.3, "max_fp_rate": 0.15, "capacity": "25%"}
BENEFIT: Final = {
    "tp": {"constant": -1.5},
    "fp": {"constant": -1.7, "coefficient": -0.5},
    "fn": {"constant": -4, "coefficient": -1.3},
    "tn": {"constant": 0.1, "coefficient": 0.02},
}
CLAIMS: Final[list[dict[str, Any]]] = [
    {"kind": "cheaper", "models": ["Vote", "Bayes"], "at": ["2:1", "12:1"], "datasets": ["loans"]},
    {"kind": "not worse", "models": ["Bayes", "Vote"], "margin": 0.05, "pc": [0.3, 0.6]},
    {"kind": "at most", "models": ["Vote"], "at_most": 0.15, "average": True}
    | {"datasets": ["loans", "calls"]},
    {"kind": "cheaper", "models": ["Ladder", "no model"], "pc": [0.3, 0.6], "confidence": 0.7}
    | {"datasets": ["loans"]},
    {"kind": "not worse", "models": ["Vote"], "criterion": ["score-driven", "cross-fitted"]}
    | {"margin": 0.1, "datasets": ["loans"]},
    {"kind": "cheaper", "models": ["always positive", "Rule"], "pc": [0.9, 0.95]}
    | {"datasets": ["calls"]},
    {"kind": "not worse", "models": ["Bayes", "Vote"], "margin": 0.15, "by_cost": True},
    {"kind": "cheaper", "models": ["Vote"], "criterion": ["cross-fitted", "score-fixed"]}
    | {"by_cost": True, "pc": [0.45, 0.7], "datasets": ["loans"]},
]
STUDY: Final[dict[str, Any]] = {
    "study": NAME,
    "title": "Nothing agrees by chance",
    "seed": 7,
    "level": "fold",
    "appendix": True,
    "pdf": False,
    "operating_conditions": [
        {"name": "late in the year", "pc": 0.7},
        {"name": "early", "prior": 0.1, "cost_fn": 9, "cost_fp": 4},  # PC(+) = .2
    ],
    "prior": {"kind": "beta", "a": 2, "b": 4, "low": 0.05, "high": 0.9},
    "inference": {"confidence": 0.8, "resamples": 400, "equivalence": 0.03},
    "reference": REFERENCE,
    "selection": LIMITS,
    "claims": [{"claim": f"Claim {place}", **keys} for place, keys in enumerate(CLAIMS)],
    "datasets": [
        {
            "name": "loans",
            "title": "Loans not paid back",
            "predictions": ["loans.csv"],
            "prior": 0.2,
            "models": ["Ladder", "Rule", "Vote", "Bayes"],
            "costs": {"unit": "kCHF", "column": "amount", "benefit": BENEFIT},
        },
        {"name": "calls", "title": "Customers who leave", "predictions": ["calls.csv"]}
        | {"positive": "left", "prior": 0.06},
        {"name": "species", "predictions": ["species.csv"], "classes": SPECIES},
    ],
}


def folds_of(label: np.ndarray, folds: list[int], seed: int) -> pd.DataFrame:
    """A repeat with so many folds for each of `folds`, the first fold of each the largest.

    Instances come in another order in each repeat.
    """
    rng = np.random.default_rng(seed)
    parts = []
    for repeat, count in enumerate(folds, start=1):
        order = rng.permutation(len(label))
        fold = np.empty(len(label), dtype=int)
        for value in np.unique(label):
            places = np.flatnonzero(label == value)
            split = np.minimum(np.arange(len(places)) * 3 // 2 % (count + 1), count - 1)
            fold[rng.permutation(places)] = count - split
        instance = [f"i{place:02}" for place in order]
        columns = {"repeat": repeat, "fold": fold[order], "instance": instance}
        parts.append(pd.DataFrame(columns | {"label": label[order]}))
    return pd.concat(parts, ignore_index=True)


def latent(rows: pd.DataFrame, positive: pd.Series, skill: float, seed: int) -> np.ndarray:
    """How positive instances look: negatives vary less, and repeats hardly differ."""
    rng = np.random.default_rng(seed)
    each = dict(zip(sorted(set(rows["instance"])), rng.normal(size=len(rows)), strict=False))
    noise = rows["instance"].map(each) + rng.normal(scale=0.3, size=len(rows))
    return np.where(positive, skill + 1.2 * noise, 0.7 * noise)


def probability(values: np.ndarray) -> np.ndarray:
    """A score in [0, 1] with ties, too low by and large."""
    return np.round(1 / (1 + np.exp(1.8 - values)), 2)


def loans() -> pd.DataFrame:
    """Two models with probabilities, a family, a rule; amounts of which costs are made."""
    label = np.array([1] * 17 + [0] * 31)
    rows = folds_of(label, [3, 2, 3], seed=11)
    positive = rows["label"].eq(1)
    place = rows["instance"].str[1:].astype(int)
    rows = rows.assign(amount=place.mul(7).mod(11).add(1) / 2)
    ladder = latent(rows, positive, 1.6, 3)
    parts = [
        rows.assign(model="Vote", score=probability(latent(rows, positive, 2.3, 1))),
        rows.assign(model="Bayes", score=probability(latent(rows, positive, 0.7, 2))),
        *(
            rows.assign(model="Ladder", member=f"trained at {pc}", train_pc=pc).assign(
                decision=(ladder > 1.7 - 1.9 * pc).astype(int)
            )
            for pc in (0.8, 0.15, 0.45)
        ),
        rows.assign(model="Rule", decision=(latent(rows, positive, 1.1, 4) > 0.2).astype(int)),
    ]
    return pd.concat(parts, ignore_index=True).astype({"decision": "Int64"})


def calls() -> pd.DataFrame:
    """Two models with margins, and a rule; classes have names of which the first is negative."""
    rows = folds_of(np.array([1] * 14 + [0] * 40), [2, 3, 2], seed=12)
    positive = rows["label"].eq(1)
    parts = [
        rows.assign(model="Bayes", score=np.round(latent(rows, positive, 0.5, 5) - 1, 1)),
        rows.assign(model="Vote", score=np.round(3 * latent(rows, positive, 2.4, 6), 1)),
        rows.assign(model="Rule", decision=(latent(rows, positive, 1.3, 7) > 0.9).astype(int)),
    ]
    whole, words = pd.concat(parts, ignore_index=True), {1: "left", 0: "stayed"}
    return whole.assign(label=whole["label"].map(words), decision=whole["decision"].map(words))


def species() -> pd.DataFrame:
    """Three classes of different size, and a score for each of them."""
    place = np.repeat([0, 1, 2], [9, 14, 20])
    rows = folds_of(place, [2, 3, 2], seed=13)
    scores = {
        model: {
            f"score_{name}": np.round(latent(rows, rows["label"].eq(number), skill, number), 1)
            for number, name in enumerate(SPECIES)
        }
        for model, skill in (("Bayes", 0.6), ("Vote", 2.2))
    }
    whole = pd.concat([rows.assign(model=model, **each) for model, each in scores.items()])
    return whole.assign(label=whole["label"].map(dict(enumerate(SPECIES))))


def write_study(folder: Path) -> None:
    """Write the predictions, and the configuration as `study.yaml`."""
    folder.mkdir()
    for make in (loans, calls, species):
        make().to_csv(folder / f"{make.__name__}.csv", index=False)
    import yaml  # not where rows alone are wanted

    plain = json.loads(json.dumps(STUDY))  # so that no list is written as an alias of another
    text = yaml.safe_dump(plain, sort_keys=False)
    (folder / "study.yaml").write_text(text, encoding="utf-8")


TABLES: Final = ("figures", "map", "claims")  # of which none waits for another


def built(folder: Path, until: tuple[str, ...] = ()) -> Path:
    """Build the study in `folder`, or wait until another process has.

    Some rules may be enough: who needs more builds the rest.
    """
    folder.mkdir(exist_ok=True)
    study, done = folder / "study", folder / "-".join(("until", *until))
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not study.exists():
            write_study(study)
        if not (done.exists() or (folder / "until").exists()):
            rules = ["--until", *until] if until else []
            run = snakemake(study, "study.yaml", *rules)
            assert run.returncode == 0, run.stderr
            done.touch()
    return study
