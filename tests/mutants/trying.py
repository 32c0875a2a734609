"""Look for a test that finds a mistake, in a copy of the project that has it."""

import os
import resource
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.mutants import Mistake

LIMIT: Final = 600  # seconds of a processor: who needs more hangs, and is found
# Tests that take long and look at room or at bytes, not at what is said.
ASIDE: Final = "not no_text_is_cut and not the_same_twice and not same_bytes and not random_numbers"


class Watch:
    """A plugin of pytest that remembers the first test that failed."""

    found = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that failed, or what it needed."""
        if report.failed:
            self.found = self.found or report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file whose tests can't be collected."""
        if report.failed:
            self.found = self.found or report.nodeid


def run(one: Mistake, last: str, folder: Path, answer: Path, root: str) -> None:
    """Run the nearest tests in the copy, with its code."""
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    os.chdir(folder)
    own = str(folder / "workflow")
    os.environ |= {"PYTHONPATH": own, "HYPOTHESIS_PROFILE": "brief"}
    sys.path[:] = [own, str(folder), *(path for path in sys.path if path not in ("", root))]
    for name in [name for name in sys.modules if name.split(".")[0] in ("tests", "costcurves")]:
        del sys.modules[name]
    sys.stdout = sys.stderr = (folder.parent / "said").open("w")
    os.dup2(sys.stdout.fileno(), 1)
    os.dup2(sys.stdout.fileno(), 2)
    module = one.file.startswith("workflow/costcurves/") and one.file.endswith(".py")
    examples = [one.file] if module else []
    nearest = examples + [str(*Path("tests").glob(f"*/test_{name}.py")) for name in one.tests]
    found = _first_failed(folder, [last]) if last else ""
    if "::" not in found:  # nor is it there any more
        found = _first_failed(folder, nearest)
    answer.write_text(found, "utf-8")


def _first_failed(folder: Path, tests: Sequence[str]) -> str:
    watch = Watch()
    quick = ["-x", "-q", "--no-header", "--hypothesis-seed=0", "-p", "no:cacheprovider"]
    quick += ["-o", "python_functions=test_*"]  # `tested` of a module is none
    quick += [
        "-k",
        ASIDE,
        "-W",
        "ignore:Module already imported",
    ]  # by this process before it was forked
    status = pytest.main([*quick, f"--rootdir={folder}", *tests], plugins=[watch])
    return watch.found or ("" if status == pytest.ExitCode.OK else pytest.ExitCode(status).name)
