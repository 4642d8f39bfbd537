"""`python prepare.py CHECKINS.csv [FOLDER]`: make foursquare_days.csv, which foursquare.toml reads.

It is written into the folder, or beside this script.

CHECKINS.csv has one row a check-in, in order of time: columns tid (a week of a person), day (of the week), lat and lon.
The check-ins of Foursquare users in New York that go with multiple-aspect trajectories have them.
A trajectory is a person's day, a location a cell of a grid.
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl

CELL_DEGREES = 0.05


def main(checkins: str, folder: str | Path = Path(__file__).parent) -> None:
    found = pl.read_csv(checkins, columns=["tid", "day", "lat", "lon"])
    row, column = ((pl.col(name) / CELL_DEGREES).floor().cast(pl.Int64) for name in ("lat", "lon"))
    visits = found.select(trajectory=pl.format("{} {}", "tid", "day"), location=pl.format("{}/{}", row, column))
    visits.write_csv(Path(folder) / "foursquare_days.csv")
    days, cells = visits["trajectory"].n_unique(), visits["location"].n_unique()
    sys.stdout.write(f"{days:,} trajectories of {cells:,} locations, mean length {len(visits) / days:.2f}\n")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
