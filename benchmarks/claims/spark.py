"""Two executors of one core are at least 1.4 times as fast as one on Spark, with the same output; from files to a
verified release of `seqanon`, in a local cluster of separate processes, on a million made trajectories that are
repeated under other ids.  Task seconds are those of all tasks together, on executors; the driver's CPU seconds are
those of its Python process, which chooses the labels.  Shuffled bytes are what executors wrote for each other; peak
memory is that of all processes together, sampled twice a second.  Beside it, as 0 executors, stands one machine with
two threads.
"""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.inputs import SIZES, make
from benchmarks.measure import Judged

CASES = [
    {"trajectories": size, "executors": executors}
    for size in (1_000_000, 5_000_000, 20_000_000)
    for executors in (0, 1, 2)
]
WANTED = 1.4
_MILLION = 1_000_000
_CONF = {"spark.worker.timeout": "900", "spark.driver.host": "127.0.0.1", "spark.driver.memory": "4g"}


def measure(case):
    with TemporaryDirectory() as folder:
        files = written(Path(folder) / "visits", case["trajectories"])
        run = on_one_machine if case["executors"] == 0 else on_spark
        with PeakMemory() as peak:
            begun = time.perf_counter()
            figures = run(files, case["executors"], Path(folder) / "release")
            seconds = time.perf_counter() - begun
    millions = case["trajectories"] / 1e6
    return {**case, "seconds": seconds, "seconds a million": seconds / millions, "peak MB": peak.megabytes, **figures}


def written(folder: Path, trajectories: int) -> Path:
    """A million made trajectories, as often as wanted, each time under other ids, in a Parquet file each."""
    import polars as pl

    folder.mkdir()
    frame = make(**SIZES["million"]).to_polars()
    for number in range(trajectories // _MILLION):
        ids = pl.format("{}-{}", pl.lit(number), pl.col("trajectory"))
        frame.with_columns(ids.alias("trajectory")).write_parquet(folder / f"{number:05}.parquet")
    return folder


def places_of():
    return make(**SIZES["million"]).places


def on_spark(files: Path, executors: int, out: Path):
    from sfumato import SeqAnon
    from sfumato.spark.anonymizing import anonymize
    from sfumato.spark.records import Records
    from sfumato.spark.session import start

    begun = time.process_time()
    spark = start(f"local-cluster[{executors},1,2048]", {**_CONF, "spark.sql.shuffle.partitions": "16"})
    records = Records.read(spark, files, kind="trajectories", places=places_of())
    release = anonymize(SeqAnon(k=5, m=2), records)
    certificate = release.write(out)
    summaries = spark.sparkContext._jsc.sc().statusStore().executorList(False)
    executed = [summaries.apply(place) for place in range(summaries.size())]
    figures = {
        "driver CPU s": time.process_time() - begun,
        "task s": sum(executor.totalDuration() for executor in executed) / 1e3,
        "shuffled MB": sum(executor.totalShuffleWrite() for executor in executed) / 1e6,
    }
    spark.stop()
    return {**figures, "records": certificate.records["published"], "holds": release.holds}


def on_one_machine(files: Path, _executors: int, out: Path):
    import polars as pl

    from sfumato import SeqAnon, Trajectories

    data = Trajectories.from_frame(pl.read_parquet(files / "*.parquet"), places=places_of())
    release = SeqAnon(k=5, m=2).anonymize(data)
    release.write(out, format="parquet")
    figures = {"driver CPU s": None, "task s": None, "shuffled MB": 0}
    return {**figures, "records": len(release.data), "holds": release.holds}


class PeakMemory:
    """The largest memory of this process and all processes below it."""

    def __enter__(self):
        self.megabytes, self._done = 0.0, threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._done.set()
        self._thread.join()

    def _watch(self):
        while not self._done.wait(0.5):
            self.megabytes = max(self.megabytes, _memory_below(os.getpid()) / 1e6)


def _memory_below(root: int) -> int:
    parents, sizes = {}, {}
    page = os.sysconf("SC_PAGE_SIZE")
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            sizes[int(folder.name)] = int((folder / "statm").read_text().split()[1]) * page
        except (OSError, IndexError):
            continue
    total, waiting = 0, [root]
    while waiting:
        process = waiting.pop()
        total += sizes.get(process, 0)
        waiting += [child for child, parent in parents.items() if parent == process]
    return total


def judge(rows):
    by_case = {(row["trajectories"], row["executors"]): row for row in rows}
    judged = [Judged("every promise holds", all(row["holds"] for row in rows))]
    for (size, executors), row in by_case.items():
        if executors == 2 and (size, 1) in by_case:
            times = by_case[size, 1]["seconds"] / row["seconds"]
            judged.append(Judged(f"{size:,}: {times:.2f} times as fast with two executors: {WANTED}", times >= WANTED))
    return judged
