"""States of the page in pairs: whatever is set, each number and word is that of the tables.

A state is what an address can say: cost ratio, share of positives, range, axes, models switched
off, what is drawn beside them, own points. Every two values of two of these meet in some state.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import numpy as np
import pytest
from playwright.sync_api import Browser, Error, Locator

from costcurves import formats
from costcurves.maths.geometry import reid
from costcurves.maths.geometry.cost_space import pc_from_ratio
from costcurves.maths.geometry.curves import Curve
from costcurves.report.thresholds import used
from costcurves.tables.curves.headline import headline_of
from tests.browsed_study import Tables
from tests.browser import Visit, visit, write_page
from tests.crowded_study import PRIORS, RATIOS, crowded_tables, models_of
from tests.fake_report import dataset, report
from tests.page.test_explorer_page import SEEN, curves, holders, numbers

CROWD = [*models_of("rare")]
START = RATIOS["rare"][0]  # where the page begins
CONSTANT = ("always negative", "always positive")
TREATED = {"always negative": "treat none", "always positive": "treat all"}

VALUES: dict[str, tuple[str, ...]] = {
    "ratio": ("", "37.25", "0.004166666666667", "1234.5678"),
    "positives": ("", "0.64", "0.003", "0.123456789"),
    "from": ("", "0.0123456789"),
    "axes": ("", "reid", "benefit"),
    "off": ("", "0", "1-2-3-4-5-6-7-8-9-10-11-12", "0-1-2-3-4-5-6-7-8-9-10-11-12-13"),
    "promised": ("", "off"),
    "bands": ("", "on"),
    "points": ("", "0.1_0.7-0.000001_1"),
}
Given = Mapping[str, str]


def paired() -> list[dict[str, str]]:
    """States in which every two values of two of these meet, few of them: greedily."""
    names = [*VALUES]
    wanted = {
        ((a, x), (b, y))
        for a, b in combinations(names, 2)
        for x, y in product(VALUES[a], VALUES[b])
    }
    every = [dict(zip(names, values, strict=True)) for values in product(*VALUES.values())]
    rng, found = np.random.default_rng(2), []
    while wanted:
        some = [every[place] for place in rng.choice(len(every), 60)]
        (first,) = sorted(wanted)[:1]
        some += [{**one, **dict(first)} for one in some]
        best = max(some, key=lambda one: len(wanted & {*combinations(one.items(), 2)}))
        wanted -= {*combinations(best.items(), 2)}
        found.append(best)
    return found


STATES = paired()


@dataclass(frozen=True)
class Expected:
    """What the tables of a dataset say in a state."""

    name: str
    given: Given

    @property
    def tables(self) -> Tables:
        return crowded_tables()[self.name]

    @property
    def prior(self) -> float:
        return float(self.given["positives"] or PRIORS[self.name])

    @property
    def ratio(self) -> float:
        return float(self.given["ratio"] or START)

    @property
    def pc(self) -> float:
        return float(pc_from_ratio(self.ratio, self.prior))

    @cached_property
    def head(self) -> dict[str, Curve]:
        return headline_of(self.tables["headline"])

    @cached_property
    def ends(self) -> tuple[dict[str, Curve], dict[str, Curve]]:
        bands = self.tables["bands"]
        low, high = (curves(bands[bands["edge"] == edge]) for edge in ("lower", "upper"))
        return low, high

    @property
    def constant(self) -> float:
        return min(self.pc, 1 - self.pc)

    @property
    def standing(self) -> dict[str, str]:
        rows = self.tables["in_the_running"]
        here = rows[(rows["pc_from"] <= self.pc) & (rows["pc_to"] > self.pc)]
        return dict(zip(here["decision"], here["standing"], strict=True))

    @property
    def best(self) -> str:
        cheapest = [it for it, one in self.standing.items() if one == "cheapest"]
        return min(cheapest, key=lambda it: it not in CONSTANT)

    def cost(self, decision: str) -> float:
        always = {"always negative": self.pc, "always positive": 1 - self.pc}
        return always[decision] if decision in always else float(self.head[decision](self.pc))

    @property
    def shown(self) -> list[str]:
        off = [int(it) for it in self.given["off"].split("-") if it and self.name == "rare"]
        return [it for place, it in enumerate(self.head) if place not in off]

    @property
    def decided(self) -> dict[str, list[str]]:
        """Who of the shown is cheaper than which others, in the order of models."""
        found: dict[str, list[str]] = {it: [] for it in self.shown}
        for row in self.findings:
            if row["finding"] in ("A cheaper", "B cheaper"):
                pair = row["model_a"], row["model_b"]
                winner, loser = pair if row["finding"][0] == "A" else pair[::-1]
                found[winner].append(loser)
        order = [*self.head]
        return {it: sorted(losers, key=order.index) for it, losers in found.items() if losers}

    @property
    def findings(self) -> list[Any]:
        rows = self.tables["verdicts"]
        here = rows[(rows["pc_from"] <= self.pc) & (rows["pc_to"] > self.pc)]
        both = here["model_a"].isin(self.shown) & here["model_b"].isin(self.shown)
        return here[both].to_dict("records")

    @property
    def written(self) -> str:
        """The share and the ratio in words, as all of the page says them."""
        share = self.given["positives"]
        at = f" at {float(f'{100 * float(share):.4g}'):g}\u202f%" if share else ""
        return f"{formats.ratio(self.ratio)}{at}"

    @property
    def spans(self) -> tuple[float, float]:
        low, high = (pc_from_ratio(it, self.prior) for it in (float(self.given["from"]), 44.0))
        return float(low), float(high)

    @cached_property
    def mean(self) -> tuple[str, float, float]:
        """The least mean cost over the range, whose it is, and that of constant decisions."""
        low, high = float(self.given["from"]), 44.0
        share = (np.arange(20_000) + 0.5) / 20_000
        pcs = pc_from_ratio(low * (high / low) ** share, self.prior)
        costs = {it: float(np.mean(curve(pcs))) for it, curve in self.head.items()}
        constant = float(np.mean(np.minimum(pcs, 1 - pcs)))
        best = min(costs, key=costs.__getitem__)
        if constant <= costs[best]:
            return "a constant decision", constant, constant
        return best, costs[best], constant

    @property
    def worth(self) -> Any:
        """What a cost comes to on the axes of the interactive figure."""
        if self.given["axes"] == "reid":
            c = self.c
            return lambda nec: nec * (self.prior * (1 - c) + (1 - self.prior) * c)
        if self.given["axes"] == "benefit":
            return lambda nec: self.prior * (1 - nec / self.pc)
        return lambda nec: nec

    @property
    def c(self) -> float:
        """Reid's cost of a false positive, and the threshold probability of who treats."""
        odds = self.prior * (1 - self.pc)
        found = odds / (odds + (1 - self.prior) * self.pc)
        assert reid.pc(found, self.prior) == pytest.approx(self.pc)
        return found

    @property
    def x(self) -> float:
        return self.c if self.given["axes"] else self.pc

    @property
    def known(self) -> bool:
        return self.given["axes"] != "benefit" or self.pc >= 0.02

    def near(self, words: str, *costs: float) -> bool:
        """Whether words say these costs: to three decimals, net benefit as far as it is known."""
        found, known = amounts(words.replace(" to ", " ")), [*map(self.worth, costs)]
        error = SEEN
        if self.given["axes"] == "benefit":
            decimals = max(len(it) for it in re.findall(r"\.(\d+)", words))
            error = 6e-4 * self.prior / self.pc + 0.51 * 10.0**-decimals
        return found[:1] + sorted(found[1:]) == found and found == pytest.approx(
            known[:1] + sorted(known[1:]), abs=error
        )

    @property
    def least(self) -> str | None:
        """The cheapest of the models that are shown; None: none is."""
        if len(self.shown) == len(self.head):
            return self.best
        if not self.shown:
            return None
        one = min(self.shown, key=self.cost)
        return CONSTANT[self.pc > 0.5] if self.constant <= self.cost(one) + 2.5e-4 else one

    def called(self, decision: str) -> str:
        return TREATED.get(decision, decision) if self.given["axes"] == "benefit" else decision

    @property
    def sentences(self) -> str:
        """What stands below the read-out."""
        better = "better" if self.given["axes"] == "benefit" else "cheaper"
        ranked = sorted(self.decided.items(), key=lambda one: -len(one[1]))
        said = [f"{it} is {better} than {some(losers)}. " for it, losers in ranked[:3]]
        if more := len(ranked) - 3 if len(ranked) > 3 else 0:
            said.append(f"{more} more {'is' if more == 1 else 'are'} {better} than some. ")
        equal = sum(one["finding"] == "equivalent" for one in self.findings)
        if equal:
            said.append(f"{equal} of the pairs are equal, as far as it matters. ")
        pairs = len(self.shown) * (len(self.shown) - 1) // 2
        open_ = pairs - sum(map(len, self.decided.values())) - equal
        level = " (familywise 97.5\u202f%)."
        if pairs:
            other = "pair" if open_ == 1 else f"{open_} pairs"
            said.append(
                f"The data decide no pair of models here{level}"
                if open_ == pairs
                else f"The data do not decide the other {other} here{level}"
                if open_
                else f"Every pair is decided here{level}"
            )
        return "".join(said)


def some(names: list[str]) -> str:
    """Up to five names, or the first four and how many more."""
    shown = names if len(names) <= 5 else [*names[:4], f"{len(names) - 4} more"]
    *first, last = shown
    return f"{', '.join(first)} and {last}" if first else last


def fragment(given: Given) -> str:
    said = {name: value for name, value in given.items() if value}
    if given["from"]:
        said["to"] = "44"
    return "#data/rare/explorer?" + "&".join(f"{name}={value}" for name, value in said.items())


def test_every_two_values_meet() -> None:
    for (a, xs), (b, ys) in combinations(VALUES.items(), 2):
        assert {(one[a], one[b]) for one in STATES} == {*product(xs, ys)}
    assert len(STATES) < 30


@pytest.mark.parametrize("given", STATES, ids=lambda it: "&".join(filter(None, it.values())) or "-")
def test_each_number_name_and_spoken_word(browser: Browser, crowded: Path, given: Given) -> None:
    with visit(browser, crowded, fragment=fragment(given)) as seen:
        told = {name: Expected(name, given) for name in PRIORS}
        for name, expected in told.items():
            check_answers(seen, name, expected)
        root = seen.page.locator('[id="data/rare/explorer"]')
        check_rows(root, told["rare"])
        check_spoken(seen, told)
        check_address(seen, given, told)
        check_spoken_of_figure(root, told["rare"])


def heard(part: Locator, said: str) -> str:
    """Wait for these words, frame by frame (`expect` looks ever more seldom), and read all."""
    spoken = "([it, said]) => it.textContent.includes(said)"
    with suppress(Error):
        part.page.wait_for_function(spoken, arg=[part.element_handle(), said], timeout=5000)
    assert said in str(part.text_content())
    return text(part)


def text(part: Locator) -> str:
    return plain(str(part.text_content()))


def plain(words: str) -> str:
    return " ".join(words.split(" "))


def amounts(words: str) -> list[float]:
    said = words.replace(formats.MINUS, "-").replace(formats.DASH, " ").replace("<", "")
    return [] if "\u2014" in words else numbers(said)


def check_answers(seen: Visit, name: str, told: Expected) -> None:
    """Hold the rows and columns that answer for the reader to the tables."""
    rows = seen.page.locator(f'.use tbody[data-dataset="{name}"]').last.locator("tr.set")
    script = "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    own, over = rows.evaluate_all(script)
    hidden = rows.evaluate_all("rows => rows.map(row => row.hidden)")
    moved = bool(told.given["ratio"] or told.given["positives"])
    assert hidden == [not moved, not told.given["from"]]
    place, best, cost, others, use = own
    assert place == f"yours, {told.written} PC(+) {told.pc:.3f}"
    assert re.fullmatch(re.escape(told.best) + r" (everywhere|(at|below|above) [\d.: a-z]+)", best)
    best = told.best
    rest = [it for it, one in told.standing.items() if one != "out" and it != best]
    listed = re.split(", | and ", others)
    assert {*listed} <= {*rest, f"{len(rest) - 3} more", "none"}
    assert len(listed) == (min(len(rest), 4) or 1)
    swatch = "" if best in CONSTANT else f"swatch model-{CROWD.index(best)}"
    assert rows.first.locator("td span").first.get_attribute("class") == swatch
    if best in CONSTANT:
        assert (cost, use) == (formats.cost(told.constant), "")
    else:
        low, high = (float(end[best](told.pc)) for end in told.ends)
        costs = told.cost(best), low, high
        assert amounts(cost) == pytest.approx(costs, abs=SEEN)
        assert use == serving(told)[best]
    if told.given["from"]:
        check_range(over, told)
    section = seen.page.locator(f'[id="data/{name}"]')
    for part in ("thresholds", "cost-curves"):
        cells = section.locator(f'[id="data/{name}/{part}"] table :is(th, td).set')
        head, *found = map(plain, cells.all_text_contents())
        assert head == f"yours, {told.written}"
        for model, words in zip(told.head, found, strict=True):
            if part == "thresholds":
                assert words == serving(told)[model]
            else:
                ends = [float(end[model](told.pc)) for end in told.ends]
                known = [told.cost(model), *ends]
                assert amounts(words) == pytest.approx(known, abs=SEEN)


def check_range(cells: list[str], told: Expected) -> None:
    place, best, cost, others, use = cells
    low, high = told.spans
    words = told.written.removeprefix(formats.ratio(told.ratio))
    ends = f"{formats.ratio(float(told.given['from']))} to 44:1{words}"
    assert place == f"yours, {ends} PC(+) {low:.3f}\u2013{high:.3f}"
    name, least, _ = told.mean
    assert best == name
    assert amounts(cost) == pytest.approx([least], abs=SEEN)
    assert (others, use) == ("no verdict on a mean", "by condition")


def serving(told: Expected) -> dict[str, str]:
    rows = told.tables["deployment"]
    here = rows[(rows["pc_from"] < told.pc) & (rows["pc_to"] >= told.pc)]
    records: list[Any] = here.to_dict("records")
    return {row["model"]: used(row) for row in records}


def check_rows(root: Locator, told: Expected) -> None:
    """Hold the read-out of the interactive figure to the tables."""
    heads = root.locator("thead tr").nth(1).locator("th").all_text_contents()
    value = {"": "Cost", "reid": "Loss", "benefit": "Net benefit"}[told.given["axes"]]
    better = ["Better than", "Worse than"]
    better = better if told.given["axes"] == "benefit" else ["Cheaper than", "Costs more than"]
    assert heads[1:5] == [value, "97.5\u202f% interval", *better]
    script = "rows => rows.map(row => [...row.children].map(cell => cell.textContent))"
    rows = root.locator("tbody tr").evaluate_all(script)
    off = root.locator("tbody tr").evaluate_all("rows => rows.map(row => row.matches('.off'))")
    assert [row[0] for row in rows] == CROWD
    assert [it for it, one in zip(CROWD, off, strict=True) if not one] == told.shown
    lost = [loser for losers in told.decided.values() for loser in losers]
    for name, cost, ends, won, dearer, holder, fp, tp, promised in rows:
        piece = holders(dict(told.tables), told.pc)[name]
        low, high = (float(end[name](told.pc)) for end in told.ends)
        nec = float(piece["at0"] * (1 - told.pc) + piece["at1"] * told.pc)
        if told.known:
            assert told.near(f"{cost} {ends}", told.cost(name), low, high)
            assert told.near(promised, nec)
        else:
            assert {cost, ends, promised} == {"\u2014"}
        assert (int(won), int(dearer)) == (len(told.decided.get(name, [])), lost.count(name))
        assert holder == told.called(str(piece["holder"]))
        rates = [float(piece["at0"]), 1 - float(piece["at1"])]
        assert amounts(f"{fp} {tp}") == pytest.approx(rates, abs=SEEN)
    assert text(root.locator(".read-verdict")).startswith(told.sentences)
    beyond = "knows costs too coarsely" in text(root.locator(".read-verdict"))
    assert beyond == (not told.known)
    check_drawn(root, told)


def check_drawn(root: Locator, told: Expected) -> None:
    """Count what is drawn, in whose colour, and what is named beside the condition."""
    cost = root.locator("svg.plot").nth(1)
    places = [str(CROWD.index(it)) for it in told.shown]
    drawn = {
        "headline": places,
        "envelope": [] if told.given["promised"] else places,
        "band": places if told.given["bands"] else [],
    }
    for name, expected in drawn.items():
        found = cost.locator(f".{name}").evaluate_all("them => them.map(it => it.dataset.model)")
        assert found == expected
    keys = root.locator("tbody label").evaluate_all(
        "them => them.map(it => it.style.getPropertyValue('--model'))"
    )
    colours = cost.locator(".headline").evaluate_all(
        "them => them.map(it => it.style.getPropertyValue('--model'))"
    )
    assert colours == [keys[int(place)] for place in places]
    assert len({*keys}) > 5
    own = [it for it in told.given["points"].split("-") if it]
    assert cost.locator(".own-line").count() == len(own)
    listed = root.locator(".own-points li span").all_text_contents()
    for words, point in zip(listed, own, strict=True):
        fp, tp = map(float, point.split("_"))
        assert words.split(": ")[1].startswith(f"FP {formats.cost(fp)}, TP {formats.cost(tp)}")
    named = re.sub("[\u2068\u2069]", "", "".join(cost.locator(".best text").all_text_contents()))
    if told.least is None or not told.known:
        assert named == ""
    else:
        best, value = opening(told)
        before, _, after = named.partition(": ")
        assert before == best
        name = after.rpartition(f", {value} ")[0]
        whole = told.called(told.least)
        assert name == whole or whole.startswith(name.removesuffix("\u2026"))
        assert told.near(after.rpartition(f", {value} ")[2], told.cost(told.least))


def opening(told: Expected) -> tuple[str, str]:
    """How the cheapest is introduced, and what its cost is called."""
    return {
        "": ("cheapest", "cost"),
        "reid": ("cheapest", "loss"),
        "benefit": ("best", "net benefit"),
    }[told.given["axes"]]


def check_address(seen: Visit, given: Given, told: Mapping[str, Expected]) -> None:
    """The address that the page writes leads to the same page, to the last letter."""
    script = """() => {
      for (const said of document.querySelectorAll("main [aria-live]")) said.textContent = "";
      return [...document.querySelectorAll("main")].map((it) => it.innerText).join();
    }"""
    before = seen.page.evaluate(script)
    address = seen.page.evaluate("location.hash")
    said = {name: it[0] for name, it in parse_qs(address.partition("?")[2]).items()}
    assert {*said} - {"to"} == {name for name, value in given.items() if value}
    seen.page.goto("about:blank")
    seen.open(address)
    seen.settle()
    assert seen.page.evaluate(script) == before
    check_drawn(seen.page.locator('[id="data/rare/explorer"]'), told["rare"])


def check_spoken(seen: Visit, told: Mapping[str, Expected]) -> None:
    """Hold what a screen reader hears of the page to the tables, once a ratio was typed."""
    rare = told["rare"]
    seen.page.locator('[id="condition/ratio"]').fill(repr(rare.ratio))
    words = rare.written
    if rare.given["from"]:
        share = words.removeprefix(formats.ratio(rare.ratio))
        words = f"{formats.ratio(float(rare.given['from']))} to 44:1{share}"
    live = seen.page.locator(".condition-bar [aria-live=polite]")
    said = heard(live, f"{words}. Cheapest: Rare: ")
    for name, one in told.items():
        best, cost = one.mean[:2] if one.given["from"] else (one.best, one.cost(one.best))
        pattern = rf"{name.capitalize()}: (.*?), cost ([\d.<]+)\.(?: |$)"
        ((who, number),) = re.findall(pattern, said)
        assert who == best
        assert amounts(number) == pytest.approx([cost], abs=SEEN)
    slider = seen.page.locator('[id="condition/slider"]')
    spoken = f"{formats.ratio(rare.ratio)}, a miss to a false alarm"
    assert slider.get_attribute("aria-valuetext") == spoken


def check_spoken_of_figure(root: Locator, rare: Expected) -> None:
    """Hold what a screen reader hears of the interactive figure to the tables."""
    bands = root.locator('[id$="/bands"]')
    bands.evaluate("it => it.click()")
    live = root.locator("[aria-live=polite]")
    if rare.least is None:
        assert heard(live, "No model is shown.") == "No model is shown."
        return
    axis = {"": "PC(+)", "reid": "c", "benefit": "t"}[rare.given["axes"]]
    best, value = opening(rare)
    said = heard(live, f"{axis} {rare.x:.3f}, {best}: {rare.called(rare.least)}, {value} ")
    assert said.endswith(text(root.locator(".read-verdict")))
    interval = rare.least in rare.shown and rare.known
    assert (", interval " in said) == interval
    if interval:
        ends = said.partition(", interval ")[2].partition(". ")[0]
        low, high = (float(end[rare.least](rare.pc)) for end in rare.ends)
        assert rare.near(
            f"{said.partition(f', {value} ')[2].split(',')[0]} {ends}",
            rare.cost(rare.least),
            low,
            high,
        )


def test_a_link_keeps_a_point_of_small_numbers(browser: Browser, crowded: Path) -> None:
    with visit(browser, crowded) as seen:
        root = seen.page.locator('[id="data/rare/explorer"]')
        for rate, value in (("fp", "0.0000002"), ("tp", "0.123456")):
            root.locator(f'[id$="/own-{rate}"]').evaluate(
                "(it, value) => { it.value = value; }", value
            )
        root.get_by_role("button", name="Add a point").evaluate("it => it.click()")
        seen.page.wait_for_url("**points=0_0.123456")
        seen.page.reload()
        seen.settle()
        listed = root.locator(".own-points li span").all_text_contents()
        assert [it.split(", ")[:2] for it in listed] == [["1: FP 0.000", "TP 0.123"]]


@pytest.mark.parametrize(
    ("count", "words"), [(6, None), (7, "And 1 more dataset."), (9, "3 more datasets.")]
)
def test_a_reader_hears_that_there_are_more_datasets(
    browser: Browser, tmp_path: Path, count: int, words: str | None
) -> None:
    each = [dataset(f"d{place}", f"D{place}") for place in range(count)]
    with visit(browser, write_page(report(datasets=each), tmp_path)) as seen:
        seen.page.locator('[id="condition/ratio"]').fill("3")
        live = seen.page.locator(".condition-bar [aria-live=polite]")
        said = heard(live, "3:1. Cheapest: D0: ")
        assert said.count(", cost ") == 6
        assert said.endswith(words) if words else "more" not in said
