"""SeqAnon in rounds, as on Spark where the visits do not fit its driver, publishes at least 0.8 times as many labels as
SeqAnon with one merge at a time, at a mean displacement of at most 1.25 times, and counts all patterns at most 20
times.  On one machine, verification included; a pass is one count of patterns, of those that open a size and of the one
that finds nothing rare as well.
"""

from __future__ import annotations

from benchmarks.inputs import SIZES, facts, make, warm_up
from benchmarks.measure import Judged, taken_by

CASES = [
    {"data": "grid", "k": 5, "m": 2},
    {"data": "check-ins", "k": 5, "m": 2},
    {"data": "check-ins", "k": 25, "m": 2},
    {"data": "check-ins", "k": 5, "m": 3},
    {"data": "million", "k": 5, "m": 2},
]
FEWER, FARTHER, PASSES = 0.8, 1.25, 20


def measure(case):
    from sfumato import SeqAnon
    from sfumato.methods.trajectories.seqanon.rounds import DatasetCounts
    from sfumato.utility.places.generalization import Displacement

    passes = 0

    class Watched(DatasetCounts):
        def count(self, *given):
            nonlocal passes
            passes += 1
            return super().count(*given)

    import sfumato.methods.trajectories.seqanon.location_merging as merging

    merging.DatasetCounts = Watched
    data, promise = make(**SIZES[case["data"]]), {"k": case["k"], "m": case["m"]}
    for rounds in (False, True):
        warm_up(SeqAnon(**promise, rounds=rounds))
    alone, release = taken_by(lambda: SeqAnon(**promise).anonymize(data))
    passes = 0
    together, in_rounds = taken_by(lambda: SeqAnon(**promise, rounds=True).anonymize(data))
    return {
        **facts(data),
        **promise,
        "labels": len(release.data.names),
        "in rounds": len(in_rounds.data.names),
        "displacement": Displacement()(data, release).value,
        "its in rounds": Displacement()(data, in_rounds).value,
        "passes": passes,
        "CPU seconds": alone.cpu,
        "its CPU seconds": together.cpu,
        "holds": release.holds and in_rounds.holds,
    }


def judge(rows):
    fewest = min(row["in rounds"] / row["labels"] for row in rows)
    farthest = max(row["its in rounds"] / row["displacement"] for row in rows)
    most = max(row["passes"] for row in rows)
    return [
        Judged("every promise holds", all(row["holds"] for row in rows)),
        Judged(f"at least {fewest:.2f} times as many labels: {FEWER}", fewest >= FEWER),
        Judged(f"displacement at most {farthest:.2f} times as large: {FARTHER}", farthest <= FARTHER),
        Judged(f"at most {most} passes: {PASSES}", most <= PASSES),
    ]
