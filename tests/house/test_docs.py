"""The pages of the documentation run, print what they show, and link to what is there."""

import ast
import doctest
import io
import re
import runpy
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from matplotlib import pyplot

import costcurves
from costcurves.study.reading import parse_study
from docs.site import reference
from tests.bench import whole
from tests.documented import BLOCK, DOCS, PAGES, run
from tests.house import test_layers

ROOT = DOCS.parent
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)[^)]*\)")
NUMBER = re.compile(r"(?<![\w.])\d+\.\d+(?!\w)")
COMMENT = re.compile(r"^#.*$", re.MULTILINE)
EXAMPLES = sorted((DOCS / "gallery").glob("*.py"))
SITE = runpy.run_path(str(DOCS / "site" / "pages.py"))
MARKDOWN = {page: (ROOT / page).read_text("utf-8") for page in SITE["PAGES"] if page[-2:] == "md"}


def links(page: Path) -> list[str]:
    """Return what a page links to or shows in this repository."""
    return LINK.findall(BLOCK.sub("", page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_shows_what_its_code_prints_and_draws(page: Path) -> None:
    text, figures = run(page)
    assert text == page.read_text(encoding="utf-8"), "read what `make approve` writes"
    assert [name for name in figures if figures[name] != (DOCS / name).read_bytes()] == []
    assert {*figures} == {link for link in links(page) if link.startswith("figures/")}


def test_links_lead_somewhere_and_every_figure_is_shown() -> None:
    targets = {link for page in DOCS.glob("*.md") for link in links(page)}
    assert {target for target in targets if not (DOCS / target).exists()} == set()
    figures = {f"figures/{file.name}" for file in (DOCS / "figures").iterdir()}
    assert figures == {link for link in targets if link.startswith("figures/")}


def test_every_page_has_one_place_on_the_site_and_is_short() -> None:
    pages = [page for section in SITE["SECTIONS"].values() for page in section]
    others = {f"{name}.md" for name in ("CONTRIBUTING", "CHANGELOG", "SECURITY", "CODE_OF_CONDUCT")}
    others |= {"config/README.md", "data/README.md", "docs/gallery/GALLERY_HEADER.rst"}
    documents = {f"docs/{page.name}" for page in DOCS.glob("*.md")} - {"docs/README.md"}
    assert sorted(pages) == sorted(documents | others)
    assert len({*SITE["PAGES"].values()}) == len(pages) + 1
    generated = {"docs/commands.md", "config/README.md", "docs/derivations.md", "CHANGELOG.md"}
    assert {page for page, text in MARKDOWN.items() if len(text.split()) > 1500} <= generated


def test_the_reference_has_every_command_and_public_name() -> None:
    assert reference.COMMANDS.read_text("utf-8") == reference.commands(), "run make reference"
    page = (DOCS / "api.md").read_text("utf-8")
    names = re.findall(r"^   ([\w.]+)$", page, re.MULTILINE)
    assert len(names) == len({*names})
    assert {name for name in names if "." not in name} == {*costcurves.__all__}


LOADED = {  # a part of a page, and whether it is loaded from elsewhere
    '<script async src="https://a.org/a.js">': True,
    "<img alt='' src=//a.org/a.png>": True,
    '<link href="https://a.org/a.css" rel="stylesheet">': True,
    "<style>@font-face {src: url('http://a.org/a.woff')}</style>": True,
    '<style>@import "https://a.org/a.css"</style>': True,
    '<a href="https://a.org">a</a><link rel="canonical" href="https://a.org">': False,
    '<script src="_static/a.js"></script><img src="data:image/png;base64,//a">': False,
}


def test_what_a_site_loads_from_elsewhere_is_listed(tmp_path: Path) -> None:
    remote = runpy.run_path(str(DOCS / "site" / "checked.py"))["remote"]
    for text, loads in LOADED.items():
        (tmp_path / "page.html").write_text(text)
        assert bool(remote(tmp_path)) is loads, text


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_an_example_runs_anywhere_and_shows_its_numbers(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No number but of its code, its output and the papers."""
    text = example.read_text("utf-8")
    words = str(ast.get_docstring(ast.parse(text)))
    code = text.split('"""', 2)[2]
    monkeypatch.chdir(tmp_path)
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(text, example.name, "exec"), {})
    pyplot.close("all")
    prose = "\n".join([words, *COMMENT.findall(text)])
    known = printed.getvalue() + MARKDOWN["docs/papers.md"] + COMMENT.sub("", code)
    assert {*NUMBER.findall(prose)} <= {*NUMBER.findall(known)}


def test_the_papers_numbers_are_those_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = DOCS / "papers-code.md"
    assert doctest.testfile(str(page), module_relative=False, encoding="utf-8").failed == 0
    rows = MARKDOWN["docs/papers.md"].splitlines()
    ours = [row.split(" | ")[-1] for row in rows if row.startswith("| 20")]
    examples = doctest.DocTestParser().get_examples(page.read_text("utf-8"))
    printed = [example.want for example in examples if example.want]
    assert [f"{number.removesuffix(' |')}\n" for number in ours] == printed


def test_contributing_names_files_and_functions_that_are_there() -> None:
    text = MARKDOWN["CONTRIBUTING.md"]
    assert len(text.splitlines()) <= 150
    packages = "".join(text.partition("```text\n")[2].partition("```")[0])
    assert re.findall(r"^(\w+)", packages, re.MULTILINE) == test_layers.PACKAGES[::-1]
    for path, names in re.findall(r"`([\w/]+\.py)`((?:,? `\w+`)+)", text):
        code = (test_layers.PACKAGE / path).read_text("utf-8")
        for name in re.findall(r"`(\w+)`", names):
            assert re.search(rf"(?:def|class) {name}\b", code), (path, name)


# The README

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL))


def test_the_readme_is_short_and_its_links_python_and_study_are_right() -> None:
    assert len(README.splitlines()) <= 60
    assert [link for link in LINK.findall(README) if not (ROOT / link).exists()] == []
    assert re.findall(r"(?m)^make (\w+)", BLOCKS["bash"]) == ["report", "test"]
    rng = np.random.default_rng(1)
    y = rng.random(200) < 0.25
    names: dict[str, Any] = {"y": y, "forest": rng.normal(2 * y), "logit": rng.normal(y)}
    exec(BLOCKS["python"], names)
    assert 0 < names["cost"] < 0.25
    study = parse_study(yaml.safe_load(BLOCKS["yaml"]), files=False)
    assert study.claims[0].models == ("boosting", "scorecard")


def test_the_table_of_speed_is_what_was_measured() -> None:
    rows, text = whole.known(), whole.PAGE.read_text("utf-8")
    assert whole.page(rows) == text
    assert len(whole.page(rows[:1]).splitlines()) == len(text.splitlines()) - len(rows) + 1


def test_a_ratio_that_grew_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    case = whole.Case("a", 100, [], "b", [])
    row = {"what": "a", "rows of each of 3 models": "100", "beside": "b", "ratio": "2"}
    monkeypatch.setattr("sys.argv", ["whole", "--check"])
    monkeypatch.setattr(whole, "cases", lambda: iter([case, case._replace(rows=10**6)]))
    monkeypatch.setattr(whole, "known", lambda: [row])
    for ratio, fails in (("2.4", False), ("2.8", True)):
        monkeypatch.setattr(whole, "compared", lambda *_, now=ratio: row | {"ratio": now})
        with pytest.raises(SystemExit) as ended:
            whole.main()
        assert bool(ended.value.code) is fails
