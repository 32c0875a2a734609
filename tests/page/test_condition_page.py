"""The page's one control in a browser: what answers for a reader's condition is what tables say."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pikepdf
import pytest
from playwright.sync_api import Browser, Locator, expect

from costcurves import formats
from costcurves.maths.geometry.cost_space import pc_from_ratio, ratio_from_pc
from costcurves.report import rendering, sections
from costcurves.report.document import Report
from costcurves.report.thresholds import used
from costcurves.tables.curves.headline import headline_of
from tests.asymmetric_study import DATASETS, NAME
from tests.browser import TWO_FRAMES, Visit, cut_off, visit, write_page
from tests.fake_report import assembled, dataset, drawings, study, tables
from tests.page.test_explorer_page import PIXEL, SEEN, Figure, curves, numbers
from tests.slow_views import CONDITIONS, Told

SOME = ["loans", "calls", DATASETS[-1]]
CELLS = "row => [...row.cells].map(cell => cell.innerText.replace(/\\s+/g, ' ').trim())"
TEXTS = "row => [...row.cells].map(cell => cell.textContent)"  # of what may be closed


@dataclass
class Page:
    """A report, and the tables that it was made of."""

    seen: Visit
    told: Told

    def set(self, **fields: float | str) -> None:
        """Type into fields of the control: `ratio`, `positives` in per cent."""
        for name, value in fields.items():
            self.seen.page.locator(f'[id="condition/{name}"]').fill(str(value))

    def group(self, dataset: str) -> Locator:
        """All conditions of a dataset, in its section."""
        return self.seen.page.locator(f'.use tbody[data-dataset="{dataset}"]').last

    def rows(self, dataset: str) -> list[list[str]]:
        """The cells of "What to use": the reader's row, then those of the study's conditions."""
        rows = self.group(dataset).locator("tr:not(.range)")
        found: list[list[str]] = rows.evaluate_all(f"rows => rows.map({CELLS})")
        return found[1:]

    def counts(self, dataset: str) -> list[list[str]]:
        """What happens of 1000 cases: at the study's conditions, and at the reader's."""
        own = f'.happens[data-dataset="{dataset}"] tbody tr'
        them = self.seen.page.locator(own).evaluate_all(f"rows => rows.map({TEXTS})")
        rows = [[" ".join(cell.split()) for cell in row] for row in them]
        reader = next(row for row in rows if row[0].startswith("yours, "))
        return [reader, *(row for row in rows if row is not reader)]

    def column(self, dataset: str, part: str) -> list[str]:
        """What the reader's column of a table says, from its head on."""
        own = f'[id="data/{dataset}/{part}"] table :is(th, td).set'
        return [" ".join(it.split()) for it in self.seen.page.locator(own).all_inner_texts()]

    def at(self, dataset: str, pc: float) -> dict[str, Any]:
        """What published tables say of every decision at a PC(+)."""
        standing, bands = self.told("in_the_running", dataset), self.told("bands", dataset)
        here = standing[(standing["pc_from"] <= pc) & (standing["pc_to"] > pc)]
        pointwise = bands[bands["extent"] == "pointwise"]
        low, high = (curves(pointwise[pointwise["edge"] == it]) for it in ("lower", "upper"))
        served = self.told("deployment", dataset).copy()
        served["member"] = served["member"].astype(object).where(served["member"].notna(), "")
        costs = headline_of(self.told("headline", dataset))
        uses = served[(served["pc_from"] < pc) & (served["pc_to"] >= pc)]
        records: list[Any] = uses.to_dict("records")
        return {
            "standing": here.set_index("decision")["standing"].to_dict(),
            "costs": {name: curve(pc) for name, curve in costs.items()},
            "ends": {name: (low[name](pc), high[name](pc)) for name in low},
            "uses": {row["model"]: used(row) for row in records},
        }

    def stays(self, dataset: str, best: str, pc: float) -> tuple[float, float]:
        """From where to where its estimate is the lowest."""
        table = self.told("in_the_running", dataset)
        cheapest = table[table["standing"] == "cheapest"]
        own = cheapest[cheapest["decision"] == best]
        here = own[(own["pc_from"] <= pc) & (own["pc_to"] > pc)].iloc[0]
        return float(here["pc_from"]), float(here["pc_to"])


@pytest.fixture(scope="module")
def page(browser: Browser, asymmetric: Path, told: Told) -> Iterator[Page]:
    file = asymmetric / "reports" / NAME / "report.html"
    with visit(browser, file, width=1440) as seen:
        yield Page(seen, told)


def parted(cell: str) -> tuple[str, str]:
    """The name of the cheapest, and where it stays that."""
    name, stays = re.findall(
        r"^(.+?) (?:at )?((?:everywhere|(?:(?:below|above|about) )?\d).*)", cell
    )[0]
    return name, stays


def amounts(cell: str) -> list[float]:
    return numbers(cell.replace(formats.MINUS, "-").replace(formats.DASH, " "))


def prior(page: Page, dataset: str) -> float:
    return float(page.told("measures", dataset)["prior"].iloc[0])


def test_no_share_of_positives_that_the_study_assumes_is_called_that_of_the_data(
    page: Page,
) -> None:
    assert prior(page, "loans") == 0.2  # of its instances 17 in 48 are positive
    assert page.seen.page.get_by_placeholder("as given").is_visible()


@pytest.mark.parametrize("dataset", DATASETS)
def test_at_the_studys_conditions_the_readers_row_is_the_studys(page: Page, dataset: str) -> None:
    """Each cell of ten rows: the cheapest, its cost, who else, the threshold."""
    for place, (name, at) in enumerate(CONDITIONS.items(), start=1):
        pc = float(at)
        page.set(positives="", ratio=repr(ratio_from_pc(pc, prior(page, dataset))))
        rows = page.rows(dataset)
        assert rows[0][1:] == rows[place + (dataset == "loans")][1:]  # which has costs of cases
        assert f"PC(+) {pc:.3f}" in rows[0][0]
        if name == "early":  # in one case of ten, whatever the dataset's share
            page.set(positives="10", ratio=repr(ratio_from_pc(pc, 0.1)))
        counts = page.counts(dataset)
        assert counts[0][1:] == counts[place][1:]


@pytest.mark.parametrize("dataset", SOME)
@pytest.mark.parametrize(
    ("ratio", "percent"), [(0.01, 20), (0.37, 20), (1.3, 64), (2.9, 31), (14, 4)]
)
def test_between_them_it_is_what_published_tables_say(
    page: Page, dataset: str, ratio: float, percent: float
) -> None:
    page.set(positives=percent, ratio=ratio)
    pc = pc_from_ratio(ratio, percent / 100)
    told = page.at(dataset, pc)
    condition, best, cost, others, *use = page.rows(dataset)[0]
    words = f"{formats.ratio(ratio)} at {formats.level(percent / 100)}"
    assert condition == f"yours, {words} PC(+) {pc:.3f}".replace(formats.THIN, " ")
    best, stays = parted(best)
    ratios = (ratio_from_pc(end, percent / 100) for end in page.stays(dataset, best, pc))
    expected = formats.ratio_range(*ratios)
    assert numbers(stays) == pytest.approx(numbers(expected), rel=0.06)
    assert re.findall("[a-z]+", stays) == re.findall(
        "[a-z]+", expected.replace("all", "everywhere")
    )
    assert told["standing"][best] == "cheapest"
    constant = min(pc, 1 - pc)
    if best.startswith("always"):
        assert (cost, use) == (formats.cost(constant), [""] * len(use))
    else:
        low, high = told["ends"][best]
        ends = [told["costs"][best], low, high]
        assert amounts(cost) == pytest.approx(ends, abs=SEEN)
        assert use == [told["uses"][best]]
    fp, fn = [best == "always positive", best == "always negative"]
    if not best.startswith("always"):
        curve = headline_of(page.told("headline", dataset))[best]
        piece = curve.pc.searchsorted(pc, side="right") - 1
        fp, fn = curve.at0[piece], curve.at1[piece]
    _, same, *counts = page.counts(dataset)[0]
    hits, misses, alarms, rejections = map(int, counts)
    assert (same, hits + misses, alarms + rejections) == (best, 10 * percent, 1000 - 10 * percent)
    assert [misses, alarms] == pytest.approx([10 * percent * fn, (1000 - 10 * percent) * fp], abs=1)
    running = {name for name, one in told["standing"].items() if one != "out"} - {best}
    named = set(re.split(r", | and ", others)) if running else set()
    more = len(running) - 3
    assert named == running if more <= 0 else f"{more} more" in named


@pytest.mark.parametrize("dataset", SOME)
@pytest.mark.parametrize("likely", ["ratio", "pc"])
def test_over_a_range_it_is_the_mean_of_published_curves_without_a_verdict(
    page: Page, dataset: str, likely: str
) -> None:
    page.seen.page.locator(".condition-bar details").evaluate("it => it.open = true")
    page.set(positives=22, **{"from": 0.37, "to": 9})
    page.seen.page.locator('[id="condition/likely"]').select_option(likely)
    low, high = (pc_from_ratio(ratio, 0.22) for ratio in (0.37, 9))
    share = (np.arange(4000) + 0.5) / 4000
    places = low + (high - low) * share
    if likely == "ratio":
        places = np.array([pc_from_ratio(0.37 * (9 / 0.37) ** it, 0.22) for it in share])
    curves = headline_of(page.told("headline", dataset))
    costs = {name: np.mean([curve(pc) for pc in places]) for name, curve in curves.items()}
    costs["a constant decision"] = np.mean(np.minimum(places, 1 - places))
    row = page.group(dataset).locator("tr.range")
    condition, best, cost, others, *use = row.evaluate(CELLS)
    assert condition == f"yours, 1:2.7 to 9:1 at 22 % PC(+) {low:.3f}\u2013{high:.3f}"
    assert best == min(costs, key=costs.__getitem__)
    assert amounts(cost) == pytest.approx([costs[best]], abs=SEEN)
    assert others in {"no verdict on a mean", "not compared: in-sample"}
    assert use in ([], ["by condition"])
    page.set(positives=22, **{"from": "", "to": ""})
    assert not row.is_visible()


@pytest.mark.parametrize("dataset", SOME)
def test_tables_of_models_answer_too(page: Page, dataset: str) -> None:
    page.set(positives="22", ratio="3.7")
    pc = pc_from_ratio(3.7, 0.22)
    told = page.at(dataset, pc)
    head, *cells = page.column(dataset, "thresholds")
    assert (head, cells) == ("yours, 3.7:1 at 22 %", [told["uses"][it] for it in told["costs"]])
    head, *cells = page.column(dataset, "cost-curves")
    for (model, cost), cell in zip(told["costs"].items(), cells, strict=True):
        assert amounts(cell) == pytest.approx([cost, *told["ends"][model]], abs=SEEN)


def test_where_one_threshold_follows_another_the_first_is_named_as_in_tables(page: Page) -> None:
    """A ratio such as 1:5 may lie there; its PC(+) is off by a rounding, either way."""
    served = page.told("deployment", "calls")
    breaks = sorted({pc for pc in served["pc_to"] if 0.1 < pc < 0.9})
    assert len(breaks) >= 5
    page.set(positives="22")
    for pc in breaks:
        page.set(ratio=repr(ratio_from_pc(pc, 0.22)))
        told = page.at("calls", pc)
        assert page.column("calls", "thresholds")[1:] == [told["uses"][it] for it in told["costs"]]


def test_numbers_are_rounded_as_in_tables(page: Page) -> None:
    """A half goes to the even digit, which binary fractions such as 24.5 and 0.0625 are."""
    halves = [*(step / 16 for step in range(1, 4000)), *range(5, 9000, 5), 12500, 11500, 2.5e6]
    values = [*halves, *np.geomspace(1e-4, 1e7, 2000).tolist(), 1.05, 1.45]
    for name, form, known in (
        ("ratio", formats.ratio, values),
        ("amount", formats.amount, [*np.geomspace(1e-3, 1e9, 4000), 0, -0.5, -12345, 9999.6]),
        ("cost", formats.cost, [value / 9000 for value in values] + [1 / 16, 3 / 16, 5 / 16]),
    ):
        said = page.seen.page.evaluate(f"them => them.map(it => numbers.{name}(it))", known)
        wrong = [
            (value, found) for value, found in zip(known, said, strict=True) if form(value) != found
        ]
        assert wrong == []
    said = page.seen.page.evaluate("numbers.interval(-1e-17, 0.42)")
    assert said == formats.interval(-1e-17, 0.42)


def test_what_is_out_of_sight_follows_a_slider_when_it_is_released_or_looked_at(
    page: Page,
) -> None:
    page.set(positives="22", ratio="3.7")
    seen, slider = page.seen.page, page.seen.page.locator('[id="condition/slider"]')
    seen.evaluate("scrollTo(0, 0)")
    seen.evaluate(TWO_FRAMES)
    drag = "(it, to) => (it.value = to, it.dispatchEvent(new Event('input', {bubbles: true})))"

    def later() -> str:
        return page.column(SOME[-1], "cost-curves")[0]

    before = later()
    assert before == "yours, 3.7:1 at 22 %"
    slider.evaluate(drag, -1)
    assert later() == before
    slider.evaluate("it => it.dispatchEvent(new Event('change', {bubbles: true}))")
    assert later() == "yours, 1:10 at 22 %"
    slider.evaluate(drag, 1)
    assert later() == "yours, 1:10 at 22 %"
    seen.locator(f'[id="data/{SOME[-1]}/cost-curves"] table').scroll_into_view_if_needed()
    expect(seen.locator(f'[id="data/{SOME[-1]}/cost-curves"] th.set')).to_contain_text(
        "yours, 10:1"
    )
    slider.evaluate(drag, 0.5)
    slider.evaluate("it => it.dispatchEvent(new Event('pointerup', {bubbles: true}))")
    assert later() == "yours, 3.2:1 at 22 %"  # released where it began there is no change
    slider.evaluate(drag, 0)
    seen.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert {page.rows(it)[0][0].split(" PC")[0] for it in SOME} == {"yours, 1:1 at 22 %"}


def test_costs_of_the_readers_ratio_are_in_the_unit_of_a_false_alarm(
    browser: Browser, tmp_path: Path
) -> None:
    """At p(+) = .4 and 3.5:1 PC(+) is .7, and the worst case costs 2 (1.4 + .6) crowns."""
    named = {"name": "PC(+) = 0.7", "cost_fn": 7, "cost_fp": 2, "unit": "<i>kr"}
    made = assembled({"toy": tables(conditions=(0.7,))}, study(operating_conditions=[named]))
    with visit(browser, write_page(made, tmp_path), fragment="#?ratio=0.5") as seen:
        rows = seen.page.locator('.use tbody[data-dataset="toy"] tr:not(.range)')
        ratio = seen.page.locator('[id="condition/ratio"]')
        _, own, _ = rows.evaluate_all(f"rows => rows.map({CELLS})")
        assert own[0] == "yours, 1:2 PC(+) 0.250 a false alarm: 2 <i>kr"
        cost, low, high = [float(it) for it in re.findall(r"[\d.]+", own[2])][3:]
        normalized = seen.page.evaluate("answers.at(datasets.all()[0], 0.25)")
        for amount, key in ((cost, "cost"), (low, "low"), (high, "high")):
            assert amount == pytest.approx(2 * 800 * normalized[key], rel=1e-3)
        ratio.fill("3.5")
        _, own, study_s = rows.evaluate_all(f"rows => rows.map({CELLS})")
        said = [re.findall(r"\S+ <i>kr", " ".join(row[1:])) for row in (own, study_s)]
        assert said[0] == said[1] == ["520 <i>kr"]
        seen.page.evaluate("condition.change({ ratio: Infinity })")
        assert "NaN" not in " ".join(rows.nth(1).evaluate(CELLS))


def test_both_spaces_follow_the_same_control(page: Page) -> None:
    page.set(positives="22", ratio="3.7")
    best, _ = parted(page.rows("calls")[0][1])
    section = page.seen.page.locator('[id="data/calls/duality"]')
    explorer = section.locator(".explorer")
    assert f"{best}" in str(explorer.locator(".cost ~ *, .best text").first.text_content())
    shown = Figure(page.seen, "data/calls/explorer")
    shown.press(0.5)
    assert shown.x == pytest.approx(0.5, abs=PIXEL)
    ratio = page.seen.page.locator('[id="condition/ratio"]').input_value()
    assert float(ratio) == pytest.approx(ratio_from_pc(shown.x, 0.22), rel=1e-3)
    assert f"PC(+) {shown.x:.3f}" in page.rows("loans")[0][0]


def test_the_page_starts_at_the_data_s_own_costs(
    browser: Browser, browsed: Path, page: Page
) -> None:
    page.seen.page.locator(".condition-bar").get_by_role("button", name="Reset").click()
    pc = page.told("instance_costs", "loans--costs")["pc"].iloc[0]
    own = page.group("loans").locator("tr.set:not(.range)").text_content()
    assert f"PC(+) {pc:.3f}" in str(own)
    with visit(browser, browsed) as seen:
        assert "PC(+) 0.500" in str(seen.page.locator("tr.set").first.text_content())
        for shown in ("tr.set", "th.set", "td.set"):  # the study's own say the same at first
            assert not seen.page.locator(shown).first.is_visible()
        seen.page.locator('[id="condition/positives"]').fill("22")
        for shown in ("tr.set", "th.set", "td.set"):
            assert seen.page.locator(shown).first.is_visible()


def test_the_address_keeps_it(browser: Browser, browsed: Path) -> None:
    with visit(browser, browsed, fragment="#?ratio=4&positives=0.1") as seen:
        said = seen.page.locator("tr.set").first
        expect(said).to_contain_text("yours, 4:1")
        expect(said).to_contain_text(f"PC(+) {pc_from_ratio(4, 0.1):.3f}")
        seen.page.locator('[id="condition/ratio"]').fill("7")
        seen.page.wait_for_url("**#?ratio=7&positives=0.1")
        seen.page.evaluate("location.hash = '#methods'")
        seen.page.wait_for_url("**#methods?ratio=7&positives=0.1")
        seen.page.reload()
        seen.settle()
        expect(said).to_contain_text("yours, 7:1")
        top = seen.page.locator("#methods").evaluate("it => it.getBoundingClientRect().top")
        assert 0 <= top < 120


def test_the_address_keeps_a_range(browser: Browser, browsed: Path) -> None:
    with visit(browser, browsed, fragment="#?from=0.2&to=4&equally=pc") as seen:
        said = seen.page.locator("tr.range").first
        expect(said).to_contain_text("yours, 1:5 to 4:1")
        assert seen.page.locator('[id="condition/likely"]').input_value() == "pc"
        seen.page.locator('[id="condition/from"]').fill("9")
        seen.page.wait_for_url("**#?from=4&to=9&equally=pc")
        live = seen.page.locator(".condition-bar [aria-live=polite]")
        expect(live).to_contain_text("4:1 to 9:1. Cheapest:")
        seen.page.get_by_role("button", name="Reset").first.click()
        seen.page.wait_for_url("**#")
        assert not said.is_visible()
    with visit(browser, browsed, fragment="#?from=-1&to=4") as seen:
        assert not seen.page.locator("tr.range").first.is_visible()


def test_keys_and_screen_readers_have_it(browser: Browser, browsed: Path) -> None:
    with visit(browser, browsed) as seen:
        slider = seen.page.locator('[id="condition/slider"]')
        slider.focus()
        said = []
        for _ in range(4):
            seen.page.keyboard.press("ArrowRight")
            said.append(str(seen.page.locator(".condition-bar output").text_content()))
        assert said == ["1.1:1", "1.3:1", "1.4:1", "1.6:1"]
        assert str(slider.get_attribute("aria-valuetext")).startswith("1.6:1,")
        cost = str(seen.page.locator("tr.set td.n").first.inner_text()).split()[0]
        live = seen.page.locator(".condition-bar [aria-live=polite]")
        expect(live).to_contain_text(f"1.6:1. Cheapest: Scores </script><b>: Bayes, cost {cost}.")


@pytest.mark.parametrize("width", [390, 1280])
def test_it_stays_in_sight(browser: Browser, browsed: Path, width: int) -> None:
    with visit(browser, browsed, width=width, fragment="#methods") as seen:
        box: Any = seen.page.locator(".condition-bar").bounding_box()
        assert 0 <= box["y"] <= 900 - box["height"]
        assert box["height"] < (130 if width < 600 else 60)


def test_without_scripts_the_studys_conditions_stand(browser: Browser, browsed: Path) -> None:
    with visit(browser, browsed, java_script_enabled=False) as seen:
        assert seen.page.locator(".use tbody tr").count() > 0
        for absent in (".condition-bar", "tr.set", ".here"):
            assert seen.page.locator(absent).count() == 0
        said = seen.page.locator("noscript .note").first
        expect(said).to_contain_text("The interactive figure needs scripts, which are switched off")
        assert seen.page.locator(".duality").first.locator("figure").count() == 1


def test_on_a_phone_what_to_use_needs_no_scrolling_sideways(
    browser: Browser, browsed: Path
) -> None:
    with visit(browser, browsed, width=390) as seen:
        box = seen.page.locator(".use .scroll").first
        assert box.evaluate("it => it.scrollWidth <= it.clientWidth")
        for cell in seen.page.locator(".use tr:not([hidden]) td").all():
            own: Any = cell.bounding_box()
            assert own is None or own["x"] + own["width"] <= 390


def test_on_a_phone_tables_too_wide_have_their_columns_beneath_each_other(
    browser: Browser, browsed: Path
) -> None:
    with visit(browser, browsed, width=390) as seen:
        page = seen.page
        page.evaluate("document.querySelectorAll('details').forEach(it => (it.open = true));")
        page.wait_for_timeout(300)
        stacked = page.locator(".stacked table")
        assert stacked.count() > 3
        page.locator('[id="condition/ratio"]').fill("7")
        for table in stacked.all():
            heads = table.locator("thead th").all_text_contents()
            row = table.locator("tbody tr:not(:has([scope=rowgroup]))").first
            said = row.locator("> *").evaluate_all("all => all.map(it => it.dataset.head)")
            assert said == heads
            shown = row.locator("> *").last.evaluate(
                "it => getComputedStyle(it, '::before').content"
            )
            assert shown == f'"{heads[-1]}: "'
        assert all("Against the others" in words for words in cut_off(seen)), "explorers alone"
        page.set_viewport_size({"width": 1440, "height": 900})
        expect(stacked).to_have_count(0)


def test_dark_pages_have_dark_figures_and_paper_is_light(browser: Browser, browsed: Path) -> None:
    ground = "it => getComputedStyle(it).backgroundColor"
    with visit(browser, browsed, color_scheme="dark") as seen:
        panel = seen.page.locator(".card svg").first
        filtered = seen.page.locator(".swatch").first.evaluate("it => getComputedStyle(it).filter")
        assert "invert" in filtered
        assert panel.evaluate(ground) == "rgb(21, 23, 26)"
        seen.page.emulate_media(media="print")
        assert panel.evaluate(ground) == "rgb(255, 255, 255)"


def test_a_link_opens_the_section_of_a_dataset_that_is_closed(
    browser: Browser, tmp_path: Path
) -> None:
    file = write_page(many({f"d{n}": tables() for n in range(7)}), tmp_path)
    for place, query in (("data/d6/differences", ""), ("data/d6", ""), ("data/d6", "?ratio=3")):
        with visit(browser, file, fragment=f"#{place}{query}") as seen:
            shown = seen.page.locator("section.dataset > details[open]")
            expect(shown.locator("h2")).to_have_text("d6")
            expect(seen.page.locator(f'[id="{place}"]')).to_be_in_viewport()
            seen.page.locator('.contents a[href="#data/d3/differences"]').dispatch_event("click")
            expect(shown).to_have_count(2)


def test_of_too_many_datasets_none_follows(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sections, "FOLLOWED", 6)
    own = tables()
    data = {f"d{n}": {**own, "duality": own["duality"].iloc[:0]} for n in range(7)}
    with visit(browser, write_page(many(data), tmp_path), fragment="#?ratio=3") as seen:
        assert seen.page.locator(".set, .condition-bar").count() == 0


def test_26_datasets_of_four_models_take_30_screens_and_40_pages(
    browser: Browser, tmp_path: Path
) -> None:
    """As an essential report has them, each figure as tall as one row of panels."""
    four = {"A": (0.1, 0.3), "B": (0.2, 0.15), "C": (0.3, 0.1), "D": (0.15, 0.25)}
    made = study(datasets=[dataset(f"d{n}", f"d{n}") for n in range(26)])
    data = {
        one.slug: {
            name: table if name in made.stages else table.iloc[:0]
            for name, table in tables(four, prior=0.16 + 0.02 * n).items()
        }
        for n, one in enumerate(made.datasets)
    }
    drawing = drawings()["cost_curves"]
    two = replace(drawing, panels=2 * (drawing.panels[0].replace("100", "190"),))
    report = assembled(data, made, {slug: {"cost_curves": two} for slug in data})
    with visit(browser, write_page(report, tmp_path), width=1440) as seen:
        assert seen.number("document.documentElement.scrollHeight") <= 30 * 900
    printed = rendering.pdf(report)
    with pikepdf.Pdf.open(BytesIO(printed)) as pdf:
        assert len(pdf.pages) <= 40


def many(data: dict[str, dict[str, pd.DataFrame]]) -> Report:
    return assembled(data, study(datasets=[dataset(slug, slug) for slug in data]))
