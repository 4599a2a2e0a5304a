# Copyright The ctx-lsp authors. MIT licence.

"""
Asks the questions of docs/export.md in Spark, in a cluster of a master and two workers on this machine, of which one is
killed in the middle of the first question. The answers must be those of DuckDB.
  spark.py CTX-LSP ROWS [FOLDER]
With FOLDER, the table is kept there, and used again if it is there.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import duckdb
import pyspark
import table as tables
from pyspark.sql import SparkSession

COUNT = 'select count(*), sum("in") from requests'
BATCH = 250_000  # rows whose transcripts are on the disk at a time


def make(program: str, folder: pathlib.Path, rows: int) -> dict[str, float]:
    """Writes the table, two runs for each batch, and returns its counts. Batches of an earlier run are kept."""
    counts, batches = folder / "counts.json", max(1, rows // BATCH)
    found: dict[str, float] = dict.fromkeys(("batches", "rows", "distinct", "tokens", "seconds"), 0)
    if counts.exists():
        found = json.loads(counts.read_text(encoding="utf-8"))
    for batch in range(int(found["batches"]), batches):
        made = tables.Table(program, folder, rows // batches)
        first = batch * made.sessions
        made.begin(first)
        made.export()
        made.grow(first)
        made.export()
        shutil.rmtree(folder / "in")
        for name, more in {"batches": 1, **made.counts()}.items():
            found[name] += more
        counts.write_text(json.dumps(found), encoding="utf-8")
    return found


class Cluster:
    """A master and workers, each in a process group of its own, with the executor that it starts."""

    def __init__(self, folder: pathlib.Path, workers: int) -> None:
        self.folder, self.processes = folder, []
        self.home = str(pathlib.Path(pyspark.__file__).parent)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"spark://127.0.0.1:{port}"
        self.start("master.Master", "--port", str(port))
        for each in range(workers):
            self.start(
                "worker.Worker",
                "--cores",
                "1",
                "--memory",
                "3g",
                "--work-dir",
                str(folder / f"worker{each}"),
                self.address,
            )

    def start(self, name: str, *args: str) -> None:
        command = [
            f"{self.home}/bin/spark-class",
            f"org.apache.spark.deploy.{name}",
            "--host",
            "127.0.0.1",
            "--webui-port",
            "0",
            *args,
        ]
        environment = {
            **os.environ,
            "SPARK_HOME": self.home,
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_LOCAL_DIRS": str(self.folder),
        }
        environment["SPARK_DAEMON_MEMORY"] = "512m"
        with open(self.folder / f"{name}-{len(self.processes)}.log", "w", encoding="utf-8") as log:
            self.processes.append(
                subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)
            )

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        for process in self.processes:
            self.kill(process)


def session(cluster: Cluster, folder: pathlib.Path) -> SparkSession:
    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.executor.memory": "2g",
        "spark.local.dir": str(folder),
        "spark.sql.ansi.doubleQuotedIdentifiers": "true",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.shuffle.partitions": "16",
        "spark.sql.adaptive.coalescePartitions.enabled": "false",  # so that there is a middle to be killed in
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
    }
    builder = SparkSession.builder.master(cluster.address)
    for name, setting in settings.items():
        builder = builder.config(name, setting)
    return builder.getOrCreate()


def executors(spark: SparkSession) -> int:
    return len(spark.sparkContext._jsc.sc().statusTracker().getExecutorInfos()) - 1  # without the driver


def await_executors(spark: SparkSession, count: int, within: float = 180) -> None:
    end = time.monotonic() + within
    while executors(spark) != count:
        if time.monotonic() > end:
            raise RuntimeError(f"there are {executors(spark)} executors, not {count}")
        time.sleep(0.1)


def ask(spark: SparkSession, sql: str) -> list[tuple[object, ...]]:
    return tables.answer(spark.sql(sql).collect())


def killed_in_the_middle(spark: SparkSession, cluster: Cluster, sql: str) -> str:
    """Runs a statement, and kills a worker while tasks are running and others have ended. Returns when that was."""
    failed: list[BaseException] = []

    def run() -> None:
        try:
            spark.sql(sql)
        except Exception as error:
            failed.append(error)

    running = threading.Thread(target=run)
    running.start()
    tracker, middle = spark.sparkContext.statusTracker(), ""
    while running.is_alive() and not middle:
        for stage in tracker.getActiveStageIds():
            about = tracker.getStageInfo(stage)
            if about and about.numActiveTasks == 2 and about.numCompletedTasks > 0:
                cluster.kill(cluster.processes[-1])
                middle = f"{about.numCompletedTasks} of {about.numTasks} tasks of a stage had ended"
                break
        time.sleep(0.01)
    running.join()
    if failed:
        raise failed[0]
    return middle


def main() -> int:
    program, rows = str(pathlib.Path(sys.argv[1]).resolve()), int(sys.argv[2])
    checks = tables.Checks()
    with tempfile.TemporaryDirectory(prefix="ctx-spark-", ignore_cleanup_errors=True) as temporary:
        work = pathlib.Path(temporary)
        folder = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else temporary) / "made"
        folder.mkdir(parents=True, exist_ok=True)
        made = make(program, folder, rows)
        files = sorted((folder / "table").glob("*.parquet"))
        size = sum(path.stat().st_size for path in files)
        print(
            f"{made['rows']} rows of {made['distinct']} requests in {len(files)} files, {size / 1e6:.0f} MB, "
            f"{size / made['rows']:.1f} bytes a row, exported in {made['seconds']:.0f} s",
            flush=True,
        )
        duck = duckdb.connect(str(work / "duckdb"), config={"memory_limit": "4GB"})
        duck.execute("set timezone = 'UTC'")
        began = time.monotonic()
        duck.execute(
            tables.view().replace("create view", "create table").replace("table/*.parquet", f"{folder}/table/*.parquet")
        )
        seconds = {"make a table": [time.monotonic() - began]}
        cluster = Cluster(work, 2)
        try:
            spark = session(cluster, work)
            for each in tables.statement("Spark").replace("s3://bucket/table", f"{folder}/table").split(";"):
                if each.strip():
                    spark.sql(each)
            await_executors(spark, 2)
            want = [(float(made["distinct"]), tables.value(made["tokens"]))]
            checks.equal("requests in DuckDB", tables.answer(duck.execute(COUNT).fetchall()), want)
            began = time.monotonic()
            checks.equal("requests in Spark", ask(spark, COUNT), want)
            print(f"count in Spark's view: {time.monotonic() - began:.1f} s", flush=True)
            answers = {}
            for text, sql in tables.questions().items():
                began = time.monotonic()
                answers[text] = tables.answer(duck.execute(sql).fetchall())
                seconds[text] = [time.monotonic() - began]
            began = time.monotonic()
            spark.sql("create table whole using parquet as select * from requests")
            print(f"Spark made its table in {time.monotonic() - began:.1f} s", flush=True)
            for text, sql in tables.questions("Spark").items():
                began = time.monotonic()
                got = ask(spark, sql.replace("from requests", "from whole"))
                seconds[text].append(time.monotonic() - began)
                checks.equal(f"{text}: Spark with two workers", got, answers[text])
                print(f"{text} | DuckDB {seconds[text][0]:.1f} s | Spark {seconds[text][1]:.1f} s", flush=True)
            began = time.monotonic()
            middle = killed_in_the_middle(spark, cluster, "create table rest using parquet as select * from requests")
            checks.equal("a worker was killed in the middle", middle != "", True)
            print(
                f"Spark made its table in {time.monotonic() - began:.1f} s, a worker was killed when {middle}",
                flush=True,
            )
            await_executors(spark, 1)
            for text, sql in tables.questions("Spark").items():
                checks.equal(
                    f"{text}: Spark with one worker left",
                    ask(spark, sql.replace("from requests", "from rest")),
                    answers[text],
                )
            print(f"DuckDB made its table in {seconds['make a table'][0]:.1f} s")
            spark.stop()
        finally:
            cluster.stop()
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
