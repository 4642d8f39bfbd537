"""What `suppression` of SEQANON saves on real data: `python -m benchmarks.suppression FOLDER`.

FOLDER holds, somewhere in it, foursquare_nyc.csv and gowalla.csv (check-ins).  Each is taken as it is and on grids,
with k=5 and m=2, counted in persons.  Beside it stands the simplest rule: the rarest places are dropped first, as long
as the share allows, and the rest is given to SEQANON.  The table goes to benchmarks/SUPPRESSION.md.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

OUT = Path(__file__).parent / "SUPPRESSION.md"
SHARES = (0.0, 0.05, 0.1, 0.25, 0.5)
DATA = {"New York": "foursquare_nyc.csv", "Gowalla": "gowalla.csv"}
GRIDS: dict[str, dict[str, Any] | None] = {
    "places": None,
    "cells of 500 m": {"cell_m": 500},
    "cells of 1 km": {"cell_m": 1000},
    "20 x 20 cells": {"cells": 20},
}


def main(folder: str) -> int:
    import sfumato
    from sfumato.prepare import Grid

    columns = {"trajectory": "tid", "location": "poi", "person": "user"}
    lines = [
        "# Suppression in SEQANON on real data",
        "",
        "Written by `python -m benchmarks.suppression FOLDER`, with k=5 and m=2, counted in persons.  "
        "Displacement is the",
        "measure of that name: the mean distance between a visited place (or cell) and those of its label.",
        "",
        "| data | locations | suppression | visits kept | displacement | labels | CPU s "
        "| rarest first: kept | displacement |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, file in DATA.items():
        visits = sfumato.read(str(next(Path(folder).rglob(file))), columns=columns)
        for grid, settings in GRIDS.items():
            data = visits if settings is None else Grid(**settings).apply(visits).data
            for share in SHARES:
                begun = os.times().user
                kept, metres, labels = figures(data, data, share)
                seconds = os.times().user - begun
                simple = figures(without_rarest(data, share), data, 0.0) if share else (kept, metres, labels)
                lines.append(
                    f"| {name}, {grid} | {len(data.names):,} | {share:g} | {kept:.1%} | {metres / 1000:,.2f} km "
                    f"| {labels} | {seconds:.1f} | {simple[0]:.1%} | {simple[1] / 1000:,.2f} km |"
                )
                print(lines[-1], flush=True)
    OUT.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return 0


def figures(data: Any, original: Any, share: float) -> tuple[float, float, int]:
    """The share of the original visits that are kept, the displacement in metres, and the number of labels."""
    from sfumato import SeqAnon
    from sfumato.utility.places.generalization import Displacement

    release = SeqAnon(k=5, m=2, suppression=share).anonymize(data)
    if not release.holds:
        raise SystemExit("the promise does not hold")
    kept = len(release.data.codes) / len(original.codes)
    return kept, Displacement()(data, release).value, len(release.data.names)


def without_rarest(data: Any, share: float) -> Any:
    """The data without their rarest locations, as many as the share of the visits allows."""
    from sfumato.prepare.base import with_elements, without_empty

    persons = data.units[data.record_of_element()].astype(np.int64)
    held = np.unique(persons * len(data.names) + data.codes) % len(data.names)
    supports, visits = (np.bincount(codes, minlength=len(data.names)) for codes in (held, data.codes))
    order = np.argsort(supports, kind="stable")
    gone = order[np.cumsum(visits[order]) <= share * len(data.codes)]
    return without_empty(with_elements(data, ~np.isin(data.codes, gone)))[0]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
