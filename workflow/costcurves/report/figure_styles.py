"""What elements of a page's figures look like, said once in the page's style."""

from typing import Final
from xml.etree.ElementTree import Element

from costcurves.report.lean import LOOK

LEAST: Final = 16  # characters of attributes from which on a class is shorter


class FigureStyles:
    """The styles that a page's figures share: classes, numbered as they are met.

    >>> from xml.etree.ElementTree import XML, tostring
    >>> styles = FigureStyles()
    >>> axis = XML('<svg><path d="M0 0" fill="none" stroke="#000"/><text fill="#000"/></svg>')
    >>> styles.share(axis)
    >>> tostring(axis, encoding="unicode")
    '<svg><path d="M0 0" class="l0" /><text fill="#000" /></svg>'
    >>> styles.style()
    '.l0{fill:none;stroke:#000}'
    """

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def share(self, root: Element) -> None:
        """Replace the styles of all that is in a drawing by classes where that is shorter."""
        for one in root.iterfind(".//*"):
            look = {name: one.attrib[name] for name in LOOK if _is_plain(one, name)}
            if sum(len(name) + len(value) + 4 for name, value in look.items()) >= LEAST:
                for name in look:
                    del one.attrib[name]
                one.set("class", self._class(look))

    def style(self) -> str:
        """Write the rules of all classes, in the order in which they were met."""
        return "\n".join(f".{name}{{{rule}}}" for rule, name in self._names.items())

    def _class(self, look: dict[str, str]) -> str:
        rule = ";".join(f"{name}:{_value(name, value)}" for name, value in look.items())
        return self._names.setdefault(rule, f"l{len(self._names)}")


def _is_plain(element: Element, name: str) -> bool:
    """Say whether an element has this look, and no reference, which is its figure's own."""
    return "url(" not in element.get(name, "url(")


def _value(name: str, value: str) -> str:
    """Write an attribute's value as a style has it: sizes of letters need a unit there."""
    return f"{value}px" if name == "font-size" else value
