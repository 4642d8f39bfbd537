"""`python prepare.py CHECKINS.csv [FOLDER]`: make the files that the experiments on real check-ins read.

They are written into the folder, or beside this script.

CHECKINS.csv has one row a check-in, in order of time: columns tid (a week of a person), day (of the week), lat, lon and
category.  The check-ins of Foursquare users in New York that go with multiple-aspect trajectories have them.

As in the paper, locations are aggregates: all places of one category in one cell of a grid.  A trajectory is a
person's day.  Written are checkins.csv (trajectory, location), places.csv (location, lat, lon, category), and
taxonomy.csv (locations under their category).  NGRAMS takes the places for a public list, which they are not here.
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl

CELL_DEGREES = 0.05


def main(checkins: str, folder: str | Path = Path(__file__).parent) -> None:
    here = Path(folder)
    found = pl.read_csv(checkins, columns=["tid", "day", "lat", "lon", "category"])
    cell = pl.format(
        "{}/{}/{}",
        pl.col("category"),
        (pl.col("lat") / CELL_DEGREES).floor().cast(pl.Int64),
        (pl.col("lon") / CELL_DEGREES).floor().cast(pl.Int64),
    )
    visits = found.with_columns(pl.format("{} {}", "tid", "day").alias("trajectory"), cell.alias("location"))
    visits.select("trajectory", "location").write_csv(here / "checkins.csv")
    places = visits.group_by("location").agg(pl.col("lat", "lon").mean(), pl.col("category").first()).sort("location")
    places.write_csv(here / "places.csv")
    kinds = places["category"].unique().sort()
    nodes = pl.DataFrame(
        {
            "node": ["any place", *kinds, *places["location"]],
            "parent": ["", *["any place"] * len(kinds), *places["category"]],
        }
    )
    nodes.write_csv(here / "taxonomy.csv")
    days, length = visits["trajectory"].n_unique(), len(visits) / visits["trajectory"].n_unique()
    sys.stdout.write(f"{days:,} trajectories of {len(places):,} locations, mean length {length:.2f}\n")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
