"""The command, run in the process of the tests."""

from collections.abc import Callable

Ended = Callable[..., tuple[int, str, str]]  # of words: the status, and both streams
