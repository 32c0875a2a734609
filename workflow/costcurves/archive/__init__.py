"""What journals and archives ask of a report: bundles, rebuilding and recomputing."""

from costcurves.code import RECOMPUTE as RECOMPUTE
