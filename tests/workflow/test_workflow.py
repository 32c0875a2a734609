"""The whole workflow on a small study: what it builds and when, and that it loses nothing."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from contextlib import chdir
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
from tests.small_study import (
    HOSTILE,
    ROOT,
    contents,
    of_workflow,
    result,
    snakemake,
    write_study,
)


@pytest.fixture
def root(small: Path) -> Path:
    """The workflow that built the study, which a test may edit."""
    return small.parent / "root"


@pytest.fixture
def copy(small: Path, tmp_path: Path) -> Path:
    """A copy of the built study that a test may spoil, with the times of its files."""
    return Path(shutil.copytree(small, tmp_path / "copy"))


def changed(folder: Path, **keys: Any) -> None:
    """Give the study other values."""
    config = yaml.safe_load((folder / "study.yaml").read_text())
    (folder / "study.yaml").write_text(yaml.safe_dump(config | keys))


def rules_to_run(folder: Path, root: Path) -> set[str]:
    """Names of the rules that a run would run now."""
    run = snakemake(folder, "study.yaml", "--dry-run", "--quiet", "reason", root=root)
    assert run.returncode == 0, run.stderr
    lines = (run.stdout + run.stderr).splitlines()
    if any("Nothing to be done" in line for line in lines):
        return set()
    table = lines[next(i for i, line in enumerate(lines) if line.startswith("job ")) + 2 :]
    names = [line.split()[0] for line in table[: table.index("")] if line]
    return set(names) - {"total", "all"}


def test_the_report_is_whole(small: Path) -> None:
    files = contents(small / "reports" / "small")
    assert not [name for name in files if name.endswith(".pdf")]
    tables = {Path(name).parts[1] for name in files if name.startswith("tables/")}
    with chdir(small):
        left_out = read_study("study.yaml").left_out
    assert tables == {*STAGES, "check_results", "map.csv"} - left_out
    drawn = {Path(name).stem.partition("-")[0] for name in files if name.startswith("figures/")}
    figures = {"cost_curves", "cost_lines", "hybrids", "differences", "roc_and_cost", "calibration"}
    assert drawn == figures
    manifest = json.loads(files["manifest.json"])
    assert set(manifest["files"]) == set(files) - {"manifest.json", "SHA256SUMS"}
    sources = ["one.csv", "family.csv.gz", "two.csv"]
    assert [source["path"] for source in manifest["sources"]] == sources
    assert str(small.parent).encode() not in b"".join(files.values())
    # Names stay text.
    html = files["report.html"].decode()
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)" in html
    assert "49" not in html.split("_hidden {{7*7}}")[1][:3]
    table = files["tables/measures/two-b.csv"].decode()
    assert all(name in table for name in HOSTILE)


DRAWN = {"figures", "report"}
INFERRED = {*DRAWN, "map", "confidence", "comparisons"}
ALL = {"predictions", "cost_lines", "averages", "models", *INFERRED}


@pytest.mark.parametrize(
    ("changes", "of_one", "reruns"),
    [
        # Resamples are kept at the marked conditions, so all that is read from them follows.
        ({"operating_conditions": [{"pc": 0.25}]}, {}, {"averages", *INFERRED}),
        ({}, {"prior": 0.2}, {"averages", *INFERRED}),
        ({"title": "Another"}, {}, {"map", "report"}),
        ({}, {"title": "Another"}, {"map", *DRAWN}),
        ({}, {"expected": ["reversed"]}, DRAWN),
        ({"seed": 2}, {}, {"cost_lines", "averages", *INFERRED}),
    ],
)
def test_changing_a_parameter_reruns_only_what_follows(
    copy: Path,
    root: Path,
    changes: dict[str, object],
    of_one: dict[str, object],
    reruns: set[str],
) -> None:
    """Whatever the engine knows of earlier runs."""
    config = yaml.safe_load((copy / "study.yaml").read_text())
    config["datasets"][0] |= of_one
    (copy / "study.yaml").write_text(yaml.safe_dump(config | changes))
    assert rules_to_run(copy, root) == reruns
    shutil.rmtree(copy / ".snakemake")
    assert rules_to_run(copy, root) == reruns


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


def test_dates_of_sources_do_not_count(copy: Path, root: Path) -> None:
    """The same bytes with another date are no other data, other bytes with an older one are."""
    for name, seconds in (("one.csv", 2 * 10**9), ("two.csv", 10**9)):
        os.utime(copy / name, (seconds, seconds))
    assert rules_to_run(copy, root) == set()
    table = copy / "one.csv"
    table.write_text(table.read_text().replace(",0.9\n", ",0.8\n"))
    os.utime(table, (10**9, 10**9))
    assert {"predictions", "confidence", "figures", "report"} <= rules_to_run(copy, root)


@pytest.mark.parametrize(
    ("lost", "reruns"),
    [
        (["reports/small/report.html"], {"report"}),
        (["reports/small/tables/map.csv"], {"report"}),
        (["reports"], {"report"}),
        (["results", ".snakemake"], ALL),  # nothing says what the report was made from
    ],
)
def test_what_is_removed_is_made_again(
    copy: Path, root: Path, lost: list[str], reruns: set[str]
) -> None:
    for path in [copy / name for name in lost]:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    assert rules_to_run(copy, root) == reruns


def bad_score(copy: Path) -> None:
    source = copy / "one.csv"
    source.write_text(source.read_text().replace("0.9\n", "nan\n"))


def file_of_somebody(copy: Path) -> None:
    (copy / "reports" / "small" / "notes.md").write_text("mine")
    changed(copy, seed=2)


def flipped_bit(copy: Path) -> None:
    path = copy / "results/small/one/figures/drawn/cost_curves-a.svg"
    whole, dates = path.read_bytes(), path.stat()
    path.write_bytes(whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:])
    os.utime(path, ns=(dates.st_atime_ns, dates.st_mtime_ns))
    changed(copy, description="Another.")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (bad_score, "one.csv line"),
        (file_of_somebody, "reports/small: a new report would replace 'notes.md', which its"),
        (flipped_bit, "results/small/one/figures/drawn/cost_curves-a.svg: is not "),
    ],
)
def test_a_run_that_is_refused_loses_no_report(
    copy: Path, root: Path, spoil: Callable[[Path], None], message: str
) -> None:
    spoil(copy)
    before = contents(copy / "reports")
    run = snakemake(copy, "study.yaml", root=root)
    assert run.returncode != 0
    assert message in run.stdout + run.stderr
    assert "Traceback" not in run.stdout + run.stderr
    assert contents(copy / "reports") == before


def test_a_broken_result_stops_the_report(copy: Path, root: Path) -> None:
    table = result(copy / "results" / "small", "envelopes", "one")
    frame = read(table, ENVELOPES)
    frame.loc[3, ["at0", "nec_from"]] += 0.1
    write(frame, table, ENVELOPES)
    shutil.rmtree(copy / "reports")
    figures = [
        "--until",
        "figures",
        "--forcerun",
        "results/small/one/figures/check_results.parquet",
    ]
    run = snakemake(copy, "study.yaml", *figures, root=root)
    assert run.returncode != 0
    assert "an envelope is the lowest of its lines" in run.stdout + run.stderr
    assert not (copy / "reports").exists()


SCORES = {
    "claim": "Scores mislead.",
    "kind": "cheaper",
    "datasets": ["one"],
    "models": ["no model", "Trees"],
    "criterion": "score-driven",
}


def test_claims_come_and_go_without_other_stages(copy: Path, root: Path) -> None:
    changed(copy, claims=[SCORES])
    assert rules_to_run(copy, root) == {"claims", "report"}
    assert snakemake(copy, "study.yaml", root=root).returncode == 0
    claims = copy / "reports/small/tables/claims.csv"
    assert '"Trees","score-driven"' in claims.read_text()
    assert pd.read_csv(claims)["value"].notna().all()
    changed(copy, claims=[SCORES | {"claim": "Others."}])
    assert rules_to_run(copy, root) == {"claims", "report"}
    changed(copy, claims=[], description="First *this*.")
    run = snakemake(copy, "study.yaml", root=root)
    assert run.returncode == 0, run.stderr
    assert not claims.exists()
    page = (copy / "reports/small/report.html").read_text("utf-8")
    assert '<p class="description">First *this*.</p>' in page
    assert rules_to_run(copy, root) == set()


@pytest.mark.skipif(
    shutil.which("rsync") is None and "CI" not in os.environ, reason="rsync copies to this store"
)
def test_results_are_kept_in_a_store_elsewhere(tmp_path: Path) -> None:
    """What a store holds may have been made of something else: it is made again, never used."""
    config, store = write_study(tmp_path), tmp_path / "store"
    elsewhere = ["--default-storage-provider", "fs", "--default-storage-prefix", str(store)]
    wanted = [config.name, *elsewhere, "--until", "predictions"]
    source = tmp_path / "one.csv"
    for score in ("0.3", "0.37"):
        source.write_text(source.read_text().replace("0.3", score))
        run = snakemake(tmp_path, *wanted)
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
    assert {name for name, *_ in jobs} == ALL - {"report", "all"}
    jobs = [job for job in jobs if "/two-b/" not in job[2]]  # as those of the first dataset
    for number, (name, inputs, outputs, log, command) in enumerate(jobs):
        folder = tmp_path / f"{number}-{name}"
        for file in inputs.split(", "):
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(small / file, folder / file)
        (folder / log).parent.mkdir(parents=True)
        for file in outputs.split(", "):
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
        environment = os.environ | of_workflow(root, hash_seed="4321")
        run = subprocess.run(command, shell=True, cwd=folder, env=environment, check=False)
        assert run.returncode == 0, (folder / log).read_text()
        for file in outputs.split(", "):
            if file.endswith((".parquet", ".npz", ".jsonl", ".svg")):
                assert (folder / file).read_bytes() == (small / file).read_bytes(), file


def test_rules_use_the_engine_as_its_documentation_says() -> None:
    """Of its `workflow` they read the cores and the configuration files, and nothing is edited."""
    private = r"iocache|\._\w|\bscheduler\.|executors|async_run"
    private += r"|workflow\.(?!cores\b|configfiles\b)\w"
    edited = r"\brun:|\bscript:|setattr|class "
    aside = re.compile(r'"""[^"]*"""|"[^"]*"|^.*(import|include).*$', re.MULTILINE)
    for file in [ROOT / "Snakefile", *(ROOT / "workflow" / "rules").glob("*.smk")]:
        text = aside.sub("", file.read_text())
        assert re.search(f"{private}|{edited}", text) is None
