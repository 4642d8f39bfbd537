"""Cast with groups of 10 and c=0.3 takes under 10 s for 7,231 trajectories of mean length 7.1 over 851 places, and
under 3 minutes for 100,000; both distances.  Warm, verification included.
"""

from __future__ import annotations

from benchmarks.measure import Judged, median_taken, peak_mb

CASES = [
    {"distance": "hops", "trajectories": 7_231, "runs": 3},
    {"distance": "leaves", "trajectories": 7_231, "runs": 3},
    {"distance": "hops", "trajectories": 100_000, "runs": 1},
    {"distance": "leaves", "trajectories": 100_000, "runs": 1},
]
_LIMITS = {7_231: 10, 100_000: 180}


def measure(case):
    from sfumato import Cast
    from sfumato.generate import Semantic

    method = Cast(c=0.3, group_size=10, distance=case["distance"])
    for trajectories in (400, 2_000):  # small pools and large ones take different ways
        method.anonymize(Semantic(trajectories=trajectories).make(seed=2))
    data = Semantic(trajectories=case["trajectories"]).make(seed=1)
    taken, release = median_taken(lambda: method.anonymize(data), case["runs"])
    return {
        "distance": case["distance"],
        "trajectories": len(data),
        "leaves": len(data.taxonomy.leaves),
        "mean length": float(data.lengths.mean()),
        **taken.columns,
        "peak MB": peak_mb(),
        "groups": release.counts["groups"],
        "suppressed visits": release.counts["suppressed_visits"],
        "promise holds": release.holds,
    }


def judge(rows):
    return [
        Judged(
            f"{row['trajectories']:,} trajectories, {row['distance']}: under {_LIMITS[row['trajectories']]} s",
            row["CPU seconds"] < _LIMITS[row["trajectories"]] and row["promise holds"],
        )
        for row in rows
    ]
