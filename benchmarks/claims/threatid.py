"""The verifier of projection safety (THREATID, exact) reads 1,000,000 trajectories in under 5 seconds, and its time
grows with the number of trajectories, not with its square.  Beside it, on 2,000 trajectories, the slow twin of
tests/twins.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from benchmarks.inputs import facts, make
from benchmarks.measure import Judged, median_taken, peak_mb, taken_by

OLDENBURG = {"locations": 100, "mean_length": 4.72, "zipf": 1.2, "nearby": 0.97}
GOWALLA = {"locations": 513, "mean_length": 7.95}
CASES = [
    {"data": "twin", "settings": {"trajectories": 2_000, **OLDENBURG}},
    *({"data": f"grid, {n:,}", "settings": {"trajectories": n, **OLDENBURG}} for n in (10_000, 100_000, 1_000_000)),
    *({"data": f"check-ins, {n:,}", "settings": {"trajectories": n, **GOWALLA}} for n in (60_000, 1_000_000)),
]
OWNERS = 4


def owned(data):
    """The same trajectories, every location owned by one of a few."""
    from sfumato import Places

    names = data.places.frame["location"]
    return replace(data, persons=None, places=Places.from_frame(
        {"location": names, "owner": [f"owner {row % OWNERS}" for row in range(len(names))]}
    ))  # fmt: skip


def measure(case):
    from sfumato.privacy import ProjectionSafety

    model = ProjectionSafety(threshold=0.5)
    model.check(owned(make(trajectories=200, locations=20)))  # compiles
    data = owned(make(**case["settings"]))
    taken, verdict = median_taken(lambda: model.check(data), 3)
    row = {
        "data": case["data"],
        **facts(data),
        "visits": len(data.codes),
        **taken.columns,
        "microseconds a visit": 1e6 * taken.cpu / len(data.codes),
        "problematic pairs": verdict.measured["problematic_pairs"],
        "problems": verdict.measured["problems"],
        "peak MB": peak_mb(),
    }
    if case["data"] != "twin":
        return row
    sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
    from twins.threats import threats

    rows, units = data.to_lists(), list(range(len(data)))
    slow, found = taken_by(lambda: threats(rows, units, data.owners, 0.5))
    return row | {
        "twin, seconds": slow.clock,
        "twin / verifier": slow.cpu / taken.cpu,
        "agree": (len(found), sum(n for n, *_ in found.values())) == (row["problematic pairs"], row["problems"]),
    }


def judge(rows):
    million = [row for row in rows if row["trajectories"] == 1_000_000]
    small, large = (next(row for row in rows if row["data"] == f"grid, {n}") for n in ("10,000", "1,000,000"))
    growth = large["CPU seconds"] / small["CPU seconds"]
    slowest = max(row["CPU seconds"] for row in million)
    twin = rows[0]
    return [
        Judged(f"1,000,000 trajectories take at most {slowest:.1f} s", slowest < 5),
        Judged(f"100 times the trajectories take {growth:,.0f} times as long", growth < 200),
        Judged(
            f"verifier and twin agree on 2,000 trajectories; it is {twin['twin / verifier']:,.0f} times faster",
            twin["agree"] and twin["twin / verifier"] > 100,
        ),
    ]
