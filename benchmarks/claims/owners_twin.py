"""Gsup, Lsup, Split and Mix are at least 100 times faster than their literal twins (tests/twins/projections.py, which
compute every gain anew in every loop, as the paper's listings do) at 2,000 trajectories, with the same output.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.inputs import SEED, facts
from benchmarks.measure import Judged, median_taken, taken_by

CASES = [{"method": name, "trajectories": 2_000, "batch": 10} for name in ("gsup", "lsup", "split", "mix")]


def measure(case):
    import numpy as np

    sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
    from sfumato.catalogue import method_class
    from sfumato.generate import City
    from twins import projections as twin

    whole = City(owners=4).make(seed=SEED)
    data = whole.take(np.sort(np.random.default_rng(SEED).permutation(len(whole))[: case["trajectories"]]))
    method = method_class(case["method"])(threshold=0.5, batch=case["batch"])
    method.anonymize(data)
    fast, release = median_taken(lambda: method.anonymize(data), 5)
    literal = {
        "gsup": lambda rows: twin.gsup(rows, method.batch),
        "lsup": lambda rows: twin.lsup(rows, method.batch),
        "split": lambda rows: twin.split(rows, method.batch, method.candidates),
        "mix": lambda rows: twin.split(rows, method.batch, method.candidates, mixed=True),
    }[case["method"]]
    slow, expected = taken_by(lambda: literal(twin.Dataset(data.to_lists(), None, data.owners, 0.5)))
    return {
        "method": case["method"],
        **facts(data),
        "changes": release.counts["changes"],
        "literal twin, CPU seconds": slow.cpu,
        "CPU seconds": fast.cpu,
        "ratio": slow.cpu / fast.cpu,
        "same output": release.data.to_lists() == expected.rows(),
    }


def judge(rows):
    return [
        Judged("the outputs are the same", all(row["same output"] for row in rows)),
        Judged("at least 100 times faster", all(row["ratio"] >= 100 for row in rows)),
    ]
