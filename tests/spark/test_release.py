"""Executors that are killed change no byte of a release, and a run that ends early leaves none."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sfumato import SeqAnon
from sfumato.spark.anonymizing import anonymize
from sfumato.spark.records import Records
from sfumato.spark.release import SparkRelease
from spark.data import in_files, walks


def killing_once(marker: Path) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """The work of a task that passes its rows on; the first one kills its executor with all that it keeps."""

    def work(batches: Iterator[Any]) -> Iterator[Any]:
        import os
        import signal

        try:
            os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            yield from batches
        else:
            with open(f"/proc/{os.getppid()}/stat") as file:  # of the daemon that started this process
                executor = int(file.read().rpartition(")")[2].split()[1])
            os.kill(executor, signal.SIGKILL)

    return work


@pytest.fixture(scope="module")
def release(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> SparkRelease:
    data = walks(9, persons=True, n=300)
    folder = in_files(data, tmp_path_factory.mktemp("release") / "in")
    return anonymize(SeqAnon(k=5, m=2), Records.read(spark, folder, kind="trajectories", places=data.places))


def test_a_killed_executor_and_its_lost_shuffle_change_nothing(release: SparkRelease, tmp_path: Path) -> None:
    calm = release.write(tmp_path / "calm", part_records=80)
    work = killing_once(tmp_path / "killed")
    hit = release.records.with_frame(release.records.frame.mapInArrow(work, "codes array<int>, person string"))
    files = replace(release, records=hit).write(tmp_path / "hit", part_records=80).files
    assert (tmp_path / "killed").exists()
    assert files == calm.files
    assert sorted(path.name for path in tmp_path.iterdir()) == ["calm", "hit", "killed"]


def test_a_driver_that_was_killed_leaves_nothing_behind_the_next_run(release: SparkRelease, tmp_path: Path) -> None:
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    left = tmp_path / f".out.{int(gone.stdout)}.0a1b.partial" / "data"
    left.mkdir(parents=True)
    (left / "part-00001.parquet").write_bytes(b"half")
    release.write(tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]
    assert sorted(path.name for path in (tmp_path / "out" / "data").iterdir()) == ["part-00001.parquet"]


def test_a_run_that_fails_leaves_nothing(
    release: SparkRelease, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SparkRelease, "certificate", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        release.write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
