# Copyright The ctx-lsp authors. MIT licence.

"""Transcripts of many requests, the table that ctx-lsp export makes of them, and the questions of docs/export.md."""

from __future__ import annotations

import datetime
import json
import math
import pathlib
import re
import subprocess
import time
from collections.abc import Iterable, Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
BEGIN = datetime.datetime(2026, 8, 1, tzinfo=datetime.timezone.utc)
# How the questions, which are written for DuckDB, are asked elsewhere; docs/export.md lists the same.
DIALECTS = {
    "ClickHouse": [
        (r"\bmedian\(", "quantileExactInclusive(0.5)("),
        (r"\bquantile_cont\((.*), ([0-9.]+)\)", r"quantileExactInclusive(\2)(\1)"),
        (r"\bunnest\(", "arrayJoin("),
    ],
    "Spark": [(r"\bquantile_cont\(", "percentile("), (r"\bunnest\(", "explode(")],
}


def request(session: int, n: int) -> tuple[int, int, int, int, datetime.datetime]:
    """Returns new, cached and written tokens of a prompt, the tokens of its response, and its time."""
    since = n % (150 + session % 50)  # the last compaction
    size = 14_000 + 300 * (session % 40) + since * (600 + session % 500)
    new = 4 + (session * 7 + n * 13) % 90
    written = min(size, 500 + (session * 31 + n * 17) % 2000) if n else size
    at = BEGIN + datetime.timedelta(
        seconds=(session % 90) * 86_400 + (session // 90) % 3600 + n * 20, milliseconds=session % 1000
    )
    return new, size - written, written, 20 + (session + n * 37) % 1500, at


def lines(session: int, begin: int, end: int, name: str) -> Iterator[str]:
    """Returns the records of some requests of a session, for the transcript with this name."""
    version, project = session % 5 + 190, session % 300
    common = (
        f'"parentUuid":null,"isSidechain":false,"sessionId":"{name}","version":"2.1.{version}","cwd":"/w/{project}"'
    )
    model = ("claude-sonnet-4-5", "claude-opus-4-5")[session % 2]
    for n in range(begin, end):
        new, cached, written, out, at = request(session, n)
        stamp = f'"timestamp":"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03}Z"'
        if n % 3 == 0:
            content = '"prompt"'
        else:
            content = f'[{{"type":"tool_result","tool_use_id":"t{n - 1}","content":"{"ok " * (n % 40)}"}}]'
        yield f'{{"type":"user","uuid":"u{n}",{common},{stamp},"message":{{"role":"user","content":{content}}}}}\n'
        block = '{"type":"text","text":"done"}'
        if n % 3 != 2:
            block = f'{{"type":"tool_use","id":"t{n}","name":"Bash","input":{{"command":"make test"}}}}'
        usage = f'{{"input_tokens":{new},"cache_creation_input_tokens":{written},'
        usage += f'"cache_read_input_tokens":{cached},"output_tokens":{out}}}'
        message = f'{{"id":"m{session}-{n}","role":"assistant","model":"{model}","content":[{block}],"usage":{usage}}}'
        about = f'"uuid":"a{n}",{common},{stamp},"requestId":"r{session}-{n}"'
        yield f'{{"type":"assistant",{about},"message":{message}}}\n'


class Table:
    """A table in two runs of export: sessions, and then the growth of a tenth of them and forks of a twentieth."""

    def __init__(self, program: str, folder: pathlib.Path, rows: int, requests: int = 400) -> None:
        self.program, self.folder, self.table = program, folder, folder / "table"
        self.sessions, self.requests = max(20, rows // requests), requests
        self.rows = self.distinct = self.tokens = 0  # of all runs; distinct requests and the tokens of their prompts
        self.seconds = 0.0
        (folder / "in").mkdir(parents=True, exist_ok=True)

    def write(self, name: str, parts: Iterable[Iterator[str]], mode: str = "w") -> None:
        with open(self.folder / "in" / f"{name}.jsonl", mode, encoding="utf-8") as out:
            for part in parts:
                out.writelines(part)

    def count(self, session: int, begin: int, end: int) -> None:
        self.distinct += end - begin
        self.tokens += sum(sum(request(session, n)[:3]) for n in range(begin, end))

    def begin(self, first: int = 0) -> None:
        """Writes the transcripts of the first run."""
        for session in range(first, first + self.sessions):
            end = self.requests * 6 // 10 if session % 10 == 0 else self.requests
            self.write(f"s{session}", [lines(session, 0, end, f"s{session}")])
            self.count(session, 0, end)

    def grow(self, first: int = 0) -> None:
        """Lets a tenth of the sessions grow, and adds forks: sessions that begin with copies of others' requests."""
        for session in range(first, first + self.sessions):
            if session % 10 == 0:
                begin = self.requests * 6 // 10
                self.write(f"s{session}", [lines(session, begin, self.requests, f"s{session}")], "a")
                self.count(session, begin, self.requests)
            if session % 20 == 1:
                name, own, half = f"f{session}", session + 10_000_000, self.requests // 2
                self.write(name, [lines(session, 0, half, name), lines(own, half, half + 20, name)])
                self.count(own, half, half + 20)

    def samples(self) -> None:
        """Adds the recorded sessions of all agents to the next run."""
        text = self.run("export", "--key=k", "--format=jsonl", str(ROOT / "testdata" / "sessions"))
        seen = set()
        for row in map(json.loads, text.splitlines()):
            if row["request"] not in seen:
                seen.add(row["request"])
                self.distinct += 1
                self.tokens += row["in"]

    def run(self, *args: str) -> str:
        # Errors are of recorded transcripts that are damaged on purpose.
        return subprocess.run([self.program, *args], capture_output=True, text=True, check=False).stdout

    def export(self, *more: str) -> tuple[int, list[pathlib.Path]]:
        """Runs an export. Returns the number of its rows, and its files."""
        before, began = set(self.table.glob("*.parquet")), time.monotonic()
        done = json.loads(
            self.run("export", "--key=k", "--json", f"--out={self.table}", str(self.folder / "in"), *more)
        )
        self.seconds += time.monotonic() - began
        self.rows += done["rows"]
        return done["rows"], sorted(set(self.table.glob("*.parquet")) - before)

    def counts(self) -> dict[str, float]:
        return {"rows": self.rows, "distinct": self.distinct, "tokens": self.tokens, "seconds": self.seconds}

    def bytes(self) -> int:
        return sum(path.stat().st_size for path in self.table.glob("*.parquet"))


def document() -> str:
    return (ROOT / "docs" / "export.md").read_text(encoding="utf-8")


def view() -> str:
    """Returns the statement of docs/export.md that makes DuckDB's view."""
    found = re.search(r"```sql\n(create view.*?);\n", document(), re.DOTALL)
    return found[1] if found else ""


def questions(dialect: str = "") -> dict[str, str]:
    """Returns the ten questions of docs/export.md by their texts, in SQL."""
    found = {}
    for text, sql in re.findall(r"^-- (\d+\. .*)\n([^;]*);", document(), re.MULTILINE):
        asked = sql
        for pattern, replacement in DIALECTS.get(dialect, []):
            asked = re.sub(pattern, replacement, asked)
        found[text] = asked
    return found


def statement(store: str) -> str:
    """Returns the statements of docs/export.md for a store."""
    found = re.search(rf"^{store}[^\n]*:\n\n```\w+\n(.*?)```", document(), re.DOTALL | re.MULTILINE)
    return found[1] if found else ""


def value(cell: object) -> object:
    """Returns a value in the form in which engines are compared."""
    if isinstance(cell, datetime.datetime | datetime.date):
        return cell.strftime("%Y-%m-%d")
    if isinstance(cell, float) and math.isnan(cell):
        return None
    if cell is None or isinstance(cell, str):
        return cell
    return float(f"{float(cell):.9g}")  # type: ignore[arg-type]


def answer(rows: Iterable[Iterable[object]]) -> list[tuple[object, ...]]:
    """Returns the rows of an answer, in an order that does not depend on the engine."""
    return sorted((tuple(map(value, row)) for row in rows), key=repr)


class Checks:
    """Counts what passed and what failed."""

    def __init__(self) -> None:
        self.passed = self.failed = 0

    def equal(self, name: str, got: object, want: object) -> None:
        if got == want:
            self.passed += 1
            return
        self.failed += 1
        print(f"FAIL {name}: {str(got)[:600]}, want {str(want)[:600]}", flush=True)

    def end(self) -> int:
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0
