"""`costcurves diff`: what changed between two reports."""

import html
import json
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from costcurves import formats
from costcurves.command.ending import FINE, UNVERIFIED, USAGE, CommandError
from costcurves.errors import under
from costcurves.printing import say

if TYPE_CHECKING:
    from costcurves.archive.changes import Changes

DESCRIPTION: Final = """\
Say what changed between two reports: inputs, configuration and versions; verdicts of pairs and of
claims; and numbers that lie outside the interval which the other report gives them. Nothing is
built, and nothing verified: `costcurves verify` says whether a report is what it should be.
"""
EXAMPLES: Final = """\
examples:
  costcurves diff reports/before reports/after
  costcurves diff reports/before reports/after --format json
"""
REPORT: Final = {"help": "the folder of a report"}
OPTIONS: Final = {
    "before": {"metavar": "BEFORE", **REPORT},
    "after": {"metavar": "AFTER", **REPORT},
    "--format": {
        "choices": ["text", "json", "html"],
        "default": "text",
        "help": "lines, a document, or a page; default is text",
    },
}
HEADS: Final = {
    "input": "Inputs",
    "configuration": "Configuration",
    "version": "Versions",
    "claim": "Claims",
    "verdict": "Verdicts",
    "number": "Numbers beyond their intervals",
}


def run(told: Namespace) -> int:
    """Compare two reports, and print what changed."""
    from costcurves.archive.changes import changes
    from costcurves.tables.record.manifest import read_manifest, unfit

    for folder in (told.before, told.after):
        if not Path(folder).is_dir():
            why = "there is no such folder, expected one such as reports/default"
            raise CommandError(USAGE, f"{folder}: {why}")
        if strange := unfit(Path(folder), read_manifest(Path(folder))["files"]):
            raise CommandError(UNVERIFIED, *under(f"{folder}: was not compared", strange))
    found = changes(Path(told.before), Path(told.after))
    if told.format == "json":
        document = {"before": told.before, "after": told.after, **found.plain()}
        lines = json.dumps(document, indent=2, ensure_ascii=False).split("\n")
    elif told.format == "html":
        lines = _page(told.before, told.after, found).split("\n")
    else:
        lines = list(_lines(found))
    say(*lines)
    return FINE


def _lines(found: "Changes") -> Iterator[str]:
    for kind, head in HEADS.items():
        own = [one for one in found.changes if one.kind == kind]
        yield from [f"{head}:"] if own else []
        for one in own:
            yield f"  {one.dataset}{': ' if one.dataset else ''}{one.what}"
            yield f"    before: {one.before}"
            yield f"    after:  {one.after}"
    yield _summary(found)


def _summary(found: "Changes") -> str:
    changed = formats.counted(len(found.changes), "change")
    same, within = formats.counted(found.same, "number"), formats.counted(found.within, "number")
    return f"{changed}; the same: {same}; moved within their intervals: {within}"


def _page(before: str, after: str, found: "Changes") -> str:
    """Write a page of one table, with no script and nothing from elsewhere."""
    heads = ("", "dataset", "what", before, after)
    rows = [(HEADS[it.kind], it.dataset, it.what, it.before, it.after) for it in found.changes]
    cells = "\n".join(
        f"<tr>{''.join(f'<{tag}>{html.escape(text)}</{tag}>' for text in row)}</tr>"
        for tag, row in [("th", heads), *(("td", row) for row in rows)]
    )
    style = "body{font:14px sans-serif;margin:2em}td,th{text-align:left;padding:.3em 1em .3em 0}"
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>What changed</title>\n'
        f"<style>{style}</style>\n<h1>What changed</h1>\n<table>\n{cells}\n</table>\n"
        f"<p>{html.escape(_summary(found))}.</p>\n</html>"
    )
