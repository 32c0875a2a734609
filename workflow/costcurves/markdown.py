"""Text in Markdown, shown as it is whatever signs are in it."""

import re
from typing import Final

SIGNS: Final = re.compile(r"[\\`*_{}\[\]<>#|~@$&]")
FIRST: Final = re.compile(r"^(?=[-+=])|^\d+(?=[.)])")  # begins a list, or makes a heading


def inside(text: str) -> str:
    r"""Write text within a paragraph.

    >>> print(inside("a_b *c* <d> &amp; @e"))
    a\_b \*c\* \<d\> \&amp; \@e
    """
    return SIGNS.sub(r"\\\g<0>", text)


def cell(text: str) -> str:
    """Write text in a cell of a table: on one line."""
    return inside(" ".join(text.split()))


def line(text: str) -> str:
    r"""Write text that begins a line.

    >>> print(line("- f"), line("7. g"))
    \- f 7\. g
    """
    return FIRST.sub(r"\g<0>\\", cell(text))
