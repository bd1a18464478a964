"""The log in forms that other programs read: CSV, Parquet, or the games as text.

Written in parts, so that memory is bounded however long the log; a file appears whole or not at all.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pandas as pd

from arena.errors import ArenaError, ConfigError
from arena.record.chunks import in_order, read_chunks, read_outline
from arena.record.log import GAMES, log_of, read_header
from arena.record.notation import write
from arena.record.tables import COLUMNS
from arena.record.told import of_record

FORMS = ("csv", "parquet", "notation")
SCHEMA = "schema.json"
"""Beside the CSV files: dtype, unit, meaning and categories of every column."""
NOTATION = "games.perudo"

Write = Callable[[pd.DataFrame], Any]


def export(folder: Path, form: str, out: Path, replace: bool = False) -> list[Path]:
    """Write the log of a results folder into the folder `out`; returns the files.

    csv       one per table, and `schema.json`; `read_csv` reads one back
    parquet   one per table, compressed; `pandas.read_parquet` gives the table as `read_tables` does
    notation  all games as text, in the order of their numbers, an empty line between them

    Raises `ConfigError` if there is no log, if a file is there already (unless `replace`), and if
    pyarrow is missing; `LogError`; `ArenaError` if the files cannot be written.
    """
    if not log_of(folder).is_file():
        raise ConfigError(f"{folder} holds no tournament: there is no {GAMES}")
    names = {
        "csv": [*(f"{table}.csv" for table in COLUMNS), SCHEMA],
        "parquet": [f"{table}.parquet" for table in COLUMNS],
        "notation": [NOTATION],
    }[form]
    there = [out / name for name in names if (out / name).exists()]
    if there and not replace:
        raise ConfigError(f"{there[0]} is there already; --replace writes it anew")
    if form == "parquet":
        _pyarrow()
    try:
        out.mkdir(parents=True, exist_ok=True)
        with _beside(out) as new:
            if form == "notation":
                _write_notation(folder, new / NOTATION)
            else:
                _write_tables(folder, new, form)
            for name in names:
                (new / name).replace(out / name)
    except OSError as error:
        raise ArenaError(f"cannot write to {out}: {error.strerror}") from None
    return [out / name for name in names]


@contextmanager
def _beside(out: Path) -> Iterator[Path]:
    """A folder for half-written files, on the same disk; it goes whatever happens."""
    new = Path(mkdtemp(prefix=".new-", dir=out))
    try:
        yield new
    finally:
        shutil.rmtree(new, ignore_errors=True)


def _write_notation(folder: Path, path: Path) -> None:
    header = read_header(log_of(folder))
    with path.open("w", encoding="utf-8") as file:
        for number, record in enumerate(in_order(folder, read_outline(folder))):
            file.write(("\n" if number else "") + write(of_record(header, record)))


def _write_tables(folder: Path, new: Path, form: str) -> None:
    opened: dict[str, Write] = {}
    begin = _csv if form == "csv" else _parquet
    with ExitStack() as files:
        for part in read_chunks(folder):
            frames = {table: getattr(part, table) for table in COLUMNS}
            if not opened:
                for table, frame in frames.items():
                    opened[table] = files.enter_context(begin(new / f"{table}.{form}", frame))
                if form == "csv":
                    (new / SCHEMA).write_text(json.dumps(_schema(frames), indent=1, ensure_ascii=False))
            for table, frame in frames.items():
                opened[table](frame)


# --- Parquet -----------------------------------------------------------------------------------------


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise ConfigError(
            "Parquet needs pyarrow, which is not installed: pip install 'perudo-arena[parquet]'"
        ) from None
    return pyarrow, parquet


@contextmanager
def _parquet(path: Path, first: pd.DataFrame) -> Iterator[Write]:
    arrow, parquet = _pyarrow()
    schema = arrow.Schema.from_pandas(first, preserve_index=False)
    with parquet.ParquetWriter(path, schema, compression="zstd") as file:

        def add(frame: pd.DataFrame) -> None:
            file.write_table(arrow.Table.from_pandas(frame, schema, preserve_index=False))

        yield add


# --- CSV ---------------------------------------------------------------------------------------------


@contextmanager
def _csv(path: Path, first: pd.DataFrame) -> Iterator[Write]:
    with path.open("w", encoding="utf-8", newline="") as file:
        first.head(0).to_csv(file, index=False)

        def add(frame: pd.DataFrame) -> None:
            frame.to_csv(file, index=False, header=False)

        yield add


def _schema(frames: dict[str, pd.DataFrame]) -> dict[str, list[dict[str, Any]]]:
    return {
        table: [
            column._asdict()
            | (
                {"categories": list(frame[column.name].cat.categories)}
                if column.dtype == "category"
                else {}
            )
            for column in COLUMNS[table]
        ]
        for table, frame in frames.items()
    }


def read_csv(path: str | Path) -> pd.DataFrame:
    """A table that `export` wrote as CSV, with the dtypes that `schema.json` beside it tells."""
    path = Path(path)
    columns = json.loads((path.parent / SCHEMA).read_text(encoding="utf-8"))[path.stem]
    text = {"category", "float64", "datetime64[ns, UTC]"}
    frame = pd.read_csv(
        path,
        dtype={
            column["name"]: str if column["dtype"] in text else column["dtype"] for column in columns
        },
        # A bot may be called NA. Of the texts only the fault says something by being empty.
        keep_default_na=False,
        na_values={column["name"]: [""] for column in columns if column["name"] != "fault"},
    )
    for column in columns:
        name, dtype = column["name"], column["dtype"]
        if dtype == "category":
            frame[name] = pd.Categorical(frame[name], categories=column["categories"])
        elif dtype == "float64":
            frame[name] = frame[name].astype(dtype)  # exact, unlike the fast way of pandas 2
        elif dtype in text:
            frame[name] = pd.to_datetime(frame[name], format="ISO8601", utc=True).astype(dtype)
    return frame
