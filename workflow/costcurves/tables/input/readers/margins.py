"""What Weka's explorer saves of its classifier errors: the margin of the true class."""

from collections.abc import Sequence
from typing import Final

import pyarrow as pa

from costcurves.errors import InputError
from costcurves.tables.configuration.names import some
from costcurves.tables.configuration.reading_keys import ReadingKeys
from costcurves.tables.input.headers import OF_CLASS
from costcurves.tables.input.readers.interface import Reading, distinct, named, text, with_rows
from costcurves.tables.input.readers.sheets import Sheet

MARGIN: Final = "prediction margin"
PREDICTED: Final = "predicted "


class Margins:
    """An ARFF file of Weka's explorer."""

    name: Final = "weka-explorer"
    what: Final = "predictions that Weka's explorer saved"

    def claims(self, names: Sequence[str]) -> bool:
        """Say whether there is a margin, a predicted and a true class."""
        return MARGIN in names and len(_truths(names)) == 1

    def read(self, sheet: Sheet, said: ReadingKeys, model: str) -> Reading:
        """Read the probability of each of two classes off the margin of the true one."""
        (truth,) = _truths(sheet.names)
        labels = text(sheet.table[truth], said).to_pylist()
        classes = distinct(sheet.table[truth], said)
        if len(classes) != 2:
            why = f"a margin says a score of each of two classes only; it has {some(classes)}"
            raise InputError([f"{sheet.source.path}: {why}; let Weka write CSV (-distribution)"])
        true = [(1 + float(one)) / 2 for one in sheet.table[MARGIN].to_pylist()]
        columns = {"label": labels, "decision": sheet.table[PREDICTED + truth]}
        pairs = list(zip(labels, true, strict=True))
        for name in classes:
            columns[OF_CLASS + name] = [p if label == name else 1 - p for label, p in pairs]
        columns["model"] = pa.repeat(model, len(labels))
        if "instance" in sheet.names:
            columns["instance"] = sheet.table["instance"]
        understood = f"{self.what}: the truth is {named([truth])}, and {named([MARGIN])} the margin"
        return with_rows(sheet, said, columns, "", understood)


def _truths(names: Sequence[str]) -> list[str]:
    return [name for name in names if PREDICTED + name in names]
