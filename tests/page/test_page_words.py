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
from tests.slow_views import CONDITIONS, Told, View

LEVEL = "80 %"


@pytest.fixture(scope="module")
def page(asymmetric: Path) -> str:
    return (asymmetric / "reports" / NAME / "report.html").read_text("utf-8")


def text(markup: str) -> str:
    """What a reader sees of it: a name's own marks part no words, all others do."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", re.sub(r"</?bdi>", "", markup))).split())


def section(page: str, anchor: str) -> str:
    (own,) = re.findall(rf'<section[^>]* id="{anchor}".*?</section>', page, re.DOTALL)
    return str(own)


def rows(page: str, caption: str) -> list[list[str]]:
    """The cells of a table that is called so."""
    tables = re.findall(r"<table.*?</table>", page, re.DOTALL)
    own = next(it for it in tables if caption in text(it.partition("</caption>")[0]))
    cells = [re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL) for row in own.split("<tr>")[1:]]
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
        found = {"always negative": self.pc, "always positive": 1 - self.pc}
        found |= {model: curve(self.pc) for model, curve in models.items()}
        return dict(sorted(found.items(), key=lambda one: one[1]))

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
        own = table[(table["pc_from"] < self.pc) & (self.pc < table["pc_to"])]
        standing = own.set_index("decision")["standing"]
        assert standing[self.cheapest] == "cheapest"
        fixed = self.tables("pair_intervals")
        here = fixed[(fixed["pc"] - self.pc).abs() < 1e-9]  # of a condition that the study names
        beyond = zip(here["model_a"], here["model_b"], here["low"], here["high"], strict=True)
        dearer = {a if low > 0 else b for a, b, low, high in beyond if low > 0 or high < 0}
        others = [one for one in self.costs if standing[one] == "not ruled out"]
        others = [one for one in others if one not in dearer]
        *names, last = others or ["none"]
        if len(names) > 2:
            names, last = [*names, last][:3], f"{len(names) - 2} more"
        return f"{', '.join(names)} and {last}" if names else last

    def interval(self, condition: str) -> tuple[float, float]:
        rows = self.tables("intervals")
        own = rows[(rows["condition"] == condition) & (rows["model"] == self.cheapest)]
        return float(own["low"].item()), float(own["high"].item())

    def threshold_is(self, said: str) -> bool:
        """Whether these words are those of the threshold that serves it."""
        if self.cheapest.startswith("always"):
            return said == ""
        rows = self.tables("deployment")
        own = rows[(rows["model"] == self.cheapest) & (rows["pc_from"] < self.pc)].iloc[-1]
        if isnan(own["threshold"]):
            return said in {own["member"], "as decided"}
        if abs(own["threshold"]) == inf:
            return said == ("never" if own["threshold"] > 0 else "always")
        score = float(said.rpartition("≥ ")[2].replace("\N{MINUS SIGN}", "-"))
        return score == pytest.approx(own["threshold"], rel=5.1e-3)


def stays(at: At, best: str) -> str:
    """Where its estimate stays the lowest, as cost ratios."""
    table, prior = at.tables("not_ruled_out"), float(at.tables("measures")["prior"].iloc[0])
    cheapest = table[table["standing"] == "cheapest"]
    own = cheapest[cheapest["decision"] == best]
    low, high = own.loc[own["pc_to"] > at.pc, ["pc_from", "pc_to"]].iloc[0].tolist()
    words = formats.ratio_range(ratio_from_pc(low, prior), ratio_from_pc(high, prior))
    if (low, high) == (0, 1):
        return "everywhere"
    return words


@pytest.mark.parametrize("name", DATASETS)
def test_each_section_says_what_to_use(page: str, told: Told, name: str) -> None:
    own = section(page, f"data/{name}")
    heads, *found = rows(own, "which decision at each cost ratio")
    assert heads[0:6:4] == ["Cost ratio", "Not ruled out"]
    assert f'"tables/intervals/{name}.csv"' in page
    assert f"{told('measures', name)['instances'].iloc[0]} cases" in text(own)
    said = iter(found)
    if name == "loans":
        own_costs(next(said), told)
    for condition, pc in CONDITIONS.items():
        at = At(partial(told, view=name), float(pc))
        where, best, cost, _, running, threshold = next(said)
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
    assert not list(said)


def own_costs(cells: list[str], told: Told) -> None:
    """Check the row of the costs of cases against their table."""
    table = told("instance_costs", BY_COST)
    at = At(partial(told, view=BY_COST), float(table["pc"].iloc[0]))
    where, best, cost, _, running, threshold = cells
    assert where.startswith(f"own costs PC(+) {formats.pc(at.pc)}")
    assert best == f"{at.cheapest} {stays(at, at.cheapest)}"
    best = at.cheapest
    own: dict[Any, Any] = table[table["model"] == best].to_dict("records")[0]
    assert own["cost"] == table["cost"].min()
    assert running == at.running
    amounts = [formats.amount(1000 * own[end]) for end in ("cost", "low", "high")]
    assert cost == "{} {} kCHF ({}\u2013{})".format(formats.cost(own["nec"]), *amounts)
    assert at.threshold_is(threshold)


def expected(told: Told, name: str) -> dict[str, dict[str, str]]:
    """The costs of each model by what they are, as they read."""
    measures = told("measures", name)
    judged = measures[measures["headline"]].set_index("model").to_dict("index")
    found = {}
    for model, curve in headline_of(told("headline", name)).items():
        own = judged[model]
        assert own["area"] == pytest.approx(curve.area())
        costs = {f"Cost at {it}": curve(float(pc)) for it, pc in CONDITIONS.items()}
        named = {"Area": own["area"], "Weighted cost": own["tec"], **costs}
        found[model] = {it: formats.cost(value) for it, value in named.items()}
    return found


@pytest.mark.parametrize("name", DATASETS)
def test_areas_are_not_what_the_prior_of_costs_makes_of_them(
    page: str, told: Told, name: str
) -> None:
    costs = expected(told, name)
    heads, *found = rows(section(page, f"data/{name}/cost-curves"), "costs, areas and AUC")
    for row in found:
        said = {head: cell.split(" ")[0] for head, cell in zip(heads, row, strict=True)}
        model = next(it for it in costs if row[0].startswith(it))
        assert {it: said[it] for it in costs[model]} == costs[model]
    assert any(own["Area"] != own["Weighted cost"] for own in costs.values())


@pytest.mark.parametrize("name", DATASETS)
def test_rankings_are_those_of_the_table(page: str, told: Told, name: str) -> None:
    measures = told("measures", name)
    judged = measures[measures["headline"]].set_index("model").to_dict("index")
    own = section(page, f"data/{name}/cost-curves")
    heads, *found = rows(own, "costs, areas and AUC")
    names = [row[0].removesuffix(" in-sample") for row in found]
    assert names == list(judged)
    for name, row in zip(names, found, strict=True):
        said, model = dict(zip(heads, row, strict=True)), judged[name]
        ends = formats.interval(model["auc_low"], model["auc_high"])
        ranks = not isnan(model["auc_low"])
        assert said["AUC"] == formats.cost(model["auc"]) + (f" {ends}" if ranks else "")


def test_levels_are_said_as_they_are_set(page: str) -> None:
    front = text(section(page, "verdict"))
    assert f"Brackets: {LEVEL} intervals" in front
    assert "hold together with 90 % confidence" in front
    assert set(re.findall(r"(\d+\s?%),? (?:interval|light|at each)", text(page))) == {LEVEL}
    assert "uses 90 % at the named ratios and 90 % across all others." in text(page)


@pytest.mark.parametrize("name", DATASETS)
def test_sentences_count_instances(page: str, view_of: Callable[[str], View], name: str) -> None:
    predicted = next(iter(view_of(name).models.values()))
    labels = predicted.instances.values()
    parts = f"{len(labels)} cases, {sum(labels)} positive"
    whole = f"{parts} and {len(labels) - sum(labels)} negative"
    assert whole in text(section(page, f"data/{name}"))
    for sentence in re.findall(r'<p class="answer.*?</p>', page, re.DOTALL):
        assert f"{len(predicted.rows)} cases" not in text(sentence)


@pytest.mark.parametrize("name", DATASETS)
def test_the_threshold_at_a_cost_ratio_is_the_one_that_serves_it(
    page: str, told: Told, view_of: Callable[[str], View], name: str
) -> None:
    prior = view_of(name).prior
    served = told("deployment", name)
    served = served.assign(member=served["member"].astype(object).fillna(""))
    heads, *found = rows(section(page, f"data/{name}/thresholds"), "which threshold to use")
    assert [row[0] for row in found] == list(dict.fromkeys(served["model"]))
    for row in found:
        own = served[served["model"] == row[0]]
        for head, cell in zip(heads[1:], row[1:], strict=True):
            missed, alarm = map(int, head.split(" ")[0].split(":"))
            pc = float(prior * missed / (prior * missed + (1 - prior) * alarm))
            (piece,) = own[(own["pc_from"] < pc) & (pc <= own["pc_to"])].to_dict("records")
            score = cell.removeprefix(piece["member"]).strip()
            if score in {"never", "always"}:
                assert piece["threshold"] == (inf if score == "never" else -inf)
            elif score.startswith("≥"):
                said = float(score.removeprefix("≥ ").replace("\N{MINUS SIGN}", "-"))
                assert said == pytest.approx(piece["threshold"], rel=5.1e-3)
            else:
                assert isnan(piece["threshold"])
                assert score in {"", "as decided"}


def test_one_name_of_an_area_has_one_value(page: str) -> None:
    tables = re.findall(r"<table.*?</table>", page, re.DOTALL)
    heads = {text(it.partition("</caption>")[0]): text(it.partition("<tbody")[0]) for it in tables}
    named = [one for one, words in heads.items() if re.search(r"(?<!Pooled )AUC\b", words)]
    assert named
    assert all("costs, areas and AUC" in one for one in named)
    assert any("Pooled AUC" in words for words in heads.values())
