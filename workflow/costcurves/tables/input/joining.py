"""Files that belong together by id: the truth in one, the scores of a model in each other one."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from costcurves.errors import InputError
from costcurves.names import quoted, some
from costcurves.settings import ReadingKeys
from costcurves.tables.input.headers import truths
from costcurves.tables.input.reader import distinct, named, one_of
from costcurves.tables.input.reading import text
from costcurves.tables.input.sheets import Sheet
from costcurves.tables.input.wide import INSTANCE

WITH_TRUTH = {"instance", "repeat", "fold", "dataset"}  # what may stand beside it


def joined(sheets: Sequence[Sheet], said: ReadingKeys) -> list[Sheet]:
    """Give the sheets with the truth added to each that has none, if one holds nothing else."""
    if len(sheets) == 1:
        return [*sheets]
    found = [sheet for sheet in sheets if _is_truth(sheet, said)]
    if not found:
        found = [sheet for sheet in sheets if _classes(sheet, sheets, said)]
    if not found:
        return [*sheets]
    if len(found) > 1:
        paths = some([one.source.path for one in found])
        raise InputError([f"{paths}: each could be the truth of the others; give one of them"])
    (truth,) = found
    labels = truths(truth.names) or _classes(truth, sheets, said)
    label = one_of(truth, "the truth", "label", labels)
    others = [sheet for sheet in sheets if sheet is not truth]
    return [one if _has_truth(one) else _with_truth(one, truth, label, said) for one in others]


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


def _classes(sheet: Sheet, sheets: Sequence[Sheet], said: ReadingKeys) -> list[str]:
    """Find the columns of whose classes all other files, which have no truth, have scores."""
    others = [one for one in sheets if one is not sheet]
    if any(map(_has_truth, others)):
        return []
    shared = set.intersection(*({*one.names} for one in others))
    each = {name: distinct(sheet.table[name], said) for name in sheet.names}
    return [name for name, values in each.items() if len(values) > 1 and {*values} <= shared]


def _with_truth(sheet: Sheet, truth: Sheet, label: str, said: ReadingKeys) -> Sheet:
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
    submitted = truths(sheet.names)  # which is called like a truth
    table = sheet.table.rename_columns(["score" if it in submitted else it for it in sheet.names])
    for name in truth.names:
        if name == label or (name in WITH_TRUTH and name not in table.column_names):
            called = "label" if name == label and not truths([label]) else name
            table = table.append_column(called, truth.table[name].take(found))
    left = len(known) - len(np.unique(found))
    where = f"{named([label])} of {truth.source.path}"
    notes = (f"its truth is {where}, by {quoted(own)}", *sheet.notes)
    if left:
        notes += (f"{left:,} of {len(known):,} instances of the truth are not predicted",)
    return replace(sheet, table=table, notes=notes, beside=(truth.source,))
