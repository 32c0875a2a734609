"""The control of page 1 in a browser: at each ratio and share its lines are those of the tables."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from costcurves import formats
from costcurves.curves.cost_space import pc_from_ratio
from costcurves.report.control import SHARES
from tests.browsed_study import browsed_tables
from tests.browser import Visit, visit, write_page
from tests.fake_report import assembled, study, tables
from tests.report.lowest import lowest

SET = """(input, value) => {
  input.value = value;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}"""
DATASETS = ("scores", "decisions")


@pytest.fixture
def seen(browser: Browser, browsed: Path) -> Iterator[Visit]:
    with visit(browser, browsed) as seen:
        yield seen


def lines(seen: Visit, dataset: str) -> list[str]:
    """Where the lines of a dataset stand, what they call the decision, and the four of them."""
    front = seen.page.locator(f'[id="front/{dataset}"]')
    texts = front.locator(".where, dt:first-child, dd").all_inner_texts()
    return [" ".join(text.split()) for text in texts]


def ratio_of(words: str) -> float:
    missed, alarm = map(float, words.split(":"))
    return missed / alarm


def check_lines(lines_of: list[str], name: str, ratio: float, share: float | None) -> float:
    """Compare the lines with the tables; return the PC(+)."""
    made = browsed_tables()[name]
    data_share = float(made["measures"]["prior"].iloc[0])
    prior = data_share if share is None else share
    pc = float(pc_from_ratio(ratio, prior))
    where, term, decision, how, happens, compared = lines_of
    place = f" and {100 * prior:g} % positives" * (prior != data_share)
    assert where == f"at {formats.ratio(ratio)}{place}, PC(+) {formats.pc(pc)}"
    best = lowest(made.__getitem__, pc)
    assert re.split("; not ruled out: ", decision)[0] == best.name
    assert (term == "Use") is (not best.others)
    assert all(other in decision for other in best.others)
    counts = [1000 * prior * best.fn, 1000 * (1 - prior) * best.fp]
    numbers = [float(number) for number in re.findall(r"[\d.]+", happens.replace(" ", ""))]
    assert numbers[:2] == pytest.approx(counts, abs=0.51)
    assert numbers[2] == pytest.approx(counts[0] * ratio + counts[1], rel=0.06, abs=0.51)
    assert (how == "no model is needed") is best.name.startswith("always")
    assert not best.others & {*re.findall(r"less than (\S.*?) \(\d", compared)}
    return pc


def test_at_every_ratio_and_share_the_lines_are_those_of_the_tables(seen: Visit) -> None:
    slider, select = seen.page.locator(".control input"), seen.page.locator(".control select")
    last = int(str(slider.get_attribute("max")))
    for option, share in enumerate((None, *SHARES)):
        select.select_option(index=option)
        for step in range(last % 4, last + 1, 4):
            slider.evaluate(SET, step)
            words = str(seen.page.locator(".control output").text_content())
            assert slider.get_attribute("aria-valuetext") == words
            for name in DATASETS:
                pc = check_lines(lines(seen, name), name, ratio_of(words), share)
                reader = seen.page.locator(f'[id="front/{name}"] .reader')
                assert reader.locator("text").text_content() == words
                path = str(reader.locator("path").get_attribute("d"))
                assert float(path[1:].split()[0]) == pytest.approx(20 + 220 * pc, abs=0.02)
        note = seen.page.get_by_text("stay at the data\u2019s own share")
        assert note.is_visible() is (share is not None)


def test_ratios_are_kept_when_the_share_changes_and_all_can_be_reset(seen: Visit) -> None:
    before = [lines(seen, name) for name in DATASETS]
    output = seen.page.locator(".control output")
    seen.page.locator(".control input").focus()
    for _ in range(4):
        seen.page.keyboard.press("ArrowRight")
    expect(output).to_have_text("2.5:1")
    seen.page.locator(".control select").select_option(label="5\u202f%")
    expect(output).to_have_text("2.5:1")
    assert lines(seen, "scores")[0].startswith("at 2.5:1 and 5 % positives, PC(+) 0.12")
    heard = seen.page.locator(".control [aria-live]")
    expect(heard).to_contain_text(
        f"Scores </script><b>: lowest estimate, {lines(seen, 'scores')[2]}"
    )
    seen.page.get_by_role("button", name="Reset").click()
    assert [lines(seen, name) for name in DATASETS] == before
    assert not seen.page.locator(".reader").first.is_visible()


def test_costs_at_a_readers_ratio_are_in_the_unit_of_a_false_alarm(
    browser: Browser, tmp_path: Path
) -> None:
    named = {"name": "PC(+) = 0.5", "cost_fn": 3, "cost_fp": 2, "unit": "<i>kr"}
    made = assembled({"toy": tables()}, study(operating_conditions=[named]))
    with visit(browser, write_page(made, tmp_path)) as seen:
        front = seen.page.locator('[id="front/toy"]')
        expect(front).to_contain_text("at PC(+) = 0.5, 1.5:1")
        expect(front).to_contain_text("360 <i>kr of mistakes (288\u2013432)")  # 0.15 of 2400
        slider = seen.page.locator(".control input")
        slider.evaluate(SET, int(str(slider.get_attribute("max"))))
        expect(front).to_contain_text("<i>kr of mistakes")
