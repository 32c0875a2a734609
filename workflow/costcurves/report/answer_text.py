"""The answer as plain text, for the terminal and for its length."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from inspect import getmembers, isfunction
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from costcurves import formats
from costcurves.code import REPORT
from costcurves.report.answer import LENGTHS, Answer
from costcurves.report.document import NUMERIC
from costcurves.tables.keys import ALWAYS
from costcurves.text import Name, Text, capital, listed_at_most, plain

FORMS: Final = {name: form for name, form in getmembers(formats, isfunction) if name[0] != "_"}
WORDS: Final = 60  # of the answer


def fitting(answer: Answer) -> Answer:
    """Return the answer with as many statements and names as `WORDS` hold."""
    for most in LENGTHS:
        shorter = replace(answer, most=most)
        words = _environment().get_template("templates/answer.j2").module.answer(shorter).split()
        if len(words) <= WORDS:
            break
    return shorter


def answer_text(answer: Answer) -> str:
    """Write the answer, and the lines of each of a few datasets."""
    template = _environment().get_template("templates/answer.txt.j2")
    return str(template.render(answer=answer))


def names(decisions: Sequence[str], most: int) -> Text:
    """List the first decisions, of which models have names, and count the others."""
    items = [each if each in ALWAYS else Name(each) for each in decisions]
    return listed_at_most(most, items)


@cache
def _environment() -> Any:
    environment = Environment(
        loader=FileSystemLoader(REPORT),
        autoescape=False,  # noqa: S701 - plain text
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(FORMS | {"text": plain, "capital": capital})
    environment.filters["name"] = lambda words: plain(Name(words))
    environment.filters["names"] = lambda decisions, most: plain(names(decisions, most))
    environment.tests.update(NUMERIC)
    return environment
