"""The files that a report comes from: their hash tells one code from another."""

from costcurves import code
from costcurves.code import PACKAGE


def test_every_file_of_the_package_and_of_the_workflow_counts_once() -> None:
    files = code.all_files()
    assert len({*files}) == len(files)
    modules = set(PACKAGE.rglob("*.py"))
    assert modules <= {*files}
    kinds = {file.suffix for file in files}
    assert {".py", ".j2", ".css", ".js", ".smk", ".mplstyle", ".toml"} <= kinds
    assert PACKAGE / "released.json" not in files  # which holds this hash
