"""Two threads on two cores are at least 1.7 times as fast as one, by the clock, with the same output: SeqAnon's
counting of patterns, `verify`, `audit` and `evaluate`, on a million trajectories.  Data are in memory, everything is
compiled; each row runs with 1 and with 2 threads in turn, in one process for each number, because Polars reads it once.
Peak memory is that of the process.  CPU seconds should stay about equal; on a machine that does other work the clock
says nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.inputs import SIZES, facts, make
from benchmarks.measure import Judged, median_taken, peak_mb

CASES = [
    {"work": work, "data": "million", "runs": runs}
    for work, runs in (("counting", 5), ("verify", 3), ("audit", 3), ("evaluate", 1))
]
WANTED = 1.7
_NUMBER = "CORES_THREADS"  # in the environment of a process that measures


def measure(case):
    if number := os.environ.get(_NUMBER):
        return with_threads(case, int(number))
    one, two = (in_process(case, number) for number in (1, 2))
    return {
        "work": case["work"],
        "trajectories": one["trajectories"],
        "1 thread, seconds": one["seconds"],
        "2 threads, seconds": two["seconds"],
        "times as fast": one["seconds"] / two["seconds"],
        "CPU seconds, 1 and 2": f"{one['CPU seconds']:.2f}, {two['CPU seconds']:.2f}",
        "peak MB, 1 and 2": f"{one['peak MB']}, {two['peak MB']}",
        "same output": one["output"] == two["output"],
    }


def in_process(case, number: int):
    """The figures with so many threads, measured by a process of its own."""
    environment = {**os.environ, _NUMBER: str(number), "SFUMATO_THREADS": str(number)}
    command = [sys.executable, "-m", "benchmarks.case", "cores", str(CASES.index(case))]
    done = subprocess.run(
        command, cwd=Path(__file__).parents[2], env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def with_threads(case, number: int):
    from sfumato.threads import threads

    assert threads() == number
    work = globals()[case["work"]]
    work(make(trajectories=500, locations=100))()  # compiled
    data = make(**SIZES[case["data"]])
    ready = work(data)
    taken, output = median_taken(ready, case["runs"])
    digest = hashlib.sha256(json.dumps(output, default=str).encode()).hexdigest()
    return {**facts(data), **taken.columns, "peak MB": peak_mb(), "output": digest}


def counting(data):
    """What SeqAnon counts before it merges: the patterns of 1 and of 2 visits, as tables, and which are rare."""
    from sfumato.methods.trajectories.seqanon.location_recoding import Recoding

    recoding = Recoding(data)

    def count():
        rare = []
        for size in (1, 2):
            recoding.count(size, size)
            rare.append(hashlib.sha256(recoding.rare(5).tobytes()).hexdigest())
        return rare

    return count


def verify(data):
    """A published directory with its original: leaks, digests and the promise."""
    from tempfile import mkdtemp

    from sfumato import SeqAnon
    from sfumato.verification import verify

    folder = Path(mkdtemp()) / "release"
    SeqAnon(k=5, m=2).anonymize(data).write(folder)
    return lambda: verify(folder, original=data).to_json()


def audit(data):
    from sfumato.attacks import Audit

    return lambda: Audit(known=2).run(data, seed=1).to_json()


def evaluate(data):
    from sfumato import SeqAnon
    from sfumato.experiments.evaluation import evaluate

    published = SeqAnon(k=5, m=2).anonymize(data).data
    return lambda: evaluate(data, published).to_json()


def judge(rows):
    judged = [
        Judged(f"{row['work']}: {row['times as fast']:.2f} times as fast: {WANTED}", row["times as fast"] >= WANTED)
        for row in rows
    ]
    judged.append(Judged("the output is the same", all(row["same output"] for row in rows)))
    return judged
