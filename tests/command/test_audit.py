"""The audit of claims: its lines and its status."""

import io
import json
import re
from contextlib import redirect_stdout
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from costcurves.command.audit import claims_of, report_claims
from costcurves.command.main import parser
from costcurves.errors import InputError
from costcurves.study.reading import parse_study
from tests import worded_study
from tests.small_study import ROOT

CLAIM = {"claim": "1", "kind": "cheaper", "models": ["no model", "Good"]}
CONTENT = {"study": "s", "datasets": [{"name": "d", "predictions": ["d.csv"]}], "claims": [CLAIM]}
STUDY = parse_study(CONTENT, files=False)
WORDS = "Good | <b>Bad</b> *is* [it](x)\x0b"


def audited(table: pd.DataFrame, *words: str) -> tuple[int, str]:
    """Audit these claims; return the status and what is printed."""
    options = parser(["audit"]).parse_args(["audit", "s.yaml", *words])
    with redirect_stdout(io.StringIO()) as out:
        return report_claims(STUDY, table, options), out.getvalue()


STATUSES = [
    (["SUPPORTED"], [], 0),
    (["SUPPORTED", "UNDECIDED", "CONTRADICTED"], ["--allow-undecided"], 4),
    (["SUPPORTED", "UNDECIDED"], [], 4),
    (["SUPPORTED", "UNDECIDED"], ["--allow-undecided"], 0),
]


@pytest.mark.parametrize(("verdicts", "words", "status"), STATUSES)
def test_the_status_where_a_claim_fails(verdicts: list[str], words: list[str], status: int) -> None:
    table = worded_study.claims()
    rows = table[table["decides"].astype(bool)].head(len(verdicts)).assign(verdict=verdicts)
    result, text = audited(rows, *words)
    assert (result, re.findall("(?m)^[A-Z]+(?= )", text)) == (status, verdicts)
    assert text.endswith(f"\n1 of {len(verdicts)} claims are supported\n")
    result, text = audited(rows, *words, "--json")
    document = json.loads(text)
    assert (result, document["result"]) == (status, "failed" if status else "passed")
    failing = ["CONTRADICTED", "UNDECIDED"][: 1 if words else 2]
    failed = [claim["failed"] for claim in document["claims"]]
    assert failed == [verdict in failing for verdict in verdicts]


def test_a_study_without_claims_passes_unless_they_are_needed() -> None:
    with pytest.raises(InputError, match="not a readable table of claims"):
        claims_of(STUDY)
    table = claims_of(replace(STUDY, claims=()))
    assert audited(table) == (0, "The study makes no claims: there is nothing to audit\n")
    assert audited(table, "--need-claims")[0] == 4
    status, text = audited(table, "--json")
    assert (status, json.loads(text)["result"]) == (0, "nothing to audit")


LINES = [  # what was tested, and its numbers
    ("'Vote' cheaper than 'Bayes', PC(+) 0.20 to 0.40",
        "-0.021 (-0.032 to -0.015), claimed below 0 at PC(+) = 0.33; p = 0.041"),
    ("'Vote' equivalent to 'Bayes', PC(+) = 0.70",
        "+0.034 (0.012 to 0.046), claimed within +-0.020 at PC(+) = 0.35; p = 0.082"),
    ("'Vote' not worse than 'Bayes', PC(+) 0.30 to 0.63",
        "+0.051 (0.018 to 0.069), claimed below 0.040 at PC(+) = 0.37; p = 0.123; supported on "
        "37 % of the range, the longest stretch PC(+) 0.42 to 0.53"),
    ("'Ladder' cheaper than no model, PC(+) 0.30 to 0.64",
        "+0.068 (0.024 to 0.092), claimed below 0 at PC(+) = 0.39; p = 0.164; by estimate the "
        "curves cross at PC(+) = 0.64: where they cross, no data could support the claim"),
    ("'Rule', at most, the mean over PC(+), weighted by the prior of the study",
        "0.085 (0.030 to 0.115), claimed below 0.310; p = 0.205"),
    ("'Rule', at most, 5:1 (PC(+) = 0.30)",
        "9.18 EUR a case (3.24 to 12.42), claimed below 28.8 EUR a case at PC(+) = 0.43; "
        "p = 0.246"),
]  # fmt: skip


def test_lines_and_json_say_what_was_tested_and_all_numbers() -> None:
    """Of claims of all kinds, none of whose numbers agree."""
    table = worded_study.claims()
    status, text = audited(table, "--allow-undecided")
    *lines, last = text.splitlines()
    assert (status, last) == (4, "1 of 6 claims are supported")
    parts = table.iloc[[0, 4]].assign(kept_share=[0.5, 0.0])
    assert "supported on" not in audited(parts)[1]
    for number, (line, (tested, ends)) in enumerate(zip(lines, LINES, strict=True), 1):
        assert line[14:].startswith(f"{number}. Claim {number}  [tested: {tested}; {ends}; dataset")
    table.loc[table.index[0], "claim"] = WORDS
    document = json.loads(audited(table, "--allow-undecided", "--json")[1])
    assert (document["schema"], document["study"]) == (2, "s")
    assert document["claims"][0]["claim"] == WORDS
    names = ("value", "low", "high", "limit", "at_pc", "pc_from", "pc_to", "p_value", "most")
    rows = table.to_dict("records")
    for claim, (tested, _), row in zip(document["claims"], LINES, rows, strict=True):
        assert (claim["tested"], claim["verdict"]) == (tested, row["verdict"].lower())
        expected = [None if np.isnan(row[name]) else row[name] for name in names]
        assert [claim[name] for name in names] == expected
        assert claim["source"] == {"table": row["stage"], "rows": row["key"]}
    documented = (ROOT / "docs" / "claims.md").read_text("utf-8")
    assert all(f"`{name}`" in documented for name in {*document, *document["claims"][0]})
