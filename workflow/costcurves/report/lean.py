"""A figure on its way from matplotlib into a page: the same picture without what nobody sees.

matplotlib's SVG is written anew: looks as presentation attributes, because the page's policy allows
no style attributes; ids of the page's own, only where something refers to them; looks that
neighbours share said once. Places are in hundredths of a point, a 75th of a CSS pixel, and a curve
keeps every vertex at which it bends. No word of it is changed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final
from xml.etree.ElementTree import Element, fromstring, tostring

import numpy as np
from numpy.typing import NDArray

from costcurves.figures.style import INK

FONT: Final = "DejaVu Sans"  # what figures measure their words with
COMMON: Final = {
    "fill": INK,
    "stroke-linejoin": "round",
    "font-size": "7.5",
    "font-family": FONT,
}
UNSAID: Final = {"stroke-linecap": "butt", "stroke-dashoffset": "0", "text-anchor": "start"}
SILENT: Final = {**UNSAID, **COMMON}
CLIP: Final = ("clip-path",)
LOOK: Final = (
    "fill",
    "fill-opacity",
    "stroke",
    "stroke-opacity",
    "stroke-width",
    "stroke-dasharray",
    "stroke-dashoffset",
    "stroke-linecap",
    "stroke-linejoin",
    "font-size",
    "font-weight",
    "font-style",
    "text-anchor",
)
REFERENCE: Final = re.compile(r"(?<=url\(#)[^)]+(?=\))")
DOUBLED: Final = re.compile(r"#(.)\1(.)\2(.)\3$")  # colours that have a short name
STROKE: Final = re.compile(r"M0 0([hv]-?[0-9.]+)")  # a level or upright line: it has no area
TICK: Final = {"href", "x", "y", "fill"}
NOT_XML: Final = re.compile("[\ufffe\uffff]")
MANY: Final = 12  # vertices from which on places are in tenths: less than `polylines.UNSEEN`
STRAIGHT: Final = re.compile(r"M[MLz0-9.\s-]*")
NUMBER: Final = re.compile(r"-?[0-9]*\.[0-9]+")

Places = NDArray[np.int64]  # (vertices, 2), in hundredths of a point


def lean(svg: str, prefix: str = "") -> Element:
    """Take an SVG of matplotlib's, and leave out what nobody sees; ids begin with `prefix`.

    >>> drawn = lean('<svg><!-- x --> <g id="a"/><g id="b"><path d="M 0 0 L 1.23456 2" '
    ...              'style="fill: #ffffff; stroke-linecap: butt"/></g></svg>')
    >>> written(drawn[0])
    '<path d="M0 0l1.23 2" fill="#fff"/>'
    """
    source = fromstring(NOT_XML.sub("\ufffd", svg))  # noqa: S314 - matplotlib wrote it
    names = {name: f"{prefix}{place}" for place, name in enumerate(_referred_to(source))}
    definitions = Element("defs")
    root = _rewritten(source, names, definitions)
    _leave_to_definitions(root, definitions)
    _draw_ticks(root, definitions)
    _share_looks(root)
    root.attrib.update(COMMON)
    if len(definitions):
        root.insert(0, definitions)
    return root


def written(root: Element) -> str:
    """Write an element as HTML and XML read it alike."""
    return tostring(root, encoding="unicode").replace(" />", "/>")


def _referred_to(root: Element) -> list[str]:
    """List the ids that something refers to, in order."""
    found: list[str] = []
    for name, value in (item for one in root.iter() for item in one.attrib.items()):
        found += [value[1:]] if _local(name) == "href" else REFERENCE.findall(value)
    return list(dict.fromkeys(found))


def _rewritten(element: Element, names: dict[str, str], definitions: Element) -> Element:
    """Rewrite an element with what is in it; groups that say nothing leave what they hold."""
    new = Element(_local(element.tag), dict(_attributes(element, names)))
    new.text = element.text if new.tag == "text" else None
    for inner in element:
        if _local(inner.tag) in ("metadata", "style"):
            continue
        child = _rewritten(inner, names, definitions)
        if child.tag == "defs":
            definitions.extend(child)
        elif child.tag == "g" and not child.attrib:
            new.extend(child)
        elif child.tag == "g" and len(child) == 1 and _gives_tags(child):
            child[0].attrib.update(child.attrib)
            new.append(child[0])
        else:
            new.append(child)
    return new


def _attributes(element: Element, names: dict[str, str]) -> Iterator[tuple[str, str]]:
    declared = (one.partition(": ") for one in element.get("style", "").split("; ") if one)
    style = {name: value for name, _, value in declared}
    given = {_local(name): value for name, value in element.attrib.items()}
    looks = given | style
    if _is_filled(element):
        looks.setdefault("fill", "#000")
    for name, value in looks.items():
        if name == "id":
            yield from [("id", names[value])] if value in names else _tags(value)
        elif name == "href":
            yield name, f"#{names[value[1:]]}"
        elif name not in ("style", "version", "type", "font-family"):
            words = _short_value(name, value)
            if "url(" in words:
                words = REFERENCE.sub(lambda found: names[found[0]], words)
            if words and words != SILENT.get(name):
                yield name, words


def _is_filled(element: Element) -> bool:
    """Say whether an element is black where matplotlib names no colour; a definition is not."""
    needs = {"path": "d", "text": "style", "use": "style", "g": "transform"}  # g: outlined words
    return needs.get(_local(element.tag)) in element.attrib and "id" not in element.attrib


TAGS: Final = (
    ("model", "model-"),
    ("name", "name-"),
    ("pc", "pc:"),
    ("ratio", "ratio:"),
    ("share", "share:"),
)


def _tags(words: str) -> Iterator[tuple[str, str]]:
    """Write what figures tag (`figures.sheet`) as attributes of data."""
    for kind, tag in TAGS:
        found = [one.removeprefix(tag) for one in words.split() if one.startswith(tag)]
        if found:
            yield f"data-{kind}", " ".join(found)


def _gives_tags(group: Element) -> bool:
    """Say whether a group says nothing but tags, and what it holds has none."""
    own, inner = ([name.startswith("data-") for name in one.attrib] for one in (group, group[0]))
    return all(own) and not any(inner)


def _short_value(name: str, value: str) -> str:
    if name == "d":
        return short_path(value)
    if name in ("x", "y", "width", "height") and re.fullmatch(r"[0-9.-]+", value):
        return short(float(value))
    if name == "transform":
        return _short_transform(value)
    if name == "font-size":
        return value.removesuffix("px")
    return DOUBLED.sub(r"#\1\2\3", value) if value.startswith("#") else value


def _short_transform(transform: str) -> str:
    """Shorten turns and moves; a turn by nothing is none."""
    found = re.findall(r"(\w+)\(([^)]*)\)", transform)
    return " ".join(
        f"{kind}({numbers})"
        if kind == "scale"
        else f"{kind}({' '.join(short(float(number)) for number in re.split('[ ,]+', numbers))})"
        for kind, numbers in found
        if not (kind == "rotate" and float(numbers.split()[0]) == 0)
    )


def _leave_to_definitions(root: Element, definitions: Element) -> None:
    """Drop from each use of a definition the looks that the definition itself has."""
    own = {f"#{one.get('id')}": one.attrib for one in definitions}
    for use in root.iter("use"):
        for name, value in own.get(use.get("href", ""), {}).items():
            if use.get(name) == value:
                del use.attrib[name]


def _draw_ticks(root: Element, definitions: Element) -> None:
    """Draw the ticks of an axis (uses of lines from (0, 0)) as one path before its words."""
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
        if name in ticks and not set(one.attrib) - TICK:
            source, line = ticks[name]
            path = begun.get(name)
            if path is None:
                path = begun[name] = Element("path", source.attrib)
                del path.attrib["id"], path.attrib["d"]
                yield path
            path.set("d", f"{path.get('d', '')}M{one.get('x')} {one.get('y')}{line}")
            continue
        if one.tag != "text":
            begun.clear()
        yield one


def _share_looks(element: Element) -> None:
    """Put neighbours that look the same into a group that has the look: clips, then the rest."""
    for inner in element:
        _share_looks(inner)
    element[:] = list(_grouped(element, CLIP))
    for holder in (element, *element.findall("g")):
        holder[:] = list(_grouped(holder, LOOK))


def _grouped(elements: Iterable[Element], names: Sequence[str]) -> Iterator[Element]:
    for look, neighbours in groupby(elements, lambda one: _look(one, names)):
        run = list(neighbours)
        if len(run) == 1 or not look:
            yield from run
            continue
        group = Element("g", look)
        for one in run:
            one.attrib = {name: value for name, value in one.attrib.items() if name not in look}
            group.extend(one if one.tag == "g" and not one.attrib else [one])
        yield group


def _look(element: Element, names: Sequence[str]) -> dict[str, str]:
    """Take an element's own looks; a clip that is moved with its element is not to be shared."""
    held = {} if names is CLIP and "transform" in element.attrib else element.attrib
    return {name: held[name] for name in names if name in held}


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def short_path(path: str) -> str:
    """Write the data of a path shortly; straight lines also lose vertices that say nothing."""
    if STRAIGHT.fullmatch(path):
        return "".join(_line(part) for part in path.split("M")[1:])
    rounded = NUMBER.sub(lambda found: short(float(found[0])), path)
    return re.sub(r"\s*([A-Za-z])\s*", r"\1", rounded).strip()


def short(value: float) -> str:
    """Write a number in hundredths, without what can be left out."""
    return _hundredths(round(100 * value))


@lru_cache(maxsize=2**14)
def _hundredths(count: int) -> str:
    words = f"{count / 100:.2f}".rstrip("0").rstrip(".")
    return re.sub(r"^(-?)0\.", r"\1.", words)


def _line(part: str) -> str:
    numbers = part.replace("L", " ").replace("z", " ").split()
    grain = 10 if len(numbers) >= 2 * MANY else 1
    hundredths = 100 * np.array(numbers, float).reshape(-1, 2)
    places = _bends(grain * np.rint(hundredths / grain).astype(np.int64))
    start = _joined(map(_hundredths, places[0].tolist()))
    return f"M{start}{_steps(np.diff(places, axis=0))}{'z' * part.rstrip().endswith('z')}"


def _bends(places: Places) -> Places:
    """Leave out vertices that repeat the one before, or go straight on."""
    moved = np.append(True, np.diff(places, axis=0).any(axis=1))
    places = places[moved]
    steps = np.diff(places, axis=0)
    (before_x, before_y), (after_x, after_y) = steps[:-1].T, steps[1:].T
    aside = before_x * after_y - before_y * after_x
    onward = before_x * after_x + before_y * after_y > 0
    bends = (aside != 0) | ~onward
    return places[np.concatenate([[True], bends, [True]])] if len(places) > 2 else places


def _steps(steps: Places) -> str:
    """Write steps from vertex to vertex: level ones, upright ones, and others."""
    written, last = [], ""
    for across, down in steps.tolist():
        kind = "v" if across == 0 else "h" if down == 0 else "l"
        numbers = {"v": [down], "h": [across], "l": [across, down]}[kind]
        words = _joined(map(_hundredths, numbers))
        glue = kind if kind != last else "" if words.startswith("-") else " "
        written.append(glue + words)
        last = kind
    return "".join(written)


def _joined(numbers: "map[str]") -> str:
    return " ".join(numbers).replace(" -", "-")
