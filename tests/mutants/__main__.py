"""Make each mistake in a copy of the project, and see whether a test finds it: `make mutants`.

The working tree is never touched. Modules that take long to import are imported once: each mistake
has a process forked from this one, which stops at the first test that fails. What is found is noted
after each mistake in `score.json`, by area; `--again` looks only at those that none has found yet.
"""

import argparse
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Final

import pytest

from tests.mutants import AREAS, Mistake, mistakes

ROOT: Final = Path(__file__).parents[2]
SCORE: Final = Path(__file__).with_name("score.json")
AT_ONCE: Final = 2
LIMIT: Final = 600  # seconds: who hangs is found
# Tests that take long and look at room or at bytes, not at what is said.
ASIDE: Final = "not no_text_is_cut and not the_same_twice and not same_bytes and not random_numbers"
HEAVY: Final = (
    "hypothesis",
    "jinja2",
    "jsonschema",
    "matplotlib.figure",
    "matplotlib.backends.backend_pdf",
    "matplotlib.backends.backend_svg",
    "pandas",
    "pikepdf",
    "playwright.sync_api",
    "pyarrow.csv",
    "pyarrow.parquet",
    "scipy.special",
    "scipy.stats",
    "yaml",
)
Score = dict[str, dict[str, str]]


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


def main() -> None:
    """Try the mistakes of some areas, and print the score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("areas", nargs="*", choices=AREAS, default=AREAS, metavar="AREA")
    parser.add_argument("--again", action="store_true", help="only those that none has found")
    arguments = parser.parse_args()
    score: Score = json.loads(SCORE.read_text()) if SCORE.is_file() else {}
    for name in HEAVY:
        __import__(name)
    with tempfile.TemporaryDirectory() as place:
        pristine = _copied(Path(place, "pristine"))
        for area in arguments.areas or AREAS:
            known = score.get(area, {})
            listed = mistakes(area)
            score[area] = {one.reader: known.get(one.reader, "") for one in listed}
            tried = [one for one in listed if not (arguments.again and score[area][one.reader])]
            with ThreadPoolExecutor(AT_ONCE) as pool:
                last = [score[area][one.reader] for one in tried]
                results = pool.map(_found, tried, last, repeat(pristine))
                _note(score, tried, results)
            found = sum(map(bool, score[area].values()))
            print(f"{area}: {found} of {len(listed)} found")


def _note(score: Score, tried: Iterable[Mistake], results: Iterable[str]) -> None:
    for one, found in zip(tried, results, strict=True):
        score[one.area][one.reader] = found
        print(f"{'found' if found else 'SURVIVED':<9} {one.file}: {one.reader}", flush=True)
        SCORE.write_text(json.dumps(score, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _copied(folder: Path) -> Path:
    """Copy the project as it is, without what git ignores, and compile it by content, not date."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True).stdout
    for name in filter(None, names.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    by_content = ["-m", "compileall", "-q", "--invalidation-mode", "checked-hash"]
    subprocess.run([sys.executable, *by_content, folder / "workflow"], check=True)
    return folder


def _found(one: Mistake, last: str, pristine: Path) -> str:
    """Give the test that finds a mistake, perhaps the one that did the last time; empty: none."""
    with tempfile.TemporaryDirectory() as place:
        folder, answer = Path(place, "project"), Path(place, "answer")
        shutil.copytree(pristine, folder)
        file = folder / one.file
        file.write_text(file.read_text("utf-8").replace(one.old, one.new), "utf-8")
        context = multiprocessing.get_context("fork")
        process = context.Process(target=_run, args=(one, last, folder, answer))
        process.start()
        process.join(LIMIT)
        hung = process.is_alive()
        process.kill()
        process.join()
        return "none: it hangs" if hung else answer.read_text("utf-8")


def _run(one: Mistake, last: str, folder: Path, answer: Path) -> None:
    """Run the nearest tests in the copy, with its code."""
    os.chdir(folder)
    own = str(folder / "workflow")
    os.environ |= {"PYTHONPATH": own, "HYPOTHESIS_PROFILE": "brief"}
    sys.path[:] = [own, str(folder), *(path for path in sys.path if path not in ("", str(ROOT)))]
    for name in [name for name in sys.modules if name.split(".")[0] in ("tests", "costcurves")]:
        del sys.modules[name]
    sys.stdout = sys.stderr = (folder.parent / "said").open("w")
    os.dup2(sys.stdout.fileno(), 1)
    os.dup2(sys.stdout.fileno(), 2)
    examples = [one.file] if one.file.startswith("workflow/costcurves/") else []
    nearest = examples + [str(*Path("tests").glob(f"*/test_{name}.py")) for name in one.tests]
    found = _first_failed(folder, [last]) if last else ""
    if "::" not in found:  # nor is it there any more
        found = _first_failed(folder, nearest)
    answer.write_text(found, "utf-8")


def _first_failed(folder: Path, tests: Sequence[str]) -> str:
    watch = Watch()
    quick = ["-x", "-q", "--no-header", "--hypothesis-seed=0", "-p", "no:cacheprovider"]
    quick += [
        "-k",
        ASIDE,
        "-W",
        "ignore:Module already imported",
    ]  # by this process before it was forked
    status = pytest.main([*quick, f"--rootdir={folder}", *tests], plugins=[watch])
    return watch.found or ("" if status == pytest.ExitCode.OK else pytest.ExitCode(status).name)


if __name__ == "__main__":
    main()
