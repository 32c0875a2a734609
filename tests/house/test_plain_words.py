"""Pages, figures and findings say things in words that a stranger from the field would use.

The list has phrases that are not used, not single words: each has a plainer one.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from costcurves.predictions.kinds import KINDS
from tests.approved import spoken
from tests.small_study import ROOT

PHRASES: Final = (
    *("in the running", r"held to\b", "what it is told", "decided nowhere", "missed positive"),
    *("no release of costcurves has", "trivial classifier", "constant decision"),
    *("deciding without a model", "nobody can keep", "in-sample promise", "would promise"),
    *("data cannot tell", "do not exclude", "cannot be excluded", "not counted as decided"),
    *("data that judge", "data that chose", "data it is judged on", "data they are judged on"),
    *("way of choosing", "ways of choosing", "way of averaging", "ways of averaging"),
    *("each alone", "each by itself", "as if named beforehand", "where drawn", "if any,"),
    *("who costs less", "who is cheapest", "who is in", "say as much", "too low to be had"),
    *("for want of", "what looks wrong", "upside down", "leaves out zero", "leave zero out"),
    *("held against the data", "hold all that is possible", "chance may be all", "too optimistic"),
    *("same instances", "costs per instance", "mistakes per instance", "of the instances"),
    *("new instance", "from now on", r"[\d}] instances?\b"),
)
# What other changes are about to reword, with the files; to be emptied.
BY_FILE: Final = {
    "methods.html.j2": ("trivial classifier",),  # so the papers call them
}
TEMPLATES: Final = (ROOT / "workflow" / "report", ROOT / "workflow" / "costcurves")
MODULES: Final = ("report", "figures")


def used(text: str) -> set[str]:
    """The phrases (patterns) that a text has, whatever its lines and capitals."""
    plain = " ".join(text.lower().split())
    return {phrase for phrase in PHRASES if re.search(phrase, plain)}


def strings(text: str) -> Iterator[str]:
    """The strings of a module that are no documentation."""
    tree = ast.parse(text)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    parts = [node for node in ast.walk(tree) if isinstance(node, documented)]
    docstrings = {ast.get_docstring(part, clean=False) for part in parts}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from {node.value} - docstrings


def sources() -> Iterator[Path]:
    """Templates of pages and figures, and the modules that have words of theirs."""
    for folder in TEMPLATES:
        yield from sorted(folder.rglob("*.j2"))
    for name in MODULES:
        yield from sorted((TEMPLATES[1] / name).glob("*.py"))


@pytest.mark.parametrize("path", [*sources()], ids=lambda path: path.name)
def test_no_template_and_no_label_has_such_a_phrase(path: Path) -> None:
    text = path.read_text("utf-8")
    words = re.sub("{#.*?#}", "", text) if path.suffix == ".j2" else "; ".join(strings(text))
    assert used(words) <= {*BY_FILE.get(path.name, ())}


@pytest.mark.parametrize("name", [*KINDS])
def test_no_finding_has_such_a_phrase(name: str) -> None:
    kind = KINDS[name]
    assert used(f"{kind.what} {kind.why} {kind.mend}") == set()


def test_the_page_has_no_such_phrase() -> None:
    """Those of the exceptions may be on it, others not."""
    excepted = {phrase for phrases in BY_FILE.values() for phrase in phrases}
    assert used(spoken()) <= excepted


def test_phrases_are_found_across_lines_and_capitals() -> None:
    assert used("The data\ncannot tell. Held  to 5 instances.") == {
        *("data cannot tell", r"held to\b", r"[\d}] instances?\b"),
    }
    assert used("It held together; an instance of a class; trivial.") == set()


def test_every_exception_is_one() -> None:
    """An exception that nothing needs has to go."""
    for path in sources():
        text = path.read_text("utf-8").replace("\\n", " ")
        assert {*BY_FILE.get(path.name, ())} <= used(text), path.name
