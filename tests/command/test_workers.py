"""A job is a process of its own: what it is told, and how it ends."""

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from platform import libc_ver
from types import SimpleNamespace
from typing import Any

import pytest

from costcurves import jobs
from costcurves.jobs import work


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of scripts in place of the workflow's."""
    monkeypatch.setattr(jobs, "WORKFLOW", tmp_path)
    (tmp_path / "scripts").mkdir()
    return tmp_path / "scripts"


def run(scripts: Path, code: str, **told: object) -> None:
    """Run code as a job."""
    (scripts / "own.py").write_text(code)
    empty: dict[str, Any] = dict.fromkeys(("input", "output", "params", "wildcards", "log"))
    work("own", **empty | told)


def test_work_is_done_on_as_many_threads_as_a_job_has(scripts: Path) -> None:
    code = "from threading import Barrier\nfrom costcurves.jobs import on_threads, told\n"
    code += "both = Barrier(2, timeout=20)\n"  # one thread alone would wait here
    code += "def place(it):\n    both.wait()\n    return it * it\n"
    code += "assert on_threads(place, [1, 2, 3, 4]) == [1, 4, 9, 16]\n"
    run(scripts, code, threads=2)
    with pytest.raises(subprocess.CalledProcessError):
        run(scripts, code.replace("=20", "=.1"), threads=1)


@pytest.mark.skipif(libc_ver()[0] != "glibc", reason="said to glibc")
def test_memory_that_a_job_frees_stays_with_it(scripts: Path) -> None:
    code = "import numpy as np\nfrom resource import RUSAGE_SELF, getrusage\n"
    code += "from costcurves.jobs import on_threads\n"
    code += "def faults(_):\n    before = getrusage(RUSAGE_SELF).ru_minflt\n"
    code += "    np.ones(2**24)\n    return getrusage(RUSAGE_SELF).ru_minflt - before\n"
    code += "first, *others = on_threads(faults, range(5))\n"
    code += "assert max(others) < first / 4, (first, others)\n"
    run(scripts, code)


def test_a_script_is_told_what_the_engine_says(scripts: Path) -> None:
    code = "from pathlib import Path\nfrom costcurves.jobs import told\n"
    code += "file = Path(told.output)\n"
    code += "file.write_text(f'{__name__} {told.params.seed} {told.input}')"
    run(scripts, code, params=SimpleNamespace(seed=7), input="a.csv", output=str(scripts / "said"))
    assert (scripts / "said").read_text() == "__main__ 7 a.csv"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise SystemExit(3)", "Command 'own.py' returned non-zero exit status 3."),
        ("1 / 0", "Command 'own.py' returned non-zero exit status 1."),
        ("import os; os.kill(os.getpid(), 9)", "Command 'own.py' died with <Signals.SIGKILL: 9>."),
    ],
)
def test_how_a_job_ends_is_said_as_of_any_command(scripts: Path, code: str, said: str) -> None:
    with pytest.raises(subprocess.CalledProcessError) as ended:
        run(scripts, code)
    assert str(ended.value) == said


def test_a_job_leaves_nothing_behind_in_the_next(scripts: Path) -> None:
    run(scripts, "import costcurves, os\ncostcurves.left = os.environ['LEFT'] = 'behind'")
    code = "import costcurves, os\nassert not hasattr(costcurves, 'left')\n"
    run(scripts, code + "assert 'LEFT' not in os.environ")


def test_jobs_that_end_while_others_begin_keep_their_status(scripts: Path) -> None:
    """The engine starts each from a thread of its own."""
    (scripts / "none.py").write_text("")

    def several() -> None:
        for _ in range(40):
            work("none", None, None, None, None, None)

    with ThreadPoolExecutor(8) as threads:
        for ended in [threads.submit(several) for _ in range(8)]:
            ended.result()
