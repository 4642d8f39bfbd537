"""Kinds of jobs whose work is a few lines, in a module that their processes can import."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.web.jobs.kinds import KINDS, Kind

WORK = '''
import os, signal, subprocess, sys, time

def add(*, progress, a, b):
    progress("adding", 1, 2)
    return {"sum": a + b, "nothing": float("nan"), "key": os.environ.get("SFUMATO_SECRET", ""), "folder": os.getcwd()}

def number(*, progress):
    return {"pid": os.getpid()}

def refuse(*, progress):
    from sfumato.errors import Infeasible
    raise Infeasible("k=9 needs 9 records")

def break_down(*, progress):
    raise ValueError("the value is hiv")

def die(*, progress):
    os.kill(os.getpid(), signal.SIGKILL)

def stubborn(*, progress):
    """Like a kernel: no signal handler runs, and there is a child."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    progress("counting", 1, 2)
    sum(range(10**13))

def grow(*, progress):
    progress("growing", 0, 1)
    kept = bytearray(os.urandom(1) * (400 << 20))
    time.sleep(60)

def wait(*, progress, file, seconds):
    """Add a line to the file when it begins; the second attempt ends at once."""
    with open(file, "a") as out:
        out.write(f"{os.getpid()}\\n")
    progress("waiting", 0, 1)
    if len(open(file).readlines()) == 1:
        time.sleep(seconds)
    return {}
'''
NAMES = ("add", "refuse", "break_down", "die", "stubborn", "grow", "wait")


@pytest.fixture
def works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the module; the kinds have the names of its functions."""
    folder = tmp_path / "works"
    folder.mkdir()
    (folder / "work_of_tests.py").write_text(WORK)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    for name in NAMES:
        monkeypatch.setitem(KINDS, name, Kind(f"work_of_tests:{name}"))
    return folder
