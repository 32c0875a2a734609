"""A folder of results is whole or not there, and one that lacks something is not read."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from costcurves.errors import InputError
from costcurves.pipeline import job, upkeep
from costcurves.pipeline.folders import check_whole, whole
from costcurves.pipeline.plan import Plan, plan_of
from costcurves.tables.configuration.study import parse_study
from costcurves.tables.record.places import LISTED, OURS


def filled(folder: Path) -> Path:
    with whole(folder) as fresh:
        (fresh / "below").mkdir()
        (fresh / "below" / "a.csv").write_text("a")
    return folder


def test_a_folder_has_its_name_once_all_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "averages-0"
    with pytest.raises(OSError, match="below"), whole(folder) as fresh:
        (fresh / "below" / "a.csv").write_text("no folder")
    assert not list(tmp_path.iterdir())
    filled(folder)
    assert json.loads((folder / LISTED).read_text()) == {"below/a.csv": 1}
    check_whole(folder)


@pytest.mark.parametrize("lost", ["a file", "half a file", "the list"])
def test_a_folder_that_is_not_whole_is_refused(tmp_path: Path, lost: str) -> None:
    folder = filled(tmp_path / "averages-0")
    (folder / "more").touch()  # as the engine's own mark
    check_whole(folder)
    if lost == "a file":
        (folder / "below" / "a.csv").unlink()
    elif lost == "half a file":
        (folder / "below" / "a.csv").write_text("")
    else:
        (folder / LISTED).unlink()
    with pytest.raises(InputError, match="averages-0: is not whole; remove it, then run the same"):
        check_whole(folder)


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plan:
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("a")
    return planned()


def planned(**keys: object) -> Plan:
    content = {"study": "s", "datasets": [{"name": "d", "predictions": ["a.csv"]}], **keys}
    return plan_of(parse_study(content), content)


def test_a_stage_writes_under_the_key_of_its_plan_alone(plan: Plan) -> None:
    plan.save()
    output = plan.folder("predictions", "d")
    with job.job("predictions", plan.file, [], output) as own:
        assert [one.name for one in own.datasets] == ["d"]
    check_whole(Path(output))
    for stage, name in (("predictions", output[:-1]), ("cost_lines", output)):
        with (
            pytest.raises(InputError, match="is not the name"),
            job.job(stage, plan.file, [], name),
        ):
            pytest.fail("it began")


@pytest.mark.parametrize("begun", [False, True])
def test_a_stage_whose_code_is_not_that_of_the_plan_leaves_nothing(
    plan: Plan, monkeypatch: pytest.MonkeyPatch, begun: bool
) -> None:
    """Seen before it begins, or once it has ended."""
    plan.save()
    ours, worked = plan.code["tables"]["bytes"], []
    found = iter([ours, "other"] if begun else ["other"])
    monkeypatch.setattr(job, "bytes_of", lambda _: next(found))
    output = plan.folder("predictions", "d")
    with (
        pytest.raises(InputError, match="the code has changed since the run began; run the same"),
        job.job("predictions", plan.file, [], output),
    ):
        worked.append("begun")
    assert (bool(worked), Path(output).exists()) == (begun, False)


def test_results_of_the_last_run_of_each_kind_are_kept(plan: Plan) -> None:
    def run(plan: Plan) -> Path:
        upkeep.begin(plan)
        folder = filled(Path(plan.folder("predictions", "d")))
        filled(Path(plan.folder("cost_lines", "d")))
        upkeep.end(plan, succeeded=True)
        return folder

    first = run(plan)
    quick = run(planned(detail="quick", seed=3))
    assert first == quick
    lines = [Path(one.folder("cost_lines", "d")) for one in (plan, planned(detail="quick", seed=3))]
    assert lines[0] != lines[1]
    assert all(one.is_dir() for one in lines)
    Path("results/s/d/notes-mine").mkdir()
    again = planned(seed=4)
    upkeep.begin(again)
    upkeep.end(again, succeeded=False)
    assert lines[0].is_dir()
    upkeep.begin(again)
    upkeep.end(again, succeeded=True)
    assert [one.is_dir() for one in lines] == [False, True]
    assert first.is_dir()  # the quick run's as well
    assert Path("results/s/d/notes-mine").is_dir()


def test_nothing_is_removed_while_another_run_is_active(plan: Plan) -> None:
    old = filled(Path(plan.folder("cost_lines", "d")))
    other = Path(plan.results, upkeep.RUNS)
    upkeep.begin(plan)
    (other / f"{os.getppid()}@{os.uname().nodename}").touch()
    (other / f"{2**22 + 1}@{os.uname().nodename}").touch()  # one that was killed
    upkeep.end(planned(seed=2), succeeded=True)
    assert len(upkeep.active(plan)) == 1
    assert old.is_dir()
    for file in other.iterdir():
        file.unlink()
    upkeep.end(planned(seed=2), succeeded=True)
    assert not old.exists()


def test_the_plan_of_another_study_in_the_folder_is_its_own(plan: Plan) -> None:
    other = planned(study="other")
    for one in (other, plan):
        one.save()
        upkeep.begin(one)
    upkeep.end(plan, succeeded=True)
    assert Path(other.file).is_file()


@pytest.mark.parametrize("damaged", ["", "[]", "{", "3"])
def test_what_was_kept_may_be_damaged(plan: Plan, damaged: str) -> None:
    upkeep.begin(plan)
    kept = Path(plan.results, upkeep.KEPT)
    kept.write_text(damaged)
    upkeep.end(plan, succeeded=True)
    assert list(json.loads(kept.read_text())) == [plan.study.detail]


def test_a_run_that_cannot_say_that_it_is_active_goes_on(plan: Plan) -> None:
    Path(plan.results).mkdir(parents=True)
    Path(plan.results, upkeep.RUNS).touch()  # where a folder is expected
    upkeep.begin(plan)
    upkeep.end(plan, succeeded=True)
    assert upkeep.active(plan) == []


@pytest.mark.usefixtures("plan")
def test_the_records_of_a_study_have_names_that_no_dataset_has() -> None:
    names = [*OURS - {"stamps"}, "map", "Map"]
    datasets = [{"name": name, "predictions": ["a.csv"]} for name in names]
    many = planned(datasets=datasets)
    assert not OURS & {*many.batches}
    folders = [filled(Path(many.folder("cost_lines", batch))) for batch in many.batches]
    upkeep.begin(many)
    upkeep.end(many, succeeded=True)
    assert all(one.is_dir() for one in folders)
    upkeep.end(replace(many, sources={"a.csv": "other"}), succeeded=True)
    assert not any(one.exists() for one in folders)
