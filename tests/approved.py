"""The words of figures and of the page as they were approved, in the order in which they stand.

Of figures titles, captions and alternative texts, of the page (`worded_study`) with what links
lead to. `make approve` writes the lists anew; what they say differently is then to be read, line by
line, before it is committed.
"""

from pathlib import Path
from typing import Final

from costcurves.figures.drawing import sentences
from costcurves.report.rendering import html
from tests.figures.odd import MODULES, context_of
from tests.worded_study import report, spoken

PAGE: Final = Path(__file__).parent / "golden" / "page.txt"
FIGURES: Final = PAGE.with_name("figures.txt")


def worded() -> str:
    """Write what the page says, a line each."""
    return "".join(f"{line}\n" for line in spoken(html(report())))


def captioned() -> str:
    """Write what the figures of three models say, a line each."""
    context = context_of("three")
    lines = []
    for module in MODULES:
        words = sentences(module, module.data(context), context)
        lines += [f"{module.NAME} {part}: {text}\n" for part, text in words.items()]
    return "".join(lines)


if __name__ == "__main__":
    PAGE.write_text(worded(), encoding="utf-8")
    FIGURES.write_text(captioned(), encoding="utf-8")
