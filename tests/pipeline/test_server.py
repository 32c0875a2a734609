"""A stage that is forked from a process with all imports ends as one that is not."""

import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from costcurves.pipeline import asking
from costcurves.pipeline.asking import ADDRESS, KILLED, forked
from costcurves.pipeline.server import is_of_parent, started

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


def test_without_a_server_there_is_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(ADDRESS, raising=False)
    assert forked([]) is None
    monkeypatch.setenv(ADDRESS, str(tmp_path / "none"))
    assert forked([]) is None


@pytest.mark.parametrize("waits", [False, True])
def test_a_stage_does_not_begin_when_who_has_started_the_server_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waits: bool
) -> None:
    """It waits while the server imports, or asks too late."""
    address = tmp_path / "server" / "1"
    address.parent.mkdir()
    monkeypatch.setenv(ADDRESS, str(address))
    found: list[int | None] = []
    asks = threading.Thread(target=lambda: found.append(forked([])))
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(address))
        listening.listen()
        if waits:
            asks.start()
            select.select([listening], [], [])
        address.unlink()
        address.parent.rmdir()
    if not waits:
        asks.start()
    asks.join(20)
    assert found == [KILLED]


def test_a_stage_is_given_what_was_asked_and_where(
    serve: Serve,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    serve(
        "import os\ndef work(*words):\n    print(ascii(words), os.getcwd(), flush=True)\n"
        "    return 0"
    )
    folder = tmp_path / "a\nb 'c'"
    folder.mkdir()
    monkeypatch.chdir(folder)
    words = ["averages", "1", "", "d\\ \u00e9 \udc80\n'", '"']
    assert forked(words) == 0
    assert capfd.readouterr().out == f"{tuple(words)!a} {folder}\n"


def test_names_are_the_same_bytes_where_the_server_reads_them_otherwise(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `PYTHONUTF8` may say, which a job that asks does not heed."""
    with monkeypatch.context() as other:
        for name, value in (("LC_ALL", "C"), ("PYTHONUTF8", "0"), ("PYTHONCOERCECLOCALE", "0")):
            other.setenv(name, value)
        serve(
            "import os\ndef work(word):\n    folder = os.path.split(os.getcwdb())[1]\n"
            "    return 7 if os.fsencode(word) == folder else 8"
        )
    folder = tmp_path / "\u00e9"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert forked(["\u00e9"]) == 7


def test_a_stage_may_read_a_thousand_folders(serve: Serve) -> None:
    """The report of 1,000 datasets reads as many, and their names may be long."""
    serve("def work(*words):\n    return len({*words}) % 251")
    assert forked([f"{one:0>200}" for one in range(1000)]) == 1000 % 251


@pytest.mark.parametrize(
    ("code", "status"),
    [("return 4", 4), ("raise SystemExit(3)", 3), ("1 / 0", 1), ("os.kill(os.getpid(), 9)", 137)],
)
def test_its_status_is_that_of_the_stage(
    serve: Serve, capfd: pytest.CaptureFixture[str], code: str, status: int
) -> None:
    serve(f"import os\ndef work(*_):\n    {code}")
    assert forked([]) == status
    assert ("ZeroDivisionError" in capfd.readouterr().err) == (status == 1)


def test_a_stage_leaves_nothing_behind_in_the_next_and_two_run_at_a_time(serve: Serve) -> None:
    serve(
        "import os, time\ndef work(*_):\n    time.sleep(1)\n    os.environ['LEFT'] = ''\n"
        "    return len(os.environ) % 256"
    )
    found: list[int | None] = []
    threads = [threading.Thread(target=lambda: found.append(forked([]))) for _ in range(3)]
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
        assert forked(["none", "1"]) == 1
    assert "missing 2 required positional arguments" in capfd.readouterr().err
    assert not place.parent.exists()
    assert os.environ[ADDRESS] == "another's"  # or what is started next asks one that has ended


def test_a_stage_ends_with_who_has_started_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if what asked for it has not ended."""
    monkeypatch.setenv(ADDRESS, "")
    work = "import time\ndef work(*_):\n    open('begun', 'w')\n    time.sleep(60)\n    return 0"
    address = str(tmp_path / "server")
    command = [sys.executable, "-c", STARTED.format(work=work), address]
    found: list[int | None] = []
    monkeypatch.chdir(tmp_path)
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        while not Path(address).exists():
            pass
        monkeypatch.setenv(ADDRESS, address)
        asks = threading.Thread(target=lambda: found.append(forked([])))
        asks.start()
        while not Path("begun").exists():
            pass
        process.communicate()
    asks.join(20)
    assert found == [KILLED]


@pytest.mark.parametrize(
    "held",
    [
        "shutil.which('sh') is None",  # or Python runs a compiler to find libraries
        "gc.isenabled() and gc.get_freeze_count() > 10_000",  # of a process that shares them
    ],
)
def test_stages_find_no_programs_and_imports_are_no_garbage(serve: Serve, held: str) -> None:
    serve(f"import gc, shutil\ndef work(*_):\n    return 7 if {held} else 8")
    assert forked([]) == 7


def test_all_that_stages_import_is_there_before_they_are_forked() -> None:
    """What a stage imports beyond it is imported again by each of them."""
    names = "job", "tables", "figures", "report"
    code = "import sys, costcurves.pipeline.preloaded; before = {*sys.modules}\n"
    code += f"from costcurves.pipeline import {', '.join(names)}\n"
    code += "print([it for it in {*sys.modules} - before if it.startswith('costcurves')])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


@pytest.mark.parametrize("served", [True, False])
def test_a_job_asks_the_server_or_is_the_stage_itself(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, served: bool
) -> None:
    """As rules call it, with nothing of Python's own settings."""
    serve("def work(stage, *_):\n    print(f'{stage} was forked', flush=True)\n    return 9")
    if not served:
        monkeypatch.delenv(ADDRESS)
    command = [*asking.COMMAND, "averages"]
    command += ["2", "no plan", str(tmp_path / "a.log"), "results/s/one/averages-77e0"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if served:
        assert (run.returncode, run.stdout) == (9, "averages was forked\n")
    else:
        assert (run.returncode, run.stdout) == (5, "")
        assert "one: averages: " in run.stderr
        assert "no plan" in (tmp_path / "a.log").read_text()


def test_what_asks_imports_nothing_that_takes_long() -> None:
    code = f"import sys; sys.argv = [{asking.__file__!r}]; before = {{*sys.modules}}\n"
    code += f"exec(open({asking.__file__!r}).read(), {{'__name__': '', '__file__': ''}})\n"
    code += "print(*{*sys.modules} - before)"
    command = [sys.executable, "-IS", "-c", code]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    found = {name.partition(".")[0] for name in run.stdout.split()}
    assert "socket" in found
    assert not found & {"costcurves", "typing", "json", "re", "argparse", "pathlib", "subprocess"}


def test_ctrl_c_ends_what_asks_without_a_word(serve: Serve) -> None:
    serve("import time\ndef work(*_):\n    print('begun', flush=True)\n    time.sleep(60)")
    command = [*asking.COMMAND, "averages"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as asks:
        assert asks.stdout is not None
        assert asks.stdout.readline() == "begun\n"
        asks.send_signal(signal.SIGINT)
        # It ends when the stage that it asked for has, which holds the same files.
        assert asks.communicate(timeout=20) == ("", "")
    assert asks.returncode == -signal.SIGINT
