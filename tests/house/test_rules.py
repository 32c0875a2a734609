"""The rules of the workflow: short, and with nothing of the engine that it does not document."""

import re
from typing import Final

import pytest

from tests.small_study import ROOT

FILES: Final = [ROOT / "Snakefile", *sorted((ROOT / "workflow" / "rules").glob("*.smk"))]
TEXTS: Final = {file.name: file.read_text("utf-8") for file in FILES}
DOCUMENTED: Final = {"cores", "configfiles"}  # of `workflow`


@pytest.mark.parametrize("name", TEXTS)
def test_they_use_what_the_engine_documents_and_their_commands_are_stages(name: str) -> None:
    """A line for a shell each, which can be pasted into one."""
    assert sum(text.count("\n") for text in TEXTS.values()) <= 300
    text = TEXTS[name]
    assert {*re.findall(r"\bworkflow\.(?!rules/|costcurves)(\w+)", text)} <= DOCUMENTED
    assert not re.findall(r"\b(?:rules\.)?_\w+|\bscheduler\b|\biocache\b|\bdag\.\w+", text)
    assert {*re.findall(r"snakemake[\w.]*", text)} <= {"snakemake.utils"}
    assert not re.findall(r"(?m)^    (?:run|script|notebook|wrapper):", text)
    rules = re.findall(r"(?m)^rule (?!all\b)", text)
    stages = text.count('        f"{STAGE} ') + text.count('        "cat ')
    assert len(rules) == text.count("    shell:") == stages
