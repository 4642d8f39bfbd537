"""`python causes.py DATA FOLDER [RECORDS]`: try the causes of what differs from the paper.  Written are findings.json.

DATA has BMS-WebView-2.dat.  RECORDS is the largest number of generated baskets (20,000).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from replications.cause_tools import Causes, anonymized, generated, measured, processor_seconds
from sfumato import read


def main(data: str, out: str, records: str = "20000") -> None:
    causes, size = Causes(), int(records)
    more_records(causes, size)
    occurrences(causes, size // 4)
    cluster_sizes(causes, Path(data) / "BMS-WebView-2.dat", size // 4)
    causes.write(out)


def baskets(records: int, seed: int = 1, **given: Any) -> Any:
    return generated("baskets", seed, records=records, **given)


def more_records(causes: Causes, size: int) -> None:
    """Figures 8a to 8d with the same items and ever more records: does it go towards what the paper has?"""
    lines: dict[str, list[float]] = {"tkd": [], "tlost": [], "re-a": []}
    sizes = (size // 16, size // 4, size)
    for records in sizes:
        data = baskets(records)
        release = anonymized("disassociate", data, k=5, m=2)
        for name, line in lines.items():
            line.append(measured(name, data, release))
    words = "; ".join(f"{name} {', '.join(f'{value:.3f}' for value in line)}" for name, line in lines.items())
    causes.check(
        "more-records",
        "The more records, the fewer frequent itemsets and items are lost, and the smaller the error of pairs.",
        all(line[0] >= line[1] >= line[2] and line[0] > line[2] for line in lines.values()),
        f"With {', '.join(f'{records:,}' for records in sizes)} records of 5,000 items: {words}.",
    )


def occurrences(causes: Causes, size: int) -> None:
    """Figure 10b: more items with the same number of occurrences, and more occurrences with the same items."""
    spent = {
        "2,000 items": processor_seconds(_run(baskets(size, items=2000))),
        "8,000 items": processor_seconds(_run(baskets(size, items=8000))),
        "2,000 items, records twice as long": processor_seconds(_run(baskets(size, items=2000, mean_size=20.0))),
    }
    few, many, long = spent.values()
    words = ", ".join(f"{name} {value:.3f} s" for name, value in spent.items())
    causes.check(
        "occurrences",
        "Four times as many items do not take longer; records twice as long do.",
        many <= 1.1 * few < long,
        f"{size:,} records: {words}.",
    )


def _run(data: Any) -> Any:
    return lambda: anonymized("disassociate", data, k=5, m=2)


def cluster_sizes(causes: Causes, file: Path, size: int) -> None:
    """Figure 11c: the error of the 20 most frequent items, by the largest cluster size."""
    data = read(file, kind="transactions")
    data = data.take(np.sort(np.random.default_rng(1).permutation(len(data))[:size]))
    found = {}
    for most in (20, 50, 200):
        release = anonymized("disassociate", data, k=5, m=2, max_cluster_size=most)
        found[most] = measured("re", data, release, first=0, number=20)
    words = ", ".join(f"{value:.3f} in clusters of at most {most}" for most, value in found.items())
    causes.check(
        "cluster-size",
        "The error of pairs of frequent items changes by at least a quarter with the largest cluster size.",
        max(found.values()) >= 1.25 * min(found.values()),
        f"re of the 20 most frequent items: {words}.",
    )


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
