"""`python causes.py DATA FOLDER [RECORDS]`: try the cause of what differs from what was expected.

DATA has BMS-WebView-2.dat with its hierarchy.  RECORDS is the number of click streams (10,000).  Written are
findings.json.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from replications.cause_tools import Causes, anonymized, measured
from sfumato import read
from sfumato.io import read_taxonomy

PARTS = (1, 2, 4, 8)


def main(data: str, out: str, records: str = "10000") -> None:
    causes, size = Causes(), int(records)
    taxonomy = read_taxonomy(Path(data) / "BMS-WebView-2_item_hierarchy.csv")
    clicks = read(Path(data) / "BMS-WebView-2.dat", kind="transactions", taxonomy=taxonomy)
    clicks = clicks.take(np.sort(np.random.default_rng(1).permutation(len(clicks))[:size]))
    lost = {many: measured("ul", clicks, anonymized("lra", clicks, k=5, m=2, parts=many)) for many in PARTS}
    one = measured("ul", clicks, anonymized("apriori", clicks, k=5, m=2))
    words = ", ".join(f"{value:.3f} in {many}" for many, value in lost.items())
    line = list(lost.values())
    causes.check(
        "parts",
        "On click streams LRA loses as much as Apriori in one part, and more in two and more, since an item is rarer "
        "in a part than in all records.",
        abs(line[0] - one) < 0.01 and all(value > line[0] for value in line[1:]),
        f"{len(clicks):,} click streams, k = 5: UL of LRA {words} parts; of Apriori {one:.3f}.",
    )
    causes.write(out)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
