"""Code is a cost: how much of it there may be. Documentation is free."""

import ast
import io
import tokenize
from pathlib import Path

from costcurves.additions import NAMES
from tests.small_study import ROOT

MOST = 28_261
MOST_IN_CORE = 23_480  # without the additions
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def lines_of_code(text: str) -> int:
    """Count lines that hold code: no docstrings, comments, blanks."""
    tokens = [it for it in tokenize.generate_tokens(io.StringIO(text).readline) if it.string]
    code = {
        line for it in tokens if it.type not in LAYOUT for line in range(it.start[0], it.end[0] + 1)
    }
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            code -= {*range(first.lineno, (first.end_lineno or 0) + 1)}
    return len(code)


def lines_of_rules(text: str) -> int:
    """Count the same of rules, whose docstrings begin and end on lines of their own."""
    parts = text.split('"""')[::2]
    lines = [line.strip() for part in parts for line in part.splitlines()]
    return sum(bool(line) and not line.startswith("#") for line in lines)


def counted(folder: Path) -> int:
    found = sum(lines_of_code(it.read_text("utf-8")) for it in folder.rglob("*.py"))
    return found + sum(lines_of_rules(it.read_text("utf-8")) for it in folder.rglob("*.smk"))


def test_lines_are_counted_without_documentation() -> None:
    text = '"""A module.\n\nMore."""\n\n# why\ndef f() -> str:  # so\n    """One."""\n'
    text += '    return """a\nb"""\n'
    assert lines_of_code(text) == 3
    assert (
        lines_of_rules('rule a:\n    """\n    Words.\n    """\n\n    # why\n    input: "a"\n') == 2
    )


def test_there_is_no_more_code_than_agreed() -> None:
    whole = counted(ROOT / "workflow") + lines_of_rules((ROOT / "Snakefile").read_text("utf-8"))
    added = sum(counted(ROOT / "workflow" / "costcurves" / name) for name in NAMES)
    assert whole <= MOST
    assert whole - added <= MOST_IN_CORE
