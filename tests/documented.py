"""The pages of the documentation, run from top to bottom: what they print, and their figures.

A block of `sh` is one call of the command. Its output ends with the status; if an option, a
configuration or data cannot be used, the message stands before it.

`make approve` writes both anew; what differs is then to be read before it is committed.
"""

import os
import re
import shlex
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from matplotlib import pyplot

from costcurves.command.main import main as main_of_command

DOCS: Final = Path(__file__).parents[1] / "docs"
BLOCK: Final = re.compile(r"```(python|sh|text)\n(.*?)```", re.DOTALL)
PAGES: Final = sorted(
    page for page in DOCS.glob("*.md") if "```python\n>>>" not in page.read_text()
)


def called(arguments: list[str]) -> str:
    """Run the command; return its message, where it refuses something, and its status."""
    with redirect_stderr(StringIO()) as message:
        status = main_of_command(arguments)
    refused = message.getvalue() if status in (2, 3) else ""
    return f"{refused}status {status}"


def run(page: Path) -> tuple[str, dict[str, bytes]]:
    """Run the blocks of a page in a folder of their own.

    Return the page with what each block of code prints in the block of text after it, and the bytes
    of the figures that it makes, in order.
    """
    space: dict[str, object] = {}
    output = ""

    def shown(block: re.Match[str]) -> str:
        nonlocal output
        if block[1] == "text":
            return f"```text\n{output}```"
        with redirect_stdout(StringIO()) as printed:
            if block[1] == "sh":
                print(called(shlex.split(block[2])[1:]))
            else:
                exec(compile(block[2], page.name, "exec"), space)
        output = printed.getvalue()
        return block[0]

    pyplot.switch_backend("agg")
    with TemporaryDirectory() as folder, chdir(folder):
        Path("data").symlink_to(DOCS.parent / "data")
        text = BLOCK.sub(shown, page.read_text(encoding="utf-8"))
        made = {f"figures/{file.name}": file.read_bytes() for file in Path().glob("*.svg")}
    pyplot.close("all")
    return text, made


def main(names: list[str]) -> None:
    """Write pages and figures anew: all, or those of these names."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for page in [page for page in PAGES if not names or page.stem in names]:
        text, figures = run(page)
        page.write_text(text, encoding="utf-8")
        for name, drawn in figures.items():
            (DOCS / name).write_bytes(drawn)


if __name__ == "__main__":
    main(sys.argv[1:])
