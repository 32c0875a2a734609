"""The pages of the documentation run, print what they show, and link to what is there."""

import ast
import re
import runpy
from importlib import import_module
from pathlib import Path

import pytest
from matplotlib import pyplot

import costcurves
from tests import reference
from tests.documented import BLOCK, DOCS, PAGES, run
from tests.house.test_plain_words import used

LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)[^)]*\)")
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?!\w)")
COMMENT = re.compile(r"^#.*$", re.MULTILINE)
EXAMPLES = {one: one.read_text("utf-8") for one in sorted((DOCS / "gallery").glob("*.py"))}
SITE = runpy.run_path(str(DOCS / "site" / "pages.py"))


def prose(text: str) -> str:
    """The words of an example of the gallery."""
    return "\n".join([str(ast.get_docstring(ast.parse(text))), *COMMENT.findall(text)])


def decimals(text: str) -> set[str]:
    """The numbers of a text that have places after the point."""
    return {number for number in NUMBER.findall(text) if "." in number}


def links(page: Path) -> list[str]:
    """What a page links to or shows in this repository."""
    return LINK.findall(BLOCK.sub("", page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_shows_what_its_code_prints_and_draws(page: Path) -> None:
    text, figures = run(page)
    assert text == page.read_text(encoding="utf-8"), "read what `make approve` writes"
    assert figures == {name: (DOCS / name).read_bytes() for name in figures}
    assert {*figures} == {link for link in links(page) if link.startswith("figures/")}


def test_the_page_of_commands_is_what_they_declare() -> None:
    assert reference.COMMANDS.read_text("utf-8") == reference.commands(), "run make reference"
    said = reference.commands()
    assert "| `--dry-run` | list the jobs that would run, and run none |" in said
    assert "| `-o, --output` `FILE` |" in said


def test_links_lead_somewhere() -> None:
    pages = sorted(DOCS.glob("*.md"))
    assert [
        (page.name, link) for page in pages for link in links(page) if not (DOCS / link).exists()
    ] == []
    shown = {link for page in pages for link in links(page) if link.startswith("figures/")}
    assert shown == {f"figures/{one.name}" for one in (DOCS / "figures").iterdir()}


def test_every_page_has_one_place_on_the_site() -> None:
    pages = [page for below in SITE["SECTIONS"].values() for page in below]
    assert len(pages) == len({*pages})
    ours = {f"docs/{page.name}" for page in DOCS.glob("*.md")} - {"docs/README.md"}
    others = {f"{name}.md" for name in ("CONTRIBUTING", "CHANGELOG", "SECURITY", "CODE_OF_CONDUCT")}
    others |= {"config/README.md", "data/README.md", "docs/gallery/GALLERY_HEADER.rst"}
    assert {*pages} == ours | others
    assert len({*SITE["PAGES"].values()}) == len(pages) + 1


def test_titles_are_in_the_words_of_the_field() -> None:
    assert [*SITE["SECTIONS"]] == [
        *("Get started", "Guides", "Concepts", "Gallery", "Reference", "Project")
    ]
    titles = {
        page: (DOCS.parent / page).read_text("utf-8").partition("\n")[0].removeprefix("# ")
        for page in SITE["PAGES"]
        if page.endswith(".md")
    }
    assert max(map(len, titles.values())) <= 45
    assert [title for title in titles.values() if used(title)] == []
    assert titles["docs/commands.md"] == "Command line"
    assert titles["config/README.md"] == "Configuration"


def test_the_first_screen_says_what_it_is_how_to_install_it_and_what_code_prints() -> None:
    first = (DOCS / "README.md").read_text("utf-8").partition("\n## ")[0]
    kinds = re.findall(r"^(?:```(\w+)|(!)\[|([A-Z]?[a-z]+ says) )", first, re.MULTILINE)
    assert [kind or picture or words for kind, picture, words in kinds] == [
        *("!", "costcurves says", "bash", "python", "text")
    ]
    install, code, printed = re.findall(r"```\w+\n(.*?)```", first, re.DOTALL)
    assert re.findall(r"^pip install (\S+)", install, re.MULTILINE) == [
        *("costcurves", '"costcurves[report]"')
    ]
    of_ours = code.split("\n\n")[2].strip().splitlines()
    assert len(of_ours) <= 6
    assert len(printed.splitlines()) == 2


def test_the_readme_is_short_and_shows_the_same_code() -> None:
    readme = (DOCS.parent / "README.md").read_text("utf-8")
    assert len(readme.splitlines()) <= 60
    assert len(re.findall(r"!\[", readme)) == 1
    blocks = BLOCK.findall((DOCS / "README.md").read_text("utf-8"))
    for kind, text in blocks:
        shown = text.replace('plot().save("start.svg")', "plot()")
        assert f"```{kind}\n{shown}```" in readme


def test_every_public_name_is_in_the_reference_by_task() -> None:
    page = (DOCS / "api.md").read_text("utf-8")
    named = re.findall(r"^   ([\w.]+)$", page, re.MULTILINE)
    assert {one for one in named if "." not in one} == {*costcurves.__all__}
    for name in named:
        assert "." not in name or import_module(f"costcurves.{name}").__doc__, name
    assert len(named) == len({*named})


def test_what_a_site_loads_from_elsewhere_is_found(tmp_path: Path) -> None:
    remote = runpy.run_path(str(DOCS / "site" / "checked.py"))["remote"]
    plain = (
        '<a href="https://a.org">a</a><script src="_static/a.js"></script><link rel="canonical"'
        ' href="https://a.org"><img src="data:image/png;base64,//a">'
    )
    (tmp_path / "plain.html").write_text(plain)
    assert remote(tmp_path) == []
    loads = (
        '<script async src="https://a.org/a.js">',
        "<img alt='' src=//a.org/a.png>",
        '<link href="https://a.org/a.css" rel="stylesheet">',
        "<style>@font-face {src: url('http://a.org/a.woff')}</style>",
        '<style>@import "https://a.org/a.css"</style>',
    )
    for number, text in enumerate(loads):
        (tmp_path / f"{number}.html").write_text(text)
    (tmp_path / "a.css").write_text("a {background: url(//a.org/a.png)}")
    assert len(remote(tmp_path)) == len(loads) + 1


def test_an_example_of_the_gallery_begins_with_what_it_shows() -> None:
    """A title, what is to be seen, and no helpers in front of the first call of ours."""
    assert len(EXAMPLES) >= 10
    for example, text in EXAMPLES.items():
        title, line = str(ast.get_docstring(ast.parse(text))).splitlines()[:2]
        assert (len(title), {*line}) == (len(line), {"="})
        code = re.split(r"\b(?:cc|operating_points)\.", text.split('"""', 2)[2])[0]
        assert len([line for line in code.splitlines() if line]) <= 16, example.name


@pytest.mark.parametrize(
    "example", [one for one, text in EXAMPLES.items() if decimals(prose(text))]
)
def test_the_gallery_says_numbers_that_its_code_has_or_prints_or_a_paper_says(
    example: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = EXAMPLES[example]
    monkeypatch.chdir(DOCS.parent)
    exec(compile(text, example.name, "exec"), {})
    pyplot.close("all")
    papers = (DOCS / "papers.md").read_text("utf-8")
    code = COMMENT.sub("", text.split('"""', 2)[2])
    assert decimals(prose(text)) <= decimals(capsys.readouterr().out + papers + code)
