"""Signatures that fit a line of `help`."""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def brief(function: Function) -> Function:
    """Show only what a function always needs in `help`: the docstring describes its options."""
    signature = inspect.signature(function)
    needed = [given for given in signature.parameters.values() if given.default is given.empty]
    options = inspect.Parameter("options", inspect.Parameter.VAR_KEYWORD, annotation="Any")
    function.__signature__ = signature.replace(parameters=[*needed, options])  # type: ignore[attr-defined]
    return function
