"""`sfumato --help` answers in under half a second; cold compilation of all kernels that `sfumato anonymize` needs stays
under 15 s; `sfumato demo` takes under a minute cold and under ten seconds warm.
Every run is a new process; cold ones begin with an empty cache of compiled kernels.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import Judged, Taken, median_taken

CASES = [
    {"command": "python -c pass", "compiles": False, "runs": 5},
    {"command": "import sfumato", "compiles": False, "runs": 5},
    {"command": "sfumato --help", "compiles": False, "runs": 5},
    {"command": "sfumato anonymize seqanon", "compiles": True, "runs": 3},
    {"command": "sfumato demo", "compiles": True, "runs": 3},
]


def measure(case):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = words_of(case["command"], folder)
        cold = taken(words, folder, runs=case["runs"] if case["compiles"] else 1, cold=True)
        warm = taken(words, folder, runs=case["runs"])
    row = {"command": case["command"], "warm, seconds": warm.clock, "warm, CPU seconds": warm.cpu}
    if not case["compiles"]:
        return row
    return row | {
        "cold, seconds": cold.clock,
        "cold, CPU seconds": cold.cpu,
        "compilation, CPU seconds": cold.cpu - warm.cpu,
    }


def words_of(command: str, folder: Path) -> list[str]:
    if command == "python -c pass":
        return [sys.executable, "-c", "pass"]
    if command == "import sfumato":
        return [sys.executable, "-c", "import sfumato"]
    sfumato = [sys.executable, "-m", "sfumato"]
    if command != "sfumato anonymize seqanon":
        return [*sfumato, *command.split()[1:]]
    visits = folder / "visits.csv"
    town = ["--trajectories", "500", "--locations", "100", "--persons", "200", "--seed", "1"]
    subprocess.run([*sfumato, "generate", "checkins", *town, "--out", visits], check=True, stdout=subprocess.DEVNULL)
    return [*sfumato, "anonymize", "seqanon", str(visits), "--k", "5", "--m", "2", "--out", "release"]


def taken(words: list[str], folder: Path, *, runs: int, cold: bool = False) -> Taken:
    """Run a command in an empty directory; the cache of compiled kernels lies beside it, emptied first if cold."""
    work, cache = folder / "work", folder / "cache"

    def run() -> None:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        if cold:
            shutil.rmtree(cache, ignore_errors=True)
        surroundings = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
        subprocess.run(words, cwd=work, env=surroundings, check=True, stdout=subprocess.DEVNULL)

    return median_taken(run, runs)[0]


def judge(rows):
    of = {row["command"]: row for row in rows}
    demo = of["sfumato demo"]
    return [
        Judged("sfumato --help: under 0.5 s", of["sfumato --help"]["warm, CPU seconds"] < 0.5),
        Judged(
            "cold compilation for sfumato anonymize: under 15 s",
            of["sfumato anonymize seqanon"]["compilation, CPU seconds"] < 15,
        ),
        Judged("sfumato demo, cold: under 60 s", demo["cold, CPU seconds"] < 60),
        Judged("sfumato demo, warm: under 10 s", demo["warm, CPU seconds"] < 10),
    ]
