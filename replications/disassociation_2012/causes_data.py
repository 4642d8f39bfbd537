"""`python causes_data.py DATA FOLDER [RECORDS]`: what the length of records and the dataset change.

DATA has retail.dat.  RECORDS is the number of records that are taken (80,000).  Written are
findings.json.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import numpy as np

from replications.cause_tools import Causes, anonymized, generated, measured
from sfumato import read


def main(data: str, out: str, records: str = "80000") -> None:
    causes, size = Causes(), int(records)
    length(causes, size // 4)
    datasets(causes, Path(data), size)
    causes.write(out)


def length(causes: Causes, size: int) -> None:
    """Figure 8d: longer records, where an item has as many records as in the paper, and where it has few."""
    lines: dict[int, list[list[float]]] = {}
    for many in (200, 10):
        lines[many] = []
        for mean in (4.0, 8.0, 16.0):
            baskets = generated("baskets", records=size, items=max(20, size // many), mean_size=mean)
            release = anonymized("disassociate", baskets, k=5, m=2)
            lines[many].append([measured(name, baskets, release) for name in ("tkd-a", "re")])
    words = "; ".join(
        f"{many} records an item: tKd-a {', '.join(f'{lost:.3f}' for lost, _ in line)}, "
        f"re {', '.join(f'{error:.3f}' for _, error in line)}"
        for many, line in lines.items()
    )
    dense, sparse = lines.values()
    causes.check(
        "length",
        "With 200 records an item, as in the paper, tKd-a grows and re falls, the longer the records; with 10 records "
        "an item, as in baskets_length.toml, tKd-a falls.",
        dense == sorted(dense)
        and [re for _, re in dense] == sorted((re for _, re in dense), reverse=True)
        and sparse[0][0] > sparse[2][0],
        f"{size:,} records of 4, 8 and 16 items; {words}.",
    )


def datasets(causes: Causes, folder: Path, size: int) -> None:
    """Figure 11c: the error of pairs of the 20 most frequent items, the more records there are."""
    frequent_items = runpy.run_path(str(Path(__file__).with_name("datasets.py")))["frequent_items"]
    baskets = frequent_items(read(folder / "retail.dat", kind="transactions"), 1_657)
    order = np.random.default_rng(1).permutation(len(baskets))
    errors = {}
    for many in sorted({size // 16, size // 4, size}):
        some = baskets.take(np.sort(order[:many]))
        errors[len(some)] = measured("re", some, anonymized("disassociate", some, k=5, m=2), first=0, number=20)
    line = list(errors.values())
    words = ", ".join(f"{error:.3f} of {many:,}" for many, error in errors.items())
    causes.check(
        "error-of-pairs",
        "The more records, the smaller the error of pairs of the 20 most frequent items, down to the paper's 0.18.",
        line == sorted(line, reverse=True) and line[-1] <= 0.18,
        f"Retail baskets with as many items as POS (515,597 records): {words} records.",
    )


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
