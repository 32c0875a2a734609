"""The answer as plain text, for the terminal and for its length."""

from collections.abc import Callable, Sequence
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
from costcurves.text import Name, Part, Text, capital, listed_at_most, plain

FORMS: Final = {name: form for name, form in getmembers(formats, isfunction) if name[0] != "_"}
WORDS: Final = 60  # of the answer


def fitting(answer: Answer) -> Answer:
    """Return the answer with as many statements and names as `WORDS` hold."""
    for most in LENGTHS:
        shorter = replace(answer, most=most)
        words = _templates().get_template("templates/answer.j2").module.answer(shorter).split()
        if len(words) <= WORDS:
            break
    return shorter


def answer_text(answer: Answer) -> str:
    """Write the answer, and the lines of each of a few datasets."""
    template = _templates().get_template("templates/answer.txt.j2")
    return str(template.render(answer=answer))


def names(decisions: Sequence[str], most: int) -> Text:
    """List the first decisions, of which models have names, and count the others."""
    items = [each if each in ALWAYS else Name(each) for each in decisions]
    return listed_at_most(most, items)


def environment(show: Callable[[Part | Text], str], **options: Any) -> Environment:
    """Set up the templates; a function shows texts and names."""
    made = Environment(  # noqa: S701 - pages set autoescape
        loader=FileSystemLoader(REPORT),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        **options,
    )
    made.filters.update(FORMS | {"capital": capital, "text": show})
    made.filters["name"] = lambda words: show(Name(words))
    made.filters["names"] = lambda decisions, most: show(names(decisions, most))
    made.tests.update(NUMERIC)
    return made


@cache
def _templates() -> Any:
    return environment(plain)
