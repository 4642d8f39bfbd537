"""The k^m verifier costs less than the method it checks, at every size, for m=2 and m=3; its cost includes the look at
m+1.  Beside it, on 5,000 trajectories, the slow twin of tests/oracles.py.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

from benchmarks.inputs import SIZES, facts, make, warm_up
from benchmarks.measure import Judged, median_taken, taken_by

CASES = [
    *({"data": data, "m": m, "runs": 1 if data == "million" else 5} for data in SIZES for m in (2, 3)),
    {"data": "sample", "m": 2, "runs": 5},
    {"data": "sample", "m": 3, "runs": 5},
]


def measure(case):
    from sfumato import SeqAnon
    from sfumato.privacy import KmAnonymity

    method = SeqAnon(k=5, m=case["m"])
    warm_up(method)
    data = make(**SIZES.get(case["data"], {"trajectories": 5_000, "locations": 60}))
    totals, checks = [], []
    for _ in range(case["runs"]):
        total, release = taken_by(lambda: method.anonymize(data))
        checks.append(release.seconds["verifying"])
        totals.append(total.clock - checks[-1])
    transforming, verifying = statistics.median(totals), statistics.median(checks)
    row = {
        "data": case["data"],
        **facts(data),
        "m": case["m"],
        "SeqAnon, seconds": transforming,
        "verifier, seconds": verifying,
        "verifier / SeqAnon": verifying / transforming,
        "patterns": release.verdicts[0][1].measured["patterns"],
    }
    if case["data"] != "sample":
        return row
    sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
    from oracles import km_holds

    model = KmAnonymity(k=5, m=case["m"])
    slow, slow_holds = median_taken(lambda: km_holds(model, release.data), 3)
    fast, verdict = median_taken(lambda: model.check(release.data), 5)
    return row | {
        "slow twin, seconds": slow.clock,
        "twin / verifier": slow.cpu / fast.cpu,
        "agree": slow_holds == verdict.holds,
    }


def judge(rows):
    worst = max(row["verifier / SeqAnon"] for row in rows)
    twins = [row["twin / verifier"] for row in rows if "twin / verifier" in row]
    return [
        Judged(f"the verifier takes at most {worst:.0%} of the method's time", worst < 1),
        Judged(
            f"the verifier and its slow twin agree; it is at least {min(twins):,.0f} times faster",
            all(row.get("agree", True) for row in rows) and min(twins) > 1,
        ),
    ]
