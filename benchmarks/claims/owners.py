"""Threshold 0.5, 10 changes a loop, four owners: on 18,143 trajectories of 100 locations Gsup takes less than 5 seconds
and Lsup, Split and Mix less than 20; on 60,000 of mean length 8 and 513 locations each takes less than 3 minutes and
1 GB.  From 4,536 trajectories of the city to four times as many, the time grows with at most the power 1.4.
"""

from __future__ import annotations

from math import log

from benchmarks.inputs import SEED, facts
from benchmarks.measure import Judged, peak_mb, taken_by

METHODS = ("gsup", "lsup", "split", "mix")
CITY = (4_536, 9_072, 18_143)
CASES = [
    *({"method": name, "data": "city", "trajectories": size} for name in METHODS for size in CITY),
    *({"method": name, "data": "check-ins", "trajectories": 60_000} for name in METHODS),
]


def measure(case):
    import numpy as np

    from sfumato.catalogue import method_class
    from sfumato.generate import Checkins, City
    from sfumato.utility.frequent_pairs import Arel

    if case["data"] == "city":
        whole = City(owners=4).make(seed=SEED)
    else:
        whole = Checkins(trajectories=60_000, locations=513, mean_length=8, owners=4).make(seed=SEED)
    data = whole.take(np.sort(np.random.default_rng(SEED).permutation(len(whole))[: case["trajectories"]]))
    method = method_class(case["method"])(threshold=0.5, batch=10)
    method.anonymize(whole.take(np.arange(200)))
    taken, release = taken_by(lambda: method.anonymize(data))
    counts = release.counts
    return {
        "method": case["method"],
        "data": case["data"],
        **facts(data),
        **taken.columns,
        "changes": counts["changes"],
        "by fall-back": counts.get("fallback_changes", 0),
        "peak MB": peak_mb(),
        "records": len(release.data),
        "AREL": Arel()(data, release).value,
    }


def judge(rows):
    def cpu(data, *names):
        found = [row for row in rows if row["data"] == data and row["method"] in names]
        return [row["CPU seconds"] for row in found if row["trajectories"] == max(r["trajectories"] for r in found)]

    power = 0.0
    for name in METHODS:
        each = [row["CPU seconds"] for row in rows if (row["method"], row["data"]) == (name, "city")]
        power = max(power, log(each[-1] / each[0]) / log(CITY[-1] / CITY[0]))
    large = [row for row in rows if row["data"] == "check-ins"]
    others = cpu("city", "lsup", "split", "mix")
    return [
        Judged(f"Gsup takes {max(cpu('city', 'gsup')):.1f} s on the city", max(cpu("city", "gsup")) < 5),
        Judged(f"the others take at most {max(others):.1f} s on the city", max(others) < 20),
        Judged(f"the time grows with the power {power:.2f} of the number of trajectories at most", power <= 1.4),
        Judged(
            f"60,000 trajectories take at most {max(row['CPU seconds'] for row in large):.0f} s",
            max(row["CPU seconds"] for row in large) < 180,
        ),
        Judged(
            f"60,000 trajectories take at most {max(row['peak MB'] for row in large):.0f} MB",
            max(row["peak MB"] for row in large) < 1024,
        ),
    ]
