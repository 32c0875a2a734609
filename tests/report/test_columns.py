"""Figures as wide as a journal's columns."""

from pathlib import Path

import pytest
from matplotlib.figure import Figure
from pikepdf import Pdf

from costcurves.archive.columns import HIGHEST, INCH, POINTS, Misfits, _Column


def test_a_figure_that_is_too_high_is_drawn_smaller(tmp_path: Path) -> None:
    misfits: Misfits = {}
    column = _Column(tmp_path, 89, "DejaVu Sans", 7.0, misfits)
    column.save([(lambda: Figure(figsize=(3.0, 11.0)), tmp_path / "tall")])
    assert not misfits
    with Pdf.open(tmp_path / "tall.pdf") as made:
        _, _, width, height = map(float, made.pages[0].MediaBox)
    assert height == pytest.approx(HIGHEST / INCH * POINTS, rel=1e-3)
    assert width / height == pytest.approx(3 / 11, rel=1e-3)
    assert f'height="{HIGHEST:.2f}mm"' in (tmp_path / "tall.svg").read_text()
