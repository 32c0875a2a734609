"""A study small enough to build in seconds, with everything that the input contract allows."""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd

from costcurves.report.libraries import pdf_missing
from tests import engine

ROOT = Path(__file__).parents[1]
PAGES = {"report.html", *(() if pdf_missing() else ("report.pdf",))}
HOSTILE = ["<script>alert(1)</script>", r"$\foo$ _hidden", "_hidden {{7*7}}", "right \u200fto left"]
ABOUT = dict(zip(("case", "positive"), HOSTILE, strict=False))


def folds_of(instances: int, repeats: int, folds: int, seed: int) -> pd.DataFrame:
    """Stratified folds with as many positives as negatives in each."""
    rng = np.random.default_rng(seed)
    parts = []
    for repeat in range(1, repeats + 1):
        half = instances // 2
        order = np.concatenate([rng.permutation(half), rng.permutation(half) + half])
        columns = {"repeat": repeat, "fold": np.arange(instances) % folds + 1}
        columns |= {"instance": [f"{place:03}" for place in order]}
        parts.append(pd.DataFrame(columns | {"label": (order >= half).astype(int)}))
    return pd.concat(parts, ignore_index=True)


def scored(rows: pd.DataFrame, model: str, skill: float, seed: int) -> pd.DataFrame:
    """Scores with many ties, a class apart by `skill` standard deviations."""
    noise = np.random.default_rng(seed).normal(size=len(rows))
    scores = np.round(1 / (1 + np.exp(-(noise + skill * (rows["label"] - 0.5)))), 1)
    return rows.assign(model=model, score=scores)


def family(rows: pd.DataFrame, model: str, seed: int) -> pd.DataFrame:
    """Three member classifiers, the later the readier to say positive."""
    noise = np.random.default_rng(seed).normal(size=len(rows))
    members = []
    for train_pc in (0.2, 0.5, 0.8):
        decision = (noise + rows["label"] > 1.2 - train_pc).astype(int)
        named = rows.assign(model=model, member=f"p={train_pc}", train_pc=train_pc)
        members.append(named.assign(decision=decision))
    return pd.concat(members, ignore_index=True)


def write_study(folder: Path, **changes: object) -> Path:
    """Write predictions and a configuration; give the configuration's path."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = folds_of(24, 2, 3, seed=1)
    both = pd.concat([scored(rows, "Bayes", 2.0, 2), scored(rows, "Trees", 1.0, 3)])
    both.to_csv(folder / "one.csv", index=False)
    timeless = {"method": "gzip", "mtime": 1}  # the same bytes whenever it is written
    family(rows, "Boosted", 4).to_csv(folder / "family.csv.gz", index=False, compression=timeless)
    two = folds_of(20, 1, 2, seed=5)
    four = [scored(two, name, 0.5 + place, 6 + place) for place, name in enumerate(HOSTILE)]
    pd.concat(four).to_csv(folder / "two.csv", index=False)
    study: dict[str, object] = {
        "study": "small",
        "appendix": True,
        "datasets": [
            {"name": "one", "title": "Data set one", "predictions": ["one.csv", "family.csv.gz"]},
            {"name": "two <b>", "predictions": ["two.csv"], "about": ABOUT},
        ],
    }
    config = folder / "study.yaml"
    import yaml  # not where rows alone are wanted

    config.write_text(yaml.safe_dump({**study, **changes}, sort_keys=False), encoding="utf-8")
    return config


def copied_root(folder: Path) -> Path:
    """Copy the workflow, so that a test may edit it."""
    for name in ("workflow", "config", "profiles"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy2(ROOT / "Snakefile", folder)
    return folder


def of_workflow(root: Path, hash_seed: str) -> dict[str, str]:
    """Environment of a process that has the code of a workflow."""
    return {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(root / "workflow")}


def snakemake(folder: Path, *arguments: str, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run the workflow in a folder, as a user would."""
    env = {**os.environ, **of_workflow(root, "0")}
    words = ["--snakefile", str(root / "Snakefile"), "--directory", str(folder), "--cores", "2"]
    return engine.forked(folder, [*words, "--configfile", *arguments], env)


def result(study: Path, table: str, dataset: str = "") -> Path:
    """The file of a table in the results of a study."""
    (file,) = study.glob("/".join((*([dataset] if dataset else []), "*", f"{table}.parquet")))
    return file


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder by its relative path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
