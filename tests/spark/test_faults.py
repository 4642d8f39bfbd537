"""Executors that are killed, shuffles that are lost and drivers that are killed change no byte of a release."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sfumato import SeqAnon
from sfumato.spark.anonymizing import anonymize
from sfumato.spark.records import Records
from spark.conftest import QUICK
from spark.data import PLACES, in_files, walks

METHODS = {"rounds": SeqAnon(k=5, m=2, rounds=True), "driver": SeqAnon(k=5, m=2)}
DRIVER = """
import os, signal, sys
from sfumato import SeqAnon
from sfumato.spark.anonymizing import anonymize
from sfumato.spark.records import Records
from sfumato.spark.release import SparkRelease
from sfumato.spark.session import start
from spark.data import PLACES

def killed(*_):  # when the data are written and the certificate is not
    os.kill(os.getpid(), signal.SIGKILL)

SparkRelease.certificate = killed
records = Records.read(start("local[1]", {settings}), sys.argv[1], kind="trajectories", places=PLACES)
anonymize(SeqAnon(k=5, m=2), records).write(sys.argv[2], part_records=80)
"""


def on_task(number: int, folder: Path, fault: str) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """The work of tasks that pass their rows on; one of them, by its number, meets a fault first.

    fault : "executor", which is killed with all that it keeps, or "shuffle": what it has written for others is deleted.
    """
    folder.mkdir()

    def meet() -> None:
        with open(f"/proc/{os.getppid()}/stat") as file:  # of the daemon that started this process
            executor = int(file.read().rpartition(")")[2].split()[1])
        if fault == "executor":
            os.kill(executor, signal.SIGKILL)
        with open(f"/proc/{executor}/environ") as file:
            folders = dict(pair.partition("=")[::2] for pair in file.read().split("\0"))["SPARK_EXECUTOR_DIRS"]
        lost = [path for place in folders.split(":") for path in Path(place).rglob("shuffle_*.data")]
        assert lost
        for path in lost:
            path.unlink()

    def work(batches: Iterator[Any]) -> Iterator[Any]:
        for place in range(1, 10_000):
            try:
                os.close(os.open(folder / str(place), os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            if place == number:
                meet()
            break
        yield from batches

    return work


@pytest.fixture(scope="module")
def records(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> Records:
    folder = in_files(walks(9, persons=True, n=300), tmp_path_factory.mktemp("faults") / "in")
    return Records.read(spark, folder, kind="trajectories", places=PLACES)


@pytest.fixture(scope="module")
def calm(records: Records, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """The digests of the files of runs without a fault."""
    folder = tmp_path_factory.mktemp("calm")
    files = {
        name: anonymize(method, records).write(folder / name, part_records=80).files for name, method in METHODS.items()
    }
    assert all(len(digests) > 4 for digests in files.values())
    return files


@pytest.mark.parametrize(
    ("name", "task", "fault"),
    [("rounds", 14, "executor"), ("driver", 5, "executor"), ("rounds", 4, "shuffle")],
)
def test_a_fault_in_the_middle_of_a_run_changes_nothing(
    records: Records, calm: dict[str, dict[str, str]], name: str, task: int, fault: str, tmp_path: Path
) -> None:
    work = on_task(task, tmp_path / "tasks", fault)
    hit = records.with_frame(records.frame.mapInArrow(work, "codes array<int>, person string"))
    certificate = anonymize(METHODS[name], hit).write(tmp_path / "out", part_records=80)
    assert (tmp_path / "tasks" / str(task + 1)).exists()
    assert certificate.files == calm[name]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "tasks"]


def test_a_killed_driver_leaves_no_release_and_the_run_is_repeated(
    spark: Any, calm: dict[str, dict[str, str]], tmp_path: Path
) -> None:
    folder, out = in_files(walks(9, persons=True, n=300), tmp_path / "in"), tmp_path / "out"
    script = DRIVER.replace("{settings}", repr({**QUICK, "spark.sql.shuffle.partitions": "2"}))
    paths = os.pathsep.join(path for path in sys.path if path)
    killed = subprocess.run(
        [sys.executable, "-c", script, folder, out], env={**os.environ, "PYTHONPATH": paths}, capture_output=True
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    left = [path.name for path in tmp_path.iterdir() if path != folder]
    assert len(left) == 1
    assert left[0].startswith(".out.")
    assert left[0].endswith(".partial")
    again = Records.read(spark, folder, kind="trajectories", places=PLACES)
    assert anonymize(METHODS["driver"], again).write(out, part_records=80).files == calm["driver"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out"]
