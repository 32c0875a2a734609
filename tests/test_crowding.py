"""Words of a table are broken only where a page might have no room for them."""

import pytest

from costcurves.report.crowding import ROOM, crowded


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
