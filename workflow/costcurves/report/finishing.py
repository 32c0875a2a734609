"""What the PDF still lacks when its pages are laid out: scopes of headers, and attached files.

Objects of the PDF are dictionaries of pydyf, which WeasyPrint builds on.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from io import BytesIO
from typing import Any, Final

from costcurves.report.attachments import Attachment

NO_TIME: Final = datetime(1980, 1, 1)


def embedded(attachments: Sequence[Attachment]) -> list[Any]:
    """Make the files that WeasyPrint is to attach."""
    import weasyprint

    library: Any = weasyprint
    return [
        library.Attachment(
            file_obj=BytesIO(one.content),
            name=one.name,
            description=one.description,
            created=NO_TIME,
            modified=NO_TIME,
        )
        for one in attachments
    ]


def finish(_: object, pdf: Any) -> None:
    """Give a PDF what accessible tables and attached files need; WeasyPrint calls this at the end.

    ISO 32000-1:2008, tables 44 to 46 (files), 349 (scopes); ISO 32000-2:2020, 14.13 (associated
    files); ISO 14289-1:2014, 7.5 (tables).
    """
    for header in _typed(pdf, "S", "/TH"):
        _scope(pdf, header)
    for cell in _typed(pdf, "S", "/TD"):
        cell["A"].pop("Headers", None)
    files = list(_typed(pdf, "Type", "/Filespec"))
    for one in files:
        _associate(pdf, one)
    if files:
        pdf.catalog["AF"] = b"[" + b" ".join(one.reference for one in files) + b"]"


def _scope(pdf: Any, header: Any) -> None:
    """Say what a header is the head of, in place of names that a head repeated would repeat."""
    group = _parent(pdf, _parent(pdf, header))
    header["A"]["Scope"] = "/Column" if group["S"] == "/THead" else "/Row"
    header.pop("ID", None)


def _associate(pdf: Any, file: Any) -> None:
    """Mark a file as the data of what is shown; the same file at any time has the same bytes."""
    file["AFRelationship"] = "/Data"
    stream = _object(pdf, file["EF"]["F"])
    for date in ("CreationDate", "ModDate"):
        del stream.extra["Params"][date]


def _typed(pdf: Any, key: str, value: str) -> Iterator[Any]:
    return (one for one in pdf.objects if isinstance(one, dict) and one.get(key) == value)


def _parent(pdf: Any, element: Any) -> Any:
    return _object(pdf, element["P"])


def _object(pdf: Any, reference: bytes) -> Any:
    return pdf.objects[int(reference.split()[0])]
