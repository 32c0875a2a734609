"""From the report's values to one HTML file and one PDF, by the same templates."""

import gc
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal

from jinja2 import Environment, Undefined
from markupsafe import Markup, escape

from costcurves.code import REPORT
from costcurves.report.answer_text import environment
from costcurves.report.control import written
from costcurves.report.document import Report, capped, sizes
from costcurves.report.pictures import FOLDER, FigureElements, faces, paper_uri, size_of
from costcurves.text import Name, Part, Text, plain

Medium = Literal["screen", "print"]

STYLES: Final[dict[Medium, tuple[str, ...]]] = {
    "screen": ("page.css", "screen.css", "figures.css", "front.css", "explorer.css"),
    "print": ("fonts.css", "page.css", "paper.css"),
}
# In this order they make one script, which runs when the page has been read.
SCRIPTS: Final = ("make.js", "control.js", "tables.js", "geometry.js", "plots.js", "explorer.js")
ROWS: Final[dict[Medium, int]] = {"screen": 400, "print": 48}  # of a table; its CSV has them all
FONTS: Final = ("DejaVuSans", "DejaVuSans-Bold", "DejaVuSans-Oblique", "DejaVuSansMono")


def html(report: Report) -> str:
    """Write the report as one HTML file."""
    return _page(report, "screen")


def pdf(report: Report, identifier: str = "") -> bytes:
    """Write the report as a tagged PDF (PDF/UA-1) of this identifier (ISO 32000-1:2008, 14.4)."""
    page, name = _page(report, "print"), identifier.encode() or None
    return _paper(page, pdf_variant="pdf/ua-1", pdf_identifier=name)


def figure_pdf(svg: str) -> bytes:
    """Write a figure as a PDF of its own size, with fonts embedded."""
    width, height = size_of(svg)
    fonts = _lean(REPORT / "styles" / "fonts.css", "/*")
    sheet = f"{fonts}@page {{ size: {width}pt {height}pt; margin: 0 }}"
    size = f"width: {width}pt; height: {height}pt"
    image = f'<img style="display: block; {size}" src="{paper_uri(svg)}">'
    return _paper(f"<!DOCTYPE html><style>{sheet}</style>{image}")


def _paper(page: str, **options: Any) -> bytes:
    """Write a page as a PDF."""
    import weasyprint  # takes half a second, and Pango

    library: Any = weasyprint
    gc.disable()  # laying out pages makes many objects that all stay in use
    try:
        written: bytes = library.HTML(string=page, url_fetcher=_fetcher()).write_pdf(**options)
    finally:
        gc.enable()
    return written


def _page(report: Report, medium: Medium) -> str:
    """Write the markup of the page or of the PDF."""
    ours = [_lean(REPORT / "styles" / name, "/*") for name in STYLES[medium]]
    fonts = faces(report.letters) if medium == "screen" else []
    swatches = [
        f'.model-{place} {{ background-image: url("{uri}") }}'
        for place, uri in enumerate(report.swatches)
    ]
    script = "".join(_lean(REPORT / "scripts" / name, "//") for name in SCRIPTS)
    template = _environment(medium).get_template("templates/report.html.j2")
    return template.render(
        report=report,
        sections=report.sections[medium == "print" :],  # the cover has the first
        script=script,
        figures=FigureElements([*ours, *fonts, *swatches]),
    )


def _lean(file: Path, comment: str) -> str:
    """Read a style or a script without indents and comments, which are lines that begin so."""
    lines = [line.strip() for line in file.read_text("utf-8").splitlines()]
    return "".join(f"{line}\n" for line in lines if line and not line.startswith(comment))


def policy_hash(source: str) -> str:
    """Name a style or a script as a Content-Security-Policy does."""
    return f"sha256-{b64encode(sha256(source.encode()).digest()).decode()}"


@cache
def _environment(medium: Medium) -> Environment:
    """Set up the templates of a medium."""
    made = environment(text if medium == "screen" else on_paper, autoescape=True)
    made.filters.update(FILTERS)
    made.globals.update(medium=medium, row_limit=ROWS[medium])
    return made


def text(parts: Part | Text) -> Markup:
    """Show a text: names isolated, everything escaped.

    >>> text(("so is ", Name("<b>")))
    Markup('so is <bdi>&lt;b&gt;</bdi>')
    """
    if isinstance(parts, tuple):
        return Markup("").join(map(text, parts))
    if isinstance(parts, Name):
        return Markup("<bdi>{}</bdi>").format(parts.text)
    return escape(parts)


def on_paper(parts: Part | Text) -> Markup:
    """Show a text; names are isolated by characters, as an element in a link would be a link."""
    return escape(plain(parts))


def completed(columns: Sequence[Any]) -> list[Any]:
    """Give columns of a table all they have, (head, form, value, class); no undefined ones."""
    return [
        (*column, *(None, "n" if place else "model")[len(column) - 2 :])
        for place, column in enumerate(columns)
        if not isinstance(column, Undefined)
    ]


def each(
    items: Sequence[Any], form: Any, value: str, head: Any = None, kind: str = "n"
) -> list[Any]:
    """Make a column of each item: its head, by the macro `head`, and rows' value in its place."""
    heads = map(head, items) if head else items
    return [(title, form, f"{value}.{place}", kind) for place, title in enumerate(heads)]


FILTERS: Final = {
    function.__name__: function
    for function in (paper_uri, capped, sizes, completed, each, written, policy_hash)
}


def _fetcher() -> Any:
    """Make what WeasyPrint fetches with: data addresses and the report's fonts, nothing else."""
    from weasyprint import urls

    library: Any = urls
    fonts = {f"font:{font}": FOLDER / f"{font}.ttf" for font in FONTS}

    class Fetcher(library.URLFetcher):  # type: ignore[misc]
        def fetch(self, url: str, headers: Any = None) -> Any:
            if url in fonts:
                return library.URLFetcherResponse(url, fonts[url].read_bytes())
            return super().fetch(url, headers)

    return Fetcher(allowed_protocols={"data"}, fail_on_errors=True)
