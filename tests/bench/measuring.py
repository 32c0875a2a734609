"""What all benches share: a registry of cases, times taken in turn, and fresh processes."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True)
class Ratio:
    """One line of the result.

    Attributes
    ----------
    what
        What is compared with what.
    value
        The ratio, measured within one run.
    bound
        What it should be at most (`at_least`: at least); None where nothing was promised.
    note
        How it was measured, with the times behind it.
    """

    what: str
    value: float
    bound: float | None
    note: str
    at_least: bool = False

    @property
    def verdict(self) -> str:
        """Say whether the bound is kept."""
        if self.bound is None:
            return ""
        kept = self.value >= self.bound if self.at_least else self.value <= self.bound
        return "kept" if kept else "MISSED"


Case = Callable[[], Iterator[Ratio]]
CASES: dict[str, Case] = {}


def case(function: Case) -> Case:
    """Register a bench: a function that yields ratios; its name and docstring are shown."""
    CASES[function.__name__] = function
    return function


@dataclass(frozen=True)
class Times:
    """Seconds of each thing that was measured, round by round."""

    seconds: dict[str, list[float]]

    def ratio(self, one: str, other: str) -> float:
        """Give the median over the rounds of the ratio within a round."""
        rounds = zip(self.seconds[one], self.seconds[other], strict=True)
        return median(a / b for a, b in rounds)

    def __getitem__(self, name: str) -> float:
        """Give the median time."""
        return median(self.seconds[name])

    def shown(self, *names: str) -> str:
        """Give median times in milliseconds as text."""
        return ", ".join(f"{name} {1000 * self[name]:.0f} ms" for name in names)


def in_turn(functions: dict[str, Callable[[], Any]], rounds: int = 7) -> Times:
    """Take the processor time of functions in turn, round by round.

    So what else the machine does hardly matters: it takes no processor time of ours, and what it
    takes of the caches it takes from a whole round. Each function is called twice and the second
    call counts, so that all find their memory with the system and none has to wait for the machine
    to provide it. All that is measured here is single-threaded.
    """
    seconds: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(rounds):
        for name, function in functions.items():
            function()
            start = time.process_time()
            function()
            seconds[name].append(time.process_time() - start)
    return Times(seconds)


def fresh(*arguments: str) -> tuple[float, dict[str, float]]:
    """Run a Python program that prints a JSON object: give its wall time and the object."""
    start = time.perf_counter()
    done = subprocess.run([sys.executable, *arguments], check=True, capture_output=True, text=True)
    return time.perf_counter() - start, json.loads(done.stdout)
