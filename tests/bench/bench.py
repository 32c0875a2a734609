"""Measure speed as ratios within one run: ``python tests/bench/bench.py [--out FILE] [CASE ...]``.

A case is a function in `cases` that yields ratios; write one and mark it with ``@case``. Nothing
here is a test: a bound that is missed is shown as missed.
"""

import argparse
import json
import os
import platform
import sys
import time
from dataclasses import asdict
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is imported
sys.path.insert(0, str(Path(__file__).parents[2]))

import numpy as np

from tests.bench import cases, costs, inference, page, selection  # noqa: F401 - registers the cases
from tests.bench.measuring import CASES, Ratio


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}; or all")
    parser.add_argument("--out", type=Path, help="JSON file for the ratios")
    arguments = parser.parse_args()
    if unknown := set(arguments.cases) - set(CASES):
        parser.error(f"no case {', '.join(sorted(unknown))}; there are {', '.join(CASES)}")
    results = {name: run(name) for name in arguments.cases or CASES}
    if arguments.out:
        arguments.out.write_text(json.dumps(report(results), indent=2) + "\n", encoding="utf-8")


def run(name: str) -> list[Ratio]:
    """Run a case, print its ratios as they come."""
    summary = (CASES[name].__doc__ or "").strip().splitlines()[0]
    print(f"\n{name}: {summary}")
    ratios, start = [], time.perf_counter()
    for ratio in CASES[name]():
        sign = ">=" if ratio.at_least else "<="
        bound = f"{sign} {ratio.bound:g}" if ratio.bound is not None else ""
        line = f"  {ratio.what:34}{ratio.value:7.2f}  {bound:8}{ratio.verdict:8}{ratio.note}"
        print(line, flush=True)
        ratios.append(ratio)
    print(f"  ({time.perf_counter() - start:.0f} s)")
    return ratios


def report(results: dict[str, list[Ratio]]) -> dict[str, object]:
    ratios = {
        name: [asdict(ratio) | {"verdict": ratio.verdict} for ratio in ratios]
        for name, ratios in results.items()
    }
    machine = {"processor": platform.machine(), "processors": os.cpu_count()}
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    return {"machine": machine, "versions": versions, "ratios": ratios}


if __name__ == "__main__":
    main()
