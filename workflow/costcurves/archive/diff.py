"""`costcurves diff`: what changed between two reports."""

import json
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from costcurves import formats
from costcurves.code import REPORT
from costcurves.command.ending import FINE, UNVERIFIED, USAGE, CommandError
from costcurves.errors import InputError, of_stranger, under
from costcurves.printing import say

if TYPE_CHECKING:
    from costcurves.archive.changes import Changes

DESCRIPTION: Final = """\
Say what changed between two reports: what to use and its threshold; costs and ranges beyond chance;
verdicts and claims; inputs, configuration and versions. Where the predictions of both are found and
have the same cases, costs are compared case by case. Nothing is verified: see `costcurves verify`.
"""
EXAMPLES: Final = """\
examples:
  costcurves diff reports/before reports/after
  costcurves diff reports/before reports/after --sources old --sources .
  costcurves diff reports/before reports/after --format html > changes.html
"""
OPTIONS: Final = {
    "before": {"metavar": "BEFORE", "help": "the folder of a report"},
    "after": {"metavar": "AFTER", "help": "that of another"},
    "--sources": {
        "metavar": "FOLDER",
        "action": "append",
        "default": [],
        "help": "where the paths of predictions begin; once more for those of AFTER, "
        "default is the current folder",
    },
    "--format": {
        "choices": ["text", "json", "html"],
        "default": "text",
        "help": "lines, a document, or a page; default is text",
    },
}
HEADS: Final = {
    "use": "What to use",
    "number": "Costs and ranges that changed beyond chance",
    "verdict": "Verdicts",
    "claim": "Claims",
    "input": "Inputs",
    "configuration": "Configuration",
    "version": "Versions",
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
    try:
        found = changes(Path(told.before), Path(told.after), [*map(Path, told.sources or ["."])])
    except Exception as error:
        headline = f"{told.before} and {told.after} can't be compared (see 'costcurves verify')"
        raise InputError([f"{headline}: {line}" for line in of_stranger(error)]) from error
    if told.format == "json":
        document = {"before": told.before, "after": told.after, **found.plain()}
        text = json.dumps(document, indent=2, ensure_ascii=False)
    else:
        text = _written(told.format, told.before, told.after, found)
    say(*text.split("\n"))
    return FINE


def _written(form: str, before: str, after: str, found: "Changes") -> str:
    """Write it as lines, or as a page in the report's style, with no script."""
    from costcurves.archive.records import TEMPLATES

    each = {head: [it for it in found.changes if it.kind == kind] for kind, head in HEADS.items()}
    told = {"before": before, "after": after, "groups": each.items(), "notes": found.notes}
    changed = formats.counted(sum(it.before != it.after for it in found.changes), "change")
    same, within = formats.counted(found.same, "number"), formats.counted(found.within, "number")
    told |= {"summary": f"{changed}; the same: {same}; moved by no more than chance: {within}"}
    styles = (REPORT / "styles" / name for name in ("page.css", "screen.css"))
    style = "".join(it.read_text("utf-8") for it in styles)
    return TEMPLATES.get_template(f"diff.{form}.j2").render(told, style=style)
