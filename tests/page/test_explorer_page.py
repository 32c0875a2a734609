"""The interactive figure in a browser: what it draws and reads out are the tables' numbers."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Browser, Locator, expect

from costcurves import formats
from costcurves.maths.geometry import cost_space, reid
from costcurves.maths.geometry.curves import Curve
from costcurves.tables.curves.headline import headline_of
from costcurves.tables.curves.pieces import curves_of
from tests.browsed_study import SKILLS, Tables, browsed_tables
from tests.browser import Visit, visit

MODELS = list(SKILLS)
EXPLORER = "#data/scores/explorer"
SEEN = 0.0011  # two roundings of three decimals, and what thinning leaves out
PIXEL = 0.004  # of an axis
RATIO = """([place, x]) => {
  const prior = condition.prior(datasets.all().find((it) => it.place.id === place));
  const axes = AXES.find(({ key }) => document.getElementById(`${place}/axes-${key}`).checked);
  return geometry.ratioOfPc(axes.x(x, prior), prior);
}"""


class Figure:
    """The interactive figure of a dataset, and what it shows."""

    def __init__(self, seen: Visit, place: str) -> None:
        self.seen = seen
        self.place = place
        self.root = seen.page.locator(f'[id="{place}"]')
        self.roc, self.cost = (self.root.locator("svg.plot").nth(place) for place in (0, 1))

    def field(self, name: str) -> Locator:
        return self.root.locator(f'[id="{self.place}/{name}"]')

    def set(self, name: str) -> Locator:
        """A field of the page's one control: "ratio", or "positives" in per cent."""
        return self.seen.page.locator(f'[id="condition/{name}"]')

    @property
    def x(self) -> float:
        """Where the condition is, on the axis that cost space is drawn on."""
        return float(self.text(".upright text").partition(" = ")[2])

    def move(self, x: float) -> None:
        """Set the ratio that leads to a place of the axis."""
        ratio = self.seen.page.evaluate(RATIO, [self.place, x])
        self.set("ratio").fill(repr(ratio))

    def press(self, x: float) -> None:
        """Press cost space at a place of the axis."""
        self.seen.page.mouse.click(*self.at(self.cost, x, 0.5))
        self.seen.page.mouse.move(0, 0)

    def rows(self) -> dict[str, list[str]]:
        """The cells of the read-out by model."""
        script = "rows => rows.map(row => [...row.children].map(cell => cell.textContent))"
        rows = self.root.locator("tbody tr").evaluate_all(script)
        return {row[0]: row[1:] for row in rows}

    def text(self, name: str) -> str:
        return str(self.root.locator(name).text_content())

    def at(self, plot: Locator, x: float, y: float) -> tuple[float, float]:
        """Where in the window shares of the axes are."""
        plot.scroll_into_view_if_needed()
        box: Any = plot.bounding_box()
        left, top, bottom, right = self.frame(plot)
        return box["x"] + left + x * (right - left), box["y"] + bottom - y * (bottom - top)

    def frame(self, plot: Locator) -> list[float]:
        """Left, top, bottom and right of the axes in the drawing."""
        return numbers(str(plot.locator(".axis").get_attribute("d")))

    def path(self, plot: Locator, name: str, place: int = 0) -> list[tuple[float, float]]:
        """The places that a path goes through, as shares of the axes."""
        values = numbers(str(plot.locator(name).nth(place).get_attribute("d")))
        left, top, bottom, right = self.frame(plot)
        pairs = zip(values[::2], values[1::2], strict=True)
        return [((x - left) / (right - left), (bottom - y) / (bottom - top)) for x, y in pairs]

    def dot(self, plot: Locator, name: str) -> tuple[float, float]:
        """The middle of a mark, as shares of the axes."""
        mark = plot.locator(name).first
        x, y = (float(str(mark.get_attribute(axis))) for axis in ("cx", "cy"))
        left, top, bottom, right = self.frame(plot)
        return (x - left) / (right - left), (bottom - y) / (bottom - top)

    def named(self) -> str:
        """What is said beside the condition, without the isolation of names."""
        return re.sub("[\u2068\u2069]", "", self.text(".best text"))

    def top(self) -> float:
        """The last tick of the cost axis."""
        return float(self.cost.locator(".tick.end").all_text_contents()[-1])


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


@contextmanager
def figure(
    browser: Browser, file: Path, fragment: str = "", dataset: str = "scores", **settings: Any
) -> Iterator[Figure]:
    with visit(browser, file, fragment=fragment, **settings) as seen:
        yield Figure(seen, f"data/{dataset}/explorer")


@pytest.fixture(scope="module")
def results() -> Tables:
    return browsed_tables()["scores"]


def curves(rows: pd.DataFrame) -> dict[str, Curve]:
    return {names["model"]: curve for names, curve in curves_of(rows, ["model"])}


def holders(results: Tables, pc: float) -> dict[str, pd.Series]:
    """The piece of each model's pooled envelope at a PC(+)."""
    pooled = results["envelopes"][results["envelopes"]["level"] == "pooled"]
    here = pooled[pooled["pc_from"] <= pc]
    return {str(row["model"]): row for _, row in here.groupby("model").tail(1).iterrows()}


def cheapest(results: Tables, pc: float) -> tuple[str, float]:
    """The model that the table of decisions in the running calls the cheapest, and its cost."""
    rows = results["in_the_running"]
    rows = rows[(rows["standing"] == "cheapest") & (rows["pc_from"] <= pc) & (rows["pc_to"] > pc)]
    (name,) = rows["decision"]
    return str(name), float(headline_of(results["headline"])[name](pc))


def promise(results: Tables, pc: float, c: float) -> str:
    """What the hull of the cheapest promises on Reid's axes at prior 0.3."""
    best = holders(results, pc)[cheapest(results, pc)[0]]
    return formats.cost(reid.point_to_loss(best["at0"], 1 - best["at1"], c, 0.3))


def verdicts(results: Tables, pc: float) -> set[tuple[str, str]]:
    """Pairs of a cheaper and a more expensive model."""
    rows = results["verdicts"]
    rows = rows[(rows["pc_from"] <= pc) & (rows["pc_to"] > pc)]
    pairs = rows[["model_a", "model_b", "finding"]].itertuples(index=False)
    won = {"A cheaper": (0, 1), "B cheaper": (1, 0)}
    return {(row[won[row[2]][0]], row[won[row[2]][1]]) for row in pairs if row[2] in won}


def check_rows(shown: Figure, results: Tables, pc: float, unit: float = 1) -> None:
    """Hold every cell of the read-out against the tables; `unit` is what a cost of 1 comes to."""
    head, bands = headline_of(results["headline"]), results["bands"]
    bands = bands[bands["extent"] == "pointwise"]
    low, high = (curves(bands[bands["edge"] == edge]) for edge in ("lower", "upper"))
    won = verdicts(results, pc)
    for model, cells in shown.rows().items():
        piece = holders(results, pc)[model]
        lowest, fp, fn = piece["holder"], piece["at0"], piece["at1"]
        ends = numbers(cells[1].replace(formats.DASH, " "))
        assert [float(cells[0]), *ends] == pytest.approx(
            [unit * curve[model](pc) for curve in (head, low, high)], abs=SEEN
        )
        assert [int(cell) for cell in cells[2:4]] == [
            sum(pair[place] == model for pair in won) for place in (0, 1)
        ]
        assert cells[4] == lowest
        assert [float(cell) for cell in cells[5:]] == pytest.approx(
            [fp, 1 - fn, unit * cost_space.nec(pc, fp, fn)], abs=SEEN
        )


def test_every_model_is_read_out(browser: Browser, browsed: Path, results: Tables) -> None:
    with figure(browser, browsed) as shown:
        assert list(shown.rows()) == MODELS
        check_rows(shown, results, 0.5)
        for pc in (0.0, 0.205, 0.385, 0.71, 0.995):
            shown.move(pc)
            check_rows(shown, results, pc)
            assert shown.x == pc


def test_pairs_that_are_decided_are_said(browser: Browser, browsed: Path, results: Tables) -> None:
    with figure(browser, browsed) as shown:
        won = verdicts(results, 0.5)
        assert won
        said = shown.text(".read-verdict")
        for winner, loser in won:
            assert re.search(rf"{re.escape(winner)} is cheaper than [^.]*{re.escape(loser)}", said)
        assert f"the other {6 - len(won)} pair" in said


@pytest.mark.parametrize(("open_pairs", "pairs"), [(3, 3), (0, 3), (1, 3), (2, 3)])
def test_what_is_decided_is_said_at_its_level(
    browser: Browser, browsed: Path, open_pairs: int, pairs: int
) -> None:
    with figure(browser, browsed) as shown:
        given = f"ExplorerReadout.open({open_pairs}, {pairs}, 0.8)"
        assert "(familywise 80\u202f%)." in shown.seen.page.evaluate(given)


@pytest.mark.parametrize(
    ("axes", "across", "up", "ascending"),
    [
        ("", "PC(+), the probability cost", "normalized expected cost", "always negative"),
        ("?axes=reid", "c, the cost of a false positive", "expected loss", "always positive"),
    ],
)
def test_axes_and_constant_decisions_are_named(
    browser: Browser, browsed: Path, axes: str, across: str, up: str, ascending: str
) -> None:
    """At c = 0 a false positive costs nothing, so that always positive costs nothing there."""
    with figure(browser, browsed, f"#data/scores/explorer{axes}") as shown:
        for plot, names in (
            (shown.roc, ["false positive rate", "true positive rate"]),
            (shown.cost, [across, up]),
        ):
            assert plot.locator(".axis-name").all_text_contents() == names
            centred = plot.locator(".axis-name.middle").all_text_contents()
            assert centred == names[:1]  # below the axis; the other one stands above it
        left, right = sorted(
            shown.cost.locator(".ground text").evaluate_all(
                "them => them.map(it => [it.getBoundingClientRect().x, it.textContent])"
            )
        )
        constant = {"always negative", "always positive"}
        assert [left[1], {right[1]}] == [ascending, constant - {ascending}]


def test_a_condition_is_a_cost_ratio_and_a_prior(
    browser: Browser, browsed: Path, results: Tables
) -> None:
    with figure(browser, browsed) as shown:
        shown.set("positives").fill("20")
        assert shown.x == 0.2  # 1 : 1 as before
        shown.set("ratio").fill("3")
        pc = cost_space.pc_from_ratio(3, 0.2)
        assert shown.x == pytest.approx(pc, abs=0.0005)
        check_rows(shown, results, pc)
        shown.press(0.9)
        ratio = cost_space.ratio_from_pc(shown.x, 0.2)
        assert float(shown.set("ratio").input_value()) == pytest.approx(ratio, rel=1e-3)


def test_looking_at_cost_space_shows_the_dual_line(
    browser: Browser, browsed: Path, results: Tables
) -> None:
    with figure(browser, browsed) as shown:
        shown.seen.page.mouse.move(*shown.at(shown.cost, 0.3, 0.5))
        pc = float(shown.text(".upright text").removeprefix("PC(+) = "))
        assert pc == pytest.approx(0.3, abs=PIXEL)
        check_rows(shown, results, pc)
        name, cost = cheapest(results, pc)
        best = holders(results, pc)[name]
        promised = cost_space.nec(pc, best["at0"], best["at1"])
        for fp, tp in shown.path(shown.roc, ".iso .condition"):
            assert cost_space.nec(pc, fp, 1 - tp) == pytest.approx(promised, abs=PIXEL)
        height = cost / shown.top()
        assert shown.dot(shown.cost, ".least") == pytest.approx((pc, height), abs=PIXEL)
        assert shown.dot(shown.roc, ".least") == pytest.approx(
            (best["at0"], 1 - best["at1"]), abs=PIXEL
        )
        for line in shown.root.locator(".condition").all():
            assert line.evaluate("it => getComputedStyle(it).visibility") == "visible"
            assert line.evaluate("it => it.checkVisibility()")
        assert shown.root.locator(".best circle.best").count() == 2 * len(MODELS)
        shown.seen.page.mouse.move(0, 0)
        check_rows(shown, results, 0.5)


def test_the_cheapest_is_named_with_the_cost_by_which_it_is_judged(
    browser: Browser, browsed: Path, results: Tables
) -> None:
    """Not the cheapest in-sample; of some models, none that is dearer than a constant decision."""
    seen, others = set(), 0
    with figure(browser, browsed) as shown:
        for pc in (0.17, 0.42, 0.58, 0.96, 0.997):
            shown.move(pc)
            name, cost = cheapest(results, pc)
            assert shown.named() == f"cheapest: {name}, cost {formats.cost(cost)}"
            height = cost / shown.top()
            assert shown.dot(shown.cost, ".least") == pytest.approx((pc, height), abs=PIXEL)
            seen.add(name)
            rows = holders(results, pc)
            promised = {it: row["at0"] * (1 - pc) + row["at1"] * pc for it, row in rows.items()}
            others += name != min(promised, key=lambda it: promised[it])
        assert seen == {"Bayes", "Trees", MODELS[3]}
        assert others == 3
        for place in (0, 1, 3):
            shown.root.locator("tbody input").nth(place).uncheck()
        for pc, named in ((0.25, "negative"), (0.75, "positive")):
            shown.move(pc)
            least = formats.cost(min(pc, 1 - pc))
            assert shown.named() == f"cheapest: always {named}, cost {least}"


def test_the_thick_curves_are_those_that_models_are_judged_by(
    browser: Browser, browsed: Path, results: Tables
) -> None:
    head = headline_of(results["headline"])
    width = "it => parseFloat(getComputedStyle(it).strokeWidth)"
    with figure(browser, browsed) as shown:
        for number, model in enumerate(MODELS):
            places = np.array(shown.path(shown.cost, ".headline", number))
            drawn = np.interp([0.1037, 0.3307, 0.6209], *places.T) * shown.top()
            assert drawn == pytest.approx(head[model]([0.1037, 0.3307, 0.6209]), abs=PIXEL)
        thick, thin = (shown.cost.locator(it).first for it in (".headline", ".envelope"))
        assert thick.evaluate(width) > 1.5 * thin.evaluate(width)


def test_a_press_keeps_the_condition(browser: Browser, browsed: Path) -> None:
    with figure(browser, browsed) as shown:
        shown.press(0.7)
        assert shown.x == pytest.approx(0.7, abs=PIXEL)


def test_a_point_lights_up_its_line(browser: Browser, browsed: Path, results: Tables) -> None:
    points = results["operating_points"]
    with figure(browser, browsed) as shown:
        piece = holders(results, 0.5)["Bayes"]
        fp, fn = float(piece["at0"]), float(piece["at1"])
        shown.seen.page.mouse.move(*shown.at(shown.roc, fp, 1 - fn))
        (low, at0), (high, at1) = shown.path(shown.cost, ".lit-line")
        assert (low, high) == pytest.approx((0, 1), abs=1e-9)
        top = shown.top()
        assert (at0 * top, at1 * top) == pytest.approx((fp, fn), abs=PIXEL)
        own = points[(points["level"] == "pooled") & (points["model"] == "Bayes")]
        row = own.set_index("point").loc[piece["point"]]
        said = shown.text(".read-point")
        assert said.startswith(f"Bayes, {piece['holder']}: FP rate {formats.cost(fp)} ")
        assert f"({row['fp_count']} of {row['negatives']} predictions of negatives)" in said
        assert f"TP rate {formats.cost(1 - fn)} ({row['tp_count']} of {row['positives']} of" in said
        assert f"from {piece['pc_from']:.3f} to {piece['pc_to']:.3f}." in said
        shown.seen.page.mouse.move(0, 0)
        assert shown.cost.locator(".lit-line").count() == 0


def test_keys_walk_from_point_to_point(browser: Browser, browsed: Path) -> None:
    with figure(browser, browsed) as shown:
        stops = shown.roc.locator("[role=option]")
        assert shown.roc.locator("[tabindex='0']").count() == 1
        stops.first.focus()
        said = [shown.text(".read-point")]
        for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowUp"):
            shown.seen.page.keyboard.press(key)
            said.append(shown.text(".read-point"))
            label = shown.roc.locator("[aria-selected=true]").get_attribute("aria-label")
            assert label == said[-1]
        assert [it.split(",")[0] for it in said] == ["Bayes", "Bayes", "Bayes", "Trees", "Bayes"]
        assert len(set(said[:3])) == 3
        assert shown.roc.locator("[tabindex='0']").count() == 1
        assert shown.cost.locator(".lit-line").count() == 1


def test_models_can_be_left_out(browser: Browser, browsed: Path, results: Tables) -> None:
    with figure(browser, browsed) as shown:
        shown.root.locator("tbody input").first.uncheck()
        assert shown.cost.locator(".envelope").count() == len(MODELS) - 1
        assert shown.roc.locator(".hull").count() == len(MODELS) - 1
        left = [pair for pair in verdicts(results, 0.5) if "Bayes" not in pair]
        assert sum(int(cells[2]) for cells in shown.rows().values()) == len(left)
        for box in shown.root.locator("tbody input").all()[1:]:
            box.uncheck()
        assert shown.root.locator(".least").count() == 0
        shown.root.locator("tbody input").first.check()
        assert shown.cost.locator(".envelope").count() == 1


def test_bands_and_curves_can_be_switched(browser: Browser, browsed: Path, results: Tables) -> None:
    with figure(browser, browsed) as shown:
        assert shown.cost.locator(".band").count() == 0
        assert shown.cost.locator(".headline").count() == len(MODELS)
        assert shown.cost.locator(".envelope").count() == len(MODELS)
        shown.field("bands").check()
        assert shown.cost.locator(".band").count() == len(MODELS)
        head = headline_of(results["headline"])["Bayes"]
        places = np.array(shown.path(shown.cost, ".headline"))
        grid = np.array([0.1037, 0.3307, 0.6209, 0.9011])
        drawn = np.interp(grid, *places.T) * shown.top()
        assert drawn == pytest.approx(head(grid), abs=PIXEL)
        shown.field("promised").uncheck()
        assert shown.cost.locator(".envelope").count() == 0
        assert shown.cost.locator(".headline").count() == len(MODELS)


def test_reids_axes(browser: Browser, browsed: Path, results: Tables) -> None:
    with figure(browser, browsed, f"{EXPLORER}?ratio=1.5556&positives=0.3&axes=reid") as shown:
        c = float(reid.pc(0.4, 0.3))  # the same formula leads back
        assert shown.text(".upright text") == f"c = {c:.3f}"
        check_rows(shown, results, 0.4, 0.3 * (1 - c) + 0.7 * c)
        (_, _, apex, *_) = shown.path(shown.cost, ".shade")
        assert apex == pytest.approx((0.3, 0.3 * 0.7 / shown.top()), abs=PIXEL)
        name, cost = cheapest(results, 0.4)
        least = cost * (0.3 * (1 - c) + 0.7 * c)
        assert shown.named() == f"cheapest: {name}, loss {formats.cost(least)}"
        assert (
            shown.text(".iso text")
            == f"dashed: loss {promise(results, 0.4, c)} all along, in-sample"
        )
        assert shown.dot(shown.cost, ".least") == pytest.approx((c, least / shown.top()), abs=PIXEL)
        before = shown.path(shown.cost, ".shade")[2]
        shown.set("positives").fill("50")
        after = shown.path(shown.cost, ".shade")[2]
        assert after == pytest.approx((0.5, 0.25 / shown.top()), abs=PIXEL)
        assert before != after
        assert shown.x == pytest.approx(c, abs=1e-3)  # costs stay
        shown.press(0.25)
        c = shown.x
        shown.field("axes-ours").check()
        assert shown.x == pytest.approx(reid.pc(c, 0.5), abs=1e-3)


def test_points_of_ones_own(browser: Browser, browsed: Path) -> None:
    with figure(browser, browsed) as shown:
        shown.seen.page.mouse.click(*shown.at(shown.roc, 0.8, 0.3))
        (said,) = shown.root.locator(".own-points li span").all_text_contents()
        fp, tp, cost = numbers(said)[1:]
        assert (fp, tp) == pytest.approx((0.8, 0.3), abs=PIXEL)
        assert cost == pytest.approx(cost_space.nec(0.5, fp, 1 - tp), abs=0.0005)
        ends = shown.path(shown.cost, ".own-line")
        assert [y * shown.top() for _, y in ends] == pytest.approx([fp, 1 - tp], abs=PIXEL)
        shown.field("own-fp").fill("0.1")
        shown.field("own-tp").fill("0.45")
        shown.root.get_by_role("button", name="Add a point").click()
        assert shown.cost.locator(".own-line").count() == 2
        shown.roc.locator("[role=option]").last.focus()
        assert shown.text(".read-point").startswith("Your point 2: FP rate 0.100, TP rate 0.450")
        shown.root.get_by_role("button", name="Remove point 2").click()
        assert shown.cost.locator(".own-line").count() == 1
        shown.root.get_by_role("button", name="Remove point 1").click()
        assert shown.cost.locator(".own-line").count() == 0
        expect(shown.root.locator("[aria-live]")).to_have_text(re.compile(r"^Point removed\. PC"))
        assert shown.field("own-fp").evaluate("it => it === document.activeElement")


def test_a_point_can_be_dragged(browser: Browser, browsed: Path) -> None:
    with figure(browser, browsed, "#data/scores/explorer?points=0.8_0.3") as shown:
        mouse = shown.seen.page.mouse
        mouse.move(*shown.at(shown.roc, 0.8, 0.3))
        mouse.down()
        mouse.move(*shown.at(shown.roc, 0.6, 0.2), steps=4)
        mouse.up()
        (said,) = shown.root.locator(".own-points li span").all_text_contents()
        assert numbers(said)[1:3] == pytest.approx([0.6, 0.2], abs=PIXEL)


LINK = (  # PC(+) = 0.3
    f"{EXPLORER}?ratio=1.7143&positives=0.2&axes=reid&promised=off&bands=on&off=1-2&points=0.1_0.7"
)


def test_a_link_leads_to_a_state(browser: Browser, browsed: Path, results: Tables) -> None:
    with figure(browser, browsed, LINK) as shown:
        check_rows_of_link(shown, results)
        shown.seen.page.wait_for_timeout(400)
        assert shown.seen.page.evaluate("location.hash") == LINK  # nothing was changed
        shown.root.locator("tbody input").nth(1).check()
        shown.seen.page.wait_for_url("**off=2&**")
        shown.seen.page.reload()
        shown.seen.settle()
        assert shown.cost.locator(".headline").count() == len(MODELS) - 1
        assert shown.root.evaluate("it => it.getBoundingClientRect().top") < 900


def check_rows_of_link(shown: Figure, results: Tables) -> None:
    assert shown.field("axes-reid").is_checked()
    assert shown.field("bands").is_checked()
    assert not shown.field("promised").is_checked()
    boxes = [box.is_checked() for box in shown.root.locator("tbody input").all()]
    assert boxes == [True, False, False, True]
    assert shown.cost.locator(".own-line").count() == 1
    piece = holders(results, 0.3)["Bayes"]
    assert shown.rows()["Bayes"][4] == piece["holder"]


def test_reset_leads_back(browser: Browser, browsed: Path, results: Tables) -> None:
    with figure(browser, browsed, LINK) as shown:
        shown.root.get_by_role("button", name="Reset").click()
        shown.seen.page.locator(".condition-bar").get_by_role("button", name="Reset").click()
        check_rows(shown, results, 0.5)
        assert shown.cost.locator(".envelope").count() == len(MODELS)
        shown.seen.page.wait_for_url("**#data/scores/explorer")


def test_passing_through_the_fields_changes_nothing(browser: Browser, browsed: Path) -> None:
    with figure(browser, browsed, "#methods") as shown:
        shown.field("axes-ours").focus()
        for _ in range(12):
            shown.seen.page.keyboard.press("Tab")
        shown.set("ratio").fill("-3")
        shown.field("axes-ours").focus()
        assert shown.set("ratio").input_value() == "1"
        shown.seen.page.wait_for_timeout(400)
        assert shown.seen.page.evaluate("location.hash") == "#methods"


def test_numbers_read_as_in_the_tables(browser: Browser, browsed: Path) -> None:
    values = [*np.arange(0, 1, 1 / 64), *10.0 ** -np.arange(9), 0.00049999, 0.0005, -0.25, 1 / 3]
    ratios = [0.0, 0.0123, 0.5, 1.0, 1.96, 9.96, 37.4]
    with figure(browser, browsed) as shown:
        for name, given, expected in (
            ("cost", values, [formats.cost(float(value)) for value in values]),
            ("ratio", ratios, [formats.ratio(ratio) for ratio in ratios]),
        ):
            read = shown.seen.page.evaluate(
                f"them => them.map(numbers.{name})", [*map(float, given)]
            )
            assert read == expected


@pytest.mark.parametrize(
    "fragment",
    [
        "#data/scores/explorer?ratio=-7&positives=0&off=9-x&points=2_3-a",
        "#data/scores/explorer?",
        "#nobody?ratio=x",
    ],
)
def test_a_link_without_sense_does_no_harm(
    browser: Browser, browsed: Path, results: Tables, fragment: str
) -> None:
    with figure(browser, browsed, fragment) as shown:
        check_rows(shown, results, 0.5)


def test_anchors_lead_where_they_did(browser: Browser, browsed: Path) -> None:
    with figure(browser, browsed, "#methods") as shown:
        page = shown.seen.page
        assert abs(page.locator("#methods").evaluate("it => it.getBoundingClientRect().top")) < 60
        page.wait_for_timeout(400)
        assert page.evaluate("location.hash") == "#methods"
        page.evaluate(f"location.hash = {LINK!r}")
        expect(shown.cost.locator(".own-line")).to_have_count(1)


def test_a_screen_reader_hears_what_is_read_out(browser: Browser, browsed: Path) -> None:
    with figure(browser, browsed) as shown:
        live = shown.root.locator("[aria-live=polite]")
        assert live.text_content() == ""
        for pc in (0.2, 0.3, 0.4):
            shown.press(pc)
        cost = shown.rows()["Bayes"][0]
        where = rf"PC\(\+\) {shown.x:.3f}"
        said = re.compile(rf"^{where}, cheapest: Bayes, cost {cost}, interval .* to ")
        expect(live).to_have_text(said)


def test_touch_moves_the_condition(browser: Browser, browsed: Path) -> None:
    with figure(browser, browsed, width=390, has_touch=True) as shown:
        shown.seen.page.touchscreen.tap(*shown.at(shown.cost, 0.25, 0.5))
        assert shown.x == pytest.approx(0.25, abs=2 * PIXEL)
        shown.seen.page.touchscreen.tap(*shown.at(shown.roc, 0.8, 0.3))
        assert shown.root.locator(".own-points li").count() == 1


def test_every_control_has_a_name(browser: Browser, browsed: Path) -> None:
    with figure(browser, browsed) as shown:
        controls = shown.root.locator("input, button")
        labels = "[...it.labels, it].map(one => one.textContent).join('')"
        names = controls.evaluate_all(f"them => them.map(it => it.ariaLabel ?? {labels})")
        assert len(names) > 12
        assert all(name.strip() for name in names)


def test_the_read_out_does_not_jump(browser: Browser, browsed: Path) -> None:
    with figure(browser, browsed) as shown:
        places = set()
        for pc in np.linspace(0, 0.999, 9):
            shown.move(float(pc))
            parts = (shown.root, shown.root.locator(".read"), shown.root.locator(".own"))
            found: list[Any] = [part.bounding_box() for part in parts]
            top, *boxes = found
            places.add(tuple((round(box["y"] - top["y"]), box["width"]) for box in boxes))
        assert len(places) == 1


def test_without_scripts_there_is_the_static_figure_alone(browser: Browser, browsed: Path) -> None:
    with figure(browser, browsed, java_script_enabled=False) as shown:
        assert not shown.root.is_visible()
        assert shown.seen.page.locator(".duality figure .card").first.is_visible()
