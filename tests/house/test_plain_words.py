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
EXCEPTED: Final = {"methods.html.j2": {"trivial classifier"}}  # so the papers call them
PACKAGE: Final = ROOT / "workflow" / "costcurves"
FOLDERS: Final = ROOT / "workflow" / "report", PACKAGE
# Templates of pages and figures, and the modules that have words of theirs.
SOURCES: Final = [path for folder in FOLDERS for path in sorted(folder.rglob("*.j2"))]
SOURCES.extend(path for name in ("report", "figures") for path in (PACKAGE / name).glob("*.py"))


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
    assert used(spoken()) <= set().union(*EXCEPTED.values())


def test_phrases_are_found_across_lines_and_capitals() -> None:
    expected = {"data cannot tell", r"held to\b", r"[\d}] instances?\b"}
    assert used("The data\ncannot tell. Held  to 5 instances.") == expected
    assert used("It held together; an instance of a class; trivial.") == set()
