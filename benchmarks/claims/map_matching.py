"""Map matching finds the roads of generated trips, which are known, through a normal error of 10 m along each axis: of
the metres of road found, at least 97 % were driven, and of those driven at least 95 % are found, on every seed and at
every pace; at least 10,000 positions a second.  A road counts with its whole length, also where only its first metres
were driven.  The constants of the method were set on seed 1, which is not below.
With `SFUMATO_OLDENBURG=DIR` the public map of Oldenburg is driven on as well.  The peer, leuvenmapmatching (a hidden
Markov model in plain Python), runs in the Python that LEUVEN_PYTHON names, on 40 of the same tracks.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import pairwise

from benchmarks.measure import Judged, taken_by

MAP = os.environ.get("SFUMATO_OLDENBURG")
PACES = {"slow": {"speed_divisor": 250.0, "time_units": 100}, "middle": {"speed_divisor": 50.0, "time_units": 50},
         "fast": {"speed_divisor": 20.0, "time_units": 25}}  # fmt: skip
ERROR_M = 10.0
PEER_TRACKS = 40

CASES = [
    *({"data": "city", "pace": pace, "seed": seed} for pace in PACES for seed in (101, 102, 103)),
    *({"data": "Oldenburg", "pace": pace, "seed": 101} for pace in PACES if MAP),
    {"data": "city", "pace": "middle", "seed": 104, "peer": True},
]

PEER = """
import json, sys, time
from leuvenmapmatching.map.inmem import InMemMap
from leuvenmapmatching.matcher.distance import DistanceMatcher
nodes, roads, tracks, error = json.load(sys.stdin)
town = InMemMap("town", use_latlon=False, use_rtree=True, index_edges=True)
for number, (x, y) in enumerate(nodes):
    town.add_node(number, (y, x))
for a, b in roads:
    town.add_edge(a, b)
    town.add_edge(b, a)
begun, found = time.process_time(), []
for track in tracks:
    matcher = DistanceMatcher(town, max_dist=50, obs_noise=error, obs_noise_ne=1.5 * error, non_emitting_states=True)
    matcher.match([(y, x) for x, y in track])
    found.append(list(matcher.path_pred_onlynodes or []))
print(json.dumps([time.process_time() - begun, found]))
"""


def measure(case):
    import numpy as np

    from sfumato.generate import City
    from sfumato.prepare import MapMatching

    town = {"network": MAP} if case["data"] == "Oldenburg" else {"nodes": 2_000}
    city = City(objects=1_000, **town, **PACES[case["pace"]])
    true, gps = city.roads(seed=case["seed"]), city.positions(seed=case["seed"])
    noise = np.random.default_rng(case["seed"]).normal(0.0, ERROR_M, gps.where.shape)
    gps = replace(gps, where=gps.where + noise, network=true.network)
    MapMatching().apply(City(nodes=100, objects=5).positions(seed=1).with_network(City(nodes=100).streets(seed=1)))
    taken, done = taken_by(lambda: MapMatching().apply(gps))
    steps = np.hypot(*np.diff(gps.where - noise, axis=0).T)
    row = {
        **{name: case[name] for name in ("data", "pace", "seed")},
        "positions": len(gps.times),
        "median step, m": float(np.median(np.delete(steps, gps.offsets[1:-1] - 1))),
        **shares_right(true, by_track(done.data)),
        "positions / CPU second": len(gps.times) / taken.cpu,
    }
    return row | beside_peer(true, gps, done.data) if case.get("peer") else row


def by_track(found) -> dict[str, Counter]:
    """The roads found of each track, pieces together."""
    pieces: dict[str, Counter] = {}
    for name, roads in zip(found.ids, found.to_lists(), strict=True):
        pieces.setdefault(name.partition("/")[0], Counter()).update(roads)
    return pieces


def shares_right(true, found: dict[str, Counter], tracks: int | None = None) -> dict[str, float]:
    """Of the metres of road found, the share that was driven; of those driven, the share found."""
    length = dict(zip(true.network.roads, true.network.lengths.tolist(), strict=True))
    both = got = want = 0.0
    for name, roads in list(zip(true.ids, true.to_lists(), strict=True))[:tracks]:
        driven, matched = Counter(roads), found.get(name, Counter())
        both += metres(driven & matched, length)
        got += metres(matched, length)
        want += metres(driven, length)
    return {"found and driven": both / got, "driven and found": both / want}


def metres(roads: Counter, length: dict[str, float]) -> float:
    return sum(length[road[:-1]] * count for road, count in roads.items())


def beside_peer(true, gps, found) -> dict[str, object]:
    python = os.environ.get("LEUVEN_PYTHON", sys.executable)
    if subprocess.run([python, "-c", "import leuvenmapmatching"], capture_output=True, check=False).returncode:
        return {"peer": "not installed"}
    network = true.network
    tracks = [gps.where[a:b].tolist() for a, b in pairwise(gps.offsets)][:PEER_TRACKS]
    told = json.dumps([network.points.tolist(), network.ends.tolist(), tracks, ERROR_M])
    done = subprocess.run([python, "-W", "ignore", "-c", PEER], input=told, capture_output=True, text=True, check=True)
    seconds, nodes = json.loads(done.stdout.splitlines()[-1])
    road_of = {}
    for name, (a, b) in zip(network.roads, network.ends.tolist(), strict=True):
        road_of[a, b], road_of[b, a] = f"{name}+", f"{name}-"
    theirs = {
        name: Counter(road_of[pair] for pair in pairwise(path) if pair in road_of)
        for name, path in zip(true.ids, nodes, strict=False)
    }
    own = shares_right(true, by_track(found), PEER_TRACKS)
    peer = shares_right(true, theirs, PEER_TRACKS)
    return {
        "peer": "leuvenmapmatching",
        "peer positions / CPU second": sum(map(len, tracks)) / seconds,
        **{f"peer, {name}": value for name, value in peer.items()},
        **{f"here, {name}": value for name, value in own.items()},
    }


def judge(rows):
    precision, recall = (min(row[name] for row in rows) for name in ("found and driven", "driven and found"))
    pace = min(row["positions / CPU second"] for row in rows)
    judged = [
        Judged(f"at least {precision:.1%} of the metres found were driven: 97 %", precision >= 0.97),
        Judged(f"at least {recall:.1%} of the metres driven are found: 95 %", recall >= 0.95),
        Judged(f"at least {pace:,.0f} positions a second: 10,000", pace >= 10_000),
    ]
    for row in rows:
        if "peer positions / CPU second" in row:
            ratio = row["positions / CPU second"] / row["peer positions / CPU second"]
            better = all(
                row[f"here, {n}"] >= row[f"peer, {n}"] - 0.01 for n in ("found and driven", "driven and found")
            )
            judged.append(
                Judged(f"{ratio:,.0f} times as many positions a second as the peer, as right", better and ratio >= 10)
            )
    return judged
