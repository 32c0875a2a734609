"""What the engine's linter says of the workflow, but that rules name no software: `make lint`.

That is the package itself, which is installed where the engine is: no environment is made for it.
"""

import subprocess
import sys
from typing import Final

ONE_PACKAGE: Final = "    * Specify a conda environment or container for each rule.:"


def main() -> None:
    """Print what it says if there is anything else, and fail."""
    command = [sys.executable, "-m", "snakemake", "--lint"]
    output = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    titles = [line for line in output.splitlines() if line.startswith("    * ")]
    if set(titles) != {ONE_PACKAGE}:  # a linter that says nothing at all did not run
        print(output, file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
