"""Incognito finds the best of 6,480 full-domain generalizations of Adult (30,162 rows, 8 quasi-identifiers, k=5, 5%
suppression) in under 3 s, and at least 50 times faster than its literal twin on 1,000 rows, with the same choice;
it takes a table of 1,000,000 rows and 8 quasi-identifiers in under 3 CPU s, TopDown and BottomUp in under 15, all in
under 2 GB: from a table in memory to a release whose promise is verified.  Where TABLE_DATA names a directory with
adult.csv and its hierarchies, Adult is measured, and rows drawn from it; otherwise a generated table of its shape.  The
last case is always generated: 865,235 of its rows are distinct.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from benchmarks.inputs import SEED
from benchmarks.measure import Judged, median_taken, peak_mb, taken_by

ADULT = Path(os.environ.get("TABLE_DATA", "nowhere")) / "adult.csv"
METHODS = ("incognito", "top-down", "bottom-up")
CASES = [
    {"rows": 1_000, "method": "incognito"},
    *({"rows": 30_162, "method": method} for method in METHODS),
    *({"rows": 1_000_000, "method": method} for method in METHODS),
    {"rows": 1_000_000, "method": "incognito", "generated": True},
]
# leaves and the fan-outs above them, as Adult's: 5 x 2 x 2 x 3 x 4 x 3 x 3 x 3 combinations of levels
SHAPE = {
    "sex": (2, (2,)),
    "age": (100, (5, 2, 2, 5)),
    "race": (5, (5,)),
    "marital-status": (7, (4, 2)),
    "education": (16, (3, 3, 2)),
    "native-country": (41, (10, 5)),
    "workclass": (8, (3, 3)),
    "occupation": (14, (4, 4)),
}


def tree(name, leaves, fanouts):
    from sfumato import Taxonomy

    paths, level = [[f"{name} {leaf}"] for leaf in range(leaves)], list(range(leaves))
    for step, fanout in enumerate(fanouts, start=1):
        level = [node // fanout for node in level] if step < len(fanouts) else [0] * leaves
        for path, node in zip(paths, level, strict=True):
            path.append(f"{name} {step}.{node}")
    return Taxonomy.from_paths(paths)


def generated(rows):
    """Skewed values that hang together: a hidden type of person shifts every column."""
    import numpy as np
    import polars as pl

    from sfumato import Table

    rng = np.random.default_rng(SEED)
    kind = rng.integers(0, 40, rows)
    frame, trees = {}, {}
    for name, (leaves, fanouts) in SHAPE.items():
        skewed = rng.zipf(1.6, rows) + kind * 7
        frame[name] = pl.Series([f"{name} {leaf}" for leaf in range(leaves)]).gather(skewed % leaves)
        trees[name] = tree(name, leaves, fanouts)
    return Table(frame, hierarchies=trees)


def adult(rows):
    """Adult, or rows drawn from it of which every tenth cell is drawn anew."""
    import numpy as np
    import polars as pl

    from sfumato import Table, read

    whole = read(ADULT, kind="table", hierarchies=ADULT.parent, sensitive=("salary-class",))
    if rows == len(whole):
        return whole
    rng = np.random.default_rng(SEED)
    frame = whole.frame[rng.integers(0, len(whole), rows)]
    for name in frame.columns:
        other = whole.frame[name].gather(rng.integers(0, len(whole), rows))
        anew = pl.Series(rng.random(rows) < 0.1)
        frame = frame.with_columns(pl.when(anew).then(other).otherwise(frame[name]).alias(name))
    return Table(frame, sensitive=whole.sensitive, hierarchies=whole.hierarchies)


def measure(case):
    from sfumato.catalogue import method_class
    from sfumato.utility.tables import Ncp

    real = ADULT.exists() and case["rows"] > 1_000 and "generated" not in case
    method = method_class(case["method"])(k=5, suppression=0.05)
    method.anonymize(generated(300))  # compiles
    data = (adult if real else generated)(case["rows"])
    taken, release = median_taken(lambda: method.anonymize(data), 3)
    row = {
        "data": "Adult" if real else "generated",
        "method": case["method"],
        "rows": len(data),
        **taken.columns,
        "holds": release.holds,
        "suppressed": release.counts["suppressed_records"],
        "NCP": Ncp()(data, release).value,
        "peak MB": peak_mb(),
    }
    if case["rows"] > 1_000:
        return row
    sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
    from twins.tables import full_domain

    slow, (_, best) = taken_by(lambda: full_domain(data, 5, 50, "ncp"))
    same = best[1] == row["suppressed"] and abs(float(best[0]) - row["NCP"]) < 1e-12
    return row | {"twin, seconds": slow.clock, "twin / method": slow.cpu / taken.cpu, "same choice": same}


def judge(rows):
    twin = rows[0]
    optimum = next(row for row in rows if row["rows"] == 30_162 and row["method"] == "incognito")
    million = [row for row in rows if row["rows"] == 1_000_000]
    slowest, largest = max(row["CPU seconds"] for row in million), max(row["peak MB"] for row in million)
    return [
        Judged(f"Incognito's optimum takes {optimum['CPU seconds']:.2f} s", optimum["CPU seconds"] < 3),
        Judged(
            f"on 1,000 rows, {twin['twin / method']:,.0f} times faster than its literal twin, and chooses the same",
            twin["same choice"] and twin["twin / method"] > 50,
        ),
        *(
            Judged(
                f"Incognito takes 1,000,000 rows ({row['data']}) in {row['CPU seconds']:.1f} s", row["CPU seconds"] < 3
            )
            for row in million
            if row["method"] == "incognito"
        ),
        Judged(
            f"1,000,000 rows take at most {slowest:.0f} s and {largest:,} MB",
            slowest < 15 and largest < 2_000,
        ),
        Judged("every release keeps its promise", all(row["holds"] for row in rows)),
    ]
