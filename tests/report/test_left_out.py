"""What page 1 has no room for is in the sections of datasets; classes of one dataset are one."""

import pandas as pd

from costcurves.many.map import MAP, leading_pairs
from costcurves.report import rendering
from costcurves.report.document import Report
from costcurves.report.rendering import html
from tests.fake_report import assembled, dataset, row, study, tables


def test_how_tables_of_what_to_use_are_read_is_said_once() -> None:
    two = {slug: tables(conditions=(0.1, 0.3)) for slug in ("one", "two")}
    made = assembled(two, study(datasets=[dataset(slug, slug) for slug in two]))
    for medium in ("screen", "print"):
        page = rendering._page(made, medium)
        first, second = (one.content.use.anchor for one in made.sections if one.part == "dataset")
        assert page.count(f'<a class="like" href="#{first}">How to read it</a>') == 1
        assert page.index(f'<table id="{first}"') < page.index(f'<table id="{second}"')


def of_classes(*others: str) -> Report:
    """The report of one dataset in three classes, and perhaps of others."""
    classes = {"name": "tea", "predictions": ["tea.csv"], "classes": ["red", "green", "black"]}
    several = study(datasets=[*(dataset(it, it) for it in others), classes])
    counts = fake_map(len(several.datasets), 1 + len(others))
    every = {one.slug: tables() for one in several.datasets}
    return assembled({**every, "": {"map": counts}}, several)


def fake_map(rows: int, voters: int) -> pd.DataFrame:
    """What the sign test of one pair says of so many rows with a vote for each voter."""
    said: dict[str, object] = {
        "a_cheaper": rows,
        "a_lower": voters,
        "pc_to": 1.0,
        "p_value": 2.0 ** (1 - voters),
    }
    said |= {"finding": "undecided", "familywise": 0.9, "confidence": 0.9}
    pair = {"family": "all pairs", "model_a": "A", "model_b": "B"}
    found = pd.DataFrame([row(MAP, pair, said)])
    return found.assign(shown="most decided" if leading_pairs(found) else "")


def test_the_classes_of_a_dataset_are_one_dataset_and_have_no_map() -> None:
    made = of_classes()
    assert [one.part for one in made.sections[:2]] == ["verdict", "classes"]
    assert made.sections[0].content.answer.votes is None
    written = html(made)
    assert "1 dataset (3 with each class), 3 models, 100 cases.</p>" in written
    for words in ("3 datasets", "All datasets", "unanimous"):
        assert words not in written


def test_with_two_other_datasets_there_is_a_map_that_says_who_has_a_vote() -> None:
    made = of_classes("one", "two")
    assert [one.part for one in made.sections[:2]] == ["verdict", "map"]
    written = html(made)
    assert "3 datasets (5 with each class), 3 models, 300 cases.</p>" in written
    assert "(its classes share one, in-sample curves have none)" in written
    assert ">Datasets and classes</th>" in written
    assert "With 3 votes even a unanimous vote has a chance of 0.250" in written


def test_what_counts_sections_says_that_some_are_classes() -> None:
    made = of_classes("one", "two", "three", "four")
    assert " of 7 datasets and classes." in html(made)
