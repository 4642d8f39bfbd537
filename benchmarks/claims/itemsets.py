"""FrequentItemsets takes at most 4 times as long as the faster of fpgrowth and eclat of pyfim (in C) for all frequent
itemsets, with the same counts, on three public datasets: BMS-WebView-1 and 2 and retail; for closed and maximal
sets, at most 10 times.  The peer runs in the Python that MINING_PYTHON names in the environment; MINING_DATA names
a folder with BMS1.dat, BMS-WebView-2.dat and retail.dat somewhere in it.  What is not there stays empty.  Medians
of processor time; ours include the frame of names, the peer's its Python tuples.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.measure import Judged, median_taken

CASES = [
    {"data": data, "support": support, "keep": keep, "runs": 7}
    for data, support in (("BMS1.dat", 36), ("BMS-WebView-2.dat", 40), ("retail.dat", 20))
    for keep in ("all", "closed", "maximal")
]

PEER = """
import fim, json, statistics, sys, time
path, support, target, runs = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
rows = [tuple(line.split()) for line in open(path)]
found = {}
for name in ("fpgrowth", "eclat"):
    every = []
    for _ in range(runs):
        begun = time.process_time()
        sets = getattr(fim, name)(rows, target=target, supp=-support, report="a")
        every.append(time.process_time() - begun)
    found[name] = [statistics.median(every), len(sets)]
print(json.dumps(found))
"""


def measure(case):
    from sfumato import Transactions, read
    from sfumato.mining import FrequentItemsets

    row = {"data": case["data"], "support": case["support"], "keep": case["keep"]}
    folder = os.environ.get("MINING_DATA")
    path = next(iter(sorted(Path(folder).rglob(case["data"]))), None) if folder else None
    if path is None:
        return row | {"records": None}
    miner = FrequentItemsets(support=case["support"], keep=case["keep"])
    miner.mine(Transactions.from_lists([["a", "b"]] * 40))
    data = read(path)
    ours, found = median_taken(lambda: miner.mine(data), case["runs"])
    row |= {"records": len(data), "sets": len(found), "FrequentItemsets, CPU seconds": ours.cpu}
    peer = asked_of_pyfim(path, case)
    if peer is None:
        return row
    best = min(seconds for seconds, _ in peer.values())
    return row | {
        **{f"pyfim {name}, CPU seconds": seconds for name, (seconds, _) in peer.items()},
        "ours / best": ours.cpu / best,
        "same count": all(count == len(found) for _, count in peer.values()),
    }


def asked_of_pyfim(path: Path, case):
    python = os.environ.get("MINING_PYTHON", sys.executable)
    if subprocess.run([python, "-c", "import fim"], capture_output=True, check=False).returncode:
        return None
    target = {"all": "s", "closed": "c", "maximal": "m"}[case["keep"]]
    command = [python, "-c", PEER, str(path), str(case["support"]), target, str(case["runs"])]
    return json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout)


def judge(rows):
    compared = [row for row in rows if "ours / best" in row]
    if not compared:
        return []
    worst = {
        keep: max(row["ours / best"] for row in compared if row["keep"] == keep)
        for keep in ("all", "closed", "maximal")
    }
    return [
        Judged(f"all: at most {worst['all']:.1f} times the time of the faster: within 4", worst["all"] <= 4),
        Judged(
            f"closed: at most {worst['closed']:.1f} times, maximal: at most {worst['maximal']:.1f} times: within 10",
            max(worst.values()) <= 10,
        ),
        Judged("the counts are the same", all(row["same count"] for row in compared)),
    ]
