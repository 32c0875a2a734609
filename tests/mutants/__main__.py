"""Make each mistake in a copy of the project, and see whether a test finds it: `make mutants`.

The working tree is never touched. Modules that take long to import are imported once, by a server
without threads: each mistake has a process forked from it, which stops at the first test that
fails. What is found is noted after each mistake in `score.json`, by area; `--again` looks only at
those that none has found yet. The score is printed by area at the end.
"""

import argparse
import json
import multiprocessing
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import Final

from tests.mutants import AREAS, Mistake, mistakes
from tests.mutants.trying import run

ROOT: Final = Path(__file__).parents[2]
SCORE: Final = Path(__file__).with_name("score.json")
AT_ONCE: Final = 2
HEAVY: Final = (
    "hypothesis",
    "jinja2",
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
FORKING: Final = multiprocessing.get_context("forkserver")
Score = dict[str, dict[str, str]]


def main() -> None:
    """Try the mistakes of some areas, and print the score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("areas", nargs="*", choices=AREAS, default=AREAS, metavar="AREA")
    parser.add_argument("--again", action="store_true", help="only those that none has found")
    arguments = parser.parse_args()
    score: Score = json.loads(SCORE.read_text()) if SCORE.is_file() else {}
    FORKING.set_forkserver_preload([*HEAVY])
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
    for area in AREAS:
        found, of = sum(map(bool, score[area].values())), len(score[area])
        print(f"{area:<10} {found:>4} of {of:>4} found, {found / of:.1%}")


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
        process = FORKING.Process(target=run, args=(one, last, folder, answer, str(ROOT)))
        process.start()
        process.join()
        if process.exitcode != -signal.SIGXCPU:
            return answer.read_text("utf-8")
        return "none: it hangs"


if __name__ == "__main__":
    main()
