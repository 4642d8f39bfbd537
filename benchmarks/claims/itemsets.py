"""FrequentItemsets takes at most as long as the faster of fpgrowth and eclat of pyfim (in C), with the same counts, for
all, closed and maximal itemsets of three public datasets (BMS-WebView-1 and 2, retail) and two generated ones: a dense
one like mushroom (22 attributes with one value each) and a sparse one like T10I4D100K (baskets of ten items made of
overlapping itemsets of four).  The peer runs in the Python that MINING_PYTHON names in the environment; MINING_DATA
names a folder with BMS1.dat, BMS-WebView-2.dat and retail.dat somewhere in it.  What is not there stays empty.

Timed is the processor time from records in memory to sets in memory, without reading a file, as users call each: ours
from Transactions to the sorted frame of names (`mine`), the peer's from a list of tuples of whole numbers, which it
reads faster than texts, to its unsorted list of tuples.  Beside it, without names and Python objects: our sorted arrays
(`find`), and the peer when it only counts the sets of each size and support, keeping none (`report="="`).  Medians of
runs that alternate in three rounds.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.measure import Judged, taken_by

SUPPORTS = {"BMS1.dat": 36, "BMS-WebView-2.dat": 40, "retail.dat": 20, "dense": 400, "sparse": 100}

CASES = [
    {"data": data, "support": support, "keep": keep, "runs": 3}
    for data, support in SUPPORTS.items()
    for keep in ("all", "closed", "maximal")
]

ROUNDS = 3

PEER = """
import fim, json, sys, time
path, support, target, runs = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
rows = [tuple(map(int, line.split())) for line in open(path)]
found = {}
for name in ("fpgrowth", "eclat"):
    for report in ("a", "="):
        every = []
        for _ in range(runs):
            begun = time.process_time()
            sets = getattr(fim, name)(rows, target=target, supp=-support, report=report)
            every.append(time.process_time() - begun)
            count = len(sets) if report == "a" else sum(number for *_, number in sets)
        found[name + report] = [every, count]
print(json.dumps(found))
"""


def measure(case):
    with tempfile.TemporaryDirectory() as folder:
        return beside_pyfim(case, Path(folder))


def beside_pyfim(case, scratch: Path):
    from sfumato import Transactions, read
    from sfumato.mining import FrequentItemsets

    row = {"data": case["data"], "support": case["support"], "keep": case["keep"]}
    path = file_of(case["data"], scratch)
    if path is None:
        return row | {"records": None}
    miner = FrequentItemsets(support=case["support"], keep=case["keep"])
    miner.mine(Transactions.from_lists([["a", "b"]] * 40))
    data = read(path)
    ours, arrays, theirs, counts = [], [], {}, set()
    for _ in range(ROUNDS):
        for _ in range(case["runs"]):
            taken, found = taken_by(lambda: miner.mine(data))
            ours.append(taken.cpu)
            arrays.append(taken_by(lambda: miner.find(data))[0].cpu)
        peer = asked_of_pyfim(path, case)
        for name, (seconds, count) in peer.items():
            theirs.setdefault(name, []).extend(seconds)
            counts.add(count)
    row |= {
        "records": len(data),
        "sets": len(found),
        "mine, CPU seconds": statistics.median(ours),
        "find, CPU seconds": statistics.median(arrays),
    }
    if not theirs:
        return row
    medians = {name: statistics.median(every) for name, every in theirs.items()}
    tuples, counted = (min(medians[f"{name}{report}"] for name in ("fpgrowth", "eclat")) for report in "a=")
    return row | {
        "pyfim fpgrowth, CPU seconds": medians["fpgrowtha"],
        "pyfim eclat, CPU seconds": medians["eclata"],
        "pyfim that only counts, CPU seconds": counted,
        "mine / pyfim": statistics.median(ours) / tuples,
        "find / only counts": statistics.median(arrays) / counted,
        "same count": counts == {len(found)},
    }


def file_of(name: str, scratch: Path) -> Path | None:
    """The file of a public dataset, or a generated one; nothing if it is not at hand."""
    made = {"dense": dense_baskets, "sparse": sparse_baskets}.get(name)
    if made is not None:
        path = scratch / f"{name}.dat"
        path.write_text("".join(" ".join(map(str, basket)) + "\n" for basket in made(np.random.default_rng(1))))
        return path
    folder = os.environ.get("MINING_DATA")
    return next(iter(sorted(Path(folder).rglob(name))), None) if folder else None


def dense_baskets(rng: np.random.Generator) -> list[list[int]]:
    """8,124 records with a value of each of 22 attributes, skewed in each of 6 classes of records."""
    sizes = (2, 6, 4, 10, 2, 9, 2, 2, 2, 12, 2, 5, 4, 4, 9, 9, 4, 3, 5, 9, 6, 7)
    classes, columns, first = rng.integers(6, size=8_124), [], 0
    for size in sizes:
        steps = rng.dirichlet(np.full(size, 0.25), 6).cumsum(axis=1)
        values = (rng.random(len(classes))[:, None] > steps[classes]).sum(axis=1)
        columns.append(first + np.minimum(values, size - 1))
        first += size
    return np.column_stack(columns).tolist()


def sparse_baskets(rng: np.random.Generator) -> list[list[int]]:
    """100,000 baskets of about ten of 870 items, filled from 1,000 itemsets, of which a part is left out each time."""
    weights, sets = (
        rng.exponential(1, 1_000),
        [rng.choice(870, 1 + rng.poisson(3), replace=False) for _ in range(1_000)],
    )
    for one, other in pairwise(sets):  # neighbours overlap
        common = min(len(one), len(other) // 2)
        other[:common] = one[:common]
    chosen = rng.choice(1_000, size=(100_000, 8), p=weights / weights.sum())
    baskets = []
    for row, size in zip(chosen, 1 + rng.poisson(9, 100_000), strict=True):
        basket: set[int] = set()
        for number in row:
            if len(basket) < size:
                basket.update(int(item) for item in sets[number] if rng.random() < 0.7)
        baskets.append(sorted(basket) or [0])
    return baskets


def asked_of_pyfim(path: Path, case):
    python = os.environ.get("MINING_PYTHON", sys.executable)
    if subprocess.run([python, "-c", "import fim"], capture_output=True, check=False).returncode:
        return {}
    target = {"all": "s", "closed": "c", "maximal": "m"}[case["keep"]]
    command = [python, "-c", PEER, str(path), str(case["support"]), target, str(case["runs"])]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def judge(rows):
    compared = [row for row in rows if "mine / pyfim" in row]
    if not compared:
        return []
    worst = {
        keep: max(row["mine / pyfim"] for row in compared if row["keep"] == keep)
        for keep in ("all", "closed", "maximal")
    }
    return [
        *(
            Judged(f"{keep}: at most {ratio:.2f} times the time of the faster: within 1", ratio <= 1)
            for keep, ratio in worst.items()
        ),
        Judged("the counts are the same", all(row["same count"] for row in compared)),
    ]
