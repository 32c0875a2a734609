"""A figure's files show the same picture."""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import pikepdf
from matplotlib.figure import Figure

from costcurves.figures import saving, style
from tests.drawn import as_drawn


def saved(folder: Path, *words: str) -> Iterator[Path]:
    """Save figures of 3, 4 and so on by 2 inches with some words; give their paths."""
    figures = []
    with style.house_style():
        for width, text in enumerate(words, start=3):
            figure = Figure(figsize=(width, 2))
            figure.text(0.5, 0.5, text, ha="center", weight="bold" if width > 3 else "normal")
            figures.append((as_drawn(figure), folder / str(width)))
    saving.save(figures)
    return (stem for _, stem in figures)


def test_each_figure_has_a_pdf_of_its_own_with_the_fonts_that_it_names(tmp_path: Path) -> None:
    sizes, fonts = [], []
    for stem in saved(tmp_path, "plain", "bold", "bolder"):
        with pikepdf.open(f"{stem}.pdf") as file:
            (page,) = file.pages
            sizes.append([float(it) for it in page.mediabox][2:])
            fonts.append([str(one.BaseFont)[8:] for one in page.resources.Font.values()])
            assert str(file.docinfo.Creator) == "costcurves"
    assert sizes == [[216, 144], [288, 144], [360, 144]]
    assert fonts == [["DejaVuSans"], ["DejaVuSans-Bold"], ["DejaVuSans-Bold"]]


def test_no_figures_are_no_files(tmp_path: Path) -> None:
    saving.save([])
    assert not [*tmp_path.iterdir()]


def test_a_letter_that_no_svg_may_hold_is_replaced(tmp_path: Path) -> None:
    (stem,) = saved(tmp_path, "a\uffffb")
    ElementTree.parse(f"{stem}.svg")
    root = ElementTree.parse(f"{stem}.text.svg").getroot()
    assert "a\ufffdb" in ["".join(it.itertext()) for it in root.iter()]


def test_drawn_once_an_svg_is_what_matplotlib_draws_twice() -> None:
    with style.house_style(), style.any_glyph():
        figure = Figure(figsize=(4, 3))
        axes = figure.add_subplot(xlabel="PC(+) \u2212 \u05d0", title="two\nlines <b>")
        axes.plot([0, 1, 0.4], marker="o")
        figure.text(0.2, 0.5, "", rotation=30)
        figure.text(0.2, 0.5, "turned", rotation=30, weight="bold")
        both = saving.drawn(figure)
        for form, drawn in (("none", both.words), ("path", both.outlines)):
            file = StringIO()
            with mpl.rc_context({"svg.fonttype": form}):
                figure.savefig(file, format="svg", metadata=saving.SVG)
            assert drawn == file.getvalue()
