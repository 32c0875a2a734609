"""Limits of what is read, before memory or time is spent on rows; 10^8 predictions keep to all."""

from collections.abc import Iterator, Mapping

LARGEST = 4 << 30  # bytes of a file, and of an unpacked CSV: split it
LARGEST_TABLE = 16 << 30  # bytes that Parquet, or a column of text in it, unpacks to: split it
# How many times its size a file may unpack to: unpack it, or write Parquet without packing.
# Predictions pack 3 to 20 times; gzip can't pack more than 1,032 times.
MOST_TIMES = 100
HARMLESS = 64 << 20  # bytes that a file may unpack to, whatever its size
MOST_ROWS = 200_000_000  # that a Parquet file may claim: split it
# And for each of its bytes, above `FEW_ROWS`: rows that say something take a byte or more, so write
# the file again without repeated rows.
MOST_ROWS_A_BYTE = 10
FEW_ROWS = 1_000_000
MOST_PAGES = 1_000_000  # of a Parquet file's columns that are read: write larger pages
LONGEST_HEADER = 1 << 20  # bytes of the line that names the columns of a CSV: leave columns out
MOST_COLUMNS = 2_000  # of a file: give a row for each model and instance, not a column
MOST_CONDITIONS = 100  # operating conditions of a study, marked in each figure: leave some out
LONGEST_NAME = 200  # characters: shorten it
# Bytes of a name or a number in Parquet, whose dictionary repeats it at no cost: shorten it.
LONGEST_VALUE = 4 * LONGEST_NAME
# How many datasets bare files may hold; and how many models, members of all models, and folds of
# all repeats a dataset may have.
MOST_OF = {
    "datasets": (1_000, "name those to look at ('datasets:' in a configuration)"),
    "models": (1_000, "name those to compare ('models:' in a configuration), or leave some out"),
    "members": (10_000, "leave some out, or name fewer models ('models:' in a configuration)"),
    "folds": (50_000, "pool them, which means to leave the column 'fold' out"),
}


def crowd_findings(counts: Mapping[str, int]) -> Iterator[str]:
    """Find that there are more of something than `MOST_OF` allows."""
    for what, found in counts.items():
        most, mend = MOST_OF[what]
        if found > most:
            yield f"has {found:,} {what}, expected at most {most:,}; {mend}"


def unpacked_findings(path: str, size: int, packed: int, most: int, mend: str) -> Iterator[str]:
    """Find that a file unpacks to more bytes (`size`, as far as known) than predictions need."""
    if size > most:
        yield f"{path}: unpacks to more than {most} bytes; {mend}"
    elif size > max(HARMLESS, MOST_TIMES * packed):
        why = f"unpacks to more than {MOST_TIMES} times its size, as no predictions do"
        yield f"{path}: {why}; if it is what it should be, write it without compression"


def row_findings(path: str, rows: int, size: int) -> Iterator[str]:
    """Find that a Parquet file claims more rows than can be, or than its bytes can tell apart."""
    if rows > MOST_ROWS:
        yield f"{path}: claims {rows:,} rows, expected at most {MOST_ROWS:,}; split it"
    elif rows > max(FEW_ROWS, MOST_ROWS_A_BYTE * size):
        why = f"claims {rows:,} rows in {size:,} bytes, so nearly all of them are the same"
        yield f"{path}: {why}; write each prediction once"
