"""The audit: a line for each claim of a study, and whether all came out as they should.

Run: ``python -m costcurves.tables.audit CONFIG``, once the report is built (``make audit``).
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pandas as pd

from costcurves.errors import InputError
from costcurves.tables.claims import CLAIMS
from costcurves.tables.contract import read
from costcurves.tables.study import read_study

FINE: Final = 0
USAGE: Final = 2
DATA: Final = 3
UNSUPPORTED: Final = 4


def audit(table: pd.DataFrame, fail_on: Sequence[str]) -> tuple[list[str], bool]:
    """Say how each claim came out.

    Parameters
    ----------
    table
        The table `claims`.
    fail_on
        Which verdicts make the audit fail: "contradicted", "undecided".

    Returns
    -------
    lines : list of str
        One for each claim, and one for all.
    passed : bool
        Whether there is none that makes the audit fail.

    Examples
    --------
    >>> audit(CLAIMS.frame(**{name: [] for name in CLAIMS.names}), ["undecided"])
    (['0 of 0 claims are supported'], True)
    """
    rows = table[table["decides"].astype(bool)].to_dict("records")
    verdicts = [str(row["verdict"]) for row in rows]
    supported = f"{verdicts.count('SUPPORTED')} of {len(rows)} claims are supported"
    failed = any(verdict.lower() in fail_on for verdict in verdicts)
    return [*map(_line, rows), supported], not failed


def _line(row: dict[Any, Any]) -> str:
    at = "" if row["mean"] else f" at PC(+) = {row['at_pc']:.3g}"
    between = f"{row['low']:.3g} to {row['high']:.3g}"
    within = "within +-" if row["kind"] == "equivalent" else "below "
    found = f"{row['value']:.3g} ({between}), claimed {within}{row['limit']:.3g}{at}"
    where = f"dataset {row['dataset']!r}, table {row['stage']}: {row['key']}"
    return (
        f"{row['verdict']:<12}  {row['number']}. {row['claim']}  "
        f"[{found}; p = {row['p_value']:.3g}; {where}]"
    )


def audited(config: str, results: Path = Path("results")) -> int:
    """Print the audit of a study that is built, and give its status.

    Parameters
    ----------
    config
        The study's configuration.
    results
        The folder of all results.

    Returns
    -------
    int
        0: fine; 2: the configuration can't be used; 3: there is no table of claims that can be
        read; 4: a claim makes the audit fail, as the configuration says under ``audit:``.
    """
    try:
        study = read_study(config)
    except (InputError, OSError) as error:
        return _ended(USAGE, str(error))
    try:
        table = read(results / study.name / "claims.parquet", CLAIMS)
    except InputError as error:
        return _ended(DATA, str(error))
    lines, passed = audit(table, study.fail_on)
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return FINE if passed else UNSUPPORTED


def _ended(status: int, message: str) -> int:
    sys.stderr.write(f"{message}\n")
    return status


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(_ended(USAGE, "Expected the configuration of one study"))
    sys.exit(audited(sys.argv[1]))
