"""`costcurves audit`: whether a study's claims hold."""

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from costcurves import __version__
from costcurves.command import workflow
from costcurves.command.ending import FINE, UNVERIFIED
from costcurves.command.report import built
from costcurves.printing import say

if TYPE_CHECKING:
    import pandas as pd

    from costcurves.settings import Study

DESCRIPTION: Final = """\
Build a study's report where that is needed, and print a line for each of its claims. The status
is 4 where one is contradicted or undecided. A study without claims has nothing to audit, and passes
unless --need-claims is given.
"""
EXAMPLES: Final = """\
examples:
  costcurves audit config/config.yaml
  costcurves audit config/config.yaml --json > audit.json
"""
JSON: Final = workflow.flag("print each claim with its numbers, as JSON")
OPTIONS: Final = {
    "config": {"metavar": "CONFIG", "help": "the configuration of a study (.yaml)"},
    **workflow.OPTIONS,
    "--json": JSON,
    "--allow-undecided": workflow.flag("fail only where a claim is contradicted"),
    "--need-claims": workflow.flag("fail where the study makes no claims"),
}


def run(options: Namespace) -> int:
    """Build the report, and audit its claims."""
    study, _ = built(Path(options.config), options, {})
    return report_claims(study, claims_of(study), options)


def claims_of(study: "Study") -> "pd.DataFrame":
    """Read the claims of a study as its report has them."""
    from costcurves.many.claims import CLAIMS
    from costcurves.tables.files import read_csv

    table = Path("reports", study.name, "tables", "claims.csv")
    return read_csv(table, CLAIMS) if study.claims else CLAIMS.empty()


def report_claims(study: "Study", verdicts: "pd.DataFrame", options: Namespace) -> int:
    """Print the verdict on each claim, and return the status."""
    from costcurves.many.audit import as_json, audit, deciding

    fail_on = ("contradicted",) if options.allow_undecided else ("contradicted", "undecided")
    lines, passed = audit(verdicts, fail_on)
    passed = passed and not (options.need_claims and verdicts.empty)
    if options.json:
        rows = deciding(verdicts)
        lines = as_json(study.name, __version__, rows, fail_on, passed=passed).split("\n")
    say(*lines)
    return FINE if passed else UNVERIFIED
