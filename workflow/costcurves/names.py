"""Names that users give, kept character for character: which are usable, and as file names."""

import difflib
import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

LONGEST_NAME: Final = 200  # characters
SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
SLUG_WORDS = (
    "a name of letters, digits, '.', '_' and '-' that starts with a letter or digit and has at "
    "most 64 characters"
)
# Names that Windows keeps for devices, with any ending; and
# ours, for files of a study, beside which its datasets have folders.
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?|(study|models)\.jsonl?")
# Snakemake takes a name that ends in the same twenty times for an endless loop. Two names, of a
# dataset and its class with hyphens between, can't make one together if each ends in the same with
# a hyphen nine times at most.
_REPEATED = re.compile(r"(.+)\1{19}$|(.*-.*)\2{9}$")
# Control characters, line and paragraph separators, zero-width space and byte order mark, and the
# characters that reorder the text around them (embeddings, overrides, isolates), and those that XML
# can't hold. Left-to-right and right-to-left marks stay: Arabic and Hebrew need them.
DECEIVING = "[\x00-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
# Characters of other names that draw nothing by themselves: joiners, marks, fillers, selectors.
_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff"
)
# A blank name, as the regular expressions of both Python and Arrow have it: spaces (but control
# characters, and what ends lines, which are deceiving), and what is not seen.
BLANK = f"^[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000{_UNSEEN}]*$"
URL: Final = re.compile(r"\s*([a-z][a-z0-9+.-]*:)+//", re.IGNORECASE)
_DATABASE: Final = re.compile(r"\.(db|sqlite3?|duckdb)$", re.IGNORECASE)
_EXPORTED = (
    "expected a file on this computer; export or fetch its rows to a CSV or Parquet file first "
    "(docs/workflows.md, 'Predictions in a database or on a server')"
)


def quoted(value: object) -> str:
    """Show a value in a message: quoted, unprintable characters escaped, shortened."""
    if isinstance(value, str):
        return f"{value[:60]!r}{'...' if len(value) > 60 else ''}"
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:60]}..."


def some(values: Sequence[str], most: int = 10) -> str:
    """List names in a message, at most `most` of them: 'a', 'b' and 1 more."""
    shown = ", ".join(quoted(value) for value in values[:most])
    hidden = f" and {len(values) - most} more" if len(values) > most else ""
    return f"{shown}{hidden}" if values else "none"


def nearest(name: str, known: Sequence[str]) -> str:
    """Return the words that point from an unknown name to the known ones."""
    folded = {candidate.casefold(): candidate for candidate in known}
    close = difflib.get_close_matches(name.strip().casefold(), folded, n=1)
    return f"did you mean {folded[close[0]]!r}?" if close else f"known are {some(known)}"


def unusable(name: str) -> str | None:
    """Say why a name can't be used, or give None."""
    if not look(name):
        return "is blank"
    if deceiving := re.search(DECEIVING, name):
        return f"has the control or text-reordering character {deceiving.group()!r}"
    if half := re.search("[\ud800-\udfff]", name):  # a byte of an argument that is not UTF-8
        return f"has {half.group()!r}, which is half a character"
    if len(name) > LONGEST_NAME:
        return f"has {len(name)} characters, expected at most {LONGEST_NAME}"
    return None


def not_local(path: str) -> str | None:
    """Say why a source is not a local file of predictions; None: it may be one.

    Of a URL nothing but the scheme is repeated: the rest may hold a password.

    >>> not_local("runs/a.csv"), (not_local("s3://bucket/a.csv") or "")[:34]
    (None, "'s3://...' is a URL, expected a fi")
    """
    if url := URL.match(path):
        return f"{url[0].strip() + '...'!r} is a URL, {_EXPORTED}"
    if _DATABASE.search(path):
        return f"{quoted(path)} is a database, {_EXPORTED}"
    return None


def twins(names: Iterable[str]) -> list[tuple[str, str]]:
    """Find pairs of different names that `look` the same, the first before the other."""
    seen: dict[str, str] = {}
    pairs = [(seen.setdefault(look(name), name), name) for name in dict.fromkeys(names)]
    return [(first, name) for first, name in pairs if first != name]


def look(name: str) -> str:
    """Return what a reader sees: no more spaces, none that draws nothing, one form a letter."""
    return " ".join(re.sub(f"[{_UNSEEN}]", "", unicodedata.normalize("NFC", name)).split())


def is_slug(name: str) -> bool:
    """Whether a name can be a file name as it is, on any system."""
    return SLUG.fullmatch(name) is not None and _RESERVED.fullmatch(name) is None


def slug(name: str) -> str:
    """Make a file name of a name, with a hash where nothing is left, or it can't be one."""
    plain = unicodedata.normalize("NFKD", name)
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", plain).lstrip("._-")[:64].rstrip("._-")
    return plain if is_slug(plain) and not _REPEATED.search(plain) else _hashed(name, plain)


def slugs(names: Sequence[str]) -> list[str]:
    """Make file names of names, in any order; those that differ in case alone all get a hash."""
    made = {name: slug(name) for name in names}
    while True:
        uses = Counter(made[name].casefold() for name in made)
        colliding = [name for name in made if uses[made[name].casefold()] > 1]
        hashed = {name: _hashed(name, slug(name)) for name in colliding}
        if all(made[name] == hashed[name] for name in colliding):
            return [made[name] for name in names]
        made.update(hashed)


def _hashed(name: str, plain: str) -> str:
    plain = plain.replace(".", "-")  # "con.txt-1234" would still be reserved
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{plain[:51]}-{digest}" if plain else digest
