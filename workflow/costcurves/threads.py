"""Threads: many for models, one for matrix products."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

One = TypeVar("One")
Made = TypeVar("Made")


def on_threads(make: Callable[[One], Made], each: Iterable[One], threads: int) -> list[Made]:
    """Return what `make` gives of each, so many at a time."""
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(make, each))


def product(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Multiply matrices on one thread: on more, many small products take several times as long.

    The caller's own setting is restored afterwards.
    """
    with _libraries().limit(limits=1, user_api="blas"):
        multiplied: NDArray[Any] = a @ b
    return multiplied


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()
