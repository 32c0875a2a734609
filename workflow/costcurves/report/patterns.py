"""Sentences and titles that templates do not say, as patterns.

`text.phrase` puts parts into the named places. A pattern's name leads from here to the code that
gives them. All else is said in `workflow/report/templates`, call-outs in `sentences.html.j2`,
and of figures in their own words.
"""

from typing import Final

from costcurves.text import Plural

FROM_TO: Final = "{low} to {high}"
DATASETS: Final = Plural("{n} dataset", "{n} datasets")
DATASETS_OF_CLASSES: Final = Plural(
    "{n} dataset in {parts} classes", "{n} datasets ({parts} with each class)"
)

# Titles of tables.
TO_USE_ON: Final = "{dataset}: which decision at each cost ratio"
COST_PER_INSTANCE: Final = "{dataset}: expected cost of mistakes per case"
VERDICTS: Final = "verdicts, all pairs"
VERDICTS_OF_REFERENCE: Final = "verdicts, against the reference"


# What it was made of and with.
EXPECTED: Final = "Expected, by the configuration."
CLASS_PROPORTION: Final = "the data\N{RIGHT SINGLE QUOTATION MARK}s class proportion"
UNRELEASED: Final = "Built with a development version."

FOR_RANGES: Final = "{what} for PC(+) {ranges}"
IN_STRETCHES: Final = "{whole} in {n} ranges, together {share} of PC(+)"
NOWHERE: Final = "nowhere"
