"""Make the inputs of foursquare_group_size.toml from a file of check-ins.

    python replications/csafety_2011/foursquare.py foursquare_nyc.csv FOLDER

FOLDER is that of the experiment file.

The file has the columns tid, day, lat, lon, poi and category, rows in time order, as in the "multiple aspect"
Foursquare data of New York.  A week of somebody becomes a trajectory a day.  The taxonomy is root, category, part of
the map with at most 50 places, place; the check-ins carry only the root categories.  Nightlife and residences are
taken as sensitive, since no category here is about health, worship or politics.
"""

import sys
from pathlib import Path

import polars as pl

from sfumato import Places
from sfumato.io import write_places, write_taxonomy
from sfumato.prepare import place_taxonomy

SENSITIVE = ["Nightlife Spot", "Residence"]


def main(source: str, folder: str) -> None:
    rows = pl.read_csv(source)
    rows = rows.with_columns(
        pl.format("p{}", "poi").alias("location"), pl.format("{}-{}", "tid", "day").alias("trajectory")
    )
    # a place seen under several categories takes the one it has most often, ties by name
    category = (
        rows.group_by("location", "category").len().sort("location", "len", "category", descending=[False, True, False])
    )
    category = category.group_by("location", maintain_order=True).first().select("location", "category")
    where = rows.select("location", "lat", "lon").join(category, on="location")
    places = Places.from_frame(where)
    out = Path(folder)
    out.mkdir(exist_ok=True)
    write_places(places, out / "foursquare_places.csv")
    write_taxonomy(place_taxonomy(places, sensitive=SENSITIVE), out / "foursquare_taxonomy.csv")
    rows.select("trajectory", "location").write_csv(out / "foursquare.csv")


if __name__ == "__main__":
    main(*sys.argv[1:])
