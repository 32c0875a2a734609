"""Predictions of files, read and checked: a staged copy of them."""

from collections.abc import Callable, Iterator, Set
from dataclasses import replace
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from costcurves.errors import InputError, of_all, refuse
from costcurves.maths.counts.cost_weights import Benefits, Cell, costs_of
from costcurves.tables.configuration.dataset import Dataset
from costcurves.tables.configuration.names import quoted, some, twins
from costcurves.tables.configuration.reading_keys import OF_CLASS, SEGMENT, TEXT
from costcurves.tables.contract import constant
from costcurves.tables.files import as_they_appear, categorical
from costcurves.tables.findings import Found
from costcurves.tables.input.gaps import answered, labelled, of_positive
from costcurves.tables.input.headers import AMOUNT, NUMBERS, ROW, is_text
from costcurves.tables.input.opening import open_files
from costcurves.tables.input.predictions import checked
from costcurves.tables.input.reading import PredictionFile, read_columns
from costcurves.tables.input.rows import Rows
from costcurves.tables.input.sources import Source, at_rows

DEFAULTS: Final = {"member": "", "repeat": "1", "fold": "1", "cluster": "", "decision": ""}


def stage(dataset: Dataset) -> pd.DataFrame:
    """Read and check the predictions of one dataset."""
    return stage_with_sources(dataset)[0]


def stage_with_sources(
    dataset: Dataset, named: Callable[[Rows], Rows] = lambda rows: rows
) -> tuple[pd.DataFrame, list[dict[str, Any]]]:
    """Read and check the predictions of one dataset, and say what was read.

    Models are in the configured order (else of appearance), within a model in the order of the
    files. Of each file there is the `sha256` of the very bytes that were parsed, how many of its
    `rows` are in the frame, and how it was `read` if it does not have our columns. What `named`
    gives has other names for models.
    """
    amount = None if dataset.costs is None else dataset.costs.column

    def read(file: PredictionFile) -> tuple[Source, pa.Table]:
        table = read_columns(file, amount, dataset.score, dataset.positive)
        for name in dataset.matrix_scores:
            table = table.append_column(name, read_columns(file, score=name)["score"])
        return replace(file.source, data=b""), table

    opened = open_files(dataset.predictions, dataset, amount)
    sources = [
        {"path": file.source.path, "sha256": file.source.sha256, "rows": 0}
        | ({"read": "; ".join(file.notes)} if file.notes else {})
        for file in opened
    ]
    truths = {one.path: one.sha256 for file in opened for one in file.beside}
    seen = tuple(dict.fromkeys(one for file in opened for one in file.seen))
    files = of_all(read, opened)
    del opened  # with the files' bytes
    rows = _selected(named(labelled(replace(_together(files, dataset), seen=seen))))
    rows = _with_costs(of_positive(answered(rows)))
    staged = checked(rows)
    counts = np.bincount(rows.frame["source"], minlength=len(sources))
    sources = [one | {"rows": int(count)} for one, count in zip(sources, counts, strict=True)]
    why = "the truth of the other files"
    sources += [{"path": it, "sha256": truths[it], "rows": 0, "read": why} for it in truths]
    return staged, sources


def _together(files: list[tuple[Source, pa.Table]], dataset: Dataset) -> Rows:
    """Put the rows of a dataset from all files, which are used up, into one frame."""
    refuse(why for file in files for why in _dataset_findings(*file, dataset.in_files))
    sources = tuple(source for source, _ in files)
    known = {name for _, table in files for name in table.column_names}
    parts: list[pa.Table] = []
    while files:
        parts.append(_complete(files.pop(0)[1], dataset.in_files, known))
    whole, sizes = pa.concat_tables(parts), [part.num_rows for part in parts]
    del parts
    columns: dict[str, Any] = {}
    for name in whole.column_names:
        values = whole[name]
        whole = whole.drop_columns(name)  # so that nothing is held twice
        columns[name] = _categories(values) if is_text(name) else values.to_numpy()
    pa.default_memory_pool().release_unused()
    size, numbers = sum(sizes), np.arange(len(sizes), dtype=np.int32)
    several = len(sizes) > 1
    columns["source"] = np.repeat(numbers, sizes) if several else constant(0, size, "int8")
    for name in (*TEXT[1:], *NUMBERS, AMOUNT):
        if name not in columns:
            columns[name] = constant(DEFAULTS[name] if name in TEXT else np.nan, size)
    frame = pd.DataFrame(columns, copy=False)
    if "train_pc" in known:  # of what is no member it says nothing
        frame["train_pc"] = frame["train_pc"].where(frame["member"] != "", np.nan)
    return Rows(frame, dataset, sources)


def _dataset_findings(source: Source, table: pa.Table, name: str) -> Iterator[str]:
    """Find what would make rows of a dataset be passed over."""
    if "dataset" not in table.column_names:
        return
    blank = np.flatnonzero(pc.equal(table["dataset"], ""))
    yield from at_rows(blank, lambda row: f"{source.place(row)}: dataset is blank")
    exist = [one for one in table["dataset"].unique().to_pylist() if one]
    if name not in exist:
        message = f"{source.path}: has no rows of dataset {name!r}"
        yield f"{message}; those in its column 'dataset' are {some(exist)}"
    for one, other in twins([name, *exist]):
        yield f"{source.path}: the datasets {one!r} and {other!r} look the same"


def _complete(table: pa.Table, dataset: str, known: Set[str]) -> pa.Table:
    """Keep the rows of a dataset; add columns that other files have, and where rows are."""
    kept = np.arange(table.num_rows, dtype=np.int32)
    if "dataset" in table.column_names:
        kept = kept[pc.equal(table["dataset"], dataset).to_numpy()]
        table = table if len(kept) == table.num_rows else table.take(kept)
    size, columns = len(kept), {}
    more = sorted(name for name in known if name.startswith((SEGMENT, OF_CLASS)))
    for name in (*TEXT[1:], *more, *NUMBERS, AMOUNT):
        if name in table.column_names:
            columns[name] = table[name]
        elif name in known and is_text(name):
            codes, texts = pa.array(np.zeros(size, dtype=np.int32)), [DEFAULTS.get(name, "")]
            columns[name] = pa.DictionaryArray.from_arrays(codes, texts)
        elif name in known:
            columns[name] = pa.nulls(size, pa.float64())
    rows = table[ROW].cast(pa.int32()) if ROW in table.column_names else kept
    return pa.table({**columns, "row": rows})


def _categories(values: pa.ChunkedArray) -> pd.Categorical:
    """Give text as categories in order of appearance, all of which occur."""
    packed = as_they_appear(values)
    return categorical(packed.indices, packed.dictionary)


def _selected(rows: Rows) -> Rows:
    """Keep the configured models, in their order."""
    exist = rows.values("model")
    wanted = rows.dataset.models or exist
    lacks = f"dataset {quoted(rows.dataset.original)}: has no model"
    if unknown := [model for model in wanted if model not in exist]:
        raise InputError([f"{lacks} {some(unknown)}; those in its files are {some(exist)}"])
    if rows.dataset.baseline not in (None, *wanted):
        why = f"which 'inference: baseline:' names; its models are {some(wanted)}"
        raise InputError([f"{lacks} {rows.dataset.baseline!r}, {why}"])
    places = pd.Index(wanted).get_indexer(pd.Index(exist)).astype(np.int16)
    order = places[rows.codes("model")]
    if order[0] >= 0 and (order[1:] >= order[:-1]).all():
        return rows
    kept = np.argsort(order, kind="stable")[np.count_nonzero(order < 0) :]
    return rows.keeping(kept)


def _with_costs(rows: Rows) -> Rows:
    """Put the costs that the configured benefits make in place of those of the files."""
    costs = rows.dataset.costs
    if costs is None or costs.benefit is None:
        return rows
    benefits = Benefits(**{key: Cell(**vars(it)) for key, it in costs.benefit.cells.items()})
    amount = rows.frame["amount"].to_numpy(np.float64)
    x = amount if costs.column is not None else np.zeros(len(amount))
    cost_fp, cost_fn = costs_of(benefits, x)
    made = replace(rows, frame=rows.frame.assign(cost_fp=cost_fp, cost_fn=cost_fn))
    if made.cheaper is None or not made.cheaper.any():
        return made
    found = Found("cheaper-mistakes", made.cases(made.cheaper))
    return replace(made, seen=(*rows.seen, found))
