"""`costcurves audit`: whether a study's claims hold."""

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from costcurves.command import workflow
from costcurves.command.ending import FINE, UNVERIFIED
from costcurves.command.report import built, study_of

if TYPE_CHECKING:
    from costcurves.tables.configuration.study import Study

DESCRIPTION: Final = """\
Build a study's report where that is needed, and print a line for each of its claims. The status
is 4 where one came out as 'audit:' in the configuration says that it must not.
"""
EXAMPLES: Final = """\
examples:
  costcurves audit config/config.yaml
"""
CONFIG: Final = {"metavar": "CONFIG", "help": "the configuration of a study (.yaml)"}
OPTIONS: Final = {"config": CONFIG, **workflow.OPTIONS}


def run(told: Namespace) -> int:
    """Build the report, and audit its claims."""
    engine = workflow.where(told.cores, told.profile)
    study = study_of(Path(told.config))
    built(Path(told.config), study, engine)
    return audited(study)


def audited(study: "Study", results: Path = Path("results")) -> int:
    """Print the audit of a study that is built, and give its status."""
    from costcurves.tables.contract import read
    from costcurves.tables.inference.claims import CLAIMS
    from costcurves.tables.record.audit import audit

    verdicts = read(results / study.name / "claims.parquet", CLAIMS)
    lines, passed = audit(verdicts, study.audit.fail_on)
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return FINE if passed else UNVERIFIED
