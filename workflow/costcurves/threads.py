"""How many threads a job may use."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

One = TypeVar("One")
Made = TypeVar("Made")

_allowed = 1


def allow(threads: int) -> None:
    """Let this process use so many threads."""
    global _allowed
    _allowed = threads


def on_threads(make: Callable[[One], Made], each: Iterable[One]) -> list[Made]:
    """Make something of each, as many at a time as the job has cores."""
    with ThreadPoolExecutor(_allowed) as pool:
        return list(pool.map(make, each))
