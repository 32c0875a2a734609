"""`costcurves audit`: whether a study's claims hold."""

from argparse import SUPPRESS, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from costcurves import __version__
from costcurves.command import workflow
from costcurves.command.ending import FINE, UNVERIFIED
from costcurves.command.report import built, study_of
from costcurves.printing import say
from costcurves.tables.configuration.strict_yaml import read_document

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from costcurves.tables.configuration.schema import Place
    from costcurves.tables.configuration.study import Study

DESCRIPTION: Final = """\
Build a study's report where that is needed, and print a line for each of its claims. The status
is 4 where one came out as 'audit:' in the configuration says that it must not. A study without
claims has nothing to audit, and passes unless --need-claims is given.
"""
EXAMPLES: Final = """\
examples:
  costcurves audit config/config.yaml
  costcurves audit config/config.yaml --format junit > audit.xml
"""
CONFIG: Final = {"metavar": "CONFIG", "help": "the configuration of a study (.yaml)"}
FORMAT: Final = {
    "choices": ["text", "json", "junit", "sarif", "markdown"],
    "default": "text",
    "help": "lines, a document, a test's result, a code scan's, or a table; default is text",
}
JSON: Final = {"action": "store_const", "dest": "format", "const": "json", "default": SUPPRESS}
OPTIONS: Final = {
    "config": CONFIG,
    **workflow.OPTIONS,
    "--format": FORMAT,
    "--json": {**JSON, "help": "the same as --format json"},
    "--need-claims": workflow.flag("fail where the study makes no claims"),
}


def run(options: Namespace) -> int:
    """Build the report, and audit its claims."""
    engine = workflow.where(options.cores, options.profile)
    config = Path(options.config)
    study = study_of(config)
    if options.unlock:
        workflow.unlock(config, engine)
    built(config, study, engine)
    lines = read_document(config).lines
    return said(
        study, claims_of(study), config, lines, form=options.format, need=options.need_claims
    )


def claims_of(study: "Study") -> "pd.DataFrame":
    """Read the claims of a study as its report has them."""
    from costcurves.tables.claims import CLAIMS
    from costcurves.tables.files import read_csv

    table = Path("reports", study.name, "tables", "claims.csv")
    return read_csv(table, CLAIMS) if study.claims else CLAIMS.empty()


def failed(options: Namespace, status: int, message: str) -> None:
    """Print for programs why there is no audit: what is empty might pass for one without faults."""
    if options.format != "text":
        from costcurves.tables.record.audit_formats import FAILURES, Failure

        document = FAILURES[options.format](Failure(status, message, __version__))
        say(*document.split("\n"))


def said(
    study: "Study",
    verdicts: "pd.DataFrame",
    file: Path,
    lines_of: "Mapping[Place, int]",
    *,
    form: str,
    need: bool = False,
) -> int:
    """Print what claims came to, which a line of a file makes, and give the status."""
    from costcurves.tables.record.audit import audit, deciding
    from costcurves.tables.record.audit_formats import FORMATS, Audit

    fail_on = study.audit.fail_on
    lines, passed = audit(verdicts, fail_on)
    passed = passed and not (need and verdicts.empty)
    if form != "text":
        known = (study.name, file.as_posix(), lines_of, deciding(verdicts), fail_on, passed)
        lines = FORMATS[form](Audit(*known, __version__)).split("\n")
    say(*lines)
    return FINE if passed else UNVERIFIED
