"""Files that are whole or not there."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic(path: str | Path) -> Iterator[Path]:
    """Yield another name in the same folder, to be given to `path` when the block did not raise."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".unfinished-{secrets.token_hex(4)}-{path.name}")
    try:
        yield unfinished
        os.replace(unfinished, path)  # noqa: PTH105 - the guarantee of os.replace is what we need
    finally:
        unfinished.unlink(missing_ok=True)
