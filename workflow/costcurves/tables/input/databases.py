"""Predictions in a database: what a query gives, as a copy in Parquet, like that of another URL."""

from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

FILES: Final = ("sqlite", "duckdb")  # schemes of databases that are files
SERVERS: Final = ("postgresql", "mysql", "mariadb", "mssql", "oracle", "snowflake")
EXAMPLE: Final = "sqlite:///results.db#SELECT * FROM predictions"


def is_database(url: str) -> bool:
    """Whether a URL is of a database: its scheme says so, a driver after a `+` aside.

    >>> is_database("postgresql+psycopg://host/results#SELECT 1"), is_database("s3://bucket/a.csv")
    (True, False)
    """
    return _scheme(url) in (*FILES, *SERVERS)


def not_queried(url: str) -> str | None:
    """Say why a database can't be asked here; None: it can be tried."""
    address, _, query = url.partition("#")
    if not query.strip():
        return f"has no query after a '#', as {EXAMPLE!r} has"
    package = {"sqlite": "sqlite3", "duckdb": "duckdb"}.get(_scheme(url), "sqlalchemy")
    if find_spec(package) is None:
        return f"needs {package}, which is not installed: pip install 'costcurves[database]'"
    if _scheme(url) in FILES and not _path(address).is_file():
        return (
            f"names {str(_path(address))!r}, which is no file in the folder where the command runs"
        )
    return None


def query(url: str, copy: Path) -> None:
    """Write what a query gives as Parquet; files are opened for reading only."""
    import pandas as pd  # a configuration is read without it

    address, _, asked = url.partition("#")
    with closing(_connected(address)) as held:
        if _scheme(url) == "duckdb":
            frame = held.sql(asked).df()
        else:
            frame = pd.read_sql_query(asked, held, dtype_backend="pyarrow")
    copy.parent.mkdir(parents=True, exist_ok=True)
    frame.to_parquet(copy, index=False)


def _scheme(url: str) -> str:
    return url.partition("://")[0].partition("+")[0]


def _path(address: str) -> Path:
    return Path(address.partition(":///")[2])


def _connected(address: str) -> Any:
    if _scheme(address) == "sqlite":
        import sqlite3

        return sqlite3.connect(f"{_path(address).absolute().as_uri()}?mode=ro", uri=True)
    if _scheme(address) == "duckdb":
        import duckdb

        return duckdb.connect(str(_path(address)), read_only=True)
    from sqlalchemy import create_engine

    return create_engine(address).connect()
