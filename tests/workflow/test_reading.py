"""Finding one's way on the page: contents, search, sorting, folding, colours, paper."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from costcurves.code import REPORT
from tests.browser import violations, visit

SCORES, DECISIONS = "data/scores", "data/decisions"
USE = "#table-1"  # what to use, by dataset
NUMBERS = "#table-3"  # what each model costs


@pytest.fixture
def page(browser: Browser, browsed: Path) -> Iterator[Page]:
    with visit(browser, browsed) as seen:
        yield seen.page


def element(page: Page, anchor: str) -> Locator:
    return page.locator(f'[id="{anchor}"]')


def tool(page: Page, words: str) -> Locator:
    return page.locator(".tools > button", has_text=words)


def search(page: Page, words: str) -> Locator:
    """Type into the search box, and give what is found."""
    page.keyboard.press("Escape")  # leaves the box, if it is there
    page.keyboard.press("/")
    page.keyboard.type(words)
    return page.locator(".found [role=option]")


def above(page: Page, anchor: str) -> float:
    """How far below the window's upper edge an element begins, in pixels."""
    box = element(page, anchor).bounding_box()
    assert box is not None
    return box["y"]


# Contents


def test_contents_mark_where_the_reader_is(page: Page) -> None:
    marked = page.locator(".contents [aria-current=location]")
    expect(marked).to_have_text("Verdict")
    element(page, f"{SCORES}/cost-curves").evaluate("it => it.scrollIntoView()")
    expect(marked).to_have_text("Cost curves")
    page.locator('.contents a[href="#methods"]').click()  # which unfolds them
    expect(marked).to_have_text("Methods")
    expect(marked).to_be_in_viewport()


def test_contents_open_at_the_dataset_that_is_read(page: Page) -> None:
    inner = [page.locator(f'.contents a[href^="#{one}/"]') for one in (SCORES, DECISIONS)]
    expect(inner[0].first).to_be_hidden()
    element(page, DECISIONS).evaluate("it => it.scrollIntoView()")
    expect(inner[1].first).to_be_visible()
    expect(inner[0].first).to_be_hidden()


# Search


def test_search_finds_sections_captions_and_models(page: Page) -> None:
    found = search(page, "methods of aver")
    places = found.locator(".where").all_inner_texts()
    assert places[:2] == ["Annex, Scores </script><b>", "Annex, Decisions"]
    page.keyboard.press("Escape")
    expect(search(page, "which threshold to u").first).to_contain_text("Table 5.")
    page.keyboard.press("Escape")
    expect(search(page, "trees decisions cost curves").first.locator(".what")).to_have_text("Trees")


def test_search_is_led_by_keys(page: Page) -> None:
    found = search(page, "averaging")
    field = page.locator(".search input")
    expect(field).to_be_focused()
    expect(field).to_have_attribute("aria-expanded", "true")
    expect(found.first).to_have_attribute("aria-selected", "true")
    for key, place in (("ArrowDown", 1), ("ArrowUp", 0), ("ArrowUp", -1), ("ArrowDown", 0)):
        page.keyboard.press(key)
        at = found.last if place < 0 else found.nth(place)
        expect(at).to_have_attribute("aria-selected", "true")
        assert field.get_attribute("aria-activedescendant") == at.get_attribute("id")
    page.keyboard.press("Escape")
    expect(field).to_have_value("")
    expect(field).to_have_attribute("aria-expanded", "false")
    expect(page.locator(".found ul")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(field).not_to_be_focused()


def test_enter_goes_to_what_was_found(page: Page) -> None:
    tool(page, "Fold all").click()
    search(page, "provenance")
    page.keyboard.press("Enter")
    expect(element(page, "provenance")).to_be_focused()
    assert 0 <= above(page, "provenance") < 900
    expect(element(page, "provenance").locator("table")).to_be_visible()


def test_a_click_goes_to_what_was_found(page: Page) -> None:
    search(page, "trees").last.click()
    assert "Trees" in page.evaluate("document.activeElement.textContent")


def test_what_is_found_lies_above_the_page(page: Page) -> None:
    search(page, "trees")
    over = """([last, box] = [...document.querySelectorAll('.found li')].slice(-1).map((it) =>
        [it, it.getBoundingClientRect()])[0]) =>
        last.contains(document.elementFromPoint(box.right - 20, box.top + 5))"""
    page.locator(".found [role=option]").last.scroll_into_view_if_needed()
    assert page.evaluate(f"({over})()")


def test_search_says_when_it_finds_nothing_or_much(page: Page) -> None:
    status = page.locator(".found [role=status]")
    search(page, "zzzz")
    expect(status).to_have_text("Nothing found")
    page.keyboard.press("Escape")
    expect(search(page, "e")).to_have_count(12)
    expect(status).to_contain_text("the first 12 shown")


def test_hostile_names_are_found_as_text(page: Page) -> None:
    expect(search(page, "</script").first).to_contain_text("</script")


def test_a_slash_that_is_typed_stays_a_slash(page: Page) -> None:
    page.keyboard.press("/")
    page.keyboard.type("a/b")
    expect(page.locator(".search input")).to_have_value("a/b")


# Sorting


def column(page: Page, table: str, place: int) -> list[list[str]]:
    """What a column shows, group by group."""
    script = """([table, place]) => [...document.querySelector(table).tBodies].map((body) =>
        [...body.rows].filter((row) => row.cells.length > 1 && !row.hidden).map(({ cells }) =>
            [...cells[place].childNodes].filter((it) => it.className !== 'at')
                .map((it) => it.textContent).join('').trim()))"""
    found: list[list[str]] = page.evaluate(script, [table, place])
    return found


def test_tables_sort_by_number_within_their_groups_and_back(page: Page) -> None:
    before = column(page, USE, 2)
    head = page.locator(f"{USE} thead th").nth(2)
    for order, reverse in (("ascending", False), ("descending", True)):
        head.get_by_role("button").click()
        assert head.get_attribute("aria-sort") == order
        now = column(page, USE, 2)
        assert now == [sorted(group, key=float, reverse=reverse) for group in before]
    titles = page.locator(f"{USE} tbody > tr:first-child > th[scope=rowgroup]")
    assert titles.count() == len(before)
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") is None
    assert column(page, USE, 2) == before


def test_tables_sort_by_words(page: Page) -> None:
    before = column(page, NUMBERS, 0)
    page.locator(f"{NUMBERS} thead th").first.get_by_role("button").press("Enter")
    after = column(page, NUMBERS, 0)
    assert after == [sorted(group, key=str.casefold) for group in before]
    assert after != before


def test_columns_of_pictures_have_no_order(page: Page) -> None:
    heads = page.locator("#table-2 thead th")
    strips = page.locator("#table-2 td:has(img.strip)")
    assert strips.count() == page.locator("#table-2 tbody tr:has(td)").count()
    assert [one.get_by_role("button").count() for one in heads.all()] == [1, 0]


def test_sorting_is_stable_and_puts_what_is_missing_last(browser: Browser, tmp_path: Path) -> None:
    rows = [
        ("a", "0.2"),
        ("b", "\u2014"),
        ("c", "\u22120.1"),
        ("d", "0.2"),
        ("e", "1:4"),
        ("f", "3:1"),
    ]
    body = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in rows)
    head = "<thead><tr><th>Name</th><th class=n>Value</th></tr></thead>"
    script = "".join(
        (REPORT / "scripts" / name).read_text("utf-8")
        for name in ("begin.js", "make.js", "tables.js")
    )
    file = tmp_path / "page.html"
    file.write_text(
        f"<!DOCTYPE html><meta charset=utf-8><p id=contents><main><table>{head}<tbody>{body}"
        f"</table></main><script>{script}</script>",
        encoding="utf-8",
    )
    with visit(browser, file) as seen:
        for expected in ("cadefb", "feadcb", "abcdef"):
            seen.page.get_by_role("button", name="Value").click()
            (names,) = column(seen.page, "table", 0)
            assert "".join(names) == expected


# Folding


def test_sections_fold_and_unfold(page: Page) -> None:
    section = element(page, DECISIONS)
    button = section.locator("h2 > button")
    expect(button).to_have_attribute("aria-expanded", "true")
    button.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "false")
    expect(section.locator("table").first).to_be_hidden()
    expect(button).to_be_visible()
    button.click()
    expect(section.locator("table").first).to_be_visible()


def test_the_annex_is_folded_at_first(page: Page) -> None:
    annex = element(page, "annex")
    tables = annex.locator("table[id^=table-]")
    button = annex.locator("h2 > button")
    expect(button).to_be_visible()
    expect(button).to_have_attribute("aria-expanded", "false")
    folded = page.locator(".folded").evaluate_all("all => all.map((one) => one.id)")
    assert folded == [f"{DECISIONS}/duality", "methods", "references", "provenance", "annex"]
    expect(tables.locator("visible=true")).to_have_count(0)
    button.click()
    expect(tables.locator("visible=true")).to_have_count(tables.count())


def test_all_sections_fold_but_the_verdict(page: Page) -> None:
    tool(page, "Fold all").click()
    expect(page.locator("#verdict table").first).to_be_visible()
    expect(page.locator("main section:not(#verdict) table:visible")).to_have_count(0)
    tool(page, "Unfold all").click()
    expect(page.locator("main section:not(#verdict) table:visible").first).to_be_visible()
    expect(page.locator(".folded")).to_have_count(0)


def test_what_a_link_leads_to_unfolds(page: Page) -> None:
    for _ in range(2):  # the second time the fragment does not change
        tool(page, "Fold all").click()
        page.locator('#verdict a[href="#methods/measured"]').click()
        expect(element(page, "methods/measured")).to_be_in_viewport()
        assert abs(above(page, "methods/measured")) < 60
    expect(element(page, "references").locator("li").first).to_be_hidden()


def test_a_broken_fragment_leads_nowhere(browser: Browser, browsed: Path) -> None:
    with visit(browser, browsed, fragment="#%E0") as seen:
        assert seen.number("scrollY") == 0


def test_a_fragment_unfolds_what_it_names(page: Page) -> None:
    tool(page, "Fold all").click()
    page.evaluate(f"location.hash = '#{SCORES}/differences'")
    expect(element(page, f"{SCORES}/differences").locator("table").first).to_be_visible()
    assert abs(above(page, f"{SCORES}/differences")) < 60


# Colours and paper


def ground(page: Page) -> str:
    found: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_system_until_they_are_chosen(
    browser: Browser, browsed: Path, scheme: str
) -> None:
    light, dark = "rgb(255, 255, 255)", "rgb(21, 23, 26)"
    with visit(browser, browsed, color_scheme=scheme) as seen:
        page = seen.page
        own, other = (light, dark) if scheme == "light" else (dark, light)
        assert ground(page) == own
        words = {"light": "Light", "dark": "Dark"}
        tool(page, words["dark" if scheme == "light" else "light"]).click()
        assert ground(page) == other
        page.emulate_media(color_scheme="dark" if scheme == "light" else "light")
        assert ground(page) == other
        tool(page, words[scheme]).click()
        assert ground(page) == own


def test_paper_shows_everything_and_no_tools(page: Page) -> None:
    tool(page, "Fold all").click()
    tool(page, "Dark").click()
    page.emulate_media(media="print")
    tables = page.locator("main table[id^=table-]")
    expect(page.locator("main table[id^=table-]:visible")).to_have_count(tables.count())
    expect(page.locator(".contents")).to_be_hidden()
    assert ground(page) == "rgb(255, 255, 255)"


# Everybody


def test_without_scripts_there_are_no_controls(browser: Browser, browsed: Path) -> None:
    with visit(browser, browsed, java_script_enabled=False) as seen:
        assert seen.page.locator("button:visible, input:visible").count() == 0
        assert seen.page.locator("main table:visible").count() > 10


@pytest.mark.parametrize("width", [390, 1280])
def test_controls_are_no_grave_obstacle(browser: Browser, browsed: Path, width: int) -> None:
    with visit(browser, browsed, fragment="#annex", width=width, bypass_csp=True) as seen:
        search(seen.page, "trees")
        seen.page.locator("main thead button:visible").first.click()
        search(seen.page, "trees")
        assert violations(seen) == []
        wide = seen.number("document.documentElement.scrollWidth")
        assert wide <= width
