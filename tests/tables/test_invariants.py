"""Each invariant names the table that breaks it, and the first row that does."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from costcurves import invariants
from costcurves.errors import InputError
from tests.claimed_data import claim, data_of, decide, in_folds, sources_of
from tests.report.test_map import TWO, mapped, study
from tests.result_tables import all_tables_of, staged
from tests.small_study import scored

Tables = dict[str, pd.DataFrame]


@pytest.fixture(scope="module")
def tables() -> Tables:
    """Every table of two models that differ much, with two repeats of five folds."""
    rows = in_folds(100, repeats=2, folds=5)
    models = scored(rows, "Good", 3.0, 2), scored(rows, "Bad", 0.5, 3)
    return all_tables_of(staged(pd.concat(models, ignore_index=True)), "fold", reference="Good")


def test_correct_tables_break_no_invariant(tables: Tables) -> None:
    checks = invariants.check_results(tables).set_index("invariant")
    assert checks["worst"].between(0, 1e-12).all()
    assert not np.signbit(checks["worst"]).any()
    assert checks["checked"].gt(0).all()
    assert len(checks) == 14


# The invariant, the table, its rows, and what is wrong in the first of them.
BROKEN: list[tuple[str, str, str, dict[str, Any]]] = [
    ("every rate is its", "operating_points", "fp < 0.5", {"fp": 0.9}),
    ("every rate is its", "operating_points", "fn < 0.5", {"fn": 0.9}),
    ("a normalized expected", "hybrids", "piece == 1", {"nec_to": 1.1}),
    ("a normalized expected", "averages", "piece == 0", {"nec_from": -0.1}),
    ("a normalized expected", "envelopes", "pc_from == 0", {"at0": 0.7}),
    ("a normalized expected", "headline", "pc_to == 1", {"nec_to": 0.7}),
    ("an envelope is the lowest", "envelopes", "piece == 1", {"at0": 0.9, "at1": 0.9}),
    ("an envelope is the lowest", "envelopes", "piece == 1", {"at0": 0.0, "at1": 0.0}),
    ("curves, choices and v", "deployment", "piece == 0", {"pc_from": 0.1}),
    ("curves, choices and v", "hybrids", "piece == 1", {"pc_from": 0.9}),
    ("curves, choices and v", "verdicts", "pc_to == 1", {"pc_to": 0.99}),
    ("an area is that", "measures", "headline", {"area": np.nan}),
    ("counts are those of", "measures", "headline", {"positives": 31}),
    ("counts are those of", "measures", "headline", {"negatives": 1}),
    ("counts are those of", "verdicts", "model_a == 'Good'", {"instances": 200}),
    ("a cost ratio is its PC(+)", "crossovers", "pc_from == 0", {"ratio_from": 0.1}),
    ("a cost ratio is its PC(+)", "verdicts", "pc_to == 1", {"ratio_to": 4.0}),
    ("a band contains its curve", "bands", "edge == 'lower'", {"at0": 1.0}),
    ("a band contains its curve", "bands", "edge == 'upper'", {"at0": 0.0, "at1": 0.0}),
    ("a difference lies in its bands", "comparisons", "line != 'difference'", {"at1": 5.0}),
    ("an interval contains", "intervals", "quantity == 'area'", {"low": 0.9}),
    ("an interval contains", "measures", "headline", {"auc_high": 0.1}),
    ("an interval contains", "choice_intervals", "high < 1", {"value": 1.0}),
    ("the value of an inter", "intervals", "quantity == 'tec'", {"value": 0.3}),
    ("only where its band", "verdicts", "finding == 'A cheaper'", {"high": 0.1}),
    ("only where its p-value", "verdicts", "finding == 'A cheaper'", {"p_value": 0.2}),
    ("only where its p-value", "verdicts", "finding == 'A cheaper'", {"adjusted": np.nan}),
    ("a model shown to", "not_ruled_out", "standing == 'ruled out'", {"standing": "cheapest"}),
]


@pytest.mark.parametrize(("invariant", "table", "where", "wrong"), BROKEN)
def test_a_broken_table_is_named(
    tables: Tables, invariant: str, table: str, where: str, wrong: dict[str, Any]
) -> None:
    rows = tables[table].copy()
    first = rows.query(where).index[0]
    rows.loc[first, list(wrong)] = list(wrong.values())
    with pytest.raises(InputError) as error:
        invariants.check_results(tables | {table: rows})
    (finding,) = (each for each in error.value.findings if invariant in each.partition(":")[2])
    assert f"first in {'findings' if 'p-value' in invariant else table} (" in finding
    names = [name for name in ("model", "model_a", "decision") if name in rows]
    assert all(f"{name} {rows.loc[first, name]}" in finding for name in names)


OF_MAP = [
    ("the map counts the verdicts", {"a_cheaper": 2}),
    ("the map counts the verdicts", {"pc_to": 0.9}),
    ("a model is cheaper only where its p-value", {"finding": "A cheaper"}),
]
OF_CLAIM = [
    ("an interval contains its value", {"value": -0.9}),
    ("a claim is decided just where", {"high": 0.1}),
    ("a claim is decided just where", {"p_value": 0.4}),
    ("a claim is decided just where", {"verdict": "CONTRADICTED"}),
    ("a claim is decided just where", {"verdict": "UNDECIDED"}),
    ("the value of a claim", {"value": -0.3}),
    ("the value of a claim", {"model_b": "Twin"}),
    ("the value of a claim", {"criterion_a": "rate-driven", "stage": "hybrids"}),
]


@pytest.mark.parametrize(("invariant", "wrong"), OF_MAP)
def test_a_broken_map_is_refused(invariant: str, wrong: dict[str, Any]) -> None:
    source = study(*TWO)
    table = mapped(source)
    table.loc[0, list(wrong)] = list(wrong.values())
    with pytest.raises(InputError, match=f"{invariant}.*: broken by .* model_a M"):
        invariants.check_map(table, source["verdicts"])


@pytest.fixture(scope="module")
def known() -> tuple[Any, Tables]:
    rows = in_folds()
    return data_of(scored(rows, "Good", 3.0, 2), scored(rows, "Bad", 0.5, 3))


@pytest.mark.parametrize(("invariant", "wrong"), OF_CLAIM)
def test_a_broken_claim_is_refused(
    known: tuple[Any, Tables], invariant: str, wrong: dict[str, Any]
) -> None:
    data, results = known
    table = decide({"d": data}, [results], claim("cheaper", "Good", "Bad")).assign(**wrong)
    with pytest.raises(InputError, match=f"{invariant}.*: broken by .*number 1"):
        invariants.check_claims(pd.DataFrame(table), sources_of([results]))
