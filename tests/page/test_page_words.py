"""What the asymmetric study's page says in sentences and tables: it is what its files say."""

import html
import re
from collections.abc import Callable
from functools import partial
from math import inf, isnan
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from costcurves import formats
from costcurves.choosing.headline import headline_of
from costcurves.curves.cost_space import ratio_from_pc
from costcurves.tables.keys import ALWAYS
from tests.asymmetric_study import BY_COST, DATASETS, NAME
from tests.oracle.slow_views import CONDITIONS, Published, View
from tests.report.lowest import lowest


@pytest.fixture(scope="module")
def page(asymmetric: Path) -> str:
    return (asymmetric / "reports" / NAME / "report.html").read_text("utf-8")


def text(markup: str) -> str:
    """What a reader sees of it: a name's own marks part no words, all others do."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", re.sub(r"</?bdi>", "", markup))).split())


def section(page: str, anchor: str) -> str:
    (markup,) = re.findall(rf'<section[^>]* id="{anchor}".*?</section>', page, re.DOTALL)
    return str(markup)


def rows(page: str, caption: str) -> list[list[str]]:
    """The cells of a table that is called so."""
    tables = re.findall(r"<table.*?</table>", page, re.DOTALL)
    table = next(table for table in tables if caption in text(table.partition("</caption>")[0]))
    cells = [re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL) for row in table.split("<tr>")[1:]]
    return [[text(cell) for cell in row] for row in cells]


def threshold_is(cell: str, rows: pd.DataFrame, model: str, pc: float) -> bool:
    """Whether a cell is the member and the threshold that serve a model at a PC(+)."""
    rows = rows[(rows["model"] == model) & (rows["pc_from"] < pc) & (pc <= rows["pc_to"])]
    (threshold,), (member,) = rows["threshold"], rows["member"].astype(object).fillna("")
    if isnan(threshold):
        return cell in {member, "as decided"}
    if abs(threshold) == inf:
        return cell == ("never" if threshold > 0 else "always")
    score = float(cell.removeprefix(member).strip().removeprefix("≥ ").replace("\u2212", "-"))
    return cell.startswith(member) and score == pytest.approx(threshold, rel=5.1e-3)


def check_row(
    cells: list[str], tables: Callable[[str], pd.DataFrame], condition: str, pc: float
) -> None:
    """Compare where, which decision has the lowest estimate, at what cost and which threshold."""
    where, decision, cost, _, others, threshold = cells
    assert where.startswith(f"{condition} PC(+) {formats.pc(pc)}")
    best = lowest(tables, pc)
    prior = float(tables("measures")["prior"].iloc[0])
    stays = formats.ratio_range(*(float(ratio_from_pc(end, prior)) for end in best.stays))
    assert decision == f"{best.name} {'everywhere' if best.stays == (0, 1) else stays}"
    out = {*tables("not_ruled_out")["decision"]} - best.others
    assert not [each for each in out if re.search(rf"\b{each}\b", others)]
    expected = formats.cost(best.cost)
    if condition == "own costs":
        rows = tables("instance_costs").set_index("model")
        row: Any = rows.loc[best.name]
        assert row["cost"] == rows["cost"].min()
        amounts = [formats.amount(1000 * row[end]) for end in ("cost", "low", "high")]
        expected = "{} {} kCHF ({}\u2013{})".format(formats.cost(row["nec"]), *amounts)
    elif best.name not in ALWAYS:
        rows = tables("intervals").query("condition == @condition and model == @best.name")
        expected += f" {formats.interval(float(rows['low'].item()), float(rows['high'].item()))}"
    assert cost == expected
    if best.name in ALWAYS:
        assert threshold == ""
    else:
        assert threshold_is(threshold, tables("deployment"), best.name, pc)


@pytest.mark.parametrize("name", DATASETS)
def test_each_section_says_what_to_use(page: str, published: Published, name: str) -> None:
    markup = section(page, f"data/{name}")
    heads, *shown = rows(markup, "which decision at each cost ratio")
    assert heads[0:6:4] == ["Cost ratio", "Not ruled out"]
    assert f'"tables/intervals/{name}.csv"' in page
    assert f"{published('measures', name)['instances'].iloc[0]} cases" in text(markup)
    if name == "loans":
        pc = float(published("instance_costs", BY_COST)["pc"].iloc[0])
        check_row(shown.pop(0), partial(published, view=BY_COST), "own costs", pc)
    for cells, (condition, at) in zip(shown, CONDITIONS.items(), strict=True):
        check_row(cells, partial(published, view=name), condition, float(at))


@pytest.mark.parametrize("name", DATASETS)
def test_areas_are_not_what_the_prior_of_costs_makes_of_them(
    page: str, published: Published, name: str
) -> None:
    measures = published("measures", name)
    judged = measures[measures["headline"]].set_index("model")
    assert (judged["area"] != judged["tec"]).any()
    curves = headline_of(published("headline", name))
    heads, *shown = rows(section(page, f"data/{name}/cost-curves"), "costs, areas and AUC")
    for cells, (model, row) in zip(shown, judged.iterrows(), strict=True):
        assert cells[0].startswith(str(model))
        assert row["area"] == pytest.approx(curves[str(model)].area())
        costs = {f"Cost at {at}": curves[str(model)](float(pc)) for at, pc in CONDITIONS.items()}
        costs |= {"Area": row["area"], "Weighted cost": row["tec"], "AUC": row["auc"]}
        printed = {head: cell.split(" ")[0] for head, cell in zip(heads, cells, strict=True)}
        assert {head: printed[head] for head in costs} == {
            head: formats.cost(cost) for head, cost in costs.items()
        }


@pytest.mark.parametrize("name", DATASETS)
def test_the_threshold_at_a_cost_ratio_is_the_one_that_serves_it(
    page: str, published: Published, view_of: Callable[[str], View], name: str
) -> None:
    prior, served = view_of(name).prior, published("deployment", name)
    heads, *shown = rows(section(page, f"data/{name}/thresholds"), "which threshold to use")
    assert [row[0] for row in shown] == list(dict.fromkeys(served["model"]))
    for model, *cells in shown:
        for head, cell in zip(heads[1:], cells, strict=True):
            missed, alarm = map(int, head.split(" ")[0].split(":"))
            pc = float(prior * missed / (prior * missed + (1 - prior) * alarm))
            assert threshold_is(cell, served, model, pc)
