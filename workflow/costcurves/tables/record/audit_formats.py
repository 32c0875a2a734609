"""An audit as programs read it: JSON, JUnit's XML, SARIF; and as a pull request shows it."""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote
from xml.etree import ElementTree as ET

from costcurves.markdown import cell
from costcurves.maths.chance.claims import SUPPORTED
from costcurves.tables.configuration.schema import Place
from costcurves.tables.record.audit import BY_COST, NONE, line, numbers, supported, tested

NUMBERS: Final = ("value", "low", "high", "limit", "at_pc", "pc_from", "pc_to", "p_value")
NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Audit:
    """What a study claims, the row that decides each, and where its configuration says it."""

    study: str
    config: str
    lines: Mapping[Place, int]
    rows: Sequence[Mapping[Any, Any]]
    fail_on: Sequence[str]
    passed: bool
    version: str

    def failed(self, row: Mapping[Any, Any]) -> bool:
        """Say whether this claim makes the audit fail."""
        return str(row["verdict"]).lower() in self.fail_on

    @property
    def summary(self) -> str:
        """Say in a line what came out."""
        return supported(self.rows) if self.rows else NONE


def as_json(found: Audit) -> str:
    """Write every claim with its numbers; the schema is in config/README.md."""
    claims = [
        {
            "number": int(row["number"]),
            **{name: str(row[name]) for name in ("claim", "kind", "dataset")},
            "by_cost": bool(row["by_cost"]),
            "verdict": str(row["verdict"]).lower(),
            "failed": found.failed(row),
            "tested": tested(row),
            **{name: _number(row[name]) for name in NUMBERS},
            "source": {"table": str(row["stage"]), "rows": str(row["key"])},
        }
        for row in found.rows
    ]
    whole = {
        "schema": 1,
        "costcurves": found.version,
        "study": found.study,
        "result": ("passed" if found.passed else "failed") if claims else "nothing to audit",
        "passed": found.passed,
        "fail_on": list(found.fail_on),
        "claims": claims,
    }
    return json.dumps(whole, indent=2, ensure_ascii=False, allow_nan=False)


def _number(value: object) -> float | None:
    number = float(str(value))
    return number if math.isfinite(number) else None


def as_junit(found: Audit) -> str:
    """Write a test case a claim, as test runners do."""
    failures = sum(map(found.failed, found.rows))
    counts = {"tests": str(len(found.rows)), "failures": str(failures), "errors": "0"}
    suites = ET.Element("testsuites", counts)
    suite = ET.SubElement(suites, "testsuite", {"name": _xml(found.study), **counts})
    for row in found.rows:
        of = f"{found.study}.{row['dataset']}"
        named = {"classname": _xml(of), "name": _xml(f"{row['number']}. {row['claim']}")}
        case = ET.SubElement(suite, "testcase", named)
        if found.failed(row):
            why = {"type": str(row["verdict"]).lower(), "message": _xml(line(row))}
            ET.SubElement(case, "failure", why)
        else:
            ET.SubElement(case, "system-out").text = _xml(line(row))
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode", xml_declaration=True)


def _xml(text: str) -> str:
    """Replace what XML can't hold."""
    return NO_XML.sub("\ufffd", text)


def as_sarif(found: Audit) -> str:
    """Write a result a claim that is not supported, at its line in the configuration (2.1.0)."""
    results = [
        {
            "ruleId": str(row["verdict"]).lower(),
            "level": "error" if found.failed(row) else "note",
            "message": {"text": line(row)},
            "locations": [{"physicalLocation": _place(found, int(row["number"]))}],
        }
        for row in found.rows
        if row["verdict"] != SUPPORTED
    ]
    told = {
        "contradicted": "The data contradict a claim of the study",
        "undecided": "The data decide neither for nor against a claim of the study",
    }
    rules = [{"id": name, "shortDescription": {"text": text}} for name, text in told.items()]
    tool = {"driver": {"name": "costcurves", "version": found.version, "rules": rules}}
    run = {"tool": tool, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)


def _place(found: Audit, number: int) -> dict[str, Any]:
    where: dict[str, Any] = {"artifactLocation": {"uri": quote(found.config)}}
    at = found.lines.get(("claims", number - 1))
    return {**where, "region": {"startLine": at}} if at else where


def as_markdown(found: Audit) -> str:
    """Write a table for a pull request."""
    told = "" if found.passed else ", the audit fails"
    lines = [f"**{cell(found.study)}**: {found.summary}{told}."]
    if found.rows:
        heads = "verdict", "claim", "dataset", "PC(+)", "found", "claimed"
        lines += ["", f"| {' | '.join(heads)} |", "|---|---|---|---|---|---|"]
    for row in found.rows:
        said = numbers(row)
        verdict = str(row["verdict"]).lower()
        cells = (
            f"**{verdict}**" if found.failed(row) else verdict,
            cell(f"{row['number']}. {row['claim']}"),
            cell(f"{row['dataset']}{BY_COST if row['by_cost'] else ''}"),
            said["over"],
            cell("; ".join(filter(None, (f"{said['value']} ({said['interval']})", said["kept"])))),
            cell(f"{said['limit']} {said['where']}".strip()),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


FORMATS: Final[dict[str, Callable[[Audit], str]]] = {
    "json": as_json,
    "junit": as_junit,
    "sarif": as_sarif,
    "markdown": as_markdown,
}


@dataclass(frozen=True)
class Failure:
    """Why there is no audit: the status of the command, and its message."""

    status: int
    message: str
    version: str


def _failed_json(why: Failure) -> str:
    error = {"status": why.status, "message": why.message}
    whole = {"schema": 1, "costcurves": why.version, "study": None, "result": "error"}
    whole |= {"passed": False, "fail_on": [], "claims": [], "error": error}
    return json.dumps(whole, indent=2)


def _failed_junit(why: Failure) -> str:
    counts = {"tests": "1", "failures": "0", "errors": "1"}
    suites = ET.Element("testsuites", counts)
    suite = ET.SubElement(suites, "testsuite", {"name": "costcurves", **counts})
    case = ET.SubElement(suite, "testcase", {"classname": "costcurves", "name": "audit"})
    told = {"type": f"status {why.status}", "message": _xml(why.message)}
    ET.SubElement(case, "error", told)
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode", xml_declaration=True)


def _failed_sarif(why: Failure) -> str:
    said = {"level": "error", "message": {"text": why.message}}
    ended = {"executionSuccessful": False, "exitCode": why.status}
    tool = {"driver": {"name": "costcurves", "version": why.version}}
    run = {"tool": tool, "invocations": [ended | {"toolExecutionNotifications": [said]}]}
    return json.dumps({"version": "2.1.0", "runs": [run | {"results": []}]}, indent=2)


FAILURES: Final[dict[str, Callable[[Failure], str]]] = {
    "json": _failed_json,
    "junit": _failed_junit,
    "sarif": _failed_sarif,
    "markdown": lambda why: f"**costcurves**: there is no audit. {cell(why.message)}",
}
