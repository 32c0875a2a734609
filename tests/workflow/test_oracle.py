"""The oracle of reports: it agrees with a report, and finds each change."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.asymmetric_study import NAME
from tests.chance.test_clustered import lesions
from tests.oracle.recompute import recomputed
from tests.small_study import folds_of, scored

REPORT = Path("reports", NAME)
LOOKED_AT = {  # what it recomputes of each table, and of how many rows numbers are changed
    "operating_points/loans--costs": ("fp_count tp_count negatives positives fp fn", 1),
    "measures/loans--costs": ("area tec range_from range_to auc", 1),
    "intervals/calls": ("value pc", 18),
    "instance_costs/loans--costs": ("prior mean_cost_fp mean_cost_fn pc nec cost", 1),
    "claims": ("value", 6),
}

# Scores beside decisions, repeats of unlike folds, and clusters with weights.
UNLIKE = """
study: unlike
operating_conditions: [{name: early, prior: 0.2, cost_fn: 7, cost_fp: 2}, {name: late, pc: 0.8}]
prior: {kind: cost ratio, low: 0.1, high: 30, prior: 0.2}
claims:
- {claim: a, kind: cheaper, models: [Both, Crisp], average: true, pc: [0.1, 0.7], datasets: [d]}
- {claim: b, kind: equivalent, models: [Both, Crisp], margin: 0.1, average: true, datasets: [d]}
- {claim: c, kind: at most, models: [Both], at_most: 0.1, average: true, datasets: [d],
  at: ["1:5", "9:1"], prior: 0.1}
inference: {resamples: 200, confidence: 0.8}
datasets:
- {name: d, prior: 0.2, predictions: [a.csv]}
- {name: lesions, predictions: [lesions.csv]}
"""


@pytest.fixture
def study(asymmetric: Path, tmp_path: Path) -> Path:
    """Predictions and report of the asymmetric study, without its pages and figures."""
    for file in asymmetric.glob("*.csv"):
        shutil.copy(file, tmp_path)
    shutil.copytree(asymmetric / REPORT / "tables", tmp_path / REPORT / "tables")
    shutil.copy(asymmetric / REPORT / "manifest.json", tmp_path / REPORT)
    return tmp_path


def test_unlike_folds_decisions_clusters_and_weights_agree(tmp_path: Path) -> None:
    """Their sizes are given as clusters and cases."""
    folds = {"of 2": 2, "of 5": 5}
    rows = pd.concat([folds_of(60, 1, k, seed=k).assign(repeat=name) for name, k in folds.items()])
    rows = rows.assign(instance="i" + rows["instance"])
    scores = scored(rows, "Both", 1.2, 5)
    both = scores.assign(decision=(scores["score"] > 0.7).astype(int))
    wrong = rows["repeat"].eq("of 2") & rows["fold"].eq(1)
    crisp = rows.assign(model="Crisp", decision=rows["label"].where(~wrong, 1 - rows["label"]))
    pd.concat([both, crisp]).to_csv(tmp_path / "a.csv", index=False)
    patients = lesions(48)
    patients["instance"] = patients["instance"].map(lambda name: "Fäll " * (len(name) - 1) + name)
    patients["weight"] = 1 + patients.groupby("model").cumcount() % 7
    patients.to_csv(tmp_path / "lesions.csv", index=False)
    (tmp_path / "study.yaml").write_text(UNLIKE)
    command = [sys.executable, "-m", "costcurves", "report", "study.yaml", "--html"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    lines, differ = recomputed(tmp_path / "reports" / "unlike", tmp_path)
    assert not differ, lines
    assert "agree: 3 claims: value" in lines
    page = (tmp_path / "reports" / "unlike" / "report.html").read_text("utf-8")
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))
    weight = 1 + np.arange(168) % 7
    effective = weight.sum() ** 2 / (weight**2).sum()
    assert f"168 cases of 48 clusters (weighted: as informative as {effective:.0f}), " in text


def test_every_number_agrees_and_each_that_is_changed_is_found(study: Path) -> None:
    lines, differ = recomputed(study / REPORT, study)
    assert not differ, lines
    assert lines[-1] == "0 numbers differ"
    (whole,) = [line for line in lines if line.startswith("not looked at")]
    assert whole.startswith("not looked at, whole tables: auc_differences, averages, bands, ")
    assert not {"claims", "measures"} & {*whole.partition(": ")[2].split(", ")}
    agreeing, expected = set[str](), list[str]()
    for name, (columns, count) in LOOKED_AT.items():
        table = f"tables/{name}.csv"
        rows = pd.read_csv(study / REPORT / table, dtype=str, keep_default_na=False)
        rows.index += 1
        for column in columns.split():
            agreeing.add(f"{name.partition('/')[0]}: {column}")
            values = pd.to_numeric(rows[column]).dropna().tail(count)
            changed = (values + (1 if values.dtype == int else 1e-6)).astype(str)
            rows.loc[changed.index, column] = changed
            spoilt = changed.items()
            expected += [f"DIFFERS: {table}, row {row}: {column} is {to}" for row, to in spoilt]
        rows.to_csv(study / REPORT / table, index=False)
    counted = {re.sub(r"^agree: \d+ ", "", line) for line in lines if line.startswith("agree")}
    assert counted == agreeing | {"sha256 of predictions"}
    lines, differ = recomputed(study / REPORT, study)
    assert differ
    differing = [line.partition(", not ")[0] for line in lines if "DIFFERS" in line]
    assert sorted(differing) == sorted(expected)
    assert lines[-1] == f"{len(expected)} numbers differ"


def test_other_predictions_are_found_and_the_rest_is_looked_at(study: Path) -> None:
    measures = study / REPORT / "tables" / "measures" / "loans.csv"
    pd.read_csv(measures).assign(model="Poll").to_csv(measures, index=False)
    rows = pd.read_csv(study / "calls.csv", dtype=str)
    rows.loc[4, "score"] = "0.5O"
    rows.to_csv(study / "calls.csv", index=False)
    manifest = json.loads((study / REPORT / "manifest.json").read_text())
    manifest["configuration"]["datasets"][2]["decimal"] = ","
    (study / REPORT / "manifest.json").write_text(json.dumps(manifest))
    (study / "elsewhere").mkdir()
    for file in study.glob("*.csv"):
        file.rename(study / "elsewhere" / file.name)
    lines, differ = recomputed(study / REPORT, study / "elsewhere")
    assert differ
    text = "\n".join(lines)
    assert "DIFFERS: tables/measures/loans.csv: can't be of these predictions" in text
    assert "calls.csv: is not the file that manifest.json names" in text
    assert "DIFFERS: calls.csv, row 5: score is '0.5O', expected a number" in text
    assert "agree: 6 instance_costs: cost" in lines
    why = "its files are read in a way of their own (decimal)"
    assert f"not looked at: 1 dataset species: setosa: {why}" in lines
