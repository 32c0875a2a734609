"""Files that belong together by id: the truth in one, the scores of a model in each other one."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from costcurves.errors import InputError
from costcurves.tables.configuration.names import quoted, some
from costcurves.tables.configuration.reading_keys import ReadingKeys
from costcurves.tables.input.headers import truths
from costcurves.tables.input.readers.interface import distinct, one_of, text
from costcurves.tables.input.readers.sheets import Sheet
from costcurves.tables.input.readers.wide import INSTANCE

WITH_TRUTH = {"instance", "repeat", "fold", "dataset"}  # what may stand beside it


def joined(sheets: Sequence[Sheet], said: ReadingKeys) -> list[Sheet]:
    """Give the sheets with the truth added to each that has none, if one holds nothing else."""
    if len(sheets) == 1:
        return [*sheets]
    truths = [sheet for sheet in sheets if _is_truth(sheet, said)]
    if not truths:
        return [*sheets]
    if len(truths) > 1:
        paths = some([one.source.path for one in truths])
        raise InputError([f"{paths}: each could be the truth of the others; give one of them"])
    others = [sheet for sheet in sheets if sheet is not truths[0]]
    return [one if _has_truth(one) else _with_truth(one, truths[0], said) for one in others]


def _ids(sheet: Sheet) -> list[str]:
    own = [name for name in sheet.names if re.fullmatch(INSTANCE, name)]
    return ["instance"] if "instance" in sheet.names else own


def _left(sheet: Sheet) -> set[str]:
    """Give the columns that are neither a truth nor may stand beside one."""
    return {*sheet.names} - {*truths(sheet.names), *_ids(sheet), *WITH_TRUTH}


def _has_truth(sheet: Sheet) -> bool:
    """Say whether there is a truth, and not only a submission that is called like one."""
    return bool(truths(sheet.names) and _left(sheet))


def _is_truth(sheet: Sheet, said: ReadingKeys) -> bool:
    """Say whether a file holds labels and no predictions: few values, and nothing else."""
    labels = truths(sheet.names)
    if len(labels) != 1 or _left(sheet):
        return False
    values = distinct(sheet.table[labels[0]], said)
    whole = not any("." in one.removesuffix(".0") for one in values)
    return whole and len(values) * 2 <= sheet.table.num_rows


def _with_truth(sheet: Sheet, truth: Sheet, said: ReadingKeys) -> Sheet:
    """Add the truth by id; a prediction without one is refused, a truth without one counted."""
    path, key = sheet.source.path, one_of(truth, "the instance's id", "instance", _ids(truth))
    ids = [key] if key in sheet.names else _ids(sheet)
    own = one_of(sheet, "the instance's id", "instance", ids)
    known, asked = (text(one.table[it], said) for one, it in ((truth, key), (sheet, own)))
    if len(known.unique()) < len(known):
        raise InputError([f"{truth.source.path}: has an instance twice in {quoted(key)}"])
    places = asked.combine_chunks()
    found = pa.compute.index_in(places, value_set=known.combine_chunks())
    if found.null_count:
        lacking = distinct(places.filter(pa.compute.is_null(found)), said)
        count = f"{found.null_count:,} of its {len(places):,} rows are of instances"
        where = f"{truth.source.path} does not have, such as {some(lacking, 3)}"
        raise InputError([f"{path}: {count} that {where}; leave them out, or add their truth"])
    table, (label,) = sheet.table, truths(truth.names)
    submitted = truths(sheet.names)  # which is called like a truth
    table = table.rename_columns(["score" if it in submitted else it for it in sheet.names])
    for name in truth.names:
        if name == label or (name in WITH_TRUTH and name not in table.column_names):
            table = table.append_column(name, truth.table[name].take(found))
    left = len(known) - len(np.unique(found))
    notes = (f"its truth is in another file, by {quoted(own)}", *sheet.notes)
    if left:
        notes += (f"{left:,} of {len(known):,} instances of the truth are not predicted",)
    return replace(sheet, table=table, notes=notes, beside=(truth.source,))
