"""Segmentation of positions into days, stops and moves takes under 10 CPU seconds and 2 GB for a million positions, and
is linear from 250,000 to 1,000,000 positions: the time per position stays within 1.5 times that at 250,000.
Compression to 5 m and stops in 400 regions are measured beside.  Warm, all constraints of the movement checked.
"""

from __future__ import annotations

from benchmarks.measure import Judged, peak_mb, taken_by

CASES = [
    *({"positions": number, "how": "days"} for number in (250_000, 500_000, 1_000_000)),
    {"positions": 1_000_000, "how": "compressed"},
    {"positions": 1_000_000, "how": "regions"},
]
PER_PERSON = 500


def measure(case):
    from sfumato.semantics import Segmentation

    data = walks(case["positions"])
    segmentation = Segmentation(fastest_kmh="any", compress_m=5 if case["how"] == "compressed" else None)
    segmentation.apply(walks(PER_PERSON))
    if case["how"] == "regions":
        data = data.with_regions(squares())
    taken, done = taken_by(lambda: segmentation.apply(data))
    shown = ("trails", "stops", "moves")
    return {
        **case,
        **taken.columns,
        "CPU microseconds per position": taken.cpu / case["positions"] * 1e6,
        **{name: done.counts[name] for name in shown},
        "positions kept": done.counts["positions"],
        "peak MB": peak_mb(),
    }


def walks(number):
    """A month of walks with rests, 500 positions a person."""
    import numpy as np

    from sfumato import Positions

    draw = np.random.default_rng(7)
    people = number // PER_PERSON
    steps = draw.normal(0, 6e-3, (people, PER_PERSON, 2))
    rests = draw.random((people, PER_PERSON)) < 0.7
    steps[rests] = draw.normal(0, 2e-6, (int(rests.sum()), 2))
    times = np.sort(draw.choice(30 * 86_400, (people, PER_PERSON)), axis=1) + np.arange(PER_PERSON) + 1.7e9
    where = (np.array([9.19, 45.46]) + steps.cumsum(axis=1)).reshape(-1, 2)
    offsets = np.arange(people + 1) * PER_PERSON
    return Positions(offsets=offsets, times=times.ravel(), where=where, geographic=True)


def squares():
    """400 squares over the middle of the walks."""
    import numpy as np

    from sfumato.data.areas.regions import Regions

    west, south = (grid.ravel() for grid in np.meshgrid(9.09 + np.arange(20) / 100, 45.36 + np.arange(20) / 100))
    names = [f"square {number}" for number in range(400)]
    borders = {"west": west, "south": south, "east": west + 0.01, "north": south + 0.01}
    return Regions.from_frame({"region": names, **borders, "level": ["place"] * 400})


def judge(rows):
    days = [row for row in rows if row["how"] == "days"]
    each = [row["CPU microseconds per position"] for row in days]
    growth, slowest = max(each) / each[0], max(row["CPU seconds"] for row in rows)
    most = max(row["peak MB"] for row in rows)
    return [
        Judged(f"{slowest:.1f} CPU seconds for a million positions: 10", slowest < 10),
        Judged(f"{most:,.0f} MB at most: 2,000", most < 2_000),
        Judged(f"at most {growth:.2f} times the time per position at 250,000: 1.5", growth <= 1.5),
    ]
