"""Ten million trajectories (39 million visits) by the command line, on two cores: `anonymize seqanon` in 35 s and
2.5 GB, `verify` in 10 s and 2.5 GB, `audit` of the original in 40 s; with CSV and with Parquet.  Every command is a new
process; kernels were compiled before.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.inputs import SEED
from benchmarks.measure import Judged, Taken

CASES = [{"format": format, "trajectories": 10_000_000} for format in ("csv", "parquet")]
LIMITS = {"anonymize": (35, 2_500), "verify": (10, 2_500), "audit": (40, None)}  # seconds and MB


def measure(case):
    """The figures of the commands; the original has the format of the release."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        visits, places, out = folder / f"visits.{case['format']}", folder / "places.csv", folder / "release"
        warm_up(folder, case["format"])
        size = case["trajectories"]
        generate = ["generate", "checkins", "--trajectories", size, "--seed", SEED, "--out", visits, "--places", places]
        row = {"format": case["format"], "trajectories": size} | figures("generate", generate)
        row["input MB"] = megabytes(visits)
        row |= figures("anonymize", anonymize(visits, places, out, case["format"]))
        row["published MB"] = megabytes(out / f"data.{case['format']}")
        row |= figures("verify", ["verify", out])
        return row | figures("audit", ["audit", visits, "--known", 2, "--seed", SEED])


def anonymize(visits: Path, places: Path, out: Path, format: str) -> list[object]:
    words = ["anonymize", "seqanon", visits, "--places", places, "--k", 5, "--m", 2]
    return [*words, "--out", out, "--format", format]


def warm_up(folder: Path, format: str) -> None:
    """Compile what the commands need."""
    visits, places, out = folder / f"few.{format}", folder / "few-places.csv", folder / "few"
    ran(["generate", "checkins", "--trajectories", 2_000, "--seed", SEED, "--out", visits, "--places", places])
    ran(anonymize(visits, places, out, format))
    ran(["verify", out])
    ran(["audit", visits, "--known", 2, "--seed", SEED])
    shutil.rmtree(out)


def figures(command: str, words: list[object]) -> dict[str, float]:
    taken, peak = ran(words)
    return {f"{command} s": taken.clock, f"{command} CPU s": taken.cpu, f"{command} MB": peak}


def ran(words: list[object]) -> tuple[Taken, int]:
    """Seconds and peak megabytes of a command in a process of its own."""
    command = [sys.executable, "-m", "sfumato", *map(str, words)]
    begun = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as child:
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{' '.join(map(str, words))}: exit code {child.returncode}")
    return Taken(time.perf_counter() - begun, used.ru_utime + used.ru_stime), peak_of(used)


def peak_of(used: resource.struct_rusage) -> int:
    return round(used.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e6 / 1024))


def megabytes(path: Path) -> float:
    return path.stat().st_size / 1e6


def judge(rows):
    return [
        Judged(f"{row['format']}, {command}: {what}", holds)
        for row in rows
        for command, (seconds, mb) in LIMITS.items()
        for what, holds in (
            (f"at most {seconds} s", row[f"{command} s"] <= seconds),
            *([] if mb is None else [(f"at most {mb:,} MB", row[f"{command} MB"] <= mb)]),
        )
    ]
