"""SeqAnon with k=5 and m=2 takes under 0.2 s for 18,143 trajectories at 100 locations, under 1.5 s for 86,061 at 662,
under 20 s and 1 GB for 1,000,000 at 2,000; m=3 on the second within 30 times its m=2.  SeqAnonF beside it.
Warm, verification included; peak memory is that of the whole process, libraries and input included.
"""

from __future__ import annotations

from benchmarks.inputs import SIZES, facts, make, warm_up
from benchmarks.measure import Judged, median_taken, peak_mb

CASES = [
    {"method": "SeqAnon", "data": "grid", "m": 2, "runs": 7},
    {"method": "SeqAnon", "data": "check-ins", "m": 2, "runs": 5},
    {"method": "SeqAnon", "data": "check-ins", "m": 3, "runs": 5},
    {"method": "SeqAnon", "data": "million", "m": 2, "runs": 3},
    {"method": "SeqAnonF", "data": "grid", "m": 2, "runs": 7},
    {"method": "SeqAnonF", "data": "check-ins", "m": 2, "runs": 5},
    {"method": "SeqAnonF", "data": "check-ins", "m": 3, "runs": 5},
    {"method": "SeqAnonF", "data": "million", "m": 2, "runs": 3},
]


def measure(case):
    import sfumato

    method = getattr(sfumato, case["method"])(k=5, m=case["m"])
    warm_up(method)
    data = make(**SIZES[case["data"]])
    taken, release = median_taken(lambda: method.anonymize(data), case["runs"])
    return {
        "method": case["method"],
        "data": case["data"],
        **facts(data),
        "ordered pairs": ordered_pairs(data),
        "m": case["m"],
        **taken.columns,
        "peak MB": peak_mb(),
        "labels left": len(release.data.names),
        "promise holds": release.holds,
    }


def ordered_pairs(data) -> int:
    """How many distinct ordered pairs of locations somebody visits."""
    import numpy as np

    from sfumato.kernels.recoding.pattern_counts import count_patterns

    units = np.arange(len(data) + 1, dtype=np.int64)
    pairs, _ = count_patterns(data.codes, data.offsets, units, len(data.names), 2, 2)
    return len(pairs)


def judge(rows):
    of = {(row["method"], row["data"], row["m"]): row for row in rows}
    limits = {"grid": 0.2, "check-ins": 1.5, "million": 20.0}
    judged = [
        Judged(f"SeqAnon on {data}, m=2: under {limit:g} s", of["SeqAnon", data, 2]["CPU seconds"] < limit)
        for data, limit in limits.items()
    ]
    judged.append(Judged("SeqAnon on million: under 1 GB", of["SeqAnon", "million", 2]["peak MB"] < 1000))
    ratio = of["SeqAnon", "check-ins", 3]["CPU seconds"] / of["SeqAnon", "check-ins", 2]["CPU seconds"]
    judged.append(Judged(f"m=3 takes {ratio:.1f} times as long as m=2 on check-ins: within 30", ratio <= 30))
    return judged
