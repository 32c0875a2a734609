"""How many threads a job may use, and matrix products one."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

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


def product(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Multiply matrices on one thread: on more, many small products take several times as long.

    The caller's own setting is restored afterwards.
    """
    with _libraries().limit(limits=1, user_api="blas"):
        found: NDArray[Any] = a @ b
    return found


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()
