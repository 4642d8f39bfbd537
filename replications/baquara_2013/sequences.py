"""`python sequences.py VISITS.csv PLACES.csv... [--findings FOLDER]`: split photo visits at 8-hour gaps.

The trails are compared with the sequences of the file.

VISITS.csv has one row a photo: userID, dateTaken (seconds since 1970), poiID and seqID, the sequence it belongs to.
PLACES.csv has poiID, poiLat and poiLon; the first file that knows a place is taken.  The visits to places of interest
that go with Lim et al., IJCAI 2015, have these columns: 2,227 sequences in Glasgow and 1,115 in Osaka.
Photos with a wrong clock lie before 1970: all times are shifted by one constant, which no gap depends on.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import polars as pl

from sfumato import Positions
from sfumato.semantics import Segmentation

GAP_MINUTES = 8 * 60


def positions(visits: pl.DataFrame, places: pl.DataFrame) -> Positions:
    """The photos at the coordinates of their places."""
    located = visits.join(places, on="poiID", how="left", maintain_order="left")
    earliest = min(0, int(visits["dateTaken"].min()))
    return Positions.from_frame(
        located.select(person="userID", time=pl.col("dateTaken") - earliest, lat="poiLat", lon="poiLon")
    )


def spans(photos: pl.DataFrame) -> list[tuple[str, float, float]]:
    """User, first and last time of each sequence, sorted."""
    earliest = min(0, int(photos["dateTaken"].min()))
    sequences = photos.group_by("userID", "seqID").agg(begin=pl.col("dateTaken").min(), end=pl.col("dateTaken").max())
    return sorted((user, float(begin - earliest), float(end - earliest)) for user, _, begin, end in sequences.rows())


def main(visits_file: str, *place_files: str, findings: str = "") -> int:
    visits = pl.read_csv(visits_file, schema_overrides={"userID": pl.String})
    files = [pl.read_csv(name, columns=["poiID", "poiLat", "poiLon"]) for name in place_files]
    columns = [frame.select("poiID", pl.col("poiLat", "poiLon").cast(pl.Float64)) for frame in files]
    places = pl.concat(columns).unique("poiID", keep="first", maintain_order=True)
    segmentation = Segmentation(trails="gap", gap_minutes=GAP_MINUTES, fastest_kmh="any")
    segmented = segmentation.apply(positions(visits, places))
    movement = segmented.movement
    people = movement.objects["object"].gather(movement.trails()["object"])
    trails = sorted(zip(people, movement.trails()["begin"], movement.trails()["end"], strict=True))
    wanted = spans(visits)
    counts = ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in segmented.counts.items() if number)
    verdict = "the same sequences" if trails == wanted else "other sequences"
    sentence = f"{len(trails):,} trails, {len(wanted):,} sequences in the file: {verdict}"
    sys.stdout.write(f"{sentence}\n{counts}\n")
    if findings:
        _write(Path(findings), "holds" if trails == wanted else "does not hold", f"{sentence}.")
    return 0 if trails == wanted else 1


def _write(folder: Path, verdict: str, sentence: str) -> None:
    """What became of the claim, for `python -m replications`."""
    folder.mkdir(parents=True, exist_ok=True)
    claim = "Photos more than 8 hours apart belong to different trajectories."
    found = {"gap": [{"claim": claim, "verdict": verdict, "sentence": sentence}]}
    (folder / "findings.json").write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("visits")
    parser.add_argument("places", nargs="+")
    parser.add_argument("--findings", default="", metavar="FOLDER")
    given = parser.parse_args()
    sys.exit(main(given.visits, *given.places, findings=given.findings))
