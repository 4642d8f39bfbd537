"""`generate city` has the figures that Poulis et al. (TDP 7(2), 2014, Section 5 and Figure 10a) publish for their
Oldenburg data, which Brinkhoff's generator made: number and mean length of trajectories, distinct locations, and
distinct subtrajectories of up to five locations.  The generated city has all 100 locations, a mean length within 3 %
and ordered pairs within 5 % on each of three seeds.  Settings were fitted by hand to these figures, on seeds 1 to 3;
the seeds below had no part in that.
With `SFUMATO_OLDENBURG=DIR` the public map of Oldenburg is driven on as well.  Of its 100 cells only 79 have a road:
neither 100 locations nor 6,955 pairs (79 cells have 6,241 at most) can come from this map and a uniform 10 x 10 grid.
A grid of 11 x 11, of whose cells 95 have a road, with starts all over the map, comes nearer.
"""

from __future__ import annotations

import os
from itertools import combinations, pairwise

from benchmarks.measure import Judged

PUBLISHED = {"trajectories": 18_143, "locations": 100, "mean length": 4.72, "pairs": 6_955, "size 3": 48_268,
             "size 4": 124_070, "size 5": 177_054}  # fmt: skip

SETTINGS = {
    "generated city": {},
    "Oldenburg, 10 x 10": {"length": 0.21},
    "Oldenburg, 11 x 11": {"cells": 11, "starts": "space", "speed_divisor": 5.0, "time_units": 15, "length": 0.18},
}
SEEDS = (101, 102, 103)
MAP = os.environ.get("SFUMATO_OLDENBURG")

CASES = [
    {"data": "published", "seed": None},
    *({"data": name, "seed": seed} for name in SETTINGS for seed in SEEDS if MAP or name == "generated city"),
]


def measure(case):
    if case["data"] == "published":
        return {**case, **PUBLISHED, "longest": None}
    from sfumato.generate import City

    network = {"network": MAP} if case["data"].startswith("Oldenburg") else {}
    data = City(**network, **SETTINGS[case["data"]]).make(seed=case["seed"])
    counts = dict(
        zip(("pairs", "size 3", "size 4", "size 5"), (distinct(data, size) for size in range(2, 6)), strict=True)
    )
    return {
        **case,
        "trajectories": len(data),
        "locations": len(data.names),
        "mean length": float(data.lengths.mean()),
        **counts,
        "longest": int(data.lengths.max()),
    }


def distinct(data, size: int) -> int:
    """How many different subtrajectories of this size there are, by listing them all."""
    codes, offsets = data.codes.tolist(), data.offsets.tolist()
    found = set()
    for first, end in pairwise(offsets):
        found.update(combinations(codes[first:end], size))
    return len(found)


def judge(rows):
    own = [row for row in rows if row["data"] == "generated city"]

    def off(name: str) -> float:
        return max(abs(row[name] / PUBLISHED[name] - 1) for row in own)

    return [
        Judged("every seed has 18,143 trajectories and 100 locations", off("trajectories") == off("locations") == 0),
        Judged(f"the mean length is {off('mean length'):.1%} off at most", off("mean length") <= 0.03),
        Judged(f"the number of ordered pairs is {off('pairs'):.1%} off at most", off("pairs") <= 0.05),
    ]
