"""`python datasets.py DATA FOLDER [RECORDS]`: Figure 7a, three datasets, and 7d, averages over reconstructions.

DATA has BMS1.dat, BMS-WebView-2.dat and retail.dat.  The paper's POS is not public; retail baskets of its 1,657 most
frequent items stand in for it, so that a dataset has as many items as POS.  k = 5, m = 2, clusters of at most 100
records.  RECORDS draws so many of each.  Written are findings.json and pictures.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import numpy as np

from replications.findings import Findings
from sfumato import Transactions, read
from sfumato.catalogue import MEASURES, METHODS
from sfumato.experiments.definition.experiment import Expectation

POS_ITEMS = 1_657
NAMES = {"retail": "retail.dat", "WV1": "BMS1.dat", "WV2": "BMS-WebView-2.dat"}
SIMILAR, BETTER = 0.2, 1.5  # how far apart shares are that are alike, and how many times smaller a much better one is
RANGES, RECONSTRUCTIONS = (0, 100, 200, 300, 400), (1, 2, 5, 10)


def main(data: str, out: str, records: str = "") -> None:
    releases = {}
    for name, file in NAMES.items():
        baskets = read(Path(data) / file, kind="transactions")
        if name == "retail":
            baskets = frequent_items(baskets, POS_ITEMS)
        if records:
            drawn = np.random.default_rng(1).permutation(len(baskets))[: int(records)]
            baskets = baskets.take(np.sort(drawn))
        method = METHODS.choose("disassociate").from_json({"k": 5, "m": 2, "max_cluster_size": 100})
        releases[name] = (baskets, method.anonymize(baskets, seed=1))
    findings = Findings()
    seven_a(findings, releases)
    seven_d(findings, *releases["retail"])
    findings.write(out)


def frequent_items(baskets: Transactions, most: int) -> Transactions:
    """The baskets without all but the most frequent items; baskets left empty are dropped."""
    rows = baskets.to_lists()
    counts = Counter(item for row in rows for item in set(row))
    kept = {item for item, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:most]}
    left = [[item for item in row if item in kept] for row in rows]
    return Transactions.from_lists([row for row in left if row])


def measured(name: str, original: Transactions, release: object, **parameters: int) -> float:
    return float(MEASURES.choose(name).from_json(parameters)(original, release).value)


def seven_a(findings: Findings, releases: dict[str, tuple[Transactions, object]]) -> None:
    measures = ("tkd", "tkd-a", "re", "re-a", "tlost")
    figures = {name: {m: measured(m, *pair) for m in measures} for name, pair in releases.items()}
    ratio = {
        name: len(pair[0]) / len({item for row in pair[0].to_lists() for item in row})
        for name, pair in releases.items()
    }
    words = "; ".join(
        f"{name} ({ratio[name]:.0f} records an item): " + ", ".join(f"{m} {figures[name][m]:.3f}" for m in measures)
        for name in figures
    )
    lost = [figures[name]["tkd-a"] for name in figures]
    gain = {name: _times(row["tkd-a"], row["tkd"]) for name, row in figures.items()}
    pairs = {name: _times(row["re-a"], row["re"]) for name, row in figures.items()}
    dense = sorted(ratio, key=lambda name: -ratio[name])
    for claim, holds in (
        ("tKd-a is similar on all datasets.", max(lost) - min(lost) <= SIMILAR),
        (
            "A reconstruction (tKd) is much better than that on the largest dataset with the longest records only.",
            gain["retail"] >= BETTER and gain["WV1"] < BETTER and gain["WV2"] < BETTER,
        ),
        (
            "re is much better than re-a on the two datasets that have more records an item.",
            all(pairs[name] > pairs[dense[2]] for name in dense[:2]),
        ),
        ("re is the smaller, the more records an item there are.", _falls([figures[name]["re"] for name in dense])),
    ):
        findings.add("7a", claim, "holds" if holds else "does not hold", "")
    findings.judge(
        "7a",
        {m: {name: figures[name][m] for name in figures} for m in measures},
        [],
        title="Figure 7a: three datasets, k = 5",
        x="dataset",
        y="share or relative error",
    )
    findings.add("7a", "", "measured", f"{words}.")


def seven_d(findings: Findings, original: Transactions, release: object) -> None:
    lines = {
        f"re-r{many}": {first: measured("re", original, release, first=first, reconstructions=many) for first in RANGES}
        for many in RECONSTRUCTIONS
    }
    findings.judge(
        "7d",
        lines,
        [
            (
                "For the most frequent items an average over reconstructions changes nothing (read as: within 10%).",
                Expectation("equal", ("re-r1", "re-r2", "re-r5", "re-r10"), within=0.1, end=0),
            ),
            (
                "For less frequent items, the more reconstructions, the smaller the error.",
                Expectation("ordering", ("re-r10", "re-r5", "re-r2", "re-r1"), better="lower", start=200),
            ),
        ],
        title="Figure 7d: averages over reconstructions",
        x="first item",
        y="re",
    )


def _times(many: float, few: float) -> float:
    return many / few if few else float("inf")


def _falls(values: list[float]) -> bool:
    """Whether the values rise from the densest dataset to the sparsest."""
    return values == sorted(values)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
