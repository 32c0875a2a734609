"""What templates say: macros by their names, and parts of sections, as on paper."""

import re
from functools import cache
from html import unescape
from typing import Any

from jinja2 import Environment

from costcurves.report import rendering
from costcurves.report.document import Report, Section
from costcurves.report.pictures import FigureElements


def say(name: str, *given: object, of: str = "sentences", **named: object) -> str:
    """The words of a macro."""
    return words(_macro(name, *given, of=of, **named))


def part(section: Section) -> str:
    """The markup of a section without its heading, on a screen."""
    template = environment("screen").get_template(f"templates/parts/{section.part}.html.j2")
    return template.render(section=section, report=report_of(section), figures=FigureElements())


def report_of(*sections: Section) -> Report:
    """A report of these sections, with models of one letter."""
    return Report("", tuple("ABCDEFGHMN"), sections, (), (), ())


def words(markup: str) -> str:
    """All words of markup, with one space between any two."""
    return re.sub(r"[ \n]+", " ", unescape(re.sub("<[^>]*>", "", markup))).strip()


@cache
def environment(medium: rendering.Medium) -> Environment:
    """The templates, as a page has them that shows no figures."""
    return rendering._environment(medium)


def _macro(name: str, *given: object, of: str, **named: object) -> str:
    module: Any = environment("print").get_template(f"templates/{of}.html.j2").module
    return str(getattr(module, name)(*given, **named))
