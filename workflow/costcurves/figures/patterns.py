"""What several texts of figures say, as patterns; all else is in `words` beside the modules."""

from typing import Final

from costcurves.text import Plural

FOR_RANGES: Final = "{what} for PC(+) {ranges}"
IN_STRETCHES: Final = "{whole} in {n} ranges, together {share} of PC(+)"
NOWHERE: Final = "nowhere"
LOWEST: Final = "Lowest: {ranges}{others}. "
OTHERS: Final = Plural("; others in {n} narrower range", "; others in {n} narrower ranges")
EQUAL: Final = "{models} (equal)"
