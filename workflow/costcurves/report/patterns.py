"""Sentences and titles that templates do not say, as patterns.

`text.phrase` puts parts into the named places. A pattern's name leads from here to the code that
gives them. All else is said in `workflow/report/templates`, call-outs in `sentences.html.j2`,
and of figures in their own words.
"""

from typing import Final

from costcurves.text import Plural

FROM_TO: Final = "{low} to {high}"
NOBODY: Final = "none"
DATASETS: Final = Plural("{n} dataset", "{n} datasets")
DATASETS_OF_CLASSES: Final = Plural(
    "{n} dataset in {parts} classes", "{n} datasets ({parts} with each class)"
)
ALL_DATASETS: Final = "All {n}"

# Titles of tables.
TO_USE: Final = "What to use"
MATRIX: Final = "What is cheapest on each dataset"
TO_USE_ON: Final = "{dataset}: what to use"
HAPPENS: Final = "what the cheapest does, of 1000 cases"
RUNNING: Final = "Which models could be cheapest"
RUNNING_ON: Final = "{dataset}: which models could be cheapest"
COST_PER_INSTANCE: Final = "{dataset}: expected cost of mistakes per case"
VERDICTS: Final = "verdicts, all pairs"
VERDICTS_OF_BASELINE: Final = "verdicts, against the baseline"

# Strips, and the scale that they have where a class is rare.
STANDING: Final = "where it could be cheapest along {axis}"
CLAIMED: Final = "where claimed along {axis}, dark where supported"
ALONG_RATIOS: Final = "along the cost ratio from {low} to {high}"

# What it was made of and with.
EXPECTED: Final = "Expected, by the configuration."
CLASS_PROPORTION: Final = "the data\N{RIGHT SINGLE QUOTATION MARK}s class proportion"
UNRELEASED: Final = "Built with a development version."

FOR_RANGES: Final = "{what} for PC(+) {ranges}"
IN_STRETCHES: Final = "{whole} in {n} ranges, together {share} of PC(+)"
NOWHERE: Final = "nowhere"
