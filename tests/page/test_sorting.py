"""Sorting in a browser: each column of each table, in the order of the values behind its words."""

import re
from collections.abc import Iterator
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator

from costcurves import formats
from costcurves.code import REPORT
from costcurves.report.thresholds import used
from tests.asymmetric_study import NAME
from tests.browser import Visit, visit

SIGNED = [-1200.0, -0.31, -0.0042, -3e-7, 0.0, 3e-7, 0.00091, 0.0099, 0.25, 0.9996, 1.0, 12.5]
COUNTS = [0, 7, 950, 9999, 12_345, 999_999, 1_000_000]
FEW = [0.0, 0.0004, 0.0011, 0.026, 0.4, 1.0]
RATIOS = [0.0, 1 / 1200, 0.2, 0.5, 1.0, 1.6, 5.0, 24.5, 1200.0, 31_000.0, inf]
SCORES = [-inf, -12.5, -0.3, 9.57e-6, 0.31, 0.45, 0.9999998, 1.0, 12_000.0, inf]


def served(threshold: float, member: str = "") -> str:
    said = used({"threshold": threshold, "member": member, "flagged": 0.31})
    return " ".join(said.split("\n"))


# What a column holds: the class of its cells, and words by value from the least to the greatest.
COLUMNS: dict[str, tuple[str, list[str]]] = {
    "cost": ("n", [formats.cost(one) for one in SIGNED]),
    "difference": ("n", [formats.signed(one) for one in SIGNED]),
    "cost with an interval": (
        "n",
        [f"{formats.cost(it)} 0.001{formats.DASH}99.5" for it in SIGNED],
    ),
    "amount": ("n", [f"{formats.amount(it)} kEUR 5 to 9" for it in [-12_000, *SIGNED[1:], 54_321]]),
    "count": ("n", [formats.count(one) for one in COUNTS]),
    "about": ("n", [f"about {formats.about(one)}" for one in COUNTS]),
    "p": ("n", [formats.p_value(one) for one in FEW[1:]]),
    "share": ("n", [formats.share(one) for one in [-0.12, *FEW]]),
    "level": ("n", [formats.level(one) for one in (0.8, 0.9, 0.975, 0.9995)]),
    "ratio": ("n", [formats.ratio(one) for one in RATIOS]),
    "ratios": (
        "n",
        [
            formats.ratio_range(0, 3),
            *(formats.ratio_range(one, one * 7) for one in RATIOS[1:-1]),
            formats.ratio_range(40_000, 40_001),
            formats.ratio_range(60_000, inf),
        ],
    ),
    "all ratios": ("n", [formats.ratio_range(0, inf), formats.ratio_range(0.1, 0.2)]),
    "PC(+)": ("n", [formats.pc(one) for one in (0.0, 4e-7, 0.0004, 0.02, 0.31, 0.9999, 1.0)]),
    "range": (
        "n",
        [formats.pc_range(it, it + 0.2) for it in (0, 0.0002, 0.03, 0.26, 0.311, 0.7)],
    ),
    "saved": ("n", ["nothing", *(formats.cost(one) for one in SIGNED[5:])]),
    "threshold": ("n score", [served(one) for one in SCORES]),
    "members": (
        "whole score",
        [
            served(0.02, "trained at 0.8"),
            served(0.11),
            served(0.35, "trained at 0.15"),
            served(inf, "trained at 0.45"),
            served(nan, "trained at 0.15"),
            served(nan, "trained at 0.45"),
            served(nan, "trained at 10"),
        ],
    ),
    "operating points": (
        "score",
        [
            "always positive",
            *(f"threshold {formats.threshold(it)}" for it in SCORES[1:-1]),
            "always negative",
            "decision, and in 10\u202f% of the cases threshold 1",
            "decision, and in 20\u202f% of the cases threshold 0.2",
        ],
    ),
    "mixed": (
        "score",
        [f"threshold {formats.threshold(it)}, and in 7\u202f% always" for it in SCORES[1:-1]],
    ),
    "decisions": ("score", [served(-inf), served(0.2), served(inf), "as decided"]),
    "names": ("", ["a 1:5", "A 2", "a 10", "b < c", "é", "f 12\u202f345"]),
}
SCORED = re.compile("threshold|never|always|(trained at [0-9.]+ )?\N{GREATER-THAN OR EQUAL TO}")
WORDLESS = {"cost": "—", "range": "none", "ratio": "—", "names": "", "threshold": "", "level": "—"}


@pytest.fixture(scope="module")
def made(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visit]:
    """A table of each column, its rows out of order; some have a cell that says nothing."""
    tables = []
    for name, (kind, words) in COLUMNS.items():
        cells = [words[place] for place in np.random.default_rng(5).permutation(len(words))]
        cells[1:1] = [WORDLESS[name]] if name in WORDLESS else []
        rows = "".join(
            f'<tr><th>row</th><td class="{kind}">{it.replace("<", "&lt;")}</td></tr>'
            for it in cells
        )
        head = f'<tr><th>row</th><th class="{kind}">value</th></tr>'
        tables.append(f'<table id="{name}"><thead>{head}</thead><tbody>{rows}</tbody></table>')
    ours = (REPORT / "scripts" / it for it in ("begin.js", "make.js", "tables.js"))
    scripts = "".join(it.read_text("utf-8") for it in ours)
    file = tmp_path_factory.mktemp("tables") / "page.html"
    body = f'<meta charset="utf-8"><p id="contents"></p><main>{"".join(tables)}</main>'
    file.write_text(f"<!DOCTYPE html>{body}<script>{scripts}</script>", "utf-8")
    with visit(browser, file) as seen:
        yield seen


# The words of a column in each group of rows, without the row that answers for the reader.
COLUMN = """(table, place) => [...table.tBodies].map((body) => [...body.rows]
  .filter((row) => row.cells.length > 1 && !row.matches(".set"))
  .map((row) => row.cells[place].textContent.replace(/[ \\n]+/g, " ").trim()))"""
# Each column that can be sorted: its kind, and what three clicks on its head make of it.
CLICKED = f"""() => {{
  const column = {COLUMN};
  return [...document.querySelectorAll("main button.sort")].map((button) => {{
    const [head, table] = [button.closest("th"), button.closest("table")];
    const seen = () => [head.ariaSort, column(table, head.cellIndex)];
    const all = [seen()];
    for (let click = 0; click < 3; click++) {{
      button.click();
      all.push(seen());
    }}
    return [head.className, all];
  }});
}}"""


def column(table: Locator, place: int) -> list[list[str]]:
    found: list[list[str]] = table.evaluate(COLUMN, place)
    return found


@pytest.mark.parametrize("name", COLUMNS)
def test_each_way_of_writing_a_number_is_sorted_by_the_number(made: Visit, name: str) -> None:
    kind, words = COLUMNS[name]
    table = made.page.locator(f'[id="{name}"]')
    button = table.locator("button.sort").nth(1)
    before = column(table, 1)
    assert before != [words]
    behind = [WORDLESS[name]] if name in WORDLESS else []
    button.click()
    assert column(table, 1) == [words + behind]
    button.click()
    numbers = [it for it in words if "score" not in kind or SCORED.match(it)]
    names = words[len(numbers) :]
    assert column(table, 1) == [numbers[::-1] + names[::-1] + behind]
    button.click()
    assert column(table, 1) == before


# The whole of a report


def key(words: str, kind: str) -> tuple[int, Any]:
    """What a cell stands for: a number comes before a name, a name before nothing."""
    kinds = kind.split()
    if "score" in kinds:
        first, *_ = words.split(", and in ")
        _, *found = re.split("\N{GREATER-THAN OR EQUAL TO}|threshold", first)
        said = {"never": inf, "always negative": inf, "always": -inf, "always positive": -inf}
        if found:
            return 0, float(found[0].strip().replace(formats.MINUS, "-"))
        return (0, said[first]) if first in said else (1, words) if words else (2, "")
    if not {"n", "numbers"} & {*kinds}:
        return (1, words) if words else (2, "")
    words = re.sub("^(about|above) ", "", words)
    first, *_ = re.split(rf" |{formats.DASH}", words)
    first = first.replace(formats.THIN, "").replace(formats.MINUS, "-").lstrip("<>").rstrip("%")
    if first in ("below", "all", "nothing"):
        return 0, 0.0
    over, _, under = first.partition(":")
    try:
        return 0, float(over) / float(under or 1)
    except ValueError:
        return 2, ""
    except ZeroDivisionError:
        return 0, inf


def in_order(words: list[str], kind: str, direction: int) -> bool:
    keys = [key(it, kind) for it in words]
    numbers = [direction * it for rank, it in keys if rank == 0]
    names = [natural(it) for rank, it in keys if rank == 1][::direction]
    ranks = [rank for rank, _ in keys]
    return ranks == sorted(ranks) and numbers == sorted(numbers) and names == sorted(names)


def natural(words: str) -> list[tuple[int, float, str]]:
    """Words without case, the whole numbers in them as numbers."""
    parts = re.findall(r"\d+|[^\d\s]+", words.lower())
    return [(0, float(it), "") if it.isdigit() else (1, 0, it) for it in parts]


def test_every_column_of_every_table_of_a_report_is_sorted(
    browser: Browser, asymmetric: Path
) -> None:
    file = asymmetric / "reports" / NAME / "report.html"
    with visit(browser, file, fragment="#annex?ratio=3.3&positives=0.22") as seen:
        seen.page.locator('[id="condition/ratio"]').fill("2.9")  # as a reader may, before sorting
        clicked = seen.page.evaluate(CLICKED)
    assert len(clicked) > 80
    for kind, ((_, before), *sorted_by, (_, after)) in clicked:
        assert [state for state, _ in sorted_by] == ["ascending", "descending"]
        assert before == after
        for direction, (_, now) in zip((1, -1), sorted_by, strict=True):
            assert [*map(sorted, now)] == [*map(sorted, before)]
            wrong = [group for group in now if not in_order(group, kind, direction)]
            assert not wrong, (kind, wrong)
    kinds = {kind for kind, _ in clicked}
    assert {"n", "n score", "n score set", "n set", "whole score", "numbers", "score"} <= kinds


def test_rows_move_as_wholes_and_the_readers_row_stays_first(
    browser: Browser, asymmetric: Path
) -> None:
    file = asymmetric / "reports" / NAME / "report.html"
    with visit(browser, file, fragment="#?ratio=3.3&positives=0.22") as seen:
        use = seen.page.locator('[id="data/loans"] .use')
        rows = use.locator("tbody tr")
        before = rows.all_inner_texts()
        use.get_by_role("button", name="Threshold").click()
        after = rows.all_inner_texts()
        assert after != before
        assert sorted(after) == sorted(before)
        assert [it[:5] == "yours" for it in after] == [it[:5] == "yours" for it in before]
