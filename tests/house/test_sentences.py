"""What a reader sees is said by templates: no English is put together in code."""

import ast
import re
from typing import Final

from tests.small_study import ROOT

PACKAGE: Final = ROOT / "workflow" / "costcurves"
# A word of three letters or more, and a blank before or after it.
ENGLISH: Final = re.compile(r"\s[A-Za-z]{3,}|[A-Za-z]{3,}\W?\s")
# A message of the command, markup, styles.
SAID_ELSEWHERE: Final = {"libraries.py", "pictures.py", "rendering.py"}
FILLED: Final = ("phrase", "joined")


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
    """But the labels of what is drawn."""
    for name in ("report", "figures"):
        for file in (PACKAGE / name).glob("*.py"):
            strings = glued(file.read_text("utf-8"), drawn=name == "figures")
            assert not strings or file.name in SAID_ELSEWHERE, file


def test_every_macro_of_the_templates_is_used() -> None:
    templates = (PACKAGE.parent / "report").rglob("*.j2"), PACKAGE.rglob("*.j2")
    whole = "\n".join(file.read_text("utf-8") for files in templates for file in files)
    for name in re.findall(r"{% macro (\w+)\(", whole):
        assert re.search(rf"(?<!macro )\b{name}[(,)]", whole), name
