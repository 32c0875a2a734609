"""Words of a table are broken only where a page might have no room for them."""

from collections.abc import Iterator
from typing import Any

import pytest

from costcurves.report import rendering
from tests.fake_report import assembled, tables

PAPER, MARGIN = 210 * 96 / 25.4, 13 * 96 / 25.4  # widths in CSS pixels


# What a page makes of it

NAMES = {"C4.5": (0.2, 0.1), "C4.5 undersampled": (0.3, 0.2), "HistGradientBoosting": (0.2, 0.2)}
CONDITIONS = (0.2, 0.4, 0.6, 0.8)


def texts() -> Iterator[Any]:
    """Every piece of text in the tables of a report and its appendix, on paper."""
    data = tables(NAMES, conditions=CONDITIONS)
    data["constructions"] = data["constructions"].assign(exceeded=5600, folds=10_000)
    made = assembled({"toy": data})
    import weasyprint

    page, fetcher = rendering._page(made, "print"), rendering._fetcher()
    laid: Any = weasyprint.HTML(string=page, url_fetcher=fetcher).render()
    for sheet in laid.pages:
        for table in sheet._page_box.descendants():
            if type(table).__name__ == "TableBox":
                yield from (it for it in table.descendants() if type(it).__name__ == "TextBox")


@pytest.mark.usefixtures("pango")
def test_names_and_intervals_stay_whole_and_in_their_place_where_a_table_is_crowded() -> None:
    found = list(texts())
    words = {word.rstrip(",") for box in found for word in box.text.split() if word != ","}
    assert {"undersampled", "HistGradientBoosting"} <= words
    assert not {word for word in words if word.startswith("undersam")} - {"undersampled"}
    assert not [word for word in words if word[0] == "(" and word.endswith("\N{EN DASH}")]
    assert [box.text for box in found].count("5600 of 10\N{NARROW NO-BREAK SPACE}000") == 6
    right = max(box.position_x + box.width for box in found)
    assert right <= PAPER - MARGIN + 0.5
