"""Columns that are not used and should be: ids that several cases share, and amounts of money."""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from costcurves.formats import count
from costcurves.names import quoted
from costcurves.settings import ReadingKeys
from costcurves.tables.findings import Found
from costcurves.tables.input.reader import ID
from costcurves.tables.input.reading import numbers_in, text

UNIT: Final = re.compile(  # what clusters are of
    r"(?i)(.*[ _.-])?(patient|subject|participant|person|pupil|student|user|customer|client|account"
    r"|household|family|animal|mouse|donor|case|session|recording|video|speaker|author|document"
    r"|hospital|clinic|cent(er|re)|school|village|cluster|slide|driver|vehicle|farm|herd|merchant)s?"
    r"([ _.-]?(id|no|nr|num|number|code|name|key))?"
)
NO_UNIT: Final = re.compile(r"(?i)fold|split|repeat|sampl|run|model|class|label|target|type|kind")
AMOUNT: Final = re.compile(
    r"(?i)(.*[ _.-])?(amount|amt|cost|price|revenue|balance|exposure|premium|turnover|spend"
    r"|(order|transaction|customer|lifetime|claim)[ _.-]value)s?([ _.-](usd|eur|gbp|dm))?"
)
FEWEST: Final = 5  # clusters: fewer are more likely a property of cases; likewise amounts
SHARED: Final = 0.05  # of the cases, that have the value of another one
IN_RUNS: Final = 10  # clusters that stand one after the other, whatever their column is called


def may_be_missed(name: str) -> bool:
    """Say whether a column is called as an id of clusters, or as an amount."""
    return may_be_cluster(name) or AMOUNT.fullmatch(name) is not None


def missed(columns: pa.Table, instances: pa.ChunkedArray, said: ReadingKeys) -> Iterator[Found]:
    """Find clusters of cases, and amounts, among the columns that are not used."""
    yield from _clusters(columns, instances, said)
    for name in filter(AMOUNT.fullmatch, columns.column_names):
        numbers = numbers_in(columns[name], said)
        least = pc.min(numbers, skip_nulls=False).as_py()
        if least is not None and least >= 0 and len(numbers.unique()) >= FEWEST:
            yield Found("amounts", name)


def may_be_cluster(name: str) -> bool:
    """Say whether a column is called as an id of clusters."""
    return bool(UNIT.fullmatch(name) or (re.fullmatch(ID, name) and not NO_UNIT.search(name)))


def _clusters(columns: pa.Table, instances: pa.ChunkedArray, said: ReadingKeys) -> Iterator[Found]:
    """Find columns of which several cases share a value, and which say the same of all rows of one.

    Without a name for it, a column has to hold neither fractions nor times, and its values stand
    one after the other, as in a file that is sorted by them.
    """
    ids = text(instances, said)
    cases = len(ids.unique())
    for name in columns.column_names:
        values = text(columns[name], said)
        pairs = pa.table({"case": ids, "value": values})
        each = pairs.group_by(["case", "value"], use_threads=False).aggregate([])["value"]
        held = pc.value_counts(each.filter(pc.not_equal(each, ""))).field("counts").to_numpy()
        shared = int(held[held > 1].sum())
        if len(each) > cases or len(held) < FEWEST or shared < SHARED * cases:
            continue
        if may_be_cluster(name) or (len(held) >= IN_RUNS and _in_runs(each, len(held))):
            seen = f"column {quoted(name)} has {count(len(held))} values in {count(cases)} cases"
            yield Found("clusters", seen)


def _in_runs(values: pa.ChunkedArray, different: int) -> bool:
    """Say whether equal values stand together, and are neither fractions nor times."""
    whole = values.combine_chunks()
    for kind in (pa.float64(), pa.timestamp("us")):
        with suppress(pa.ArrowInvalid):
            whole.cast(kind)
            if kind != pa.float64() or pc.any(pc.match_substring(whole, ".")).as_py():
                return False
    return bool(pc.sum(pc.not_equal(whole[1:], whole[:-1])).as_py() == different - 1)
