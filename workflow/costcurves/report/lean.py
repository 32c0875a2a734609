"""Figures as part of a page: SVG without what nobody sees, as a data address.

The SVG files beside the report keep everything. Their copies in the page lose comments, metadata,
names of groups and white space, and places on the drawing are rounded to a hundredth of a point.
"""

import re
from typing import Final
from urllib.parse import quote

# What a data address in double quotes may hold as it is; the rest is percent-encoded.
LITERAL: Final = " '!$()*+,-./:;=?@[]^_`{|}~"
UNSEEN: Final = re.compile(
    r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->|<metadata>.*?</metadata>|(?<=<g) id=\"[^\"]*\"",
    re.DOTALL,
)


def data_uri(svg: str) -> str:
    r"""Write an SVG as a data address that may stand in double quotes.

    Parameters
    ----------
    svg
        The SVG's text.

    Examples
    --------
    >>> data_uri('<?xml version="1.0"?><svg><!-- x --> <path d="M 0 0 \nL 1.23456 2"/></svg>')
    "data:image/svg+xml,%3Csvg%3E%3Cpath d='M0 0L1.23 2'/%3E%3C/svg%3E"
    """
    return f"data:image/svg+xml,{quote(lean(svg), safe=LITERAL)}"


def lean(svg: str) -> str:
    """Leave out of an SVG what nobody sees.

    Parameters
    ----------
    svg
        The SVG's text; no attribute of it holds a greater-than sign.

    Examples
    --------
    >>> lean('<g id="a"><use style="fill: #fff; stroke: none"/></g>')
    "<g><use style='fill:#fff;stroke:none'/></g>"
    """
    seen = re.sub(r"\s+", " ", UNSEEN.sub("", svg)).replace("> <", "><").strip()
    seen = re.sub(r' d="([^"]*)"', _path, seen)
    seen = re.sub(r' style="([^"]*)"', _style, seen)
    return seen if "'" in seen else seen.replace('"', "'")


def _path(found: re.Match[str]) -> str:
    rounded = re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}", found[1])
    tight = re.sub(r" ?([A-Za-z]) ?", r"\1", rounded)
    return f' d="{tight}"'


def _style(found: re.Match[str]) -> str:
    tight = re.sub(r"([:;,]) ", r"\1", found[1])
    return f' style="{tight}"'
