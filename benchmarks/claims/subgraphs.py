"""FrequentSubgraphs on CiteSeer (edge labels ignored, undirected) finds 9, 12 and 17 patterns at a support of 300, 280
and 260, each in less than the time that the Java program of the GraMi authors takes (1.6, 2.5 and 160 s at best, on
other machines), and at 260 in less than that of a recent C++ system (28.8 s).  GRAPH_DATA names a folder with
citeseer.lg somewhere in it; without it those rows stay empty.  On a generated graph of that size it takes at most a
fifth of the time of storing all occurrences (GrowStore) and of counting all isomorphisms (CountIsomorphisms), with the
same patterns; so are they without our departures from the paper, and with none of its optimizations either.  A graph
with a million edges and 100 labels gives at least 50 patterns within 2 minutes and 2 GB.
"""

from __future__ import annotations

import os
from pathlib import Path

from benchmarks.measure import Judged, median_taken, peak_mb, taken_by

JAVA, CPP = {300: 1.6, 280: 2.5, 260: 160.0}, {300: 0.02, 280: 0.04, 260: 28.8}
PATTERNS = {300: 9, 280: 12, 260: 17}

CASES = [
    *({"graph": "citeseer.lg", "support": support, "runs": 5} for support in PATTERNS),
    {"graph": "like CiteSeer", "support": 200, "max_edges": 4, "runs": 5},
    {"graph": "million", "support": 400},
]


def measure(case):
    if case["graph"] == "citeseer.lg":
        return on_citeseer(case)
    return beside_the_baselines(case) if case["graph"] == "like CiteSeer" else on_a_million(case)


def on_citeseer(case):
    from sfumato.io.graphs import read_graph
    from sfumato.mining import FrequentSubgraphs

    row = {"graph": case["graph"], "support": case["support"]}
    folder = os.environ.get("GRAPH_DATA")
    path = next(iter(sorted(Path(folder).rglob(case["graph"]))), None) if folder else None
    if path is None:
        return row | {"edges": None}
    graph = read_graph(path).without_edge_labels()
    miner = FrequentSubgraphs(support=case["support"])
    first, _ = taken_by(lambda: miner.mine(graph))
    ours, found = median_taken(lambda: miner.mine(graph), case["runs"])
    return row | {
        "edges": graph.n_edges,
        "patterns": len(found),
        "FrequentSubgraphs, CPU seconds": ours.cpu,
        "first time, CPU seconds": first.cpu,
        "ours / Java": ours.cpu / JAVA[case["support"]],
        "ours / C++": ours.cpu / CPP[case["support"]],
    }


def beside_the_baselines(case):
    from sfumato.generate import Graph
    from sfumato.mining import FrequentSubgraphs
    from sfumato.mining.subgraphs.baselines import CountIsomorphisms, GrowStore
    from sfumato.mining.subgraphs.grami import DEPARTURES, OF_THE_PAPER

    graph = Graph(like="citeseer", directed=False).make(seed=1)
    asked = {"support": case["support"], "max_edges": case["max_edges"], "exact": True}
    miners = {
        "FrequentSubgraphs": FrequentSubgraphs(**asked),
        "GraMi of the paper": FrequentSubgraphs(**asked, **dict.fromkeys(DEPARTURES, False)),
        "without optimizations": FrequentSubgraphs(**asked, **dict.fromkeys(OF_THE_PAPER + DEPARTURES, False)),
        "GrowStore": GrowStore(**asked),
        "CountIsomorphisms": CountIsomorphisms(**asked),
    }
    row, found = {"graph": case["graph"], "support": case["support"], "edges": graph.n_edges}, {}
    for name, miner in miners.items():
        miner.mine(Graph(like="citeseer", directed=False, scale=0.05).make(seed=1))
        taken, found[name] = median_taken(lambda miner=miner: miner.mine(graph), case["runs"])
        row[f"{name}, CPU seconds"] = taken.cpu
    return row | {
        "patterns": len(found["FrequentSubgraphs"]),
        "same": len({one.patterns for one in found.values()}) == 1,
    }


def on_a_million(case):
    from sfumato.generate import Graph
    from sfumato.mining import FrequentSubgraphs

    graph = Graph(like="twitter", nodes=100_000, edges=1_000_000).make(seed=1)
    taken, found = taken_by(lambda: FrequentSubgraphs(support=case["support"]).mine(graph))
    return {
        "graph": case["graph"],
        "support": case["support"],
        "edges": graph.n_edges,
        "patterns": len(found),
        "FrequentSubgraphs, CPU seconds": taken.cpu,
        "seconds": taken.clock,
        "peak MB": peak_mb(),
    }


def judge(rows):
    verdicts = []
    real = [row for row in rows if row.get("ours / Java") is not None]
    if real:
        counts = {row["support"]: row["patterns"] for row in real}
        worst, hardest = max(row["ours / Java"] for row in real), real[-1]["ours / C++"]
        verdicts += [
            Judged(f"CiteSeer: {', '.join(map(str, counts.values()))} patterns", counts == PATTERNS),
            Judged(f"at most {worst:.2g} of the Java program's time", worst < 1),
            Judged(f"at 260 {hardest:.2g} of the C++ system's time", hardest < 1),
        ]
    small = next(row for row in rows if row["graph"] == "like CiteSeer")
    others = min(small["GrowStore, CPU seconds"], small["CountIsomorphisms, CPU seconds"])
    million = next(row for row in rows if row["graph"] == "million")
    return [
        *verdicts,
        Judged(
            f"{others / small['FrequentSubgraphs, CPU seconds']:.0f} times as fast as the faster baseline: at least 5",
            others >= 5 * small["FrequentSubgraphs, CPU seconds"],
        ),
        Judged("the same patterns and supports, also without optimizations", small["same"]),
        Judged(
            f"a million edges: {million['patterns']} patterns, {million['seconds']:.0f} s, {million['peak MB']} MB",
            million["patterns"] >= 50 and million["seconds"] < 120 and million["peak MB"] < 2_000,
        ),
    ]
