"""The pages of the documentation run, print what they show, and link to what is there."""

import json
import re
import runpy
from pathlib import Path

import nbformat
import pytest

from tests import reference
from tests.documented import BLOCK, DOCS, PAGES, run

LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)[^)]*\)")
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)")
CITED = re.compile(r"\(.*?2006[^)]*\)")
THEIRS = re.compile(r"theirs[^,)]*")


def links(page: Path) -> list[str]:
    """What a page links to or shows in this repository."""
    return LINK.findall(BLOCK.sub("", page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_shows_what_its_code_prints_and_draws(page: Path) -> None:
    text, figures = run(page)
    assert text == page.read_text(encoding="utf-8"), "read what `make approve` writes"
    assert figures == {name: (DOCS / name).read_bytes() for name in figures}
    assert {*figures} == {link for link in links(page) if link.startswith("figures/")}


def test_the_notebook_runs_from_top_to_bottom() -> None:
    """It is what `make docs` makes a page of; its outputs are of whoever runs it."""
    notebook = DOCS / "first-curve.ipynb"
    text = notebook.read_text("utf-8")
    content = json.loads(text)
    nbformat.validate(content)
    cells = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
    assert not any(cell["outputs"] for cell in cells)
    assert sum(line != "\n" for line in cells[0]["source"]) <= 10
    page = runpy.run_path(str(DOCS / "site" / "notebooks.py"))["page"](notebook)
    shown = re.findall(r"```\n\n<div>(.*?)</div>", page, re.DOTALL)
    curve, said, compared, benefit = shown
    for drawn, bands in ((curve, 1), (compared, 2), (benefit, 2)):
        assert "</svg>" in drawn
        assert drawn.count("opacity: 0.16") == bands
    assert re.fullmatch(r"<pre>cost 0\.\d{3}\nsay yes from a score of 0\.\d{3}\n</pre>", said)
    assert "<td>A cheaper</td>" in compared


def test_the_page_of_commands_is_what_they_declare() -> None:
    assert reference.COMMANDS.read_text("utf-8") == reference.commands(), "run make reference"
    said = reference.commands()
    assert "| `--dry-run` | say what would be built, and write nothing |" in said
    assert "| `-o, --output` `FILE` |" in said


def test_links_lead_somewhere() -> None:
    pages = sorted(DOCS.glob("*.md"))
    assert [
        (page.name, link) for page in pages for link in links(page) if not (DOCS / link).exists()
    ] == []
    shown = {link for page in pages for link in links(page) if link.startswith("figures/")}
    assert shown == {f"figures/{one.name}" for one in (DOCS / "figures").iterdir()}
    index = links(DOCS / "README.md")
    assert {page.name for page in (*pages, *DOCS.glob("*.ipynb"))} - {*index} == {"README.md"}


def test_the_gallery_says_numbers_that_its_code_prints_or_a_paper_does() -> None:
    rows = (DOCS / "papers.md").read_text(encoding="utf-8").split("\n| 20")[1:]
    papers = {number for row in rows for number in NUMBER.findall(row.split(" | ")[3])}
    for section in (DOCS / "gallery.md").read_text(encoding="utf-8").split("\n## ")[1:]:
        words = CITED.sub("", BLOCK.sub("", section))
        shown = [text for kind, text in BLOCK.findall(section) if kind == "text"]
        assert {*NUMBER.findall(" ".join(THEIRS.findall(words)))} <= papers
        assert {*NUMBER.findall(THEIRS.sub("", words))} <= {*NUMBER.findall("".join(shown))}


def test_the_paper_says_numbers_that_other_pages_say_and_cites_what_it_lists() -> None:
    paper = (DOCS / "paper.md").read_text(encoding="utf-8")
    words = paper.split("---\n", 2)[2]
    others = [page for page in PAGES if page.stem != "paper"] + [DOCS / "papers.md"]
    pages = [*others, *(DOCS.parent / name for name in ("README.md", "pyproject.toml"))]
    said = " ".join(page.read_text(encoding="utf-8") for page in pages)
    assert {*NUMBER.findall(words)} <= {*NUMBER.findall(said)}
    listed = re.findall(r"^@\w+{(\w+),$", (DOCS / "paper.bib").read_text("utf-8"), re.MULTILINE)
    assert {*re.findall(r"@(\w+)", words)} == {*listed}
