"""What is done with a finished report: rebuilding and recomputing."""

from costcurves.code import RECOMPUTE as RECOMPUTE
