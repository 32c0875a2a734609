"""The file that recomputes a report's numbers: it agrees with the report, and finds each change."""

import ast
import csv
import hashlib
import json
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from costcurves.archive import RECOMPUTE
from costcurves.tables.curves.operating_points import dealing
from tests.asymmetric_study import NAME
from tests.result_tables import staged
from tests.small_study import folds_of, scored

DEALT = ["model", "member", "repeat", "instance"]
WITHOUT = """
import runpy, sys
sys.modules["costcurves"] = None
if "--without-pyarrow" in sys.argv:
    sys.argv.remove("--without-pyarrow")
    sys.modules["pyarrow"] = None
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
LOOKED_AT = {  # what it recomputes of each table, and where a row to spoil is
    "operating_points/loans": ("fp_count", "tp_count", "negatives", "positives", "fp", "fn"),
    "operating_points/loans--costs": ("fp", "fn"),
    "measures/calls": ("area", "tec", "range_from", "range_to", "auc"),
    "measures/loans--costs": ("area", "tec", "range_from", "range_to", "auc"),
    "intervals/species--virginica": ("value",),
    "intervals/loans--costs": ("value",),
    "instance_costs/loans--costs": ("prior", "mean_cost_fp", "mean_cost_fn", "pc", "nec", "cost"),
    "claims": ("value",),
}
CASES = [(table, column, "cost") for table, columns in LOOKED_AT.items() for column in columns]
CASES += [
    (f"intervals/{view}", "value", quantity)
    for view in ("calls", "loans--costs")
    for quantity in ("area", "tec", "range start", "range end")
]
CASES += [("claims", "value", "tec")]


@pytest.fixture
def study(asymmetric: Path, tmp_path: Path) -> Path:
    """Predictions and report of the asymmetric study, without its pages and figures."""
    for file in asymmetric.glob("*.csv"):
        shutil.copy(file, tmp_path)
    report = Path("reports", NAME)
    shutil.copytree(asymmetric / report / "tables", tmp_path / report / "tables")
    shutil.copy(asymmetric / report / "manifest.json", tmp_path / report)
    return tmp_path


def recomputed(study: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the report's own copy, where no package of ours can be found."""
    file = Path("reports", NAME, "tables", "recompute.py")
    return subprocess.run(
        [sys.executable, "-I", "-c", WITHOUT, str(file), *arguments],
        cwd=study,
        capture_output=True,
        text=True,
        check=False,
    )


def test_scores_beside_decisions_and_repeats_of_unlike_folds(tmp_path: Path) -> None:
    folds = {"of 2": 2, "of 5": 5}
    rows = pd.concat([folds_of(60, 1, k, seed=k).assign(repeat=it) for it, k in folds.items()])
    rows = rows.assign(instance=[f"i{one}" for one in rows["instance"]])
    scores = scored(rows, "Both", 1.2, 5)
    both = scores.assign(decision=(scores["score"] > 0.7).astype(int))
    wrong = rows["repeat"].eq("of 2") & rows["fold"].eq(1)
    crisp = rows.assign(model="Crisp", decision=rows["label"].where(~wrong, 1 - rows["label"]))
    pd.concat([both, crisp]).to_csv(tmp_path / "a.csv", index=False)
    conditions = "{name: early, prior: 0.2, cost_fn: 7, cost_fp: 2}, {name: late, pc: 0.8}"
    (tmp_path / "study.yaml").write_text(
        f"study: {NAME}\noperating_conditions: [{conditions}]\n"
        "prior: {kind: cost ratio, low: 0.1, high: 30, prior: 0.2}\n"
        "claims:\n"
        "- {claim: a, kind: cheaper, models: [Both, Crisp], mean: range, pc: [0.1, 0.7]}\n"
        "- {claim: b, kind: equivalent, models: [Both, Crisp], delta: 0.1, mean: tec}\n"
        "- {claim: c, kind: expected cost, models: [Both], at_most: 0.1, mean: range, "
        "cost_ratio: [0.2, 9], prior: 0.1}\n"
        "inference: {resamples: 200, confidence: 0.8}\n"
        "datasets: [{name: d, prior: 0.2, predictions: [a.csv]}]\n"
    )
    command = [sys.executable, "-m", "costcurves", "report", "study.yaml", "--html"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    run = recomputed(tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "0 numbers differ" in run.stdout
    assert "agree: 3 claims: value" in run.stdout


def test_it_is_one_short_file_that_imports_nothing_of_ours() -> None:
    text = RECOMPUTE.read_text()
    nodes = list(ast.walk(ast.parse(text)))
    names = {one.name for node in nodes if isinstance(node, ast.Import) for one in node.names}
    names |= {node.module or "." for node in nodes if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} <= {*sys.stdlib_module_names, "numpy", "pyarrow"}
    assert len([line for line in text.splitlines() if line.strip()]) < 520


def test_every_number_agrees(study: Path) -> None:
    run = recomputed(study)
    assert run.returncode == 0, run.stdout + run.stderr
    said = run.stdout.splitlines()
    assert said[-1] == "0 numbers differ"
    found = {line.partition(" ")[2].partition(" ")[2] for line in said if "agree" in line}
    expected = {f"{table.partition('/')[0]}: {column}" for table, column, _ in CASES}
    assert found == expected | {"intervals: pc", "sha256 of predictions"}
    (whole,) = [line for line in said if line.startswith("not looked at")]
    assert whole.startswith("not looked at, whole tables: auc_differences, averages, bands, ")
    assert not {"claims", "recompute", "measures"} & {*whole.partition(": ")[2].split(", ")}


def test_each_digit_is_found_with_its_row(study: Path) -> None:
    said = [spoilt(study, *case) for case in CASES]
    assert len({*said}) == len(CASES)
    run = recomputed(study)
    assert run.returncode == 1, run.stdout + run.stderr
    found = [line.partition(", not ")[0] for line in run.stdout.splitlines() if "DIFFERS" in line]
    assert sorted(found) == sorted(said)
    assert run.stdout.endswith(f"{len(CASES)} numbers differ\n")


def spoilt(study: Path, table: str, column: str, kind: str) -> str:
    """Change a digit of a column's first number of a kind; say what should be said of it."""
    file = study / "reports" / NAME / "tables" / f"{table}.csv"
    with file.open(newline="") as opened:
        heads, *rows = list(csv.reader(opened))
    place = heads.index(column)
    told = [place for place, head in enumerate(heads) if head in ("quantity", "mean")]
    kinds = ("", kind) if kind == "cost" else (kind,)
    number, row = next(
        (number, row)
        for number, row in enumerate(rows, start=1)
        if row[place] not in ("", "0", "1") and all(row[it] in kinds for it in told)
    )
    digit = next(at for at in range(len(row[place]) - 1, -1, -1) if row[place][at] in "123456789")
    digit = min(digit, row[place].find(".") + 6) if "." in row[place] else digit
    row[place] = (
        row[place][:digit] + ("2" if row[place][digit] != "2" else "3") + row[place][digit + 1 :]
    )
    with file.open("w", newline="") as opened:
        csv.writer(opened, lineterminator="\n").writerows([heads, *rows])
    return f"DIFFERS: tables/{table}.csv, row {number}: {column} is {row[place]}"


def test_another_model_is_found(study: Path) -> None:
    file = study / "reports" / NAME / "tables" / "measures" / "calls.csv"
    file.write_text(file.read_text().replace("Vote", "Poll"))
    run = recomputed(study)
    assert run.returncode == 1, run.stderr
    assert "DIFFERS: tables/measures/calls.csv: can't be of these predictions" in run.stdout


def test_other_predictions_are_found(study: Path) -> None:
    file = study / "calls.csv"
    file.write_text(file.read_text().replace("left", "kept", 1))
    run = recomputed(study)
    assert run.returncode == 1, run.stderr
    assert "DIFFERS: calls.csv: is not the file that manifest.json names" in run.stdout


def test_where_predictions_are_is_asked(study: Path) -> None:
    (study / "elsewhere").mkdir()
    for file in study.glob("*.csv"):
        file.rename(study / "elsewhere" / file.name)
    run = recomputed(study)
    assert run.returncode == 1
    assert run.stderr.endswith("is not there; name the folder of the predictions by --sources\n")
    assert recomputed(study, "--sources", "elsewhere").returncode == 0


def test_what_it_can_not_read_it_names(study: Path) -> None:
    report = study / "reports" / NAME
    manifest = json.loads((report / "manifest.json").read_text())
    manifest["configuration"]["datasets"][1]["decimal"] = ","
    (report / "manifest.json").write_text(json.dumps(manifest))
    run = recomputed(study)
    said = run.stdout.splitlines()
    assert (
        "not looked at: 1 dataset calls: its files are read in a way of their own (decimal)" in said
    )


def test_parquet_is_read_where_pyarrow_is_and_named_where_it_is_not(study: Path) -> None:
    report = study / "reports" / NAME
    before = recomputed(study).stdout
    manifest = (report / "manifest.json").read_text()
    for name in ("tables/measures/loans", "tables/claims"):
        file = report / f"{name}.csv"
        pd.read_csv(file).to_parquet(file.with_suffix(".parquet"))
        file.unlink()
        manifest = manifest.replace(f'"{name}.csv"', f'"{name}.parquet"')
    old = (study / "calls.csv").read_bytes()
    pd.read_csv(study / "calls.csv", dtype={"instance": str}).to_parquet(study / "calls.parquet")
    new = (study / "calls.parquet").read_bytes()
    was, now = (hashlib.sha256(one).hexdigest() for one in (old, new))
    (report / "manifest.json").write_text(
        manifest.replace('"calls.csv"', '"calls.parquet"').replace(was, now)
    )
    assert recomputed(study).stdout == before
    said = recomputed(study, "--without-pyarrow").stdout.splitlines()
    without = "is no CSV; with pyarrow installed Parquet is read, too"
    assert f"not looked at: 1 dataset calls: calls.parquet {without}" in said
    assert f"not looked at: 1 measures/loans.parquet: {without}" in said
    assert said[-1] == "0 numbers differ"


def test_a_score_that_can_not_be_read_is_named(study: Path) -> None:
    rows = pd.read_csv(study / "calls.csv", dtype=str)
    rows.loc[4, "score"] = "0.5O"
    rows.to_csv(study / "calls.csv", index=False)
    run = recomputed(study)
    assert (run.returncode, run.stderr) == (1, "")
    assert "DIFFERS: calls.csv, row 5: score is '0.5O', expected a number" in run.stdout
    assert "agree: 6 instance_costs: cost" in run.stdout  # other datasets are looked at


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("calls.csv", lambda it: it[: len(it) // 2] + b"\xff\xfe", "calls.csv: can't be read"),
        ("calls.csv", lambda it: it.replace(b"label", b"truth"), "calls.csv has other columns"),
        (
            "loans.csv",
            lambda it: it + b'"' + b"a" * 200_000,
            "loans.csv: can't be read (Error('field",
        ),
        (
            "reports/asymmetric/tables/claims.csv",
            lambda it: it.replace(b'"value"', b'"worth"'),
            "tables/claims.csv: can't be of these predictions (KeyError('value'))",
        ),
        (
            "reports/asymmetric/tables/measures/calls.csv",
            lambda it: it.replace(b",0.", b",O.", 1),
            "tables/measures/calls.csv, row 1: area is 'O.",
        ),
        ("reports/asymmetric/manifest.json", lambda it: it[:-9], "manifest.json can't be used"),
        (
            "reports/asymmetric/manifest.json",
            lambda _: b"[" * 99_999,
            "manifest.json can't be used",
        ),
        ("reports/asymmetric/manifest.json", lambda _: b"{}", "manifest.json can't be used"),
    ],
)
def test_no_file_ends_in_a_traceback(
    study: Path, name: str, change: Callable[[bytes], bytes], said: str
) -> None:
    (study / name).write_bytes(change((study / name).read_bytes()))
    run = recomputed(study)
    assert run.returncode == 1
    assert said in run.stdout + run.stderr
    assert "Traceback" not in run.stderr


def test_a_test_set_without_folds_is_dealt_into_the_same() -> None:
    rng = np.random.default_rng(5)
    label = rng.permutation(np.repeat([0, 1], [31, 8]))
    names = [f"Fäll {number}" * (number % 5) + f"{number}" for number in rng.permutation(39)]
    one = pd.DataFrame({"instance": names, "label": label, "repeat": "1", "fold": "1"})
    several = pd.concat([one, one.assign(repeat="2")])
    members = pd.concat([one.assign(member=name) for name in ("early", "late")])
    folded = one.assign(model="C", fold=[str(number % 3) for number in range(39)])
    alike = [several.assign(model="A"), members.assign(model="B")]
    deal = runpy.run_path(str(RECOMPUTE), run_name="recompute")["deal"]
    for parts, repeats in ((alike, 15), ([*alike, folded], 4)):  # 2 x 5 + 5; 2 + 1 + 1
        made = staged(pd.concat([rows.assign(score=0.5) for rows in parts]))
        ours = dealing(made, 7)
        assert ours is not None
        expected = ours(made)[[*DEALT, "fold"]].astype(str)
        rows = made[[*DEALT, "fold"]].astype(str).assign(positive=made["label"] == 1, crisp=False)
        rows = rows.assign(weight=made["weight"], unit=rows["instance"].astype(str))
        found = pd.DataFrame(deal(rows.to_dict("records"), 7))[[*DEALT, "fold"]]
        assert found.groupby("model")["repeat"].nunique().sum() == repeats
        found, expected = (one.sort_values(DEALT) for one in (found, expected))
        assert found.to_numpy().tolist() == expected.to_numpy().tolist()


@pytest.mark.parametrize("classes", ["in clusters of their own", "mixed"])
def test_clusters_of_a_test_set_are_split_as_in_the_report(classes: str) -> None:
    rng = np.random.default_rng(6)
    cluster = np.sort(rng.integers(0, 26, 90))
    one = rng.random(26) < 0.4
    label = one[cluster] if classes != "mixed" else rng.random(90) < 0.2 + 0.5 * one[cluster]
    names = [f"i{number}" for number in rng.permutation(90)]
    both = pd.DataFrame({"instance": names, "label": label.astype(int), "score": 0.5})
    both = both.assign(cluster=[f"Fäll {number}" for number in cluster], model="A")
    made = staged(pd.concat([both, both.assign(model="B")]).sample(frac=1, random_state=3))
    ours = dealing(made, 7)
    assert ours is not None
    expected = ours(made)
    folds = expected.groupby(["repeat", "fold"], observed=True)["label"].agg(["min", "max"])
    assert (folds["min"] == 0).all()
    assert (folds["max"] == 1).all()
    whole = expected.groupby(["repeat", "cluster"], observed=True)["fold"].nunique()
    assert (whole == 1).all()
    assert expected["repeat"].nunique() == 5
    deal = runpy.run_path(str(RECOMPUTE), run_name="recompute")["deal"]
    rows = made[[*DEALT, "fold"]].astype(str).assign(positive=made["label"] == 1, crisp=False)
    rows = rows.assign(weight=made["weight"], unit=made["cluster"].astype(str))
    found = pd.DataFrame(deal(rows.to_dict("records"), 7))[[*DEALT, "fold"]].sort_values(DEALT)
    ordered = expected[[*DEALT, "fold"]].astype(str).sort_values(DEALT)
    assert found.to_numpy().tolist() == ordered.to_numpy().tolist()


def test_a_fold_whose_positives_weigh_nothing_has_one_class(tmp_path: Path) -> None:
    read = runpy.run_path(str(RECOMPUTE), run_name="recompute")["read"]
    said_of = "format", "missing_labels", "abstain", "decimal", "delimiter", "higher_is"
    dataset: dict[str, object] = dict.fromkeys((*said_of, "of", "positive", "costs"))
    dataset |= {"name": "d", "score": "score", "predictions": ["d.csv"]}
    head, rows = "model,instance,fold,label,score,weight", "A,1,1,0,0,1\nA,2,1,1,1,{}\n"
    for weight, found in ((2, [0, 1]), (0, "a fold has one class only")):
        (tmp_path / "d.csv").write_text(f"{head}\n{rows.format(weight)}")
        said = read({"d.csv": tmp_path / "d.csv"}, dataset)
        assert (said if isinstance(said, str) else [row["positive"] for row in said]) == found
