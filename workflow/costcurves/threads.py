"""How many threads a job may use, and matrix products one."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Lock
from typing import Any, TypeVar

from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

One = TypeVar("One")
Made = TypeVar("Made")

_allowed = 1
_lock = Lock()
_products = 0  # that are being made
_limited: Any = None


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

    What a program that calls us has set for its own products is as before once none is made.
    """
    global _products, _limited
    with _lock:
        _products += 1
        if _products == 1:
            _limited = _libraries().limit(limits=1, user_api="blas")
    try:
        found: NDArray[Any] = a @ b
    finally:
        with _lock:
            _products -= 1
            if _products == 0:
                _limited.restore_original_limits()
    return found


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()
