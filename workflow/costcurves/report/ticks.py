"""Ticks of a drawing's axes: one path for all that look alike, in place of a reference for each."""

import re
from collections.abc import Iterator, Mapping
from typing import Final
from xml.etree.ElementTree import Element

STROKE: Final = re.compile(r"M0 0([hv]-?[0-9.]+)")  # a level or upright line: it has no area
PLACE: Final = {"href", "x", "y", "fill"}


def draw_ticks(root: Element, definitions: Element) -> None:
    """Draw the ticks of an axis as one path before its words, which no tick touches.

    Ticks are uses of lines that begin at (0, 0), which are taken out of the definitions.

    >>> from xml.etree.ElementTree import XML, tostring
    >>> axis = XML('<g><use href="#a" x="1" y="2"/><text/><use href="#a" x="5" y="2"/></g>')
    >>> draw_ticks(axis, XML('<defs><path id="a" d="M0 0v3.5"/></defs>'))
    >>> tostring(axis, encoding="unicode")
    '<g><path d="M1 2v3.5M5 2v3.5" /><text /></g>'
    """
    found = ((one, STROKE.fullmatch(one.get("d", ""))) for one in definitions)
    ticks = {f"#{one.get('id')}": (one, line[1]) for one, line in found if line}
    for holder in list(root.iter()):
        holder[:] = list(_together(holder, ticks))
    left = {one.get("href") for one in root.iter("use")}
    for name, (one, _) in ticks.items():
        if name not in left:
            definitions.remove(one)


def _together(holder: Element, ticks: Mapping[str, tuple[Element, str]]) -> Iterator[Element]:
    """Take a holder's elements; ticks between which there are but words become one."""
    begun: dict[str, Element] = {}
    for one in holder:
        name = one.get("href", "")
        if name in ticks and not set(one.attrib) - PLACE:
            source, line = ticks[name]
            path = begun.get(name)
            if path is None:
                path = begun[name] = Element("path", _look(source))
                yield path
            path.set("d", f"{path.get('d', '')}M{one.get('x')} {one.get('y')}{line}")
            continue
        if one.tag != "text":
            begun.clear()
        yield one


def _look(definition: Element) -> dict[str, str]:
    return {name: value for name, value in definition.attrib.items() if name not in ("id", "d")}
