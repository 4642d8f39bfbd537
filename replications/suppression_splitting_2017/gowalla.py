"""`python gowalla.py CHECKINS.csv [FOLDER]`: make the files that the experiment on check-ins by hour reads.

CHECKINS.csv has one row a check-in: columns tid (a week of a person), day, minute_of_day, lat, lon.  As in the paper, a
trajectory is the day of a person in one city, a visit is a place at an hour, visits to a place within the hour are one,
and places belong to four owners as by Zipf's law.  The city is the half degree with the most check-ins (the paper: New
York), and a place is a cell of a hundredth of a degree.  Written are gowalla.csv (trajectory, location) and
gowalla_places.csv (location, lat, lon, owner).
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import polars as pl

CITY_DEGREES, CELL_DEGREES, OWNERS = 0.5, 0.01, 4


def main(checkins: str, folder: str | Path = Path(__file__).parent) -> None:
    here = Path(folder)
    found = pl.read_csv(checkins, columns=["tid", "day", "minute_of_day", "lat", "lon"])
    city = [(pl.col(axis) / CITY_DEGREES).floor().alias(f"city_{axis}") for axis in ("lat", "lon")]
    found = found.with_columns(city)
    busiest = found.group_by("city_lat", "city_lon").len().sort(["len", "city_lat", "city_lon"], descending=True)
    found = found.join(busiest.head(1), on=["city_lat", "city_lon"])
    cell = [(pl.col(axis) / CELL_DEGREES).floor().cast(pl.Int64).alias(f"cell_{axis}") for axis in ("lat", "lon")]
    found = found.with_columns(
        *cell, (pl.col("minute_of_day") // 60).alias("hour"), pl.format("{} {}", "tid", "day").alias("trajectory")
    )
    found = found.with_columns(pl.format("{}/{}@{}", "cell_lat", "cell_lon", "hour").alias("location"))
    days = found.sort("trajectory", "minute_of_day", "location")
    visits = days.unique(["trajectory", "location"], keep="first", maintain_order=True)
    visits.select("trajectory", "location").write_csv(here / "gowalla.csv")
    cells = visits.select("cell_lat", "cell_lon").unique().sort("cell_lat", "cell_lon")
    shares = 1 / np.arange(1, OWNERS + 1)
    drawn = np.random.default_rng(1).choice(OWNERS, size=len(cells), p=shares / shares.sum())
    cells = cells.with_columns(pl.Series("owner", [f"owner {number + 1}" for number in drawn]))
    places = visits.group_by("location", "cell_lat", "cell_lon").agg(pl.col("lat", "lon").mean())
    places = places.join(cells, on=["cell_lat", "cell_lon"]).sort("location")
    places.select("location", "lat", "lon", "owner").write_csv(here / "gowalla_places.csv")
    many = visits["trajectory"].n_unique()
    sys.stdout.write(f"{many:,} trajectories of {len(cells):,} places by hour, mean length {len(visits) / many:.2f}\n")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
