"""A figure's file is one that any reader of SVG takes."""

from pathlib import Path
from xml.etree import ElementTree

from matplotlib.figure import Figure

from costcurves.figures import saving, style
from tests.drawn import as_drawn


def test_no_figures_are_no_files(tmp_path: Path) -> None:
    saving.save([])
    assert not [*tmp_path.iterdir()]


def test_a_letter_that_no_svg_may_hold_is_replaced(tmp_path: Path) -> None:
    with style.house_style():
        figure = Figure(figsize=(3, 2))
        figure.text(0.5, 0.5, "a\uffffb")
    saving.save([(as_drawn(figure), tmp_path / "one")])
    root = ElementTree.parse(tmp_path / "one.svg").getroot()
    assert "a\ufffdb" in ["".join(it.itertext()) for it in root.iter()]
