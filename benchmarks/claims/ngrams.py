"""NGRAMS takes seconds on the papers' check-ins and under a minute on a million trajectories, although every candidate
of its tree gets noise, visited or not: memory grows with the visits, not with the candidates.
"""

from __future__ import annotations

from benchmarks.inputs import SIZES, facts, make, warm_up
from benchmarks.measure import Judged, peak_mb, taken_by

CASES = [
    {"size": "check-ins", "epsilon": 0.1},
    {"size": "check-ins", "epsilon": 10.0},
    {"size": "million", "epsilon": 1.0},
]


def measure(case):
    from sfumato import NGrams

    method = NGrams(epsilon=case["epsilon"])
    warm_up(method)
    data = make(**SIZES[case["size"]])
    taken, release = taken_by(lambda: method.anonymize(data))
    return {
        "epsilon": case["epsilon"],
        **facts(data),
        "candidates": sum(split["cells"] for split in release.ledger.report()),
        "grams told": release.counts["grams"],
        **taken.columns,
        "peak MB": peak_mb(),
        "promise holds": release.holds,
    }


def judge(rows):
    seconds = [row["CPU seconds"] for row in rows]
    peak = max(row["peak MB"] for row in rows)
    return [
        Judged("the promise holds", all(row["promise holds"] for row in rows)),
        Judged(f"check-ins in at most {max(seconds[:2]):.1f} s: under 5 s", max(seconds[:2]) < 5),
        Judged(f"a million in {seconds[2]:.0f} s: under a minute", seconds[2] < 60),
        Judged(f"at most {peak:,} MB: under 2 GB", peak < 2000),
    ]
