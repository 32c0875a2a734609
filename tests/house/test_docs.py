"""The pages of the documentation run, print what they show, and link to what is there."""

import re
from pathlib import Path

import pytest

from tests.documented import DOCS, PAGES, run

LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)[^)]*\)")


def links(page: Path) -> list[str]:
    """What a page links to or shows in this repository."""
    return LINK.findall(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_shows_what_its_code_prints_and_draws(page: Path) -> None:
    text, figures = run(page)
    assert text == page.read_text(encoding="utf-8"), "read what `make approve` writes"
    assert figures == {name: (DOCS / name).read_bytes() for name in figures}
    assert {*figures} == {link for link in links(page) if link.startswith("figures/")}


def test_links_lead_somewhere() -> None:
    pages = sorted(DOCS.glob("*.md"))
    assert [
        (page.name, link) for page in pages for link in links(page) if not (DOCS / link).exists()
    ] == []
    shown = {link for page in pages for link in links(page) if link.startswith("figures/")}
    assert shown == {f"figures/{one.name}" for one in (DOCS / "figures").iterdir()}
    index = links(DOCS / "README.md")
    assert {page.name for page in pages} - {*index} == {"README.md"}
