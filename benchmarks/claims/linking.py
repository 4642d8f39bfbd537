"""Linking: a million positions with names against 100,000 places in at most 1 minute of CPU time within 16 m or 128 m,
near first and similar first, and in at most 10 minutes within 1,024 m, where each position has hundreds of places; at
least 500 times as many positions a second as a function that is called per pair, with the same links on the positions
that it is given.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from time import process_time

from benchmarks.measure import Judged, peak_mb, taken_by

PLACES, POSITIONS, SLOW = 100_000, 1_000_000, 30
CASES = [
    {"tau_s": tau_s, "tau_t": 0.9, "first": first}
    for tau_s, first in ((16, "near"), (16, "similar"), (128, "near"), (1024, "near"))
]
PARTS = (
    "bar cafe praia igreja museu mercado hotel parque escola loja",
    "do da de",
    "norte sul lapa gloria luz sol rio",
)


def city(seed):
    """Places in 30 x 30 km, and positions 10 m from one, most with its name, some with a letter exchanged."""
    import numpy as np
    import polars as pl

    from sfumato.semantics.linking.resources import Resources
    from sfumato.semantics.linking.targets import Targets

    rng = np.random.default_rng(seed)
    kinds, joints, names = (np.array(part.split()) for part in PARTS)
    words = [kinds[rng.integers(0, 10, PLACES)], joints[rng.integers(0, 3, PLACES)], names[rng.integers(0, 7, PLACES)]]
    label = pl.Series([f"{a} {b} {c} {number % 977}" for number, (a, b, c) in enumerate(zip(*words, strict=True))])
    where = np.array([-43.2, -22.9]) + rng.uniform(-0.13, 0.13, (PLACES, 2))
    iris = pl.Series([f"http://example.org/{number:06}" for number in range(PLACES)])
    geometries = pl.DataFrame({"resource": iris, "wkt": [f"POINT({x} {y})" for x, y in where.tolist()]})
    labels = pl.DataFrame({"resource": iris, "label": label, "language": ["pt"] * PLACES})
    visited = rng.integers(0, PLACES, POSITIONS)
    text = label.gather(visited)
    text = pl.select(pl.when(pl.Series(rng.random(POSITIONS) < 0.1)).then(text.str.replace("a", "o")).otherwise(text))
    targets = Targets(
        kind="position",
        rows=np.arange(POSITIONS),
        where=where[visited] + rng.normal(0, 0.0001, (POSITIONS, 2)),
        begin=np.arange(POSITIONS, dtype=float),
        end=np.arange(POSITIONS, dtype=float),
        texts=pl.DataFrame({"owner": np.arange(POSITIONS), "text": text.to_series()}),
    )
    return targets, (geometries, labels), (where, label, Resources)


def measure(case):
    from sfumato.semantics.linking.linker import Linker

    targets, (geometries, labels), (where, label, resources_of) = city(7)
    linker = Linker(**case)
    compiled = resources_of.of(geometries.head(10), labels.head(10))
    linker.chosen(targets, compiled)

    def link():
        places = resources_of.of(geometries, labels)
        return linker.chosen(targets, places)

    taken, (links, candidates) = taken_by(link)
    peak = peak_mb()
    begun = process_time()
    literal = per_pair(targets, where.tolist(), label.to_list(), case)
    seconds = process_time() - begun
    part = links.filter(links["target"] < SLOW).select("target", "resource").rows()
    return {
        **case,
        "positions": POSITIONS,
        "places": PLACES,
        "candidates": candidates,
        "linked": links["target"].n_unique(),
        **taken.columns,
        "peak MB": peak,
        "positions / CPU second": POSITIONS / taken.cpu,
        "per pair, positions / CPU second": SLOW / seconds,
        "same links": part == literal,
    }


def per_pair(targets, where, labels, case):
    """The links of the first positions: a function called for each pair of a position and a place."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))
    from twins.linking import jaro_winkler, links, metres, plain

    pairs = []
    for target in range(SLOW):
        here, name = tuple(targets.where[target]), plain(targets.texts["text"][target])
        for place, there in enumerate(where):
            away = metres(here, tuple(there))
            if away <= case["tau_s"]:
                similar = round(jaro_winkler(name, plain(labels[place])), 12)
                if similar >= case["tau_t"]:
                    pairs.append((target, place, away, similar))
    return links(pairs, case["first"])


def judge(rows):
    near, far = (max(row["CPU seconds"] for row in rows if (row["tau_s"] > 128) == wide) for wide in (False, True))
    ratio = min(row["positions / CPU second"] / row["per pair, positions / CPU second"] for row in rows)
    same = all(row["same links"] for row in rows)
    return [
        Judged(f"a million positions take at most {near:.0f} s of CPU time within 128 m: 60 s", near <= 60),
        Judged(f"a million positions take {far:.0f} s of CPU time within 1,024 m: 600 s", far <= 600),
        Judged(f"at least {math.floor(ratio):,} times as many positions a second as per pair: 500", ratio >= 500),
        Judged("the same links as by a function called per pair", same),
    ]
