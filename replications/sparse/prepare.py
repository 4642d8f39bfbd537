"""Make the data of the experiments beside this file: `python replications/sparse/prepare.py FOLDER`.

FOLDER holds, somewhere in it, foursquare_nyc.csv and gowalla.csv (check-ins: tid, user, poi, lat, lon).  The data and
the side knowledge of the papers' methods are those of `benchmarks.sparse`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))  # of benchmarks

from benchmarks.sparse import DATA, load, with_constraints, with_sensitive_place  # noqa: E402
from sfumato.io import write, write_places  # noqa: E402


def main(folder: str, *only: str) -> int:
    """Write the visits, the places with one sensitive place, and the constraints of each dataset."""
    for name in only or [name for name in DATA if name != "generated"]:
        data = load(Path(folder), name)
        stem = name.lower().replace(" m", "m").replace(" km", "km").replace(" ", "_")
        write(data, HERE / f"{stem}.csv")
        write_places(with_sensitive_place(data).places, HERE / f"{stem}-places.csv")
        groups = with_constraints(data).constraints.groups.items()
        rows = [{"location": place, "constraint": label} for label, places in groups for place in places]
        pl.DataFrame(rows).write_csv(HERE / f"{stem}-constraints.csv")
        print(f"{stem}: {data!r}")  # noqa: T201
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
