"""From the report's values to one HTML file and one PDF, by the same templates."""

import gc
import os
from base64 import b64encode
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Literal

from jinja2 import Environment, Undefined, bccache
from markupsafe import Markup, escape

from costcurves.code import CACHE, REPORT, all_files
from costcurves.record.manifest import code_hash
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
# Where the page's style and its hash go; no text of a user's is ever like them: it is escaped.
STYLE: Final = Markup("<style/>")
STYLE_HASH: Final = Markup("<hash/>")
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
    styles = [*ours, *fonts, *swatches]
    script = "".join(_lean(REPORT / "scripts" / name, "//") for name in SCRIPTS)
    figures = FigureElements()
    template = _environment(medium, figures).get_template("templates/report.html.j2")
    page = template.render(
        report=report,
        sections=report.sections[medium == "print" :],  # the cover has the first
        style=STYLE,
        style_hash=STYLE_HASH,
        script=Markup(script),  # noqa: S704 - our own
        script_hash=_hash(script),
    )
    style = "\n".join([*styles, figures.style()])  # known when all figures have been written
    return page.replace(STYLE_HASH, _hash(style), 1).replace(STYLE, style, 1)


def _lean(file: Path, comment: str) -> str:
    """Read a style or a script without indents and comments, which are lines that begin so."""
    lines = [line.strip() for line in file.read_text("utf-8").splitlines()]
    return "".join(f"{line}\n" for line in lines if line and not line.startswith(comment))


def _hash(source: str) -> str:
    """Name a style or a script as a Content-Security-Policy does."""
    return f"sha256-{b64encode(sha256(source.encode()).digest()).decode()}"


@cache
def _code() -> str:
    return f"{version('jinja2')} {code_hash(all_files())}"


class Compiled(bccache.FileSystemBytecodeCache):
    """Templates as earlier runs compiled them; where none can be kept, each run takes longer."""

    def get_source_checksum(self, source: str) -> str:
        """Tell templates apart by the code, too: what filters make of constants is compiled."""
        return super().get_source_checksum(f"{_code()} {source}")

    def dump_bytecode(self, bucket: bccache.Bucket) -> None:
        """Keep a template."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def _compiled(medium: Medium) -> Compiled | None:
    """Return the folder of compiled templates; None where others could write what is run there."""
    folder = CACHE / "costcurves" / f"templates-{medium}"
    with suppress(OSError, AttributeError):  # Windows has no owners
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
        if status.st_uid == os.getuid() and not status.st_mode & 0o022:
            return Compiled(str(folder))
    return None


def _environment(medium: Medium, figures: FigureElements | None = None) -> Environment:
    """Set up the templates of a medium."""
    show = text if medium == "screen" else on_paper
    made = environment(show, autoescape=True, bytecode_cache=_compiled(medium))
    elements = figures or FigureElements()
    made.filters["inline"] = lambda svg, alt: Markup(elements.inline(svg, alt))  # noqa: S704
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
    function.__name__: function for function in (paper_uri, capped, sizes, completed, each, written)
}


def _fetcher() -> Any:
    """Make what WeasyPrint fetches with: data addresses and the report's fonts, nothing else."""
    from weasyprint import urls

    library: Any = urls
    fonts = {f"font:{font}": FOLDER / f"{font}.ttf" for font in FONTS}

    def fetch(self: Any, url: str, headers: Any = None) -> Any:
        if url in fonts:
            return library.URLFetcherResponse(url, fonts[url].read_bytes())
        return library.URLFetcher.fetch(self, url, headers)

    kind = type("Fetcher", (library.URLFetcher,), {"fetch": fetch})
    return kind(allowed_protocols={"data"}, fail_on_errors=True)
