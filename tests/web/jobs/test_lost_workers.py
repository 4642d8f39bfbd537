"""Killed processes: workers, web processes and writers that share one SQLite database, as real processes."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from serving_processes import clean_environment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are watched by /proc")

START = """
import django, sys
django.setup()
import sfumato.web.jobs.queue as queue
from sfumato.web.jobs.kinds import KINDS, Kind
queue.LEASE_S = 2.0
KINDS["wait"] = Kind("work_of_tests:wait")
"""
ENQUEUE = """
from sfumato.web.serving.starting import migrate
migrate()
queue.enqueue("wait", {"file": sys.argv[1], "seconds": 600})
"""
WORK = """
from sfumato.web.jobs.worker import Worker
Worker().run(lambda: False)
"""
WRITE = """
import threading, time
from django.db import connection
from sfumato.web.jobs.models import Heartbeat, Job
from django.utils import timezone
broken = []
def write(number):
    try:
        end = time.monotonic() + 1
        while time.monotonic() < end:
            job = queue.enqueue("wait", {})
            queue.cancel(job)
            Heartbeat.objects.update_or_create(worker=f"{number}", defaults={"at": timezone.now()})
            queue.claim(f"{number}")
    except Exception as error:
        broken.append(f"{type(error).__name__}: {error}")
    connection.close()
threads = [threading.Thread(target=write, args=(number,)) for number in range(6)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(broken)
"""

Starter = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def started(tmp_path: Path, works: Path) -> Iterator[Starter]:
    """Start lines of Python as a process with the database of the test."""
    (tmp_path / "server").mkdir()
    processes: list[subprocess.Popen[str]] = []
    settings = {"SFUMATO_HOME": str(tmp_path / "server"), "DJANGO_SETTINGS_MODULE": "sfumato.web.settings"}
    environment = clean_environment(**settings)
    environment["PYTHONPATH"] += os.pathsep + str(works)

    def start(lines: str, *words: object) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", START + lines, *map(str, words)]
        processes.append(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def waited_for(what: Callable[[], Any], seconds: float = 60) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if answer := what():
            return answer
        time.sleep(0.05)
    raise AssertionError("it did not happen in time")


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_the_job_of_a_killed_worker_is_taken_over_and_no_child_stays(started: Starter, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    assert started(ENQUEUE, begun).wait(60) == 0

    def row() -> tuple[str, int, str]:
        with closing(sqlite3.connect(tmp_path / "server" / "sfumato.sqlite3")) as database:
            state, attempt, sentence = database.execute("SELECT state, attempt, sentence FROM jobs_job").fetchone()
        return state, attempt, sentence

    first = started(WORK)
    waited_for(begun.exists)
    (child,) = map(int, waited_for(begun.read_text).split())
    assert row() == ("running", 1, "")
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    waited_for(lambda: is_gone(child), 5)
    assert row()[0] == "running"
    second = started(WORK)
    waited_for(lambda: row()[0] == "done")
    assert row()[1] == 2
    assert len(begun.read_text().split()) == 2
    second.terminate()


def test_many_writers_never_find_the_database_locked(started: Starter, tmp_path: Path) -> None:
    """As two web processes with six threads each, and their killed third."""
    assert started(ENQUEUE, tmp_path / "begun").wait(60) == 0
    killed = started(WRITE)
    writers = [started(WRITE), started(WRITE)]
    time.sleep(1)
    os.kill(killed.pid, signal.SIGKILL)
    for writer in writers:
        out, _ = writer.communicate(timeout=90)
        assert json.loads(out.replace("'", '"')) == []
    with closing(sqlite3.connect(tmp_path / "server" / "sfumato.sqlite3")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT COUNT(*) FROM jobs_job WHERE state = 'cancelled'").fetchone()[0] > 10
