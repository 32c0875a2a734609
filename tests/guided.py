"""Coverage-guided chance against the readers: what `test_fuzz` does, steered by the lines reached.

``python -m tests.guided csv -max_total_time=30`` needs atheris; what follows the target is for
libFuzzer. It ends with a status that is not 0, and the bytes that did it, where a file is answered
with anything but findings that name it. Without atheris it says so and ends with 0.
"""

import os
import sys
import tempfile
from pathlib import Path


def main(target: str, *options: str) -> None:
    """Fuzz a target, beginning with a valid file, in a folder of its own."""
    try:
        import atheris  # type: ignore[import-untyped]
    except ImportError:  # it has no wheel for every Python
        print("atheris is not installed: no guided fuzzing")
        return
    with atheris.instrument_imports(include=["costcurves"]):
        from tests.tables import test_fuzz
    path, read, valid = {
        "csv": ("a.csv", lambda: test_fuzz.read_predictions("a.csv"), test_fuzz.as_csv()),
        "parquet": (
            "a.parquet",
            lambda: test_fuzz.read_predictions("a.parquet"),
            test_fuzz.as_parquet(),
        ),
        "configuration": (
            "c.yaml",
            test_fuzz.read_configuration,
            test_fuzz.CONFIGURATION.encode(),
        ),
    }[target]

    def answered(data: bytes) -> None:
        Path(path).write_bytes(data)
        test_fuzz.answered(path, read, "'wine'")

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("wine.csv").touch()
        Path("corpus").mkdir()
        Path("corpus", "valid").write_bytes(valid)
        Path("odd.dict").write_text("".join(f"{_quoted(word)}\n" for word in test_fuzz.ODD))
        atheris.Setup([sys.argv[0], "corpus", "-dict=odd.dict", *options], answered)
        atheris.Fuzz()


def _quoted(word: bytes) -> str:
    """Write a word as libFuzzer's dictionaries have it."""
    return '"' + "".join(f"\\x{byte:02x}" for byte in word[:60]) + '"'


if __name__ == "__main__":
    main(*sys.argv[1:])
