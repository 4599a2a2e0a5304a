# Copyright The ctx-lsp authors. MIT licence.

"""
Loads a table of ctx-lsp export into DuckDB, ClickHouse (as chdb) and Iceberg (as pyiceberg), then what is new after a
tenth of its sessions has grown and forks were added, and asks the ten questions of docs/export.md. The counts must be
those of the transcripts, and all answers must be the same.
  stores.py CTX-LSP ROWS [FOLDER]
With FOLDER, the table is kept there.
"""

from __future__ import annotations

import pathlib
import re
import sys
import tempfile
import time

import duckdb
from chdb.session import Session

import table as tables

times: dict[tuple[str, str], float] = {}


def timed(engine: str, name: str, began: float) -> None:
    times[engine, name] = time.monotonic() - began


class DuckDB:
    def __init__(self, folder: pathlib.Path, glob: str) -> None:
        folder.mkdir(exist_ok=True)
        self.db = duckdb.connect(str(folder / "duckdb"), config={"memory_limit": "4GB"})
        self.db.execute("set timezone = 'UTC'")
        self.made = tables.view().replace("create view", "create table").replace("table/*.parquet", glob)

    def load(self, path: pathlib.Path, again: bool) -> None:
        if not again:
            self.db.execute(self.made)
            return
        for each in tables.statement("Later, DuckDB").replace("table/NAME.parquet", str(path)).split(";"):
            if each.strip():
                self.db.execute(each)

    def ask(self, sql: str) -> list[tuple[object, ...]]:
        return tables.answer(self.db.execute(sql).fetchall())


class ClickHouse:
    def __init__(self, folder: pathlib.Path) -> None:
        self.db = Session(str(folder / "clickhouse"))
        self.db.query("set final = 1")

    def load(self, path: pathlib.Path, again: bool) -> None:
        made = re.sub(r"s3\('[^']*'", f"file('{path}'", tables.statement("ClickHouse"))
        if again:
            made = re.sub(r"^CREATE.* AS\n", "INSERT INTO requests ", made)
        self.db.query(made.rstrip().rstrip(";"))

    def ask(self, sql: str) -> list[tuple[object, ...]]:
        # Arrow keeps the types, which text does not.
        found = self.db.query(sql, "ArrowTable")
        return tables.answer(zip(*(column.to_pylist() for column in found.columns), strict=True))


def iceberg(folder: pathlib.Path, files: list[pathlib.Path]) -> tuple[int, duckdb.DuckDBPyConnection]:
    """Runs the recipe of docs/export.md. Returns the table's rows, and DuckDB with its rows as runs."""
    (folder / "iceberg").mkdir()
    scope: dict[str, object] = {}
    made, each = (
        tables.statement("Iceberg").replace("/table-of-iceberg", str(folder / "iceberg")).split("# for each new file\n")
    )
    exec(compile(made, "docs/export.md", "exec"), scope)
    for path in files:
        exec(compile(each.replace("table/NAME.parquet", str(path)), "docs/export.md", "exec"), scope)
    found = scope["runs"].scan().to_arrow()  # type: ignore[attr-defined]
    db = duckdb.connect()
    db.register("runs", found)
    return found.num_rows, db


def main() -> int:
    program, rows = str(pathlib.Path(sys.argv[1]).resolve()), int(sys.argv[2])
    checks = tables.Checks()
    with tempfile.TemporaryDirectory(prefix="ctx-stores-", ignore_cleanup_errors=True) as temporary:
        folder = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else temporary)
        made = tables.Table(program, folder, rows)
        made.begin()
        made.samples()
        _, first = made.export(str(tables.ROOT / "testdata" / "sessions"))
        checks.equal("files of the first run", len(first), 1)
        checks.equal("questions", len(tables.questions()), 10)
        engines = {"DuckDB": DuckDB(folder, str(made.table / "*.parquet")), "ClickHouse": ClickHouse(folder)}
        count = 'select count(*), sum("in"), count(distinct request) from requests'
        for name, engine in engines.items():
            began = time.monotonic()
            engine.load(first[0], again=False)
            timed(name, "load", began)
            want = [(float(made.distinct), tables.value(made.tokens), float(made.distinct))]
            checks.equal(f"requests in {name}", engine.ask(count), want)
        loaded = made.rows
        made.grow()
        _, second = made.export()
        checks.equal("files of the second run", len(second), 1)
        checks.equal("rows of a run without news", made.export(), (0, []))
        want = [(float(made.distinct), tables.value(made.tokens), float(made.distinct))]
        for name, engine in engines.items():
            began = time.monotonic()
            engine.load(second[0], again=True)
            timed(name, "load what is new", began)
            checks.equal(f"requests in {name}, with those of the second run", engine.ask(count), want)
            engine.load(second[0], again=True)
            checks.equal(f"requests in {name}, with a file loaded twice", engine.ask(count), want)
        answers: dict[str, list[tuple[object, ...]]] = {}
        for name, engine in engines.items():
            for text, sql in tables.questions(name).items():
                began = time.monotonic()
                got = engine.ask(sql)
                timed(name, text, began)
                if text not in answers:
                    answers[text] = got
                    checks.equal(f"{text}: an answer", len(got) > 0, True)
                checks.equal(f"{text}: {name}", got, answers[text])
        # The view over all files says the same as the table that was loaded file by file.
        whole = DuckDB(folder / "whole", str(made.table / "*.parquet"))
        whole.load(first[0], again=False)
        for text, sql in tables.questions().items():
            checks.equal(f"{text}: all files at once", whole.ask(sql), answers[text])
        began = time.monotonic()
        found, lake = iceberg(folder, [*first, *second])
        timed("Iceberg", "load", began)
        checks.equal("rows in Iceberg", found, made.rows)
        got = lake.execute('select count(*), sum(i) from (select distinct on (request) "in" as i from runs)').fetchall()
        checks.equal("requests in Iceberg", tables.answer(got), [want[0][:2]])
        print(f"{made.rows} rows ({loaded} in the first run) of {made.distinct} requests")
        print(f"export: {made.seconds:.1f} s, {made.bytes() / 1e6:.1f} MB, {made.bytes() / made.rows:.1f} bytes a row")
        for name in dict.fromkeys(name for _, name in times):
            cells = "".join(
                f" | {engine} {times[engine, name]:.2f} s"
                for engine in ("DuckDB", "ClickHouse", "Iceberg")
                if (engine, name) in times
            )
            print(f"{name}{cells}")
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
