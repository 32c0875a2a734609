"""Words of a table are broken only where a page might have no room for them."""

from collections.abc import Iterator
from typing import Any

import pytest

from costcurves.report import rendering
from costcurves.report.rendering import ROOM, crowded
from tests.fake_report import assembled, tables

PAPER, MARGIN = 210 * 96 / 25.4, 13 * 96 / 25.4  # widths in CSS pixels


def rows(*texts: tuple[str, ...], kind: str = "") -> str:
    cells = ("".join(f"<td{kind}>{text}</td>" for text in row) for row in texts)
    return "".join(f"<tr>{row}</tr>" for row in cells)


@pytest.mark.parametrize(("letters", "found"), [(ROOM - 2, False), (ROOM - 1, True)])
def test_one_word_as_long_as_the_page_is_crowded(letters: int, found: bool) -> None:
    assert crowded(rows(("x" * letters,))) is found


def test_words_that_have_spaces_between_them_need_no_more_room_than_the_longest() -> None:
    assert not crowded(rows(("word " * 100,)))
    assert not crowded(rows(*[("x" * 40,)] * 10)), "rows are beneath each other"


def test_columns_need_room_side_by_side_also_in_different_rows() -> None:
    assert crowded(rows(("x" * 50, ""), ("", "x" * 50)))


def test_numbers_are_never_broken() -> None:
    assert crowded(rows(("0.1 " * 25,), kind=' class="n"'))
    assert not crowded(rows(("0.1 " * 25,), kind=' class="ranges"'))


def test_marks_are_no_words() -> None:
    assert not crowded(rows((f'<b title="{"x" * 200}">word</b>', "&amp;" * 30)))


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
