"""Whether a table has so many long words that paper has no room for them side by side.

Only then may lines end within words. Laying out a table whose words may be broken anywhere takes
several times as long, as every letter could be a line.
"""

import re
from html import unescape
from itertools import zip_longest
from typing import Final

ROOM: Final = 84  # letters of usual width on a line of a table
AROUND: Final = 2  # letters that the space around a cell would hold
CELL: Final = re.compile(r"<t[hd]([^>]*)>(.*?)</t[hd]>", re.DOTALL)
TAG: Final = re.compile(r"<[^>]*>")
WHOLE: Final = re.compile(r'class="(?:n|whole)"')  # cells that are never broken


def crowded(rows: str) -> bool:
    """Say whether the words of a table (HTML rows), unbroken, might be wider than a page.

    >>> crowded("<tr><td>Naive Bayes</td><td class='n'>0.25</td></tr>")
    False
    >>> crowded(f"<tr><td>{'a' * 50}</td><td>b</td></tr><tr><td>b</td><td>{'a' * 50}</td></tr>")
    True
    """
    found = ([_least(*cell) for cell in CELL.findall(row)] for row in rows.split("<tr"))
    columns = map(max, zip_longest(*found, fillvalue=0))
    return sum(widest + AROUND for widest in columns) > ROOM


def _least(attributes: str, content: str) -> int:
    """Count the letters of a cell that stay on one line."""
    words = unescape(TAG.sub("", content)).split()
    if WHOLE.search(attributes):
        return len(" ".join(words))
    return max(map(len, words), default=0)
