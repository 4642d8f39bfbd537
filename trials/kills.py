"""Runs that write releases with a ledger and a report, killed at any moment or out of disk space.

A release that is published must be in the ledger, and one in the ledger must be published, whenever its run was killed;
where the disk is full, nothing is published, entered or reported.

Three kinds of trial:

- a kill after a random time, inside SQLite or the system as often as in Python, also while another run waits for the
  same ledger;
- a kill before the n-th line of the code that writes;
- an error of the n-th call that needs disk space: once, or from then on.

Each run is a fork of a process that has only imported what it needs.
"""

from __future__ import annotations

import argparse
import errno
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ["run"]

_ROOT = Path(__file__).parents[1]
_RELEASES = 2  # that one run writes, one after the other
_WRITING = ("files.py", "ledger.py", "ledger_file.py", "outputs.py", "directory.py", "release.py")
_LEDGER = "people.ledger"


def run(count: int, seed: int, *, kinds: str = "time,line,space") -> list[str]:
    """Make `count` trials of each kind in a process of their own; returns what was violated, one sentence each."""
    words = [sys.executable, "-m", "trials.kills", "--count", str(count), "--seed", str(seed), "--kinds", kinds]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(_ROOT / "src"), str(_ROOT))), "POLARS_MAX_THREADS": "1"}
    done = subprocess.run(words, cwd=_ROOT, env=env, capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        return [f"the trials themselves failed: {done.stderr.strip().splitlines()[-1:]}"]
    violations: list[str] = json.loads(done.stdout.splitlines()[-1])["violations"]
    return violations


# --- the run that is killed -------------------------------------------------------------------------------------------


def _release(name: str) -> Any:
    """A release of four people who are in no other, made by hand: a method would take longer than the writing."""
    from sfumato import Cluster, Persons, Table
    from sfumato.methods.release import Release
    from sfumato.privacy import KAnonymity

    ills = ["flu", "cold", "flu", "cold"]
    people = Table({"age": [31, 33, 45, 47], "ill": ills}, sensitive=("ill",))
    people = people.with_persons(Persons.of([f"{name} {row}" for row in range(4)]))
    seen = Table({"age": ["[31:33]"] * 2 + ["[45:47]"] * 2, "ill": ills}, sensitive=("ill",))
    data, order = seen.published()
    return Release(data, Cluster(k=2), ((KAnonymity(k=2), KAnonymity(k=2).check(data)),), people, order, {}, {}, None)


def _write(folder: Path, name: str, ready: Callable[[], None], releases: int = _RELEASES) -> None:
    made = [(f"{name}-{number}", _release(f"{name}-{number}")) for number in range(releases)]
    ready()
    for called, release in made:
        release.write(folder / called, ledger=folder / _LEDGER, report=folder / f"{called}.json")


def _forked(work: Callable[[Callable[[], None]], Any]) -> tuple[int, int]:
    """A child that works; returns its number and a pipe that says when it is ready, and later what it returned."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reading)
            returned = work(lambda: os.write(writing, b"r") and None)
            os.write(writing, f"{'' if returned is None else returned}".encode())
            code = 0
        except BaseException as error:
            os.write(writing, f"{type(error).__name__}: {error}".encode())
        finally:
            os._exit(code)
    os.close(writing)
    return child, reading


def _ended(child: int, pipe: int) -> tuple[int, str]:
    """Wait for a child; its exit code and what it said after it was ready."""
    said = b""
    while part := os.read(pipe, 4096):
        said += part
    os.close(pipe)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said.decode().removeprefix("r")


# --- what must be true afterwards -------------------------------------------------------------------------------------


def _violations(folder: Path, what: str) -> list[str]:
    """Compare the ledger with the directories; opening it settles what was left."""
    from sfumato.errors import SfumatoError
    from sfumato.io.published.ledger import ReleaseLedger

    ledger = folder / _LEDGER
    there = {path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")}
    entries: list[Any] = []
    found = []
    try:
        if ledger.exists():
            with ReleaseLedger.reading(ledger) as book:
                entries = book.entries()
            if ledger.stat().st_mode & 0o077:
                found.append("the ledger can be read by others")
    except SfumatoError as error:
        return [f"{what}: the ledger cannot be read: {error}"]
    known = {entry.directory.name for entry in entries}
    found += [f"{path.name} is published and unknown" for path in there if path.name not in known]
    for entry in entries:
        if entry.directory not in {path.resolve() for path in there}:
            found.append(f"{entry.directory.name} is known and unpublished")
        elif entry.files != "as written" or entry.state != "published":
            found.append(f"{entry.directory.name} is {entry.files} and {entry.state}")
        if len(entries) != len(known):
            found.append("a release is entered twice")
    for report in folder.glob("*.json"):
        if report.stem not in known:
            found.append(f"{report.name} reports a release that is not there")
        if report.stat().st_mode & 0o077:
            found.append(f"{report.name} can be read by others")
        json.loads(report.read_text(encoding="utf-8"))
    return [f"{what}: {one}" for one in found]


def _left(folder: Path) -> list[str]:
    """What lies around that nobody asked for."""
    return [path.name for path in folder.iterdir() if path.name.startswith(".")]


# --- the trials -------------------------------------------------------------------------------------------------------


def _by_time(folder: Path, name: str, drawn: random.Random, seconds: float) -> list[str]:
    """Kill after a random time; every third run has another one beside it, which must succeed."""
    child, pipe = _forked(lambda ready: _write(folder, name, ready))
    beside = drawn.random() < 1 / 3
    if beside:
        other, other_pipe = _forked(lambda ready: _write(folder, f"{name}-beside", ready))
    os.read(pipe, 1)
    time.sleep(drawn.uniform(0, seconds))
    os.kill(child, signal.SIGKILL)
    code, said = _ended(child, pipe)
    what = f"{name}, killed after a random time" if code < 0 else f"{name}, finished"
    found = [f"{what}: {said}"] if code > 0 else []
    if beside:
        code, said = _ended(other, other_pipe)
        found += [f"{what}: the run beside it failed: {said}"] if code else []
    return found + _violations(folder, what)


def _by_line(folder: Path, name: str, at: int) -> tuple[list[str], str]:
    """Kill before the n-th line of the code that writes; also how many there are, if it came to the last."""

    def work(ready: Callable[[], None]) -> int:
        def begin() -> None:
            ready()
            sys.settrace(watch)

        seen = [0]

        def line(frame: Any, event: str, arg: Any) -> Any:  # noqa: ARG001
            if event == "line":
                seen[0] += 1
                if seen[0] == at:
                    os.kill(os.getpid(), signal.SIGKILL)
            return line

        def watch(frame: Any, event: str, arg: Any) -> Any:  # noqa: ARG001
            where = frame.f_code.co_filename
            return line if where.endswith(_WRITING) and "sfumato" in where else None

        _write(folder, name, begin, releases=1)
        sys.settrace(None)
        return seen[0]

    code, said = _ended(*_forked(work))
    what = f"{name}, killed before line {at}"
    return [*([f"{what}: {said}"] if code > 0 else []), *_violations(folder, what)], said


class _Full:
    """Makes the n-th call that needs disk space fail, and the later ones too if `lasting`."""

    def __init__(self, at: int, lasting: bool) -> None:
        self.at, self.lasting, self.calls = at, lasting, 0

    @property
    def failed(self) -> bool:
        return 0 < self.at <= self.calls

    def due(self) -> bool:
        self.calls += 1
        return self.failed if self.lasting else self.calls == self.at

    def begin(self) -> None:
        """Watch the calls of the system and of SQLite."""
        for module, name in ((os, "open"), (os, "mkdir"), (os, "fsync"), (Path, "write_text"), (Path, "write_bytes")):
            self._watch(module, name)
        if not self.lasting:  # a full disk does not stop a rename
            self._watch(os, "replace")
        connect, due = sqlite3.connect, self.due

        class Connection(sqlite3.Connection):
            def execute(self, *words: Any) -> Any:
                if words[0].startswith(("INSERT", "UPDATE", "DELETE", "ALTER")) and due():
                    raise _no_space()
                return super().execute(*words)

            def executemany(self, *words: Any) -> Any:
                if due():
                    raise _no_space()
                return super().executemany(*words)

            def commit(self) -> None:
                if self.in_transaction and due():
                    raise _no_space()
                super().commit()

        sqlite3.connect = lambda *words, **named: connect(*words, factory=Connection, **named)  # type: ignore[assignment]

    def _watch(self, module: Any, name: str) -> None:
        real = getattr(module, name)

        def watched(*words: Any, **named: Any) -> Any:
            allocates = name != "open" or (len(words) > 1 and words[1] & os.O_CREAT)
            if allocates and self.due():
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return real(*words, **named)

        setattr(module, name, watched)


def _no_space() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return error


def _by_space(folder: Path, name: str, at: int, lasting: bool) -> tuple[list[str], str]:
    """Let the n-th call that needs disk space fail; also how many there are, if none failed."""
    from sfumato.errors import SfumatoError

    def work(ready: Callable[[], None]) -> int:
        full = _Full(at, lasting)

        def begin() -> None:
            ready()
            full.begin()

        try:
            _write(folder, name, begin, releases=1)
        except SfumatoError as error:
            if error.exit_code != 2 or not full.failed:
                raise
            os._exit(7)
        return full.calls

    what = f"{name}, {'no space from' if lasting else 'an error of'} call {at}{' on' if lasting else ''}"
    code, said = _ended(*_forked(work))
    before = _left(folder) if code == 7 else []
    found = [f"{what}: {said}"] if code == 1 else _violations(folder, what)
    if code == 7:
        if (folder / f"{name}-0").exists() or (folder / f"{name}-0.json").exists():
            found.append(f"{what}: refused, and written all the same")
        if before and not lasting:
            found.append(f"{what}: left {', '.join(before)}")
    return found, said


def _seconds(folder: Path) -> float:
    """How long a run writes when nobody kills it; the longest of three."""
    longest = 0.0
    for at in range(3):
        child, pipe = _forked(lambda ready, at=at: _write(folder, f"whole-{at}", ready))
        os.read(pipe, 1)
        begun = time.perf_counter()
        code, said = _ended(child, pipe)
        assert code == 0, said
        longest = max(longest, time.perf_counter() - begun)
    return longest


def _points(points: int, count: int, drawn: random.Random) -> list[int]:
    """All points where there are no more than that, else a sample."""
    return list(range(1, points + 1)) if count >= points else sorted(drawn.sample(range(1, points + 1), count))


def _all(count: int, seed: int, kinds: list[str], folder: Path) -> tuple[list[str], dict[str, int]]:
    drawn = random.Random(seed)
    found: list[str] = []
    made: dict[str, int] = {}
    if "time" in kinds:
        (folder / "seconds").mkdir()
        seconds = _seconds(folder / "seconds")
        for trial in range(count):
            if trial % 20 == 0:  # a new ledger now and then, so that its making is killed, too
                home = folder / f"time-{trial}"
                home.mkdir()
            found += _by_time(home, f"trial-{trial}", drawn, seconds)
        made["time"] = count
    for kind, by in (("line", _by_line), ("space", lambda h, n, a: _by_space(h, n, a, lasting=False)),
                     ("lasting", lambda h, n, a: _by_space(h, n, a, lasting=True))):  # fmt: skip
        if kind.replace("lasting", "space") not in kinds:
            continue
        for first in (True, False):  # a ledger that is made, one that is there
            home = folder / f"{kind}-{first}"
            home.mkdir()

            def prepared(name: str, first: bool = first, home: Path = home) -> Path:
                own = home / name
                own.mkdir()
                if not first:
                    code, said = _ended(*_forked(lambda ready: _write(own, "earlier", ready, releases=1)))
                    assert code == 0, said
                return own

            points = _points(int(by(prepared("counted"), "release", 0)[1]), count, drawn)
            for at in points:
                found += by(prepared(f"at-{at}"), f"release-{at}", at)[0]
            made[f"{kind}, {'new' if first else 'old'} ledger"] = len(points)
    return list(dict.fromkeys(found)), made


def _main() -> None:
    parser = argparse.ArgumentParser(description="Kill runs that write releases, and look at what they leave.")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default="time,line,space")
    said = parser.parse_args()
    import sfumato.methods.composition_check
    import sfumato.methods.relational.cluster
    import sfumato.privacy  # noqa: F401

    with tempfile.TemporaryDirectory() as folder:
        found, made = _all(said.count, said.seed, said.kinds.split(","), Path(folder))
    sys.stdout.write(json.dumps({"violations": found, "trials": made}) + "\n")


if __name__ == "__main__":
    _main()
