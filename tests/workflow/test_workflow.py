"""The whole workflow on a small study: what it builds and when, and that it loses nothing."""

import json
import os
import re
import shutil
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from costcurves.command import main
from costcurves.pipeline.plan import OF_BATCHES, OF_STUDIES, plan_of
from costcurves.tables.configuration.stages import STAGES
from costcurves.tables.configuration.study import parse_study, read_study
from costcurves.tables.curves.envelopes import ENVELOPES
from costcurves.tables.files import read, write
from costcurves.tables.input.predictions import PREDICTIONS
from costcurves.tables.record.places import LISTED
from tests.small_study import (
    HOSTILE,
    ROOT,
    contents,
    copied_root,
    result,
    snakemake,
    write_study,
)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the workflow that a test may edit."""
    return copied_root(tmp_path_factory.mktemp("root"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """What is not tested here, an annex and PDFs, is left out."""
    folder = tmp_path_factory.mktemp("built")
    inference = {"confidence": 0.8, "resamples": 60}
    config = write_study(folder, detail="standard", pdf=False, inference=inference)
    run = snakemake(folder, config.name, root=root)
    assert run.returncode == 0, run.stderr
    return folder


@pytest.fixture
def copy(built: Path, tmp_path: Path) -> Path:
    """A copy of the built folder that a test may spoil, with the times of its files."""
    return Path(shutil.copytree(built, tmp_path / "copy"))


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


def anew(folder: Path, **keys: Any) -> set[str]:
    """Name the stages whose results the claims of the study make others."""
    config = yaml.safe_load((folder / "study.yaml").read_text()) | keys
    with chdir(folder):
        without, claimed = (
            plan_of(parse_study(one), one) for one in (config | {"claims": []}, config)
        )
    jobs = [(stage, batch) for stage in OF_BATCHES for batch in claimed.batches]
    jobs += [(stage, "") for stage in OF_STUDIES]
    return {job[0] for job in jobs if claimed.key(*job) != without.key(*job)}


def test_the_report_is_whole(built: Path) -> None:
    files = contents(built / "reports" / "small")
    assert {"report.html", "manifest.json"} <= set(files)
    assert not [name for name in files if name.endswith(".pdf")]
    tables = {Path(name).parts[1] for name in files if name.startswith("tables/")}
    with chdir(built):
        stages = read_study("study.yaml").stages
    assert tables == {*stages, "check_results", "map.csv"}
    assert any(name.startswith("figures/") and name.endswith(".svg") for name in files)


def test_the_manifest_names_every_file_and_source(built: Path) -> None:
    files = contents(built / "reports" / "small")
    manifest = json.loads(files["manifest.json"])
    assert set(manifest["files"]) == set(files) - {"manifest.json", "SHA256SUMS"}
    assert [source["path"] for source in manifest["sources"]] == [
        "one.csv",
        "family.csv.gz",
        "two.csv",
    ]
    assert str(built).encode() not in b"".join(files.values())


def test_a_second_run_does_nothing(built: Path, root: Path) -> None:
    assert rules_to_run(built, root) == set()


def test_names_stay_text(built: Path) -> None:
    html = (built / "reports" / "small" / "report.html").read_text(encoding="utf-8")
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)" in html
    assert "{{7*7}}" in html
    assert "49" not in html.split("_hidden {{7*7}}")[1][:3]
    table = (built / "reports/small/tables/measures/two-b.csv").read_text(encoding="utf-8")
    assert all(name in table for name in HOSTILE)


DRAWN = {"figures", "report"}
INFERRED = {*DRAWN, "map", "resampling", "confidence", "comparisons"}


@pytest.mark.parametrize(
    ("changes", "of_one", "reruns"),
    [
        # Resamples are kept at the marked conditions, so all that is read from them follows.
        (
            {"operating_conditions": [{"pc": 0.25}]},
            {},
            {"duality", *INFERRED, "claims"},
        ),
        ({}, {"prior": 0.2}, {"duality", *INFERRED}),
        ({}, {"title": "Another"}, {"map", *DRAWN}),
        ({}, {"expected": ["block-folds"]}, DRAWN),
    ],
)
def test_changing_a_parameter_reruns_only_what_follows(
    copy: Path, root: Path, changes: dict[str, object], of_one: dict[str, object], reruns: set[str]
) -> None:
    config = yaml.safe_load((copy / "study.yaml").read_text())
    config["datasets"][0] |= of_one
    (copy / "study.yaml").write_text(yaml.safe_dump(config | changes))
    assert rules_to_run(copy, root) == reruns


@pytest.mark.parametrize("lost", [False, True])
def test_no_table_of_old_parameters_passes_for_current(copy: Path, root: Path, lost: bool) -> None:
    changed(copy, seed=2)
    first = rules_to_run(copy, root)
    for folder in copy.glob("results/small/*/confidence-*"):  # as after a job that failed
        shutil.rmtree(folder)
    if lost:
        shutil.rmtree(copy / ".snakemake")
    assert {"resampling", "confidence", "comparisons", "figures", "report"} <= first
    assert rules_to_run(copy, root) == first


@contextmanager
def failing(root: Path, stage: str) -> Iterator[None]:
    """Let the process of every job of a stage end at once, without a word."""
    asks = root / "workflow" / "costcurves" / "pipeline" / "asking.py"
    text = asks.read_text()
    asks.write_text(f"import os, sys\nif sys.argv[1:2] == [{stage!r}]:\n    os._exit(1)\n{text}")
    yield
    asks.write_text(text)


def test_no_table_of_a_job_that_failed_is_taken_for_current(copy: Path, root: Path) -> None:
    before = {*copy.glob("results/small/*/cost_lines-*")}
    changed(copy, seed=2)
    first = rules_to_run(copy, root)
    with failing(root, "cost_lines"):
        assert snakemake(copy, "study.yaml", "--keep-going", root=root).returncode != 0
    assert not {*copy.glob("results/small/*/cost_lines-*")} - before
    assert rules_to_run(copy, root) == first


def test_a_report_that_failed_is_written_by_the_next_run(copy: Path, root: Path) -> None:
    before = contents(copy / "reports")
    changed(copy, title="Another")
    with failing(root, "report"):
        assert snakemake(copy, "study.yaml", root=root).returncode != 0
    assert contents(copy / "reports") == before
    assert rules_to_run(copy, root) == {"report"}


def test_a_claim_about_criteria_runs_only_what_decides_it(copy: Path, root: Path) -> None:
    first = {"claim": "1", "kind": "cheaper", "models": ["Bayes"], "datasets": ["one"]}
    first |= {"criterion": ["score-driven", "rate-fixed"]}
    second = {"claim": "2", "kind": "worse than trivial", "models": ["Boosted"]}
    second |= {"criterion": "nearest-train-pc", "datasets": ["one"]}
    changed(copy, claims=[first, second])
    assert anew(copy, detail="full") == {"claims", "report"}  # all criteria are applied already
    assert rules_to_run(copy, root) >= {"hybrids", "claims", "report"}
    assert snakemake(copy, "study.yaml", root=root).returncode == 0
    table = contents(copy / "reports" / "small")["tables/claims.csv"].decode()
    assert '"Bayes","score-driven","Bayes","rate-fixed"' in table
    assert '"Boosted","nearest-train-pc","",""' in table
    changed(copy, claims=[{**first, "claim": "3"}, second])
    assert rules_to_run(copy, root) == {"claims", "report"}


def test_removing_a_model_leaves_no_trace(copy: Path, root: Path) -> None:
    config = yaml.safe_load((copy / "study.yaml").read_text())
    config["datasets"][0]["models"] = ["Bayes", "Trees"]
    config["description"] = "First *this*."
    (copy / "study.yaml").write_text(yaml.safe_dump(config))
    run = snakemake(copy, "study.yaml", root=root)
    assert run.returncode == 0, run.stderr
    report = contents(copy / "reports" / "small")
    assert not [name for name, text in report.items() if b"Boosted" in text]
    assert b'<p class="description">First *this*.</p>' in report["report.html"]
    assert rules_to_run(copy, root) == set()


def test_dates_of_sources_do_not_count(copy: Path, root: Path) -> None:
    """The same bytes with another date are no other data, other bytes with an older one are."""
    for name, seconds in (("one.csv", 2 * 10**9), ("two.csv", 10**9)):
        os.utime(copy / name, (seconds, seconds))
    assert rules_to_run(copy, root) == set()
    table = copy / "one.csv"
    table.write_text(table.read_text().replace(",0.9\n", ",0.8\n"))
    os.utime(table, (10**9, 10**9))
    assert {"predictions", "confidence", "figures", "report"} <= rules_to_run(copy, root)


def test_a_folder_with_files_of_somebody_is_not_replaced(copy: Path, root: Path) -> None:
    (copy / "reports" / "small" / "notes.md").write_text("mine")
    changed(copy, seed=2)
    before = contents(copy / "reports") | contents(copy / "results")
    run = snakemake(copy, "study.yaml", root=root)
    assert run.returncode != 0
    assert "reports/small: a new report would replace 'notes.md', which its" in run.stderr
    assert "Traceback" not in run.stderr
    assert contents(copy / "reports") | contents(copy / "results") == before


@pytest.mark.parametrize("lost", ["report.html", "tables/map.csv", "manifest.json"])
def test_a_report_that_lacks_a_file_is_written_again(copy: Path, root: Path, lost: str) -> None:
    folder = copy / "reports" / "small"
    if lost == "manifest.json":
        shutil.rmtree(folder)  # nothing says any longer that the rest is ours
    else:
        (folder / lost).unlink()
    assert rules_to_run(copy, root) == {"report"}


EDITED: tuple[tuple[str, str, set[str]], ...] = (
    ("costcurves/tables/inference/verdicts.py", "# as said", set()),
    ("costcurves/tables/inference/verdicts.py", "X = 1", {"predictions", "comparisons", "figures"}),
    ("costcurves/figures/style.py", "X = 1", {"figures", "map", "report"}),
    ("report/styles/screen.css", "p { margin: 0 }", {"report"}),
)


def test_editing_code_makes_again_what_rests_on_it(built: Path, root: Path) -> None:
    for file, edited, reruns in EDITED:
        path = root / "workflow" / file
        before = path.read_text()
        path.write_text(f"{before}\n{edited}\n")
        found = rules_to_run(built, root)
        path.write_text(before)
        assert found == reruns or "predictions" in reruns < found, (file, edited)
    assert rules_to_run(built, root) == set()


@pytest.mark.parametrize("dated", [False, True])
def test_a_copy_is_as_current_as_what_it_was_copied_from(
    built: Path, root: Path, tmp_path: Path, dated: bool
) -> None:
    keep = shutil.copy2 if dated else shutil.copyfile
    folder = Path(shutil.copytree(built, tmp_path / "moved", copy_function=keep))
    for place, file in enumerate(sorted(folder.glob("results/small/*/*"), reverse=True)):
        if not dated:
            os.utime(file, (10**9 - place, 10**9 - place))
    shutil.rmtree(folder / ".snakemake")
    for module in (root / "workflow" / "costcurves" / "pipeline").glob("*.py"):
        module.touch()
    # Dates decide about the report alone, which is put together again.
    assert rules_to_run(folder, root) == (set() if dated else {"report"})


def test_results_that_are_not_whole_are_not_read(copy: Path, root: Path) -> None:
    before = contents(copy / "reports")
    table = result(copy / "results" / "small", "headline", "one")
    table.write_bytes(table.read_bytes()[:-9])
    changed(copy, title="Another")
    run = snakemake(copy, "study.yaml", root=root)
    assert run.returncode != 0
    assert f"{table.parent.name}: is not whole; remove it, then run the same again" in run.stderr
    assert contents(copy / "reports") == before


def test_without_results_all_is_made_again(copy: Path, root: Path) -> None:
    """Nothing says any longer what the report was made from."""
    shutil.rmtree(copy / "results")
    shutil.rmtree(copy / ".snakemake")
    stages = {"predictions", "cost_lines", "hybrids", "resampling", "comparisons"}
    assert rules_to_run(copy, root) >= {*stages, "figures", "report"}


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (("one.csv", "0.9\n", "nan\n"), "one.csv"),
        (("study.yaml", "study: small", "study: small\nsedd: 3"), "sedd"),
        (("study.yaml", "one.csv", "missing.csv"), "missing.csv"),
    ],
    ids=["score", "key", "file"],
)
def test_bad_input_says_so_and_loses_nothing(
    copy: Path, root: Path, spoil: tuple[str, str, str], message: str
) -> None:
    name, old, new = spoil
    before = contents(copy / "reports")
    text = (copy / name).read_text()
    assert old in text
    (copy / name).write_text(text.replace(old, new))
    run = snakemake(copy, "study.yaml", root=root)
    assert run.returncode != 0
    assert message in run.stderr
    assert "Traceback" not in run.stderr
    assert contents(copy / "reports") == before


def test_a_broken_result_stops_the_report(copy: Path, root: Path) -> None:
    table = result(copy / "results" / "small", "envelopes", "one")
    frame = read(table, ENVELOPES)
    frame.loc[3, ["at0", "nec_from"]] += 0.1
    write(frame, table, ENVELOPES)
    listed = table.parent / LISTED
    listed.write_text(json.dumps({table.name: table.stat().st_size}))
    for folder in copy.glob("results/small/one/figures-*"):
        shutil.rmtree(folder)
    shutil.rmtree(copy / "reports")
    run = snakemake(copy, "study.yaml", root=root)
    assert run.returncode != 0
    assert "never above any" in run.stderr
    assert not (copy / "reports").exists()


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of which another run makes a table."""
    folder = tmp_path_factory.mktemp("locked")
    config = write_study(folder)
    with chdir(folder):
        plan = plan_of(read_study(config), yaml.safe_load(config.read_text()))
    locks = folder / ".snakemake" / "locks"
    locks.mkdir(parents=True)
    (locks / "0.output.lock").write_text(f"{plan.folder('predictions', 'one')}\n")
    return folder


@pytest.mark.parametrize(
    ("asked", "status"), [([], 1), (["--dry-run"], 0), (["--summary"], 0), (["--dag"], 0)]
)
def test_where_nothing_is_to_run_nothing_is_written_or_removed(
    locked: Path, asked: list[str], status: int
) -> None:
    """As another run is at work, or only asked what one would do."""
    run = snakemake(locked, "study.yaml", *asked)
    assert run.returncode == status, run.stderr
    assert bool(status) == ("LockException" in run.stderr)
    assert "Traceback" not in run.stderr
    assert not {"results", "reports", "logs"} & {path.name for path in locked.iterdir()}


SCORES = {
    "claim": "Scores mislead.",
    "kind": "worse than trivial",
    "datasets": ["one"],
    "models": ["Trees"],
    "criterion": "score-driven",
}


def test_a_first_look_takes_up_a_job_that_was_killed_once_its_results_were_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine, which had not noted it yet, would make it again, and then nothing else."""
    monkeypatch.chdir(tmp_path)
    config = write_study(tmp_path, detail="quick", claims=[SCORES])
    assert snakemake(tmp_path, config.name, "--until", "predictions").returncode == 0
    table = result(Path("results/small"), "predictions", "one")
    file = str(table.parent)
    mark = tmp_path / ".snakemake" / "incomplete" / urlsafe_b64encode(file.encode()).decode()
    mark.touch()
    before = table.stat().st_mtime_ns
    run = snakemake(tmp_path, config.name)
    assert run.returncode == 0, run.stderr
    assert table.stat().st_mtime_ns == before
    stages = {path.stem for path in Path("results/small").glob("*/*/*.parquet")}
    assert stages & set(STAGES) == set(read_study(config).stages)
    assert {path.name for path in Path("reports/small").glob("*.[hp]*")} == {"report.html"}
    assert main.main(["verify", "reports/small"]) == 0


def test_another_source_is_seen_also_where_an_unchanged_stage_runs_again(
    copy: Path, root: Path
) -> None:
    """The engine would take the report for made, as all that it looks at is there."""
    tables, source = copy / "reports/small/tables", copy / "two.csv"
    for stage, old, new in (("claims", ",0.3", ",0.77"), ("resampling", ",0.77", ",0.66")):
        before = contents(tables)
        source.write_text(source.read_text().replace(old, new))
        run = snakemake(copy, "study.yaml", "--forcerun", stage, root=root)
        assert run.returncode == 0, run.stderr
        assert contents(tables) != before


def test_models_that_cannot_all_be_compared_are_told_by_the_first_job(tmp_path: Path) -> None:
    config = write_study(tmp_path, detail="standard", inference={"confidence": 0.9998})
    run = snakemake(tmp_path, config.name, "--keep-going")  # which dataset is first is chance
    assert run.returncode != 0
    assert "one: 3 models are 3 pairs" in run.stderr
    assert "that takes 14999 resamples, expected 5000 at most" in run.stderr
    assert "two <b>: 4 models are 6 pairs" in run.stderr
    assert not [*tmp_path.glob("results/small/one/cost_lines-*")]


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
        assert not [*tmp_path.glob("results/small/one/predictions-*")]
        files = [*store.glob("results/small/one/predictions-*/predictions.parquet")]
        tables = [read(file, PREDICTIONS)["score"].to_list() for file in files]
        assert any(float(score) in scores for scores in tables)


def test_every_rule_of_the_workflow_says_what_it_does() -> None:
    rules = "".join(path.read_text() for path in (ROOT / "workflow" / "rules").glob("*.smk"))
    assert rules.count('"""\n    ') >= rules.count("\nrule ")
    for rule in rules.split("\nrule ")[1:]:
        name = rule.partition(":")[0]
        assert f'    shell:\n        stage("{name}")\n' in f"{rule}\n"
        assert f"/{name}-{{{{key}}}}" in rule


PRIVATE = re.compile(
    r"iocache|\._\w|\bscheduler\.|executors|workflow\.(?!cores\b|configfiles\b)\w|async_run"
)


def test_rules_use_the_engine_as_its_documentation_says() -> None:
    """Of its `workflow` they read the cores and the configuration files, and nothing is edited."""
    files = [ROOT / "Snakefile", *(ROOT / "workflow" / "rules").glob("*.smk")]
    texts = [re.sub(r'"""[^"]*"""', "", file.read_text()) for file in files]
    for text in texts:
        lines = [it for it in text.splitlines() if "import" not in it and "include" not in it]
        assert not [it for it in lines if PRIVATE.search(re.sub(r'"[^"]*"', "", it))]
        assert not re.search(r"\brun:|\bscript:|setattr|class ", text)
    assert sum(len(file.read_text().splitlines()) for file in files) <= 350
