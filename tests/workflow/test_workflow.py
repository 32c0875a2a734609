"""The whole workflow on a small study: what it builds and when, and that it loses nothing."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

from costcurves.curves.envelopes import ENVELOPES
from costcurves.detail import STAGES
from costcurves.predictions.predicted import PREDICTIONS
from costcurves.study.reading import read_study
from costcurves.tables.files import read, write
from tests.small_study import HOSTILE, contents, of_workflow, result, snakemake, write_study

Spoil = Callable[[Path], object]
DRAWN = {"figures", "report"}
INFERRED = {*DRAWN, "map", "confidence", "comparisons"}
ALL = {"predictions", "cost_lines", "averages", "models", *INFERRED}
BANDS = "results/small/one/confidence/bands.parquet"


@pytest.fixture
def root(small: Path) -> Path:
    """The workflow that built the study, which a test may edit."""
    return small.parent / "root"


@pytest.fixture
def copy(small: Path, tmp_path: Path) -> Path:
    """A copy of the built study that a test may spoil, with the times of its files."""
    return Path(shutil.copytree(small, tmp_path / "copy"))


def rules_to_run(folder: Path, root: Path) -> set[str]:
    """Names of the rules that a run would run now."""
    run = snakemake(folder, "study.yaml", "--dry-run", "--quiet", "rules", root=root)
    assert run.returncode == 0, run.stderr
    return {*re.findall(r"^(\w+) +\d+$", run.stdout + run.stderr, re.MULTILINE)} - {"total", "all"}


def test_the_report_is_whole(small: Path) -> None:
    files = contents(small / "reports" / "small")
    assert not [name for name in files if name.endswith(".pdf")]
    tables = {Path(name).parts[1] for name in files if name.startswith("tables/")}
    with chdir(small):
        assert tables == {*STAGES, "check_results", "map.csv"} - read_study("study.yaml").left_out
    drawn = {Path(name).stem.partition("-")[0] for name in files if name.startswith("figures/")}
    figures = {"cost_curves", "cost_lines", "hybrids", "differences", "roc_and_cost", "calibration"}
    assert drawn == figures
    assert str(small.parent).encode() not in b"".join(files.values())
    # Names stay text.
    assert b"<script>alert" not in files["report.html"]
    assert all(name.encode() in files["tables/measures/two-b.csv"] for name in HOSTILE)


# What is made again


def change(folder: Path, of_one: dict[str, Any] | None = None, **keys: Any) -> None:
    """Give the study, or its first dataset, other values."""
    config = yaml.safe_load((folder / "study.yaml").read_text())
    config["datasets"][0] |= of_one or {}
    (folder / "study.yaml").write_text(yaml.safe_dump(config | keys))


def remove(name: str, folder: Path) -> None:
    shutil.rmtree(folder / name) if (folder / name).is_dir() else (folder / name).unlink()


def remove_bands_and_change(folder: Path) -> None:
    remove(BANDS, folder)
    change(folder, title="Another")


def touch_sources(folder: Path) -> None:
    for name, seconds in (("one.csv", 2 * 10**9), ("two.csv", 10**9)):
        os.utime(folder / name, (seconds, seconds))


def edit_an_old_source(folder: Path) -> None:
    source = folder / "one.csv"
    source.write_text(source.read_text().replace(",0.9\n", ",0.8\n"))
    os.utime(source, (10**9, 10**9))


@pytest.mark.parametrize(
    ("spoil", "reruns"),
    [
        # Resamples are kept at the marked conditions, so all that is read from them follows.
        (partial(change, operating_conditions=[{"pc": 0.25}]), {"averages", *INFERRED}),
        (partial(change, of_one={"prior": 0.2}), {"averages", *INFERRED}),
        (partial(change, title="Another"), {"map", "report"}),
        (partial(change, of_one={"title": "Another"}), {"map", *DRAWN}),
        (partial(change, of_one={"expected": ["reversed"]}), DRAWN),
        (partial(change, seed=2), {"cost_lines", "averages", *INFERRED}),
        (touch_sources, set()),
        (edit_an_old_source, ALL),
        (partial(remove, "reports/small/report.html"), {"report"}),
        (partial(remove, BANDS), set()),
        (remove_bands_and_change, INFERRED),
        (partial(remove, "results"), ALL),  # nothing says what the report was made from
    ],
)
def test_what_differs_is_made_again_and_what_follows(
    copy: Path, root: Path, spoil: Spoil, reruns: set[str]
) -> None:
    """Whatever the engine knows of earlier runs."""
    spoil(copy)
    assert rules_to_run(copy, root) == reruns
    shutil.rmtree(copy / ".snakemake")
    assert rules_to_run(copy, root) == reruns


def test_claims_come_and_go_without_other_stages(copy: Path, root: Path) -> None:
    claim = {"claim": "Scores mislead.", "kind": "cheaper", "datasets": ["one"]}
    claim |= {"models": ["no model", "Trees"], "criterion": "score-driven"}
    change(copy, claims=[claim])
    assert rules_to_run(copy, root) == {"claims", "report"}
    assert snakemake(copy, "study.yaml", root=root).returncode == 0
    claims = copy / "reports/small/tables/claims.csv"
    assert '"Trees","score-driven"' in claims.read_text()
    assert pd.read_csv(claims)["value"].notna().all()
    change(copy, claims=[claim | {"claim": "Others."}])
    assert rules_to_run(copy, root) == {"claims", "report"}
    change(copy, claims=[])
    run = snakemake(copy, "study.yaml", root=root)
    assert run.returncode == 0, run.stderr
    assert not claims.exists()
    assert rules_to_run(copy, root) == set()


# What is lost: nothing


def test_a_job_that_failed_loses_no_report_and_is_taken_up(copy: Path, root: Path) -> None:
    """Its process ends at once, without a word; as code was edited, all is made again."""
    before = contents(copy / "reports")
    command = root / "workflow" / "costcurves" / "command" / "__init__.py"
    text = command.read_text()
    dies = 'import os, sys\nif "cost_lines" in sys.argv:\n    os._exit(1)\n'
    command.write_text(f"{text}\n{dies}")
    assert rules_to_run(copy, root) == ALL
    run = snakemake(copy, "study.yaml", root=root)
    command.write_text(text)
    assert run.returncode != 0
    assert contents(copy / "reports") == before
    assert {"cost_lines", "report"} <= rules_to_run(copy, root)


@contextmanager
def undated(path: Path) -> Iterator[Path]:
    """Let a change of a file keep its date."""
    dates = path.stat()
    yield path
    os.utime(path, ns=(dates.st_atime_ns, dates.st_mtime_ns))


def file_of_somebody(copy: Path) -> None:
    (copy / "reports" / "small" / "notes.md").write_text("mine")
    change(copy, seed=2)


def flipped_bit(copy: Path) -> None:
    with undated(copy / "results/small/one/figures/drawn/cost_curves-a.svg") as figure:
        whole = figure.read_bytes()
        figure.write_bytes(whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:])
    change(copy, description="Another.")


def broken_result(copy: Path) -> None:
    with undated(result(copy / "results" / "small", "envelopes", "one")) as table:
        frame = read(table, ENVELOPES)
        frame.loc[3, ["at0", "nec_from"]] += 0.1
        write(frame, table, ENVELOPES)
    change(copy, {"expected": ["reversed"]})  # its figures are made again


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (file_of_somebody, "reports/small: a new report would replace 'notes.md', which its"),
        (flipped_bit, "results/small/one/figures/drawn/cost_curves-a.svg: is not "),
        (broken_result, "an envelope is the lowest of its lines"),
    ],
)
def test_a_run_that_is_refused_loses_no_report(
    copy: Path, root: Path, spoil: Spoil, message: str
) -> None:
    spoil(copy)
    before = contents(copy / "reports")
    run = snakemake(copy, "study.yaml", root=root)
    assert run.returncode != 0
    assert message in run.stdout + run.stderr
    assert "Traceback" not in run.stdout + run.stderr
    assert contents(copy / "reports") == before


# Where else a job runs


@pytest.mark.skipif(
    shutil.which("rsync") is None and "CI" not in os.environ, reason="rsync copies to this store"
)
def test_results_are_kept_in_a_store_elsewhere(tmp_path: Path) -> None:
    """What a store holds may have been made of something else: it is made again, never used."""
    config, store = write_study(tmp_path), tmp_path / "store"
    elsewhere = ["--default-storage-provider", "fs", "--default-storage-prefix", str(store)]
    source = tmp_path / "one.csv"
    for score in ("0.3", "0.37"):
        source.write_text(source.read_text().replace("0.3", score))
        run = snakemake(tmp_path, config.name, *elsewhere, "--until", "predictions")
        assert run.returncode == 0, run.stderr
        assert not [*tmp_path.glob("results/small/one/predictions/*.parquet")]
        (file,) = store.glob("results/small/one/predictions/predictions.parquet")
        assert float(score) in read(file, PREDICTIONS)["score"].to_list()


def test_a_stage_reads_only_what_its_rule_lists(small: Path, tmp_path: Path, root: Path) -> None:
    """Each command runs where its inputs are alone, and with another hash seed gives the same."""
    dry = ("--dry-run", "--forceall", "--printshellcmds", "--until", "figures", "map")
    plan = snakemake(small, "study.yaml", *dry, root=root)
    assert plan.returncode == 0, plan.stderr
    jobs = re.findall(
        r"^(?:local)?rule (\w+):\n    input: (.+)\n    output: (.+)\n    log: (.+)\n"
        r"(?:    .+\n)*?Shell command: (.+)$",
        plan.stdout + plan.stderr,
        re.MULTILINE,
    )
    assert {name for name, *_ in jobs} == ALL - {"report"}
    for name, *files, command in jobs:
        inputs, outputs, (log,) = (names.split(", ") for names in files)
        if "/two-b/" in log:  # as that of the first dataset
            continue
        folder = tmp_path / name
        for file in (*inputs, *outputs, log):
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
        for file in inputs:
            shutil.copy2(small / file, folder / file)
        environment = os.environ | of_workflow(root, hash_seed="4321")
        run = subprocess.run(command, shell=True, cwd=folder, env=environment, check=False)
        assert run.returncode == 0, (folder / log).read_text()
        for file in outputs:
            if file.endswith((".parquet", ".npz", ".jsonl", ".svg")):
                assert (folder / file).read_bytes() == (small / file).read_bytes(), file
