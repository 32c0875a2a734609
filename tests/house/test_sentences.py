"""What a reader sees is said by templates: no English is put together in code."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.small_study import ROOT

PACKAGE: Final = ROOT / "workflow" / "costcurves"
TEMPLATES: Final = (ROOT / "workflow" / "report", PACKAGE)
# A word of three letters or more, and a blank before or after it.
ENGLISH: Final = re.compile(r"\s[A-Za-z]{3,}|[A-Za-z]{3,}\W?\s")
SAID_ELSEWHERE: Final = {
    "libraries.py": "a message of the command",
    "pictures.py": "markup",
    "rendering.py": "styles",
}
FILLED: Final = ("phrase", "joined")


def sources() -> Iterator[Path]:
    for layer in ("report", "figures"):
        yield from sorted((PACKAGE / layer).glob("*.py"))


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


def test_english_that_is_put_together_is_found() -> None:
    each = 'f"{a} is cheaper"', '"so many: " + b', '"{} more".format(n)', 'phrase("{} more", n)'
    assert [len(glued(code)) for code in each] == [1, 1, 1, 1]
    assert not glued('f"tables/{stage}.csv"; phrase("{}, {}", a, b); phrase(pattern, n=n)')


def test_no_english_is_put_together_in_code() -> None:
    glued_by = {file.name: glued(file.read_text("utf-8"), drawn=draws(file)) for file in sources()}
    assert {name for name, strings in glued_by.items() if strings} <= {*SAID_ELSEWHERE}


def draws(path: Path) -> bool:
    """Whether a module draws: its labels may be put together."""
    return path.parent.name == "figures"


def test_every_macro_of_the_templates_is_used() -> None:
    texts = [file.read_text("utf-8") for folder in TEMPLATES for file in folder.rglob("*.j2")]
    whole = "\n".join(texts)
    for name in re.findall(r"{% macro (\w+)\(", whole):
        assert re.search(rf"(?<!macro )\b{name}[(,)]", whole), name
