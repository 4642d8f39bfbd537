"""An exact audit for 2 known visits of 100,000 people at 2,000 places takes under 5 s, and on 20 people with 10 points
each at least 1,000 times less than the same attack of scikit-mobility, with the same risks.  Beside it the slow twin of
tests/oracles.py.  An audit is the whole curve for 1 to 4 known visits.  The peer runs in the Python that SKMOB_PYTHON
names in the environment (it wants older libraries); where it is not installed, its columns stay empty.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.inputs import SEED, facts, make
from benchmarks.measure import Judged, median_seconds, peak_mb, seconds_of

CASES = [
    {"data": "20 x 10", "ordered": True, "attack": "LocationSequenceAttack"},
    {"data": "20 x 10", "ordered": False, "attack": "UniqueLocationAttack"},
    {"data": "100,000 people", "ordered": True, "town": {"trajectories": 100_000, "mean_length": 10.0}},
    {"data": "100,000 people", "ordered": False, "town": {"trajectories": 100_000, "mean_length": 10.0}},
    {
        "data": "100,000 people",
        "ordered": True,
        "town": {"trajectories": 330_000, "mean_length": 4.0, "persons": 100_000},
    },
]

PEER = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
import pandas as pd
from skmob import TrajDataFrame
from skmob.privacy import attacks
name, rows = json.load(sys.stdin)
start, minute = pd.Timestamp("2026-01-01"), pd.Timedelta(minutes=1)
points = [(u, float(p), 0.0, start + at * minute) for u, row in enumerate(rows) for at, p in enumerate(row)]
frame = TrajDataFrame(pd.DataFrame(points, columns=["uid", "lat", "lng", "datetime"]))
attack = getattr(attacks, name)(knowledge_length=2)
begun = time.perf_counter()
risks = attack.assess_risk(frame)["risk"].tolist()
print(json.dumps([time.perf_counter() - begun, risks]))
"""


def measure(case):
    return beside_peers(case) if "attack" in case else at_scale(case)


def beside_peers(case):
    import numpy as np

    from sfumato import Trajectories
    from sfumato.attacks import Audit

    sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
    import oracles

    rows = np.random.default_rng(SEED).integers(0, 12, (20, 10)).tolist()
    data = Trajectories.from_lists([[f"{place:02}" for place in row] for row in rows], persons=list(range(20)))
    audit = Audit(known=2, ordered=case["ordered"])
    audit.run(data)
    fast, found = median_seconds(lambda: audit.run(data), 21)
    ours = found.people["risk_worst"].to_list()
    read = rows if case["ordered"] else [sorted(set(row)) for row in rows]
    slow, twin = seconds_of(lambda: [oracles.risks(read, range(20), known) for known in (1, 2, 3, 4)][1])
    row = {
        "data": case["data"],
        "people": 20,
        "ordered": case["ordered"],
        "audit, seconds": fast,
        "twin / audit": slow / fast,
        "same risks": np.allclose(ours, [1 / twin[who][0] for who in range(20)]),
    }
    peer = asked_of_peer(case["attack"], rows)
    if peer is None:
        return row | {"peer": "not installed"}
    seconds, risks = peer
    same = bool(row["same risks"] and np.allclose(ours, risks))
    return row | {"peer": case["attack"], "peer, seconds": seconds, "peer / audit": seconds / fast, "same risks": same}


def asked_of_peer(attack: str, rows: list[list[int]]) -> tuple[float, list[float]] | None:
    python = os.environ.get("SKMOB_PYTHON", sys.executable)
    if subprocess.run([python, "-W", "ignore", "-c", "import skmob"], capture_output=True, check=False).returncode:
        return None
    told = json.dumps([attack, rows])
    done = subprocess.run([python, "-c", PEER], input=told, stdout=subprocess.PIPE, text=True, check=True)
    seconds, risks = json.loads(done.stdout.splitlines()[-1])
    return seconds, risks


def at_scale(case):
    from sfumato.attacks import Audit
    from sfumato.attacks.audit.known_points import KnowablePoints
    from sfumato.attacks.audit.risks import exact_risks

    audit = Audit(known=2, ordered=case["ordered"])
    audit.run(make(trajectories=500, locations=100))
    data = make(locations=2_000, **case["town"])
    pairs, risks = median_seconds(
        lambda: exact_risks(KnowablePoints.of(data, ordered=audit.ordered), 2, audit.budget), 3
    )
    assert risks is not None
    seconds, found = median_seconds(lambda: audit.run(data), 1)
    return {
        "data": case["data"],
        "people": len(found.knowable),
        "ordered": case["ordered"],
        "audit, seconds": seconds,
        **facts(data),
        "visits": len(data.codes),
        "2 known alone, seconds": pairs,
        "exact": all(risks.exact for risks in found.risks),
        "unique": found.figure("unique_worst"),
        "peak MB": peak_mb(),
    }


def judge(rows):
    small, large = [row for row in rows if row["people"] == 20], [row for row in rows if row["people"] > 20]
    pairs = max(row["2 known alone, seconds"] for row in large)
    judged = [
        Judged("the risks are the same", all(row["same risks"] for row in small)),
        Judged(f"2 known visits of 100,000 people: at most {pairs:.1f} s, exact: under 5 s", pairs < 5),
    ]
    ratios = [row["peer / audit"] for row in small if "peer / audit" in row]
    if ratios:
        judged.append(Judged(f"at least {min(ratios):,.0f} times faster than the peer: 1,000", min(ratios) >= 1000))
    return judged
