"""A movement of 1,000,000 positions and 100,000 segments is built, checked, written, read and made triples in seconds
of processor time: under 5 s to build with all checks, 5 s to check a million segments, 60 s for its triples.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.inputs import SEED
from benchmarks.measure import Judged, peak_mb, taken_by

CASES = [
    {"positions": 1_000_000, "per_trail": 60, "per_episode": 12},
    {"positions": 1_000_000, "per_trail": 4, "per_episode": 1},
]


def measure(case):
    from sfumato.semantics import Movement, read_movement

    given = frames(**case)
    row = {"positions": case["positions"]}
    with tempfile.TemporaryDirectory() as folder:
        movement, row["build_cpu_s"] = timed(lambda: Movement.of(*given))
        row["segments"] = len(movement.segments)
        _, row["check_cpu_s"] = timed(lambda: Movement.violations(movement.frames()))
        every = range(len(movement.segments))
        _, row["descendants_cpu_s"] = timed(lambda: movement.descendants(every))
        for name, kind in (("directory", ""), ("duckdb", ".duckdb")):
            path = Path(folder) / f"movement{kind}"
            _, row[f"write_{name}_cpu_s"] = timed(lambda path=path: movement.write(path))
            back, row[f"read_{name}_cpu_s"] = timed(lambda path=path: read_movement(path))
            assert all(back.frames()[key].equals(frame) for key, frame in movement.frames().items())
        lines, row["triples_cpu_s"] = timed(lambda: sum(part.count(b"\n") for part in movement.triples()))
    return {**row, "triples": lines, "peak_mb": peak_mb()}


def timed(work):
    """The result, and seconds of processor time."""
    taken, result = taken_by(work)
    return result, round(taken.cpu, 2)


def frames(positions, per_trail, per_episode):
    """Objects, positions a minute apart, and trails of as many positions, each cut into stops and moves."""
    import numpy as np
    import polars as pl

    draw = np.random.default_rng(SEED)
    objects = positions // 500
    begin = 1.4e9 + 60.0 * np.arange(positions)
    place = {"x": draw.uniform(-43.5, -43.0, positions), "y": draw.uniform(-23.0, -22.8, positions)}
    owner = np.arange(positions) // 500
    parts = []
    for length, kinds in ((per_trail, ["TRAIL"]), (per_episode, ["STOP", "MOVE"])):
        within = np.arange(positions) % 500
        first = np.flatnonzero((within % per_trail % length == 0) | (within == 0))
        last = np.append(first[1:], positions) - 1
        kind = np.array(kinds)[np.arange(len(first)) % len(kinds)]
        parts.append(pl.DataFrame({"object": owner[first], "type": kind, "first": first, "last": last}))
    names = pl.DataFrame({"object": [f"o{number}" for number in range(objects)]})
    table = pl.DataFrame({"object": owner, "begin": begin, "end": begin + 1, **place})
    return names, table, pl.concat(parts)


def judge(rows):
    few, many = rows
    return [
        Judged("built with all checks in under 5 s", few["build_cpu_s"] < 5),
        Judged("a million segments checked in under 5 s", many["segments"] > 1_000_000 and many["check_cpu_s"] < 5),
        Judged("made triples in under 60 s", few["triples_cpu_s"] < 60),
    ]
