"""100,000 distinct locations work without a matrix of their distances, which would take 80 GB: on the plane, and with
latitude and longitude.
"""

from __future__ import annotations

from benchmarks.inputs import facts, make, on_the_globe, warm_up
from benchmarks.measure import Judged, peak_mb, taken_by

CASES = [{"surface": "plane"}, {"surface": "globe"}]


def measure(case):
    import numpy as np

    from sfumato import SeqAnon

    method = SeqAnon(k=5, m=2)
    warm_up(method)
    data = make(trajectories=300_000, locations=100_000, zipf=0.6)
    if case["surface"] == "globe":
        data = on_the_globe(data)
    taken, release = taken_by(lambda: method.anonymize(data))
    return {
        "surface": case["surface"],
        **facts(data),
        "visited": len(np.unique(data.codes)),
        "labels left": len(release.data.names),
        **taken.columns,
        "peak MB": peak_mb(),
        "promise holds": release.holds,
    }


def judge(rows):
    seconds, peak = max(row["CPU seconds"] for row in rows), max(row["peak MB"] for row in rows)
    return [
        Judged("the promise holds", all(row["promise holds"] for row in rows)),
        Judged(f"at most {seconds:.0f} s: under 3 minutes", seconds < 180),
        Judged(f"at most {peak:,} MB: under 1 GB", peak < 1000),
    ]
