"""How many clusters Zga (k=5, l=2, m=2, one location in 20 sensitive) should have.  It takes less time with 100
clusters than with 10, and with 10 than with one, at 1,000,000 trajectories; and `clusters="auto"` displaces at most 10%
more than the best of 14 fixed numbers, on three datasets.
"""

from __future__ import annotations

from benchmarks.inputs import SIZES, facts, flagged, make
from benchmarks.measure import Judged, taken_by

FIXED = (1, 2, 3, 4, 5, 6, 8, 10, 16, 20, 32, 50, 100, 200)
CASES = [
    *({"data": "million", "clusters": number} for number in (1, 10, 100)),
    {"data": "city", "clusters": "auto"},
    {"data": "check-ins", "clusters": "auto"},
    {"data": "persons", "clusters": "auto"},
]
_PERSONS = {"trajectories": 20_000, "locations": 300, "persons": 6_000}


def measure(case):
    from sfumato import Zga
    from sfumato.generate import City
    from sfumato.utility.places.generalization import Displacement

    def method(clusters):
        return Zga(k=5, l=2, m=2, clusters=clusters)

    method(5).anonymize(flagged(make(trajectories=500, locations=100)))
    if case["data"] == "city":
        data = flagged(City().make(seed=1))
    else:
        data = flagged(make(**(SIZES | {"persons": _PERSONS})[case["data"]]))
    taken, release = taken_by(lambda: method(case["clusters"]).anonymize(data))
    row = {
        "data": case["data"],
        **facts(data),
        "clusters": str(case["clusters"]),
        "made": release.counts["clusters"],
        "anonymizing, seconds": release.seconds["anonymizing clusters"],
        **taken.columns,
        "D": Displacement()(data, release).value,
        "promise holds": release.holds,
    }
    if case["clusters"] == "auto":
        fixed = {number: Displacement()(data, method(number).anonymize(data)).value for number in FIXED}
        best = min(fixed, key=lambda number: fixed[number])
        row |= {"best fixed": best, "its D": fixed[best], "D of 1": fixed[1], "largest D": max(fixed.values())}
    return row


def judge(rows):
    million = {row["clusters"]: row for row in rows if row["data"] == "million"}
    seconds = [million[number]["CPU seconds"] for number in ("1", "10", "100")]
    chosen = [row for row in rows if row["clusters"] == "auto"]
    worst = max(row["D"] / row["its D"] for row in chosen)
    shown = ", ".join(f"{row['data']} {row['D'] / row['its D']:.2f}" for row in chosen)
    return [
        Judged("every promise holds", all(row["promise holds"] for row in rows)),
        Judged(
            f"1, 10 and 100 clusters take {', '.join(f'{one:.1f}' for one in seconds)} CPU s: falling",
            seconds[0] > seconds[1] > seconds[2],
        ),
        Judged(f"auto displaces at most {worst:.2f} times as much as the best ({shown}): within 1.1", worst <= 1.1),
    ]
