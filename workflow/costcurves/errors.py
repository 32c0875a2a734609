"""The one error that a person who brings data or a configuration is meant to see."""

from collections.abc import Sequence

SHOWN = 20


class InputError(Exception):
    """Bad input or configuration: every finding at once, each for the person who can mend it.

    Parameters
    ----------
    findings
        What was found, where, what was expected and how to mend it; at least one.

    Examples
    --------
    >>> print(InputError(["a.csv: no column 'label'", "a.csv: no rows"]))
    2 findings:
      a.csv: no column 'label'
      a.csv: no rows
    """

    def __init__(self, findings: Sequence[str]) -> None:
        super().__init__(findings)
        self.findings = tuple(findings)

    def __str__(self) -> str:
        """Give the first 20 findings and how many there are."""
        count = len(self.findings)
        if count == 1:
            return self.findings[0]
        shown = [f"  {finding}" for finding in self.findings[:SHOWN]]
        hidden = [f"  ... and {count - SHOWN} more"] if count > SHOWN else []
        return "\n".join([f"{count} findings:", *shown, *hidden])
