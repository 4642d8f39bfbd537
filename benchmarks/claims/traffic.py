"""`generate city` makes a million position reports in under a minute, on a generated city and on one four times as
large, and `generate baskets` a million baskets of 5,000 items in under a minute and under 1,000 MB.
Compilation is not counted.
"""

from __future__ import annotations

from benchmarks.inputs import SEED
from benchmarks.measure import Judged, peak_mb, seconds_of

# objects appear all the time and drive at the middle speed of the published generator until they arrive
STEADY = {"at_start": 0, "time_units": 1_000, "speed_divisor": 50.0, "length": 0.2, "output": "positions"}

CASES = [
    {"generator": "city", "nodes": 6_105, "objects": 36_000},
    {"generator": "city", "nodes": 24_420, "objects": 36_000},
    {"generator": "baskets", "records": 1_000_000},
]


def measure(case):
    from sfumato.generate import Baskets, City

    if case["generator"] == "baskets":
        Baskets(records=100).make(seed=SEED)
        seconds, data = seconds_of(lambda: Baskets(records=case["records"]).make(seed=SEED))
        size = {"what": "records", "count": len(data), "nodes": None}
    else:
        City(nodes=100, objects=10).make(seed=SEED)
        chosen = {"nodes": case["nodes"], "objects": case["objects"]}
        seconds, data = seconds_of(lambda: City(**STEADY, **chosen).make(seed=SEED))
        size = {"what": "reports", "count": len(data.times), "nodes": case["nodes"]}
    return {
        "generator": case["generator"],
        **size,
        "seconds": seconds,
        "seconds per million": seconds / size["count"] * 1e6,
        "peak MB": peak_mb(),
    }


def judge(rows):
    city = max(row["seconds per million"] for row in rows if row["generator"] == "city")
    enough = all(row["count"] >= 1_000_000 for row in rows)
    baskets = next(row for row in rows if row["generator"] == "baskets")
    return [
        Judged("every case makes at least a million", enough),
        Judged(f"a million reports take {city:.1f} s at most", city < 60),
        Judged(f"a million baskets take {baskets['seconds']:.1f} s", baskets["seconds"] < 60),
        Judged(f"baskets peak at {baskets['peak MB']:,} MB", baskets["peak MB"] < 1_000),
    ]
