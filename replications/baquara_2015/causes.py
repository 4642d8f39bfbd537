"""`python causes.py PLACES.csv FOLDER [POSTS]`: try the cause of what differs from the paper.

PLACES.csv has the places that run.py reads.  POSTS is the number of posts that are drawn (4,000).  Written are
findings.json.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import polars as pl
import rome

from replications.cause_tools import Causes
from sfumato.semantics.linking.linker import Linker

APART = (1, 3, 10)  # times as far from the middle of the city
TAU_S, TAU_T, HALF = 1024, 0.8, (0.4, 0.6)


def main(places: str, out: str, posts: str = "4000") -> None:
    causes = Causes()
    table = rome.read_places(places)
    middle = table.select(pl.col("lat", "lon").mean()).row(0)
    shares = {}
    for times in APART:
        moved = table.with_columns(
            (pl.lit(at) + (pl.col(name) - at) * times).alias(name)
            for name, at in zip(("lat", "lon"), middle, strict=True)
        )
        drawn, _ = rome.draw_posts(moved, int(posts), 7)
        linked = Linker(tau_s=TAU_S, tau_t=TAU_T, first="all").candidates(drawn, rome.resources(moved))
        counts = linked.group_by("target").agg(resources=pl.col("resource").n_unique())["resources"]
        shares[times] = (float((counts == 1).mean() or 0.0), float(counts.mean() or 0.0))
    words = "; ".join(
        f"{times} times as far apart: {one:.0%} of the linked posts have one resource, {mean:.2f} on average"
        for times, (one, mean) in shares.items()
    )
    line = [one for one, _ in shares.values()]
    causes.check(
        "density",
        "The farther apart the places, the more linked posts have one resource at 1,024 m and 0.8, up to the half of "
        "the paper and beyond.",
        all(a < b for a, b in pairwise(line)) and line[-1] >= HALF[0],
        f"{len(table):,} places: {words}.",
    )
    causes.write(out)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
