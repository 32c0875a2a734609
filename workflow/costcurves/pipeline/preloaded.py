"""All that stages import, also what they import only where they need it."""

import brotli  # type: ignore[import-untyped]  # noqa: F401
import scipy.special  # noqa: F401

import costcurves.pipeline.figures  # with those of the annex
import costcurves.pipeline.report  # noqa: F401
from costcurves.tables.input.opening import readers

readers()
