"""SeqAnon (k=5, m=2) is linear in the number of trajectories from 100,000 to 1,000,000: the time per trajectory
stays within 1.5 times that at 100,000.
"""

from __future__ import annotations

from benchmarks.inputs import SIZES, facts, make, warm_up
from benchmarks.measure import Judged, median_taken, peak_mb

CASES = [{"trajectories": number} for number in (100_000, 250_000, 500_000, 1_000_000)]


def measure(case):
    from sfumato import SeqAnon

    method = SeqAnon(k=5, m=2)
    warm_up(method)
    data = make(**{**SIZES["million"], **case})
    taken, release = median_taken(lambda: method.anonymize(data), 3)
    return {
        **facts(data),
        "visits": len(data.codes),
        **taken.columns,
        "CPU microseconds per trajectory": taken.cpu / len(data) * 1e6,
        "labels left": len(release.data.names),
        "peak MB": peak_mb(),
    }


def judge(rows):
    each = [row["CPU microseconds per trajectory"] for row in rows]
    growth = max(each) / each[0]
    return [Judged(f"at most {growth:.2f} times the time per trajectory at 100,000", growth <= 1.5)]
