"""What the asymmetric study's page says in sentences and tables: it is what its files say."""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from math import inf, isnan
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from costcurves import formats
from costcurves.choosing.headline import headline_of
from costcurves.curves.cost_space import ratio_from_pc
from costcurves.tables.keys import IN_SAMPLE
from tests.asymmetric_study import BY_COST, DATASETS, NAME
from tests.slow_views import CONDITIONS, Published, View


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


@dataclass(frozen=True)
class At:
    """What the tables of a view say at a PC(+)."""

    tables: Callable[[str], pd.DataFrame]
    pc: float

    @cached_property
    def costs(self) -> dict[str, float]:
        """The cost of each decision, from the least to the largest."""
        models = headline_of(self.tables("headline"))
        costs = {"always negative": self.pc, "always positive": 1 - self.pc}
        costs |= {model: curve(self.pc) for model, curve in models.items()}
        return dict(sorted(costs.items(), key=lambda item: item[1]))

    @property
    def constant(self) -> float:
        return min(self.pc, 1 - self.pc)

    @property
    def cheapest(self) -> str:
        best, *_ = self.costs
        return best

    @property
    def running(self) -> str:
        """What else could still be cheapest, in words."""
        measures, table = self.tables("measures"), self.tables("not_ruled_out")
        if IN_SAMPLE in set(measures.loc[measures["headline"], "estimate"]):
            return "not compared: in-sample"
        here = table[(table["pc_from"] < self.pc) & (self.pc < table["pc_to"])]
        standing = here.set_index("decision")["standing"]
        assert standing[self.cheapest] == "cheapest"
        fixed = self.tables("pair_intervals")
        here = fixed[(fixed["pc"] - self.pc).abs() < 1e-9]  # of a condition that the study names
        beyond = zip(here["model_a"], here["model_b"], here["low"], here["high"], strict=True)
        dearer = {a if low > 0 else b for a, b, low, high in beyond if low > 0 or high < 0}
        others = [name for name in self.costs if standing[name] == "not ruled out"]
        others = [name for name in others if name not in dearer]
        *names, last = others or ["none"]
        if len(names) > 2:
            names, last = [*names, last][:3], f"{len(names) - 2} more"
        return f"{', '.join(names)} and {last}" if names else last

    def interval(self, condition: str) -> tuple[float, float]:
        rows = self.tables("intervals")
        row = rows[(rows["condition"] == condition) & (rows["model"] == self.cheapest)]
        return float(row["low"].item()), float(row["high"].item())

    def threshold_is(self, words: str) -> bool:
        """Whether these words are those of the threshold that serves it."""
        if self.cheapest.startswith("always"):
            return words == ""
        rows = self.tables("deployment")
        piece = rows[(rows["model"] == self.cheapest) & (rows["pc_from"] < self.pc)].iloc[-1]
        if isnan(piece["threshold"]):
            return words in {piece["member"], "as decided"}
        if abs(piece["threshold"]) == inf:
            return words == ("never" if piece["threshold"] > 0 else "always")
        score = float(words.rpartition("≥ ")[2].replace("\N{MINUS SIGN}", "-"))
        return score == pytest.approx(piece["threshold"], rel=5.1e-3)


def stays(at: At, best: str) -> str:
    """Where its estimate stays the lowest, as cost ratios."""
    table, prior = at.tables("not_ruled_out"), float(at.tables("measures")["prior"].iloc[0])
    cheapest = table[table["standing"] == "cheapest"]
    stretches = cheapest[cheapest["decision"] == best]
    low, high = stretches.loc[stretches["pc_to"] > at.pc, ["pc_from", "pc_to"]].iloc[0].tolist()
    words = formats.ratio_range(ratio_from_pc(low, prior), ratio_from_pc(high, prior))
    if (low, high) == (0, 1):
        return "everywhere"
    return words


@pytest.mark.parametrize("name", DATASETS)
def test_each_section_says_what_to_use(page: str, published: Published, name: str) -> None:
    markup = section(page, f"data/{name}")
    heads, *shown = rows(markup, "which decision at each cost ratio")
    assert heads[0:6:4] == ["Cost ratio", "Not ruled out"]
    assert f'"tables/intervals/{name}.csv"' in page
    assert f"{published('measures', name)['instances'].iloc[0]} cases" in text(markup)
    cells = iter(shown)
    if name == "loans":
        own_costs(next(cells), published)
    for condition, pc in CONDITIONS.items():
        at = At(partial(published, view=name), float(pc))
        where, best, cost, _, running, threshold = next(cells)
        assert where.startswith(f"{condition} PC(+) {formats.pc(at.pc)}")
        assert (best, running) == (f"{at.cheapest} {stays(at, at.cheapest)}", at.running)
        best = at.cheapest
        least = at.costs[best]
        if best.startswith("always"):
            assert cost == formats.cost(at.constant)
        else:
            low, high = at.interval(condition)
            assert cost == f"{formats.cost(least)} {formats.interval(low, high)}"
        assert at.threshold_is(threshold)
    assert not list(cells)


def own_costs(cells: list[str], published: Published) -> None:
    """Check the row of the costs of cases against their table."""
    table = published("instance_costs", BY_COST)
    at = At(partial(published, view=BY_COST), float(table["pc"].iloc[0]))
    where, best, cost, _, running, threshold = cells
    assert where.startswith(f"own costs PC(+) {formats.pc(at.pc)}")
    assert best == f"{at.cheapest} {stays(at, at.cheapest)}"
    best = at.cheapest
    row: dict[Any, Any] = table[table["model"] == best].to_dict("records")[0]
    assert row["cost"] == table["cost"].min()
    assert running == at.running
    amounts = [formats.amount(1000 * row[end]) for end in ("cost", "low", "high")]
    assert cost == "{} {} kCHF ({}\u2013{})".format(formats.cost(row["nec"]), *amounts)
    assert at.threshold_is(threshold)


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
    prior = view_of(name).prior
    served = published("deployment", name)
    served = served.assign(member=served["member"].astype(object).fillna(""))
    heads, *shown = rows(section(page, f"data/{name}/thresholds"), "which threshold to use")
    assert [row[0] for row in shown] == list(dict.fromkeys(served["model"]))
    for row in shown:
        pieces = served[served["model"] == row[0]]
        for head, cell in zip(heads[1:], row[1:], strict=True):
            missed, alarm = map(int, head.split(" ")[0].split(":"))
            pc = float(prior * missed / (prior * missed + (1 - prior) * alarm))
            (piece,) = pieces[(pieces["pc_from"] < pc) & (pc <= pieces["pc_to"])].to_dict("records")
            score = cell.removeprefix(piece["member"]).strip()
            if score in {"never", "always"}:
                assert piece["threshold"] == (inf if score == "never" else -inf)
            elif score.startswith("≥"):
                printed = float(score.removeprefix("≥ ").replace("\N{MINUS SIGN}", "-"))
                assert printed == pytest.approx(piece["threshold"], rel=5.1e-3)
            else:
                assert isnan(piece["threshold"])
                assert score in {"", "as decided"}
