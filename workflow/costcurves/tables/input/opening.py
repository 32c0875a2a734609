"""Prediction files, opened as what they are: by our columns, as a wide table, or by a reader."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

import pyarrow as pa

from costcurves.errors import InputError, half, of_all, refuse
from costcurves.names import nearest, quoted, some
from costcurves.settings import OF_CLASS, SEGMENT, ReadingKeys, several
from costcurves.tables.findings import Found
from costcurves.tables.input.headers import KNOWN, REQUIRED, ROW, header_findings
from costcurves.tables.input.joining import joined
from costcurves.tables.input.layouts import LAYOUTS
from costcurves.tables.input.proposing import ASKING, proposals
from costcurves.tables.input.reader import Reader
from costcurves.tables.input.reading import (
    PredictionFile,
    column_names,
    read_all,
    read_columns,
    renamed,
)
from costcurves.tables.input.sheets import Sheet, placed, sheet_of
from costcurves.tables.input.sources import Source, model_name, read_source
from costcurves.tables.input.unused import may_be_missed, missed
from costcurves.tables.input.wide import Wide

GROUP: Final = "costcurves.readers"  # of entry points
LONG: Final = "long"
PREDICTED: Final = ("score", "decision")


@cache
def readers() -> dict[str, Reader]:
    """Give all readers but that of our own columns, by name: those of others first."""
    strange = [point.load() for point in entry_points(group=GROUP)]
    return {one.name: one for one in (*strange, *LAYOUTS, Wide())}


def open_files(
    paths: Sequence[str], said: ReadingKeys, amount: str | None = None
) -> list[PredictionFile]:
    """Read prediction files that belong together, each as what it is; keep the column `amount`.

    Where these ask for columns, what columns look like is proposed.
    """
    try:
        return _opened(paths, said, amount)
    except InputError as error:
        found = error.findings
    except UnicodeEncodeError as error:
        found = (f"{', '.join(paths)}: {half(error)}",)
    if any(map(ASKING.search, found)):
        sheets = [sheet_of(read_source(path), said) for path in paths]
        found += tuple(proposals(paths, sheets, said, partial(_opened, amount=amount)))
    raise InputError(found)


def _opened(paths: Sequence[str], said: ReadingKeys, amount: str | None) -> list[PredictionFile]:
    if said.format is not None and said.format not in (LONG, *readers()):
        hint = nearest(said.format, [LONG, *readers()])
        raise InputError([f"format: {quoted(said.format)}: {hint}"])
    sources = of_all(read_source, paths)
    plain = [PredictionFile(source, said) for source in sources if _is_plain(source, said)]
    if len(plain) == len(sources):
        refuse(_not_there(paths, plain, said))
        return [replace(file, seen=tuple(_missed(file, amount))) for file in plain]
    sheets = of_all(lambda source: sheet_of(source, said), sources)
    refuse(_not_there(paths, sheets, said))
    sheets = joined(sheets, said)
    models = _models(sheets, said)
    files = of_all(lambda one: _read(one, said, models[one.source.path], amount), sheets)
    if len(files) > 1:
        refuse(_unpaired(file) for file in files if file.numbered)
    return files


def read_table(paths: Sequence[str], said: ReadingKeys) -> tuple[pa.Table, list[str]]:
    """Read prediction files as one table with our columns, and say how each was read.

    Where files have scores of each class, these stay a column each.
    """
    files = open_files(paths, said)
    tables = of_all(_whole, files)
    notes = [f"{file.source.path}: {note}" for file in files for note in file.notes]
    return pa.concat_tables(tables, promote_options="default"), notes


def _whole(file: PredictionFile) -> pa.Table:
    of_classes = [name for name in file.names if name.startswith(OF_CLASS)]
    if not of_classes or "score" in file.names:
        return read_columns(file).drop_columns([ROW] if file.table is not None else [])
    each = {name: read_columns(file, score=name) for name in of_classes}
    table = next(iter(each.values())).drop_columns([ROW, "score"])
    for name, one in each.items():
        table = table.append_column(name, one["score"])
    return table


def _not_there(
    paths: Sequence[str], sheets: Sequence[Sheet | PredictionFile], said: ReadingKeys
) -> Iterator[str]:
    """Find columns that were said and that no file has."""
    names = {name for sheet in sheets for name in sheet.names}
    met = {it for one in sheets if isinstance(one, Sheet) for it in one.conditions}
    for condition in (one for one in said.where or () if one not in met):
        form = "expected a column, ==, != or in, and text, as in 'split == test', 'site in A, B'"
        has = f"'where:' (--where) has {quoted(condition)}, {form}"
        yield f"{', '.join(paths)}: {has}; columns are {some(sorted(names))}"
    for role, given in (said.columns or {}).items():
        if role not in names and (missing := [one for one in several(given) if one not in names]):
            what = f"'columns: {role}:' names"
            if role.startswith(SEGMENT):
                what = "'segments:' names"
            elif role.startswith(OF_CLASS):
                what = f"is to have the scores of the class {quoted(role.removeprefix(OF_CLASS))}"
            yield f"{', '.join(paths)}: no column {some(missing)}, which {what}"


def _is_plain(source: Source, said: ReadingKeys) -> bool:
    """Say whether a file has our columns, so that it can be read as it is."""
    keys = not isinstance((said.columns or {}).get("model", ""), str)
    if source.kind not in ("CSV", "Parquet") or placed(said) or said.where or keys:
        return False
    names = renamed(column_names(source, said), said)
    if not {*REQUIRED} <= {*names}:
        return False  # so what looks like scores of classes may be models'
    scored = any(name == "score" or name.startswith(OF_CLASS) for name in names)
    if "decision" in names and not (scored or {*names} <= {*KNOWN}):
        return False  # as another column may hold the scores, in vectors
    return reader_of(source.path, names, said) is None


def reader_of(path: str, names: Sequence[str], said: ReadingKeys) -> Reader | None:
    """Find the only reader of a file with these columns; None if they are ours, or nobody's."""
    if said.format is not None:
        return readers().get(said.format)
    wide = readers()[Wide.name]
    found = [one for one in readers().values() if one is not wide and one.claims(names)]
    if _is_long(names):
        return None
    if len(found) > 1:
        could = some([one.name for one in found])
        raise InputError([f"{path}: could be each of {could}; say which ('format:' or --format)"])
    return next(iter(found), wide if wide.claims(names) else None)


def _is_long(names: Sequence[str]) -> bool:
    scored = any(name in PREDICTED or name.startswith(OF_CLASS) for name in names)
    return "model" in names and "label" in names and scored


def _models(sheets: Sequence[Sheet], said: ReadingKeys) -> dict[str, str]:
    """Name the model of each file as it is called; with its folders where that is not unique."""
    paths = {sheet.source.path: sheet.source.path for sheet in sheets}
    if "fold" in placed(said):  # whose folder is none of the model's
        paths = {one: str(Path(one).parent.with_name(Path(one).name)) for one in paths}
    times = Counter(map(model_name, {*paths.values()}))
    return {
        at: model_name(one) if times[model_name(one)] == 1 else one for at, one in paths.items()
    }


def _read(sheet: Sheet, said: ReadingKeys, model: str, amount: str | None) -> PredictionFile:
    reader = reader_of(sheet.source.path, sheet.names, said)
    if reader is None:
        ours = not {*REQUIRED}.isdisjoint(sheet.names)  # so scores of classes are as good as one
        names = ["score" if ours and it.startswith(OF_CLASS) else it for it in sheet.names]
        aside = {*sheet.conditions.values(), *several((said.columns or {}).get("model"))}
        names = [it for it in names if it in KNOWN or it not in aside]
        refuse(header_findings(sheet.source.path, [*dict.fromkeys(names)], amount))
        file = PredictionFile(sheet.source, said, sheet.table, sheet.notes, beside=sheet.beside)
        seen, table = tuple(_missed(file, amount)), sheet.table.append_column(ROW, sheet.rows)
        return replace(file, table=table, seen=seen)
    made = reader.read(sheet, said, model)
    source, table = sheet.source, made.table
    unused = sheet.table.select([one for one in made.unused if one != amount]).take(table[ROW])
    seen = tuple(missed(unused, table["instance"], said))
    for name in sheet.names:
        if (name == amount or name.startswith(SEGMENT)) and name not in table.column_names:
            table = table.append_column(name, sheet.table[name].take(table[ROW]))
    rows = sheet.rows.take(table[ROW].combine_chunks())
    table = table.drop_columns([ROW]).append_column(ROW, rows)
    return PredictionFile(source, said, table, made.notes, made.numbered, sheet.beside, seen)


def _missed(file: PredictionFile, amount: str | None) -> Iterator[Found]:
    """Look at the other columns of a file with ours, which are read for that alone."""
    names, table = file.names, file.table
    others = [name for name in names if name not in (*KNOWN, amount) and may_be_missed(name)]
    if others and "instance" in names:
        own = ["instance", *others]
        if table is None:
            written = dict(zip(names, column_names(file.source, file.said), strict=True))
            own = [written[name] for name in own]
            table = read_all(file.source, file.said, own)
        yield from missed(table.select(own[1:]), table[own[0]], file.said)


def _unpaired(file: PredictionFile) -> str:
    why = "has no column that says which instance a row is, and there are other files"
    mend = "name it ('columns: instance:' or --column instance=NAME), or say that rows at the same"
    return f"{file.source.path}: {why}; {mend} place of each file are the same ('#' as its name)"
