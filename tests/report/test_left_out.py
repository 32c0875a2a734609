"""What page 1 has no room for is in the sections of datasets; classes of one dataset are one."""

import re

import pandas as pd

from costcurves.report import rendering
from costcurves.report.document import Report
from costcurves.report.rendering import html
from costcurves.tables.inference.map import MAP, leading_pairs
from tests.fake_report import Models, assembled, dataset, report, row, study, tables


def crowd(count: int) -> Models:
    """As many models; the dearer ones come first, and the last one is the cheapest."""
    return {f"M{place:02}": (0.32 - 0.011 * place, 0.2) for place in range(count)}


def test_page_1_shows_the_models_with_the_least_areas_and_their_section_all() -> None:
    made = report(crowd(12))
    found, own = made.sections[0].content, made.sections[1].content
    (group,) = found.running.rows
    best = [f"M{place:02}" for place in range(11, 1, -1)]
    assert ([row.model.name for row in group.rows], group.hidden) == (best, 2)
    areas = tables(crowd(12))["measures"].query("headline").set_index("model")["area"]
    assert [*areas.sort_values().index[:10]] == best
    ((whole,),) = [own.running.rows]
    assert [row.model.name for row in whole.rows] == [*best, "M01", "M00"]
    written = html(made)
    assert "10 of 12 rows; others by dataset" in written
    assert written.index(f'id="{own.running.anchor}"') > written.index('id="data/toy"')
    assert report(crowd(10)).sections[1].content.running is None


def test_a_dataset_that_page_1_has_no_room_for_has_its_strips_in_its_section() -> None:
    each = [dataset(f"d{place}", f"D{place}") for place in range(6)]
    made = report(crowd(9), datasets=each)
    page1, *sections = made.sections
    assert [it.facts.slug for it in page1.content.shown] == ["d0", "d1", "d2", "d3", "d4"]
    own = [it.content.running for it in sections if it.part == "dataset"]
    assert [it is not None for it in own] == [False] * 5 + [True]
    assert len(own[-1].rows[0].rows) == 9
    assert "45 of 54 rows; others by dataset" in html(made)


def test_conditions_that_page_1_leaves_out_are_in_the_section() -> None:
    pcs = (0.1, 0.2, 0.3, 0.4, 0.6, 0.8)
    made = assembled({"toy": tables(conditions=pcs)})
    (group,) = made.sections[0].content.use.rows
    assert ([row.condition.text for row in group.rows], group.hidden) == (["PC(+) = 0.1"], 5)
    (own,) = made.sections[1].content.use.rows
    assert [row.condition.text for row in own.rows] == [f"PC(+) = {pc:g}" for pc in pcs]
    assert "1 of 6 rows; others by dataset" in html(made)
    assert report().sections[1].content.use is None


def test_on_paper_page_1_is_brief_where_a_section_says_how_its_table_is_read() -> None:
    two = {slug: tables(conditions=(0.1, 0.3)) for slug in ("one", "two")}
    made = assembled(two, study(datasets=[dataset(slug, slug) for slug in two]))
    small = '<span class="small">Small</span>:'
    brief, full = f"{small} 90\u202f% confidence", f"5:1: a miss costs five false alarms. {small}"
    cover, one, other = _parts(rendering._page(made, "print"))
    assert brief in cover
    assert full not in cover
    assert 'class="condition">PC(+) = 0.1</th>' in cover
    assert full in one
    (anchor,) = re.findall(r'<a class="like" href="#([^"]*)">How to read it</a>', _table(other))
    assert f'<table id="{anchor}"' in one
    on_screen = re.findall('<a class="like" href="#([^"]*)">', html(made))
    assert on_screen[:2] == [made.sections[0].content.use.anchor] * 2


def _parts(page: str) -> list[str]:
    """Split a page before each dataset."""
    return page.split('<section id="data/')[:1] + re.findall(
        r'<section id="data/\w+".*?(?=<section id="(?:data/\w+"|methods))', page, re.DOTALL
    )


def _table(part: str) -> str:
    """Give the first table of a part, with the note beneath it."""
    return part.split("<table", 2)[1].split("<h3", 1)[0]


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
    assert made.sections[0].content.together is None
    written = html(made)
    assert "1 dataset in 3 classes, 3 models, 100 cases. " in written
    for words in ("3 datasets", "All datasets", "it cannot find anything"):
        assert words not in written


def test_with_two_other_datasets_there_is_a_map_that_says_who_has_a_vote() -> None:
    made = of_classes("one", "two")
    assert [one.part for one in made.sections[:2]] == ["verdict", "map"]
    written = html(made)
    assert "3 datasets (5 with each class), 3 models, 300 cases. " in written
    assert "(its classes share one, in-sample curves have none)" in written
    assert ">Datasets and classes</th>" in written
    assert "With 3 votes no p can be that small" in written


def test_what_counts_sections_says_that_some_are_classes() -> None:
    made = of_classes("one", "two", "three", "four")
    page = made.sections[0].content
    assert page.together.facts.title == "All 5 datasets (7 with each class)"
