"""KmSplit and KmSuppress take at most twice as long as SeqAnon, all three with k=5 and m=2 in one process, at 86,061
trajectories and 662 locations; and at most a minute of processor time and 2 GB at 1,000,000 trajectories and 2,000
locations.  Warm, verification included.
"""

from __future__ import annotations

from benchmarks.inputs import SIZES, facts, make, warm_up
from benchmarks.measure import Judged, median_taken, peak_mb

CASES = [
    {"method": method, "data": size, "beside": size == "check-ins"}
    for size in ("check-ins", "million")
    for method in ("KmSplit", "KmSuppress")
]


def measure(case):
    import sfumato

    method = getattr(sfumato, case["method"])(k=5, m=2)
    data = make(**SIZES[case["data"]])
    warm_up(method)
    taken, release = median_taken(lambda: method.anonymize(data), 5 if case["beside"] else 1)
    row = {
        "method": case["method"],
        **facts(data),
        "visits kept": len(release.origin) / len(data.codes),
        "published records": len(release.data),
        "promise holds": release.holds,
        "CPU seconds": taken.cpu,
        "peak MB": peak_mb(),
    }
    if case["beside"]:
        seqanon = sfumato.SeqAnon(k=5, m=2)
        warm_up(seqanon)
        other, _ = median_taken(lambda: seqanon.anonymize(data), 5)
        row |= {"CPU seconds of SeqAnon": other.cpu, "ratio": taken.cpu / other.cpu}
    return row


def judge(rows):
    most = max(row["ratio"] for row in rows if "ratio" in row)
    large = [row for row in rows if row["trajectories"] == 1_000_000]
    slowest, peak = max(row["CPU seconds"] for row in large), max(row["peak MB"] for row in large)
    return [
        Judged("every promise holds", all(row["promise holds"] for row in rows)),
        Judged(f"at most {most:.2f} times as long as SeqAnon: within 2", most <= 2),
        Judged(f"a million trajectories in {slowest:.0f} CPU s: under a minute", slowest < 60),
        Judged(f"a million trajectories in {peak:,.0f} MB: under 2 GB", peak < 2_000),
    ]
