"""Pages, figures and findings say things in plain words, which templates put together.

The list has phrases that are not used, not single words: each has a plainer one.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from costcurves.predictions.kinds import KINDS
from tests.approved import worded
from tests.small_study import ROOT

PHRASES: Final = (
    *("in the running", r"held to\b", "what it is told", "decided nowhere", "missed positive"),
    *("no release of costcurves has", "trivial classifier", "constant decision", "for want of"),
    *("deciding without a model", "would promise", "data cannot tell", "cannot be excluded"),
    *(r"data (that|it is|they are) (judge|chose)", r"ways? of (choosing|averag)", "if any,"),
    *(r"each (alone|by itself)", "as if named beforehand", r"who (costs less|is cheapest|is in)"),
    *("what looks wrong", "held against the data", "chance may be all", "too optimistic"),
    *("same instances", r"(costs|mistakes) per instance", r"(of the|new|[\d}]) instances?\b"),
)
EXCEPTED: Final = {"methods.html.j2": {"trivial classifier"}}  # so the papers call them
PACKAGE: Final = ROOT / "workflow" / "costcurves"
FOLDERS: Final = ROOT / "workflow" / "report", PACKAGE
# Templates of pages and figures, and the modules that have words of theirs.
SOURCES: Final = [path for folder in FOLDERS for path in sorted(folder.rglob("*.j2"))]
SOURCES.extend(path for name in ("report", "figures") for path in (PACKAGE / name).glob("*.py"))

# A word of three letters or more, and a blank before or after it.
ENGLISH: Final = re.compile(r"\s[A-Za-z]{3,}|[A-Za-z]{3,}\W?\s")
# A message of the command, markup, styles.
SAID_ELSEWHERE: Final = {"libraries.py", "pictures.py", "rendering.py"}
FILLED: Final = ("phrase", "joined")


def used(text: str) -> set[str]:
    """The phrases (patterns) that a text has, whatever its lines and capitals."""
    plain = " ".join(text.lower().split())
    return {phrase for phrase in PHRASES if re.search(phrase, plain)}


def strings(text: str) -> Iterator[str]:
    """The strings of a module that are no documentation."""
    nodes = [*ast.walk(ast.parse(text))]
    documentation = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and id(node) not in documentation:
            yield str(node.value)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_template_and_no_label_has_such_a_phrase(path: Path) -> None:
    text = path.read_text("utf-8")
    words = re.sub("{#.*?#}", "", text) if path.suffix == ".j2" else "; ".join(strings(text))
    assert used(words) == EXCEPTED.get(path.name, set())


def test_no_finding_and_no_page_has_such_a_phrase() -> None:
    """But for those of the exceptions."""
    findings = [f"{kind.what} {kind.why} {kind.mend}" for kind in KINDS.values()]
    assert used("; ".join(findings)) == set()
    assert used(worded()) <= set().union(*EXCEPTED.values())


def glued(text: str, *, drawn: bool = False) -> list[str]:
    """The strings of a module that put English together, or that give words to be filled in.

    Notes and labels that are `drawn` may be put together: only words to be filled in are found.
    """
    strings: list[str] = []
    for node in ast.walk(ast.parse(text)):
        parts: list[ast.expr] = []
        if isinstance(node, ast.Call) and ast.unparse(node.func) in FILLED:
            parts = node.args[:1]
        elif drawn:
            continue
        elif isinstance(node, ast.JoinedStr):
            parts = node.values
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
            parts = [node.left, node.right]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            parts = [node.func.value]  # "...".format, " and ".join
        words = [part.value for part in parts if isinstance(part, ast.Constant)]
        strings += [word for word in words if isinstance(word, str) and ENGLISH.search(word)]
    return strings


def test_phrases_and_english_that_is_put_together_are_found() -> None:
    expected = {"data cannot tell", r"held to\b", r"(of the|new|[\d}]) instances?\b"}
    assert used("The data\ncannot tell. Held  to 5 instances. It held together.") == expected
    each = 'f"{a} is cheaper"', '"so many: " + b', '"{} more".format(n)', 'phrase("{} more", n)'
    assert [len(glued(code)) for code in each] == [1, 1, 1, 1]
    assert not glued('f"tables/{stage}.csv"; phrase("{}, {}", a, b); phrase(pattern, n=n)')


def test_no_english_is_put_together_in_code() -> None:
    """But the labels of what is drawn."""
    for name in ("report", "figures"):
        for file in (PACKAGE / name).glob("*.py"):
            strings = glued(file.read_text("utf-8"), drawn=name == "figures")
            assert not strings or file.name in SAID_ELSEWHERE, file


def test_every_macro_of_the_templates_is_used() -> None:
    whole = "\n".join(path.read_text("utf-8") for path in SOURCES if path.suffix == ".j2")
    for name in re.findall(r"{% macro (\w+)\(", whole):
        assert re.search(rf"(?<!macro )\b{name}[(,)]", whole), name
