"""A URL or a database given as a source is refused everywhere: nothing is opened or requested."""

import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any, Final

import pytest
import yaml

import costcurves as cc
from costcurves.command import main
from costcurves.errors import InputError
from tests.small_study import snakemake

SECRET: Final = "pass-phrase-7"
# Each with the start of the message. `{port}` has a listener, `{folder}` a file that can be read.
SOURCES: Final = {
    "http": ("http://127.0.0.1:{port}/a.csv", "'http://...' is a URL"),
    "https": ("https://127.0.0.1:{port}/a.csv?X-Signature=pass-phrase-7", "'https://...' is a URL"),
    "in capitals": ("HTTP://127.0.0.1:{port}/a.csv", "'HTTP://...' is a URL"),
    "after a blank": (" http://127.0.0.1:{port}/a.csv", "'http://...' is a URL"),
    "of a configuration": ("http://127.0.0.1:{port}/study.yaml", "'http://...' is a URL"),
    "s3": ("s3://bucket/a.csv", "'s3://...' is a URL"),
    "ftp": ("ftp://jo:pass-phrase-7@127.0.0.1:{port}/a.csv", "'ftp://...' is a URL"),
    "file": ("file://{folder}/a.csv", "'file://...' is a URL"),
    "postgresql": (
        "postgresql+psycopg://jo:pass-phrase-7@127.0.0.1:{port}/db#SELECT 1",
        "'postgresql+psycopg://...' is a URL",
    ),
    "jdbc": ("jdbc:postgresql://127.0.0.1:{port}/db", "'jdbc:postgresql://...' is a URL"),
    "sqlite": ("sqlite:///runs.db#SELECT * FROM predictions", "'sqlite://...' is a URL"),
    "duckdb": (
        "duckdb:///runs.duckdb#COPY (SELECT 1) TO 'written.csv'",
        "'duckdb://...' is a URL",
    ),
    "a database's file": ("runs.db", "'runs.db' is a database"),
    "that of DuckDB": ("runs.DuckDB", "'runs.DuckDB' is a database"),
}
WAY_ON: Final = "export or fetch its rows to a CSV or Parquet file first (docs/workflows.md, "


@pytest.fixture
def port() -> Iterator[tuple[int, list[Any]]]:
    """A port here, and who has asked there."""
    asked: list[Any] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def listen() -> None:
            with suppress(OSError):  # closed
                while True:
                    connection, address = listener.accept()
                    asked.append(address)
                    connection.close()

        thread = Thread(target=listen)
        thread.start()
        yield listener.getsockname()[1], asked
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with what local paths name."""
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{at},{at % 3 // 2},{at / 11}\n" for at in range(12))
    (tmp_path / "a.csv").write_text(f"instance,label,score\n{rows}")
    for name in ("runs.db", "runs.duckdb", "runs.DuckDB"):
        (tmp_path / name).write_bytes(b"SQLite format 3\0")
    return tmp_path


def config_of(source: str) -> str:
    content = {"study": "theirs", "datasets": [{"name": "d", "predictions": [source]}]}
    Path("given.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    return "given.yaml"


def status(*words: str) -> int:
    return main.main([*words])


GATE: Final = ("--at", "pc=0.3", "--margin", "0.01")
WAYS: Final[dict[str, Callable[[str], int]]] = {
    "check": lambda source: status("check", source),
    "check with others": lambda source: status("check", "a.csv", source),
    "check twice": lambda source: status("check", source, source),
    "check of a configuration": lambda source: status("check", config_of(source)),
    "report": lambda source: status("report", source),
    "report of a configuration": lambda source: status("report", config_of(source)),
    "audit": lambda source: status("audit", config_of(source)),
    "init": lambda source: status("init", source),
    "gate": lambda source: status("gate", "a.csv", source, *GATE),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", SOURCES)
def test_commands_refuse_what_is_no_local_file(
    kind: str,
    way: str,
    folder: Path,
    port: tuple[int, list[Any]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    source, said = SOURCES[kind]
    number, asked = port
    before = {path.name for path in folder.iterdir()} | {"given.yaml"}
    assert WAYS[way](source.format(port=number, folder=folder)) in (2, 3)
    out, err = capsys.readouterr()
    assert said in err
    assert WAY_ON in err
    assert "given.yaml" not in err or "datasets[0].predictions[0] is '" in err
    assert SECRET not in out + err
    assert "Traceback" not in err
    assert {path.name for path in folder.iterdir()} <= before
    assert asked == []


@pytest.mark.parametrize("kind", SOURCES)
def test_python_refuses_what_is_no_local_file(
    kind: str, folder: Path, port: tuple[int, list[Any]]
) -> None:
    source, said = SOURCES[kind]
    with pytest.raises(InputError) as raised:
        cc.read_predictions(["a.csv", source.format(port=port[0], folder=folder)])
    assert str(raised.value).startswith(said)
    assert WAY_ON in str(raised.value)
    assert port[1] == []


def test_the_listener_notices_a_connection(port: tuple[int, list[Any]]) -> None:
    with socket.create_connection(("127.0.0.1", port[0])) as connection:
        connection.recv(1)
    assert len(port[1]) == 1


@pytest.mark.usefixtures("folder")
def test_the_engine_refuses_what_is_no_local_file(
    port: tuple[int, list[Any]], tmp_path: Path
) -> None:
    config = config_of(f"http://jo:{SECRET}@127.0.0.1:{port[0]}/a.csv")
    run = snakemake(tmp_path, config)
    assert run.returncode == 3
    assert f"'http://...' is a URL, expected a file on this computer; {WAY_ON}" in run.stderr
    assert SECRET not in run.stderr + run.stdout
    assert port[1] == []


def test_folders_and_names_that_only_resemble_urls_are_read(folder: Path) -> None:
    for name in ("runs:1.csv", "runs.db.csv", "a#b.csv", "c:\\a.csv"):
        (folder / name).write_bytes((folder / "a.csv").read_bytes())
        assert len(cc.read_predictions(name)) == 12
