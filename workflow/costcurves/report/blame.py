"""When a study's own template is broken: one message with its file and line."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jinja2 import TemplateError, TemplateSyntaxError

from costcurves.errors import InputError


@contextmanager
def blamed(own: Path | None) -> Iterator[None]:
    """Turn what a study's templates (in `own`) do wrong into an InputError for whoever wrote them.

    What goes wrong elsewhere, or without templates of the study's own, is raised as it is.
    """
    try:
        yield
    except Exception as error:
        place = _place(error, own)
        if own is None or not (place or isinstance(error, TemplateError)):
            raise
        where = place or f"{own}: with these templates {_last(error)}"
        raise InputError([f"{where}: {_words(error)}"]) from error
    except BaseException as error:
        if own is None or type(error).__name__ != "FatalURLFetchingError":
            raise
        why = "a page may load nothing but what is in it"
        raise InputError([f"{own}: {error}; {why}"]) from error


def _place(error: Exception, own: Path | None) -> str:
    """Find the line of the study's templates at which it happened; "" if it did elsewhere."""
    lines = [line for line in _lines(error) if own and own in Path(line[0]).parents]
    return "{} line {}".format(*lines[-1]) if lines else ""


def _last(error: Exception) -> str:
    return "{} line {}".format(*_lines(error)[-1])


def _lines(error: Exception) -> list[tuple[str, int]]:
    """List the files and lines that lead to an error, a template's own syntax error last."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [(frame.filename, frame.lineno or 0) for frame in frames]
    if isinstance(error, TemplateSyntaxError) and error.filename:
        lines.append((error.filename, error.lineno))
    return lines


def _words(error: Exception) -> str:
    if isinstance(error, TemplateError):
        return str(error.message)
    return f"{type(error).__name__}: {error}"
