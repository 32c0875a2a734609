"""The map of datasets: counts of verdicts and votes, whichever way round, and its figures."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from costcurves.figures import drawing
from costcurves.figures import map as map_figure
from costcurves.figures.context import Context
from costcurves.figures.drawing import sentences
from costcurves.formats import DASH
from costcurves.invariants import check_map
from costcurves.many.map import COUNTS, FINDINGS, MAP, VOTES, leading_pairs, shown_pair, study_map
from costcurves.many.sign_test import two_sided
from costcurves.report.answer import answer_of
from costcurves.report.answer_text import answer_text
from costcurves.report.document import Numbering
from costcurves.report.mapped import datasets_together, votes_of
from costcurves.settings import Inference, Selection
from costcurves.tables.keys import IN_SAMPLE
from tests import fake_report
from tests.figures.odd import drawn

Spans = list[tuple[float, str]]  # where each interval ends, and its finding
Datasets = list[tuple[tuple[str, str], Spans]]
Tables = dict[str, Any]
NAN, EXACT = np.nan, "all sign changes"
A, E, U, B = FINDINGS
SIGNS = {A: -1.0, B: 1.0, U: 1.0, E: 0.0}  # the observed difference of undecided ones is positive
PAIR = ("M", "N")


def intervals(spans: Spans, **columns: str) -> pd.DataFrame:
    """An interval of PC(+) a row, from where the one before it ends."""
    ends, findings = map(list, zip(*spans, strict=True))
    places = {"finding": findings, "pc_from": [0.0, *ends[:-1]], "pc_to": ends}
    return pd.DataFrame(places).assign(**columns)


def study(*datasets: tuple[tuple[str, str], Spans], family: str = "all pairs") -> Tables:
    """Tables of datasets of two models each."""
    verdicts, measures = [], []
    for place, ((a, b), spans) in enumerate(datasets):
        of = {"dataset": f"d{place}", "family": family, "model_a": a, "model_b": b}
        verdicts.append(intervals(spans, **of))
        row = {"dataset": f"d{place}", "range_from": 0.0, "range_to": 1.0, "headline": True}
        measures += [row | {"model": a, "area": 0.1 * place}, row | {"model": b, "area": 0.2}]
    whole = pd.concat(verdicts, ignore_index=True)
    whole["largest_difference"] = whole["finding"].map(SIGNS)
    crossovers = whole.drop(columns=["family", "finding"]).assign(estimate="cross-fitted")
    return {"measures": pd.DataFrame(measures), "verdicts": whole, "crossovers": crossovers}


def mapped(
    tables: Tables, voter: Callable[[str], str] = str, reference: str | None = None
) -> pd.DataFrame:
    voters = {name: voter(name) for name in tables["measures"]["dataset"]}
    decided = Inference(resamples=300, confidence=0.9)
    counts = study_map(**tables, voters=voters, inference=decided, reference=reference, seed=1)
    check_map(counts, tables["verdicts"])
    return counts


def same(count: int, *spans: tuple[float, str], models: tuple[str, str] = PAIR) -> Datasets:
    """So many datasets with the same verdicts."""
    return [(models, [*spans])] * count


@pytest.mark.parametrize("seed", range(3))
def test_a_slow_count_at_many_conditions_agrees(seed: int) -> None:
    """Whichever way round datasets have a pair."""
    rng = np.random.default_rng(seed)
    datasets: Datasets = []
    for place in range(9):
        ends = np.append(np.sort(rng.random(6)), 1.0)
        spans = [(float(end), str(rng.choice(FINDINGS))) for end in ends]
        datasets.append((PAIR if place == 0 or rng.random() < 0.5 else PAIR[::-1], spans))
    counts = mapped(study(*datasets))
    assert counts["pc_from"].tolist() == [0.0, *counts["pc_to"][:-1]]
    for pc in rng.random(200):
        known = dict.fromkeys((*FINDINGS, -1.0, 0.0, 1.0), 0)
        for models, spans in datasets:
            finding = next(finding for end, finding in spans if pc < end)
            sign = SIGNS[finding]
            if models != PAIR:
                finding, sign = {A: B, B: A}.get(finding, finding), -sign
            known[finding] += 1
            known[sign] += 1
        row = counts[(counts["pc_from"] <= pc) & (pc < counts["pc_to"])].iloc[0]
        assert [row[name] for name in COUNTS] == [known[finding] for finding in FINDINGS]
        assert [row[name] for name in VOTES] == [known[sign] for sign in (-1.0, 0.0, 1.0)]
        lead = abs(row["a_lower"] - row["b_lower"])
        assert row["pointwise"] == two_sided(row["a_lower"] + row["b_lower"])[lead]


def changed(tables: Tables, stage: str, **columns: object) -> Tables:
    return tables | {stage: tables[stage].assign(**columns)}


TWO: Datasets = [(PAIR, [(0.25, U), (0.5, A), (1.0, U)]), (PAIR, [(0.5, A), (0.75, E), (1.0, B)])]
OF_TWO = study(*TWO)
EIGHT: Datasets = [(PAIR, [(0.5, A), (1.0, U if i % 2 else A)]) for i in range(8)]
NINE: Datasets = [(PAIR, [(0.5, A), (1.0, A if i % 3 else B)]) for i in range(9)]
HOLM = [*same(5, (1.0, A)), *same(5, (1.0, A), models=("M", "O"))]  # pairs share the error
# The range of either model counts, of N alone, of none.
RANGES = [0.3, 0.1, NAN, 0.2, NAN, NAN], [0.5, 0.4, NAN, 0.7, NAN, NAN]


@pytest.mark.parametrize(
    ("tables", "voter", "expected"),
    [
        (study(*EIGHT), str, {"finding": [A, U], "p_value": [4 / 2**8, 1.0]}),
        (study(*same(5, (1.0, A))), str, {"finding": [A], "p_value": [0.0625], "method": [EXACT]}),
        (study(*HOLM), str, {"finding": [U, U], "p_value": [0.0625] * 2}),
        (
            *(study(*same(20, (0.3, A), (1.0, B))), str),
            {"finding": [A, B], "p_value": [1 / 301] * 2, "method": ["random sign changes"] * 2},
        ),
        (  # classes of a dataset have one vote together
            *(study(*NINE), lambda name: f"whole {int(name[1:]) // 3}"),
            {"finding": [U, U], "p_value": [0.25] * 2, "a_lower": [3, 3], "a_cheaper": [9, 6]},
        ),
        (OF_TWO, lambda _: "whole", {"a_lower": [0, 1, 0, 0], "equal": [1, 0, 0, 0]}),
        (  # nobody votes where a constant decision costs no more than both; verdicts are counted
            changed(
                *(study(*same(3, (0.6, A), (1.0, B))), "measures"),
                range_from=RANGES[0],
                range_to=RANGES[1],
            ),
            str,
            {"pc_from": [0, 0.1, 0.2, 0.5, 0.6, 0.7], "a_cheaper": [3, 3, 3, 3, 0, 0]}
            | {"a_lower": [0, 1, 2, 1, 0, 0], "b_lower": [0, 0, 0, 0, 1, 0]},
        ),
        (  # what was not compared has votes, but no verdicts
            *(OF_TWO | {"verdicts": OF_TWO["verdicts"].iloc[:0]}, str),
            {"a_lower": [1, 2, 0, 0], "b_lower": [1, 0, 1, 2]} | dict.fromkeys(COUNTS, [0] * 4),
        ),
        *(  # and what was chosen in hindsight no vote
            (
                changed(study(*same(8, (1.0, A))), "crossovers", estimate=kinds),
                *(str, {"a_lower": [votes], "finding": [U], "a_cheaper": [8]}),
            )
            for kinds, votes in (([IN_SAMPLE, "cross-fitted"] * 4, 4), (IN_SAMPLE, 0))
        ),
    ],
)
def test_votes_and_verdicts_are_counted(
    tables: Tables, voter: Callable[[str], str], expected: dict[str, list[object]]
) -> None:
    counts = mapped(tables, voter)
    assert {name: counts[name].tolist() for name in expected} == expected


def test_the_reference_is_the_second_model_of_its_pairs() -> None:
    tables = study(*same(3, (1.0, A)), family="reference")
    counts = mapped(tables, reference="M").query("family == 'reference'")
    assert counts[["model_a", "model_b"]].to_numpy().tolist() == [["N", "M"]]
    assert counts["b_cheaper"].tolist() == [3]
    assert leading_pairs(counts) == [("reference", "N", "M")]


def test_one_dataset_makes_no_map_and_neither_does_one_model() -> None:
    tables = study(*same(1, (1.0, A)))
    alone = {name: frame.iloc[:0] for name, frame in tables.items()}
    alone["measures"] = tables["measures"].iloc[:1]
    for counts in (mapped(tables), mapped(alone)):
        assert (list(counts), len(counts), leading_pairs(counts)) == (MAP.names, 0, [])
    for counts in (mapped(OF_TWO), MAP.empty()):
        assert datasets_together(counts, {}, Numbering()) is None
        assert votes_of(counts) is None


def test_the_pair_with_most_decided_is_shown() -> None:
    datasets = [
        *same(3, (0.9, U), (1.0, A)),
        *same(3, (0.5, B), (1.0, U), models=("O", "P")),
        *same(2, (1.0, A), models=("M", "Q")),
    ]
    counts = mapped(study(*datasets))
    pairs = leading_pairs(counts)
    assert pairs == [("all pairs", "M", "N"), ("all pairs", "O", "P")]
    assert shown_pair(counts) == pairs[1]
    assert set(counts.loc[counts["shown"] != "", "shown"]) == {"most decided"}


# In words

MORE = "on more datasets than chance allows"


def votes(*pairs: tuple[str, str, Spans]) -> pd.DataFrame:
    """What a sign test says of pairs, each judged on seven datasets."""
    parts = [intervals(spans, model_a=a, model_b=b) for a, b, spans in pairs]
    counts = dict.fromkeys((*COUNTS, *VOTES), 0) | {"undecided": 7, "equal": 7}
    whole = pd.concat(parts, ignore_index=True).assign(**counts, familywise=0.8, shown="")
    whole = whole.assign(family="all pairs", adjusted=0.084)
    whole.loc[0, "shown"] = "chosen"
    return whole


def answered(counts: pd.DataFrame, most: int = 9) -> str:
    """What the answer says of many datasets, with so many winners."""
    answer = answer_of([fake_report.toy()] * 4, votes_of(counts))
    return answer_text(replace(answer, most=(most, 3))).split(" A difference is shown")[0]


def test_page_1_says_who_costs_less_on_more_datasets_than_chance_allows() -> None:
    """Who beats most comes first, then who does on most of PC(+), however narrow it is.

    Neighbours that a rounding parts are one range.
    """
    pairs = (
        ("M", "N", [(0.3, U), (0.55, A), (1.0, U)]),
        ("M", "O", [(0.1, B), (0.4, U), (0.9, A), (1.0, U)]),
        ("N", "O", [(0.002, A), (0.6, U), (0.8, B), (1.0, U)]),
        ("P", "Q", [(0.75, U), (0.9, B), (0.9 + 1e-15, U), (1.0, B)]),
        ("O", "P", [(1.0, U)]),
    )
    first = f"M costs less than N and O {MORE}, in parts of PC(+) 0.30{DASH}0.90."
    assert answered(votes(*pairs), 1) == first
    assert answered(votes(*pairs)).startswith(
        f"{first} O costs less than M and N {MORE}, in parts of PC(+) 0{DASH}0.80. "
        f"Q costs less than P {MORE}, for PC(+) 0.75{DASH}1. "
    )
    nobody = f"No model is shown to cost less than another {MORE}."
    assert answered(votes(("M", "N", [(1.0, U)]))) == nobody


def test_the_section_says_what_few_votes_can_tell() -> None:
    for voters, b_most, lower in (3, 0, {}), (9, 9, {"M": ((0.0, 0.4),), "N": ((0.4, 1.0),)}):
        counts = mapped(study(*same(voters, (0.4, A), (1.0, B if b_most else U))))
        section = datasets_together(counts, {}, Numbering())
        assert section is not None
        assert (section.content.votes, section.content.unanimous) == (voters, 2.0 ** (1 - voters))
        (row,) = section.content.table.rows
        assert (row["a_cheaper"], row["b_cheaper"]) == (voters, b_most)
        assert (row["datasets"], row["lower"]) == (voters, lower)


@pytest.mark.parametrize("count", [3, 26, 130])
def test_a_map_has_a_row_a_dataset_coloured_by_its_verdict(count: int) -> None:
    """Of three models; the areas of M are not in the order of the datasets."""
    spans = [[(0.2 + i / (2 * count), U), (0.8, A if i % 3 else E), (1.0, B)] for i in range(count)]
    first, second = (study(*[(("M", b), each) for each in spans]) for b in ("N", "<i>$O"))
    tables = {name: pd.concat([first[name], second[name]], ignore_index=True) for name in first}
    measures: pd.DataFrame = tables["measures"].drop_duplicates(["dataset", "model"])
    areas = 0.2 + 0.01 * (measures["dataset"].str[1:].astype(int) * 7 % 11)
    tables["measures"] = measures.assign(area=areas.where(measures["model"] == "M", 0.2))
    tables["map"] = mapped(tables)
    models, titles = ("M", "N", "<i>$O"), {f"d{i}": f"D {i}" for i in range(count)}
    context = Context(tables, "All", models, models, 0.5, "repeat", (), Selection(), titles=titles)
    data = map_figure.data(context)
    panels = drawing.drawn(map_figure, data, context)
    assert list(panels) == ["a", "b"]
    assert len(panels["a"]) <= 45_000
    assert panels["a"].count(">D ") == (count if count <= 58 else 0)
    height = float(re.findall(r'viewBox="0 0 \S+ (\S+)"', panels["a"])[0])
    assert height < 690  # points of a page of paper
    shown = data[(data["model_a"] == "M") & (data["model_b"] == "N") & (data["dataset"] != "")]
    assert shown.drop_duplicates("dataset")["area_difference"].is_monotonic_increasing
    ax = drawn(map_figure, data, context)
    for model, finding in (("M", A), ("N", B)):
        colour = mpl.colors.to_rgba(context.colour(model))
        paths = (each.get_path() for each in ax.patches if each.get_facecolor() == colour)
        corners = [np.asarray(path.vertices).reshape(-1, 5, 2)[:, [0, 1], 0] for path in paths]
        verdicts = shown.loc[shown["finding"] == finding, ["pc_from", "pc_to"]]
        assert sorted(np.vstack(corners).tolist()) == sorted(verdicts.to_numpy().tolist())
    words = sentences(map_figure, data, context)
    assert f"on {count} datasets" in words["alt"]
    assert "90\u202f%" in words["caption"]
