"""The audit of a table of 1,000,000 rows and 10 quasi-identifiers is exact in under 10 s of processor time and 2 GB:
classes, attackers, attribute disclosure, and the minimal sample uniques of all 175 sets of up to 3 columns.  Counting
the same sets with polars' group_by, which gives uniques only and not the minimal ones, takes longer and finds the same
numbers.  On 150 rows the counts are those of the literal twin (tests/twins/table_risks.py), at least 100 times faster.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.inputs import SEED
from benchmarks.measure import Judged, median_taken, peak_mb, taken_by

CASES = [
    {"rows": 150, "beside": "twin"},
    {"rows": 100_000, "beside": "polars"},
    {"rows": 1_000_000, "beside": "nothing"},
    {"rows": 1_000_000, "beside": "polars"},
]
VALUES = (2, 5, 7, 16, 41, 100, 366, 1_000, 5_000, 20_000)


def generated(rows, columns=10):
    """Skewed columns with few to many values, and a sensitive one."""
    import numpy as np

    from sfumato import Table

    rng = np.random.default_rng(SEED)
    frame = {f"{n} values": (rng.zipf(1.3, rows) + rng.integers(0, n, rows) // 3) % n for n in VALUES[-columns:]}
    return Table({**frame, "ill": rng.zipf(1.5, rows) % 20}, sensitive=("ill",))


def measure(case):
    from sfumato.attacks import TableAudit

    TableAudit(population_size=10**7).run(generated(2_000))  # compiles
    audit = TableAudit(population_size=10**7)
    columns = 4 if case["beside"] == "twin" else 10
    table = generated(case["rows"], columns)
    taken, risks = median_taken(lambda: audit.run(table), 5 if case["rows"] < 10**6 else 3)
    row = {
        "rows": len(table),
        "columns": columns,
        "sets": len(risks.uniques.sets),
        **taken.columns,
        "unique": risks.unique,
        "peak MB": peak_mb(),
    }
    counted = dict(zip(risks.uniques.sets, risks.uniques.unique.tolist(), strict=True))
    if case["beside"] == "twin":
        return row | beside_twin(table, risks, taken)
    if case["beside"] == "polars":
        other, uniques = taken_by(lambda: {part: uniques_by_polars(table, part) for part in counted})
        ratio = {"peer / audit": other.cpu / taken.cpu, "peer / audit, clock": other.clock / taken.clock}
        return row | {"beside": "polars", "its CPU seconds": other.cpu, **ratio, "same": uniques == counted}
    return row


def beside_twin(table, risks, taken):
    sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
    from twins import table_risks as twin

    rows = table.frame.select(table.quasi_identifiers).rows()
    other, expected = taken_by(lambda: twin.units_by_set(rows, list(range(len(rows))), 3))
    counts = zip(risks.uniques.unique.tolist(), risks.uniques.minimal.tolist(), strict=True)
    same = dict(zip(risks.uniques.sets, counts, strict=True)) == expected
    return {"beside": "twin", "its CPU seconds": other.cpu, "peer / audit": other.cpu / taken.cpu, "same": same}


def uniques_by_polars(table, part):
    import polars as pl

    names = [table.quasi_identifiers[column] for column in part]
    return int(
        table.frame.lazy().group_by(names).agg(pl.len()).filter(pl.col("len") == 1).select(pl.len()).collect().item()
    )


def judge(rows):
    compared = [row for row in rows if "beside" in row]
    twin, peers = compared[0], compared[1:]
    million = [row for row in rows if row["rows"] == 1_000_000]
    slowest, largest = max(row["CPU seconds"] for row in million), max(row["peak MB"] for row in million[:1])
    least = min(row["peer / audit"] for row in peers)
    return [
        Judged("the counts are the same", all(row["same"] for row in compared)),
        Judged(f"1,000,000 rows take {slowest:.1f} s of processor time: under 10 s", slowest < 10),
        Judged(f"1,000,000 rows take {largest:,} MB: under 2 GB", largest < 2_000),
        Judged(f"{twin['peer / audit']:,.0f} times faster than the literal twin: 100", twin["peer / audit"] > 100),
        Judged(f"polars, counting uniques alone, takes {least:.1f} times as long", least > 1),
    ]
