"""A URL or a database given as a source is refused everywhere: nothing is opened or requested."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
import yaml

import costcurves as cc
from costcurves.errors import InputError
from tests.command import ended

SECRET: Final = "pass-phrase-7"
# With the start of the message. `{port}` has a listener, `{folder}` a file that can be read.
SOURCES: Final = {
    "https://127.0.0.1:{port}/a.csv?X-Signature=pass-phrase-7": "'https://...' is a URL",
    "HTTP://127.0.0.1:{port}/a.csv": "'HTTP://...' is a URL",
    " http://127.0.0.1:{port}/study.yaml": "'http://...' is a URL",
    "file://{folder}/a.csv": "'file://...' is a URL",
    "postgresql+psycopg://jo:pass-phrase-7@127.0.0.1:{port}/db#SELECT 1": "'postgresql+psycopg:",
    "jdbc:postgresql://127.0.0.1:{port}/db": "'jdbc:postgresql://...' is a URL",
    "duckdb:///runs.duckdb#COPY (SELECT 1) TO 'written.csv'": "'duckdb://...' is a URL",
    "runs.db": "'runs.db' is a database",
    "runs.DuckDB": "'runs.DuckDB' is a database",
}
WAY_ON: Final = "export or fetch its rows to a CSV or Parquet file first (docs/workflows.md, "
COMMANDS: Final = (
    *("check {}", "check a.csv {}", "check {} {}", "check given.yaml", "init {}", "report {}"),
    *("report given.yaml", "audit given.yaml", "gate a.csv {} --at pc=0.3 --margin 0.01"),
)


@pytest.fixture
def port(folder: Path) -> Iterator[int]:
    """A port here, which nothing may ask, beside what local paths name."""
    rows = "".join(f"{at},{at % 3 // 2},{at / 11}\n" for at in range(12))
    (folder / "a.csv").write_text(f"instance,label,score\n{rows}")
    for name in ("runs.db", "runs.duckdb", "runs.DuckDB"):
        (folder / name).write_bytes(b"SQLite format 3\0")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)
        yield listener.getsockname()[1]
        with pytest.raises(TimeoutError):
            listener.accept()


@pytest.mark.parametrize("kind", SOURCES)
def test_what_is_no_local_file_is_refused(kind: str, folder: Path, port: int) -> None:
    source, message = kind.format(port=port, folder=folder), SOURCES[kind]
    content = {"study": "theirs", "datasets": [{"name": "d", "predictions": [source]}]}
    Path("given.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    before = {path.name for path in folder.iterdir()}
    for command in COMMANDS:
        status, out, err = ended(*(source if word == "{}" else word for word in command.split()))
        assert (status in (2, 3), message in err, WAY_ON in err) == (True, True, True), command
        assert "given.yaml" not in err or "datasets[0].predictions[0] is '" in err
        assert not any(word in out + err for word in (SECRET, "Traceback"))
    with pytest.raises(InputError) as raised:
        cc.read_predictions(["a.csv", source])
    assert str(raised.value).startswith(message)
    assert WAY_ON in str(raised.value)
    assert {path.name for path in folder.iterdir()} == before


@pytest.mark.usefixtures("port")
def test_folders_and_names_that_only_resemble_urls_are_read() -> None:
    for name in ("runs:1.csv", "runs.db.csv", "a#b.csv", "c:\\a.csv"):
        Path(name).write_bytes(Path("a.csv").read_bytes())
        assert len(cc.read_predictions(name)) == 12
