"""Code is a cost: how much of it there may be. Documentation is free."""

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.small_study import ROOT

WORKFLOW, TESTS = ROOT / "workflow", ROOT / "tests"
APART = ("oracle", "simulations")  # second implementations, and what is run before a release
# Bounds that only go down.
MOST_LINES = 18_474
MOST_TOKENS = 194_780
MOST_LINES_OF_TESTS = 16_360
MOST_LINES_APART = 3_000
MOST_LINES_OF = {"*.j2": 1_070, "*.js": 540, "*.css": 585}
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
LAYOUT |= {tokenize.ENDMARKER}
IDLE = {"found", "own", "said", "one", "told", "held", "it"}  # as names of things they say nothing
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def lines_of_docstrings(text: str) -> set[int]:
    lines: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            lines |= {*range(first.lineno, (first.end_lineno or 0) + 1)}
    return lines


def code_tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """Yield the tokens that are code; what stands inside an f-string is part of its token."""
    docstrings = lines_of_docstrings(text)
    depth = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        name = tokenize.tok_name[token.type]
        depth -= name.endswith("STRING_END")  # of an f-string, since Python 3.12
        if depth == 0 and token.type not in LAYOUT and token.start[0] not in docstrings:
            yield token
        depth += name.endswith("STRING_START")


def mass(text: str) -> tuple[int, int]:
    """Count the lines that hold code, and its tokens: no docstrings, comments, blanks."""
    lines: set[int] = set()
    count = 0
    for token in code_tokens(text):
        if not tokenize.tok_name[token.type].endswith("STRING_END"):
            count += 1
        lines |= {*range(token.start[0], token.end[0] + 1)}
    return len(lines), count


def masses(folder: Path) -> list[tuple[int, int]]:
    return [mass(file.read_text("utf-8")) for file in sorted(folder.rglob("*.py"))]


def lines_of_files(pattern: str) -> int:
    return sum(len(file.read_text("utf-8").splitlines()) for file in WORKFLOW.rglob(pattern))


def test_lines_and_tokens_are_counted_without_documentation() -> None:
    text = '"""A module.\n\nMore."""\n\n# why\ndef f(a: int) -> str:  # so\n    """One."""\n'
    text += '    return """a\nb""" + f"{a} and {a + 1}"\n'
    assert mass(text) == (3, 14)


def test_there_is_no_more_code_than_agreed() -> None:
    assert sum(lines for lines, _ in masses(WORKFLOW)) <= MOST_LINES
    assert sum(tokens for _, tokens in masses(WORKFLOW)) <= MOST_TOKENS
    apart = sum(lines for name in APART for lines, _ in masses(TESTS / name))
    assert apart <= MOST_LINES_APART
    assert sum(lines for lines, _ in masses(TESTS)) - apart <= MOST_LINES_OF_TESTS


@pytest.mark.parametrize("pattern", MOST_LINES_OF)
def test_templates_scripts_and_styles_have_no_more_lines_than_agreed(pattern: str) -> None:
    assert lines_of_files(pattern) <= MOST_LINES_OF[pattern]


def test_no_name_says_nothing() -> None:
    for file in sorted([*WORKFLOW.rglob("*.py"), *TESTS.rglob("*.py")]):
        tokens = tokenize.generate_tokens(io.StringIO(file.read_text("utf-8")).readline)
        names = [token for token in tokens if token.type == tokenize.NAME and token.string in IDLE]
        assert not names, f"{file.name}, line {names[0].start[0]}: {names[0].string}"
