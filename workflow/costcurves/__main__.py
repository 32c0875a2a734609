"""`python -m costcurves` is the command `costcurves`."""

import sys

from costcurves.command.main import main

if __name__ == "__main__":
    sys.exit(main())
