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
    """Figure 8d: longer records, with as many records and with as many occurrences."""
    lost = {}
    for words, times in (("as many records", 1), ("as many occurrences", 4)):
        line = []
        for mean in (4, 16):
            many = size if mean == 4 else size // times
            baskets = generated("baskets", records=many, items=max(40, size // 4), mean_size=float(mean))
            line.append(measured("tlost", baskets, anonymized("disassociate", baskets, k=5, m=2)))
        lost[words] = line
    words = "; ".join(f"with {name} {line[0]:.3f} and {line[1]:.3f}" for name, line in lost.items())
    causes.check(
        "length",
        "Longer records lose fewer items where they are as many, since each item occurs more often; where items occur "
        "as often as before they lose more, as in the paper.",
        lost["as many records"][1] < lost["as many records"][0]
        and lost["as many occurrences"][1] > lost["as many occurrences"][0],
        f"tlost of records of 4 and of 16 items: {words}.",
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
