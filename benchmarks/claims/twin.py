"""SeqAnon is at least 100 times faster than its slow literal twin (tests/oracles.py, which counts every support by
reading all trajectories, as the paper's listing does) at 5,000 trajectories, with the same output.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.inputs import facts, make
from benchmarks.measure import Judged, median_taken, taken_by

CASES = [
    {"k": 5, "m": 2, "data": {"trajectories": 5_000, "locations": 60}},
    {"k": 5, "m": 2, "data": {"trajectories": 5_000, "locations": 60, "persons": 2_000}},
]


def measure(case):
    sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
    from oracles import seqanon as literal
    from sfumato import SeqAnon

    method = SeqAnon(k=case["k"], m=case["m"])
    data = make(**case["data"])
    method.anonymize(data)
    fast, release = median_taken(lambda: method.anonymize(data), 7)
    slow, (recoded, suppressed) = taken_by(
        lambda: literal(data.to_lists(), data.units.tolist(), data.places, case["k"], case["m"])
    )
    members = release.data.members
    published = [[members.get(label, (label,)) for label in record] for record in release.data.to_lists()]
    expected = [[tuple(sorted(label)) for label in record] for record in recoded if record]
    return {
        **facts(data),
        "support counts": f"{data.unit}s",
        "literal twin, CPU seconds": slow.cpu,
        "SeqAnon, CPU seconds": fast.cpu,
        "ratio": slow.cpu / fast.cpu,
        "same output": sorted(published) == sorted(expected)
        and suppressed == release.counts.get("suppressed_visits", 0),
    }


def judge(rows):
    return [
        Judged("the outputs are the same", all(row["same output"] for row in rows)),
        Judged("at least 100 times faster", all(row["ratio"] >= 100 for row in rows)),
    ]
