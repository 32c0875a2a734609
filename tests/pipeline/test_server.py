"""A stage that is forked from a process with all imports ends as one that is not."""

import os
import subprocess
import sys
import threading
from argparse import Namespace
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from costcurves.pipeline.server import ADDRESS, forked, is_of_parent, started

STARTED = """
import sys
from costcurves.pipeline import server, stages
{work}
stages.work = work
server.serve(sys.argv[1], at_once=True)
"""
CHILD = "from costcurves.pipeline.server import is_of_parent; print(is_of_parent())"
Serve = Callable[[str], None]


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Start a server of which stages run some code."""
    begun: list[subprocess.Popen[bytes]] = []

    def start(work: str) -> None:
        address = str(tmp_path / "server")
        command = [sys.executable, "-c", STARTED.format(work=work), address]
        begun.append(subprocess.Popen(command, stdin=subprocess.PIPE))
        while not Path(address).exists():
            pass
        monkeypatch.setenv(ADDRESS, address)

    yield start
    for one in begun:
        one.communicate()  # it ends with its input


def asked(**options: object) -> int | None:
    return forked(Namespace(**options))


def test_without_a_server_there_is_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(ADDRESS, raising=False)
    assert asked() is None
    monkeypatch.setenv(ADDRESS, str(tmp_path / "none"))
    assert asked() is None


def test_a_stage_is_given_what_was_asked_and_where(
    serve: Serve,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    serve(
        "import os\ndef work(options):\n    print(options.stage, os.getcwd(), flush=True)\n"
        "    return 0"
    )
    monkeypatch.chdir(tmp_path)
    assert asked(stage="averages") == 0
    assert capfd.readouterr().out == f"averages {Path.cwd()}\n"


def test_a_stage_may_read_a_thousand_folders(serve: Serve) -> None:
    """The report of 1,000 datasets reads as many, and their names may be long."""
    serve("def work(options):\n    return len({*options.folders}) % 251")
    assert asked(folders=[f"{one:0>200}" for one in range(1000)]) == 1000 % 251


@pytest.mark.parametrize(
    ("code", "status"),
    [("return 4", 4), ("raise SystemExit(3)", 3), ("1 / 0", 1), ("os.kill(os.getpid(), 9)", 137)],
)
def test_its_status_is_that_of_the_stage(
    serve: Serve, capfd: pytest.CaptureFixture[str], code: str, status: int
) -> None:
    serve(f"import os\ndef work(options):\n    {code}")
    assert asked() == status
    assert ("ZeroDivisionError" in capfd.readouterr().err) == (status == 1)


def test_a_stage_leaves_nothing_behind_in_the_next_and_two_run_at_a_time(serve: Serve) -> None:
    serve(
        "import os, time\ndef work(options):\n    time.sleep(1)\n    os.environ['LEFT'] = ''\n"
        "    return len(os.environ) % 256"
    )
    found: list[int | None] = []
    threads = [threading.Thread(target=lambda: found.append(asked())) for _ in range(3)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(found) == 3
    assert len({*found}) == 1


@pytest.mark.parametrize("at_once", [False, True])
def test_it_serves_what_its_starter_starts_and_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], at_once: bool
) -> None:
    monkeypatch.setenv(ADDRESS, "another's")
    assert not is_of_parent()
    with started(at_once=at_once):
        place = Path(os.environ[ADDRESS])
        command = [sys.executable, "-c", CHILD]
        child = subprocess.run(command, capture_output=True, text=True, check=True)
        assert child.stdout == "True\n"
        while not place.exists():
            pass
        assert asked(stage="none", threads=1) == 1
    assert "in work\n" in capfd.readouterr().err
    assert not place.parent.exists()
    assert os.environ[ADDRESS] == "another's"  # or what is started next asks one that has ended


@pytest.mark.parametrize(
    "held",
    [
        "shutil.which('sh') is None",  # or Python runs a compiler to find libraries
        "gc.isenabled() and gc.get_freeze_count() > 10_000",  # of a process that shares them
    ],
)
def test_stages_find_no_programs_and_imports_are_no_garbage(serve: Serve, held: str) -> None:
    serve(f"import gc, shutil\ndef work(options):\n    return 7 if {held} else 8")
    assert asked() == 7


def test_all_that_stages_import_is_there_before_they_are_forked() -> None:
    """What a stage imports beyond it is imported again by each of them."""
    names = "job", "tables", "figures", "report"
    code = "import sys, costcurves.pipeline.preloaded; before = {*sys.modules}\n"
    code += f"from costcurves.pipeline import {', '.join(names)}\n"
    code += "print([it for it in {*sys.modules} - before if it.startswith('costcurves')])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
