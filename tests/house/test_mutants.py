"""The deliberate mistakes: each can still be made, in one place."""

import ast
import json
from pathlib import Path

import pytest

from tests.mutants import AREAS, Mistake, mistakes
from tests.mutants.__main__ import SCORE

ROOT = Path(__file__).parents[2]
MEASURED = json.loads(SCORE.read_text("utf-8")) if SCORE.is_file() else {}
ALL = [one for area in AREAS for one in mistakes(area)]


def test_there_are_many_and_each_says_something_else() -> None:
    assert len(ALL) >= 500
    assert len({one.reader for one in ALL}) == len(ALL)


@pytest.mark.parametrize("one", ALL, ids=[one.reader for one in ALL])
def test_a_mistake_can_be_made_in_one_place(one: Mistake) -> None:
    text = (ROOT / one.file).read_text("utf-8")
    assert text.count(one.old) == 1, f"{one.file}: {one.old}"
    assert one.old != one.new
    if one.file.endswith(".py"):
        ast.parse(text.replace(one.old, one.new))
    assert one.tests
    for name in one.tests:
        assert len(list((ROOT / "tests").glob(f"*/test_{name}.py"))) == 1


@pytest.mark.parametrize("area", MEASURED)
def test_nearly_all_mistakes_of_an_area_are_found(area: str) -> None:
    found = [bool(test) for test in MEASURED[area].values()]
    assert sum(found) >= 0.95 * len(found)


@pytest.mark.parametrize("area", MEASURED)
def test_the_score_covers_the_list_and_what_survives_has_a_reason(area: str) -> None:
    score = MEASURED[area]
    listed = [one for one in ALL if one.area == area]
    assert list(score) == [one.reader for one in listed], f"run make mutants AREA={area}"
    for one in listed:
        assert score[one.reader] or one.why, f"{one.file}: no test finds that {one.reader}"
