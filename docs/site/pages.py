"""Write the pages of the site into a folder, from where they lie in the repository.

The pages are plain Markdown, which reads well on its own. What the site adds is made here: pages
with figures are run and have to print what they show, links lead to the pages' new places, lists
become cards, and contents follow `CONTENTS`.
"""

import io
import os
import re
import shutil
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "workflow")]

import costcurves  # noqa: E402
from tests.documented import run  # noqa: E402

# Each section begins with its first page.
CONTENTS: Final = {
    "Get started": "docs/get-started.md docs/from-scikit-learn.md docs/from-a-file.md"
    " docs/from-a-paper.md docs/from-a-platform.md docs/read-a-report.md",
    "Guides": "docs/money.md docs/thresholds.md docs/how-to-costs.md docs/how-to-cases.md"
    " docs/claims.md docs/messages.md docs/verify.md docs/workflows.md docs/clinicians.md"
    " docs/credit.md docs/fraud.md",
    "Concepts": "docs/concepts.md docs/coming-from.md docs/coverage.md docs/papers.md"
    " docs/papers-code.md docs/derivations.md",
    "Gallery": "docs/gallery/GALLERY_HEADER.rst",
    "Reference": "docs/api.md docs/commands.md config/README.md docs/prediction-files.md"
    " docs/recipes.md docs/glossary.md data/README.md",
    "Project": "CONTRIBUTING.md CHANGELOG.md SECURITY.md CODE_OF_CONDUCT.md",
}
NAMES: Final = {
    "docs/README.md": "index",
    "config/README.md": "configuration",
    "data/README.md": "data",
    "docs/gallery/GALLERY_HEADER.rst": "gallery/index",
}
LINK: Final = re.compile(r"(\]\()(?!https?:|mailto:)([^)#\s]+)")
CARDS: Final = re.compile(r"<!-- cards -->\n\n((?:- .*\n(?:  .*\n)*)+)")
CARD: Final = re.compile(r"- \[(.+?)\]\((.+?)\): ((?:.|\n(?!- ))+)\n")


def name_of(page: str) -> str:
    """Return the name of a page on the site."""
    return NAMES.get(page) or Path(page).stem.lower().replace("_", "-")


SECTIONS: Final = {title: pages.split() for title, pages in CONTENTS.items()}
PAGES: Final = {
    page: name_of(page)
    for page in ("docs/README.md", *(page for pages in SECTIONS.values() for page in pages))
}


def written(page: str, folder: Path) -> str:
    """Run a page, write the figures that it draws, and return it as the site has it."""
    source = ROOT / page
    text = source.read_text("utf-8")
    if "](figures/" in text:  # the outputs of other pages are compared by the tests alone
        with redirect_stderr(io.StringIO()) as messages:
            shown, figures = run(source)
        if shown != text:
            finding = f"{page} prints something else than it shows: run 'make approve'"
            raise SystemExit(f"{finding}\n{messages.getvalue()}")
        for name, drawn in figures.items():
            (folder / name).write_bytes(drawn)
    if page == "docs/api.md":
        _, begin, listed = str(costcurves.__doc__).partition("\n.. [")
        text += f"\n```{{eval-rst}}{begin}{listed}```\n"

    def moved(link: re.Match[str]) -> str:
        target = (source.parent / link[2]).resolve()
        if not target.is_file():
            raise SystemExit(f"{page} links to {link[2]}, which is no file")
        place = target.relative_to(ROOT).as_posix()
        if place in PAGES:
            return f"{link[1]}{PAGES[place]}.{'rst' if place.endswith('rst') else 'md'}"
        if place.startswith("docs/figures/"):
            return f"{link[1]}figures/{target.name}"
        copy = folder / "files" / place
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(target, copy)
        return f"{link[1]}files/{place}"

    return CARDS.sub(_cards, LINK.sub(moved, text))


def _cards(cards: re.Match[str]) -> str:
    """Make a grid of a list of links."""
    links = CARD.findall(cards[1])
    items = "".join(
        f":::{{grid-item-card}} {title}\n:link: {link.removesuffix('.md').removesuffix('.rst')}\n"
        f":link-type: doc\n\n{words[0].upper()}{words[1:]}\n:::\n"
        for title, link, words in links
    )
    columns = 3 if len(links) % 3 == 0 else len(links)
    return f"::::{{grid}} 1 2 2 {columns}\n:gutter: 3\n\n{items}::::\n"


def contents() -> dict[str, str]:
    """Return, for the first page and that of each section, the list of what is below it."""
    first = [f"{title} <{PAGES[pages[0]]}>" for title, pages in SECTIONS.items()]
    lists = {"docs/README.md": first}
    lists |= {pages[0]: [PAGES[page] for page in pages[1:]] for pages in SECTIONS.values()}
    return {
        page: "\n".join(["\n```{toctree}\n:hidden:\n", *below, "```\n"])
        for page, below in lists.items()
        if below
    }


def main(folder: Path) -> None:
    """Write all pages, and the scripts of the gallery."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "figures").mkdir(parents=True)
    shutil.copytree(ROOT / "docs/gallery", folder / "examples")
    below = contents()
    pages = [page for page in PAGES if page.endswith(".md")]
    with ProcessPoolExecutor(2) as pool:
        texts = pool.map(written, pages, [folder] * len(pages))
        for page, text in zip(pages, texts, strict=True):
            (folder / f"{PAGES[page]}.md").write_text(text + below.get(page, ""), encoding="utf-8")


if __name__ == "__main__":
    main(ROOT / "build" / "pages")
