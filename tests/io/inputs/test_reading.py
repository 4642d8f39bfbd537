"""Times in one unit and one zone, and coordinates that contradict the places."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sfumato.errors import DataError
from sfumato.io import read, read_places


@pytest.fixture
def visits(tmp_path: Path):
    def load(header: str, *rows: str, **options: Any) -> Any:
        path = tmp_path / "v.csv"
        path.write_text("\n".join([header, *rows]) + "\n")
        return read(path, **options)

    return load


@pytest.mark.parametrize(
    ("factor", "unit"), [(1, None), (10**3, "milliseconds"), (10**6, "microseconds"), (10**9, "nanoseconds")]
)
def test_units_of_time_are_distinguished_by_size(visits, factor: int, unit: str | None) -> None:
    notes: list[str] = []
    moments = [1_160_716_026, 1_700_000_000]
    rows = [f"1,a,{moment * factor}" for moment in moments]
    data = visits("trajectory,location,time", *rows, notes=notes)
    assert data.times.tolist() == moments
    assert [note.partition(": ")[2] for note in notes] == (
        [] if unit is None else [f"the times are read as {unit} since 1970, by their size"]
    )


def test_seconds_from_a_start_stay_seconds(visits) -> None:
    assert visits("trajectory,location,time", "1,a,0", "1,b,86400000").times.tolist() == [0, 86400000]


def test_units_that_are_mixed_are_refused(visits) -> None:
    with pytest.raises(DataError, match="line 3: wanted every time in one unit, found a time here that is too small"):
        visits("trajectory,location,time", "1,a,1700000000000", "1,b,1700000000")


@pytest.mark.parametrize("second", ["2024-03-05T10:00:00", "2024-03-05T10:00:00+02:00", "2024-03-05"])
def test_zones_that_are_mixed_are_refused(visits, second: str) -> None:
    with pytest.raises(DataError, match=r"line 3: wanted every time in one time zone, found UTC.00:00 before and"):
        visits("trajectory,location,time", "1,a,2024-03-05T10:00:00Z", f"1,b,{second}")


def test_swapped_coordinates_are_noticed(visits) -> None:
    with pytest.raises(DataError, match="if lat and lon are swapped, exchange the two columns") as refusal:
        visits("tid,poi,lat,lon", "1,a,116.4,39.9", "1,b,116.5,39.8")
    columns = refusal.value.args[0].details["columns"]
    assert columns == "trajectory=tid,location=poi,lat=lon,lon=lat"
    named = dict(pair.split("=") for pair in columns.split(","))
    assert visits("tid,poi,lat,lon", "1,a,116.4,39.9", columns=named).places.coordinates(["a"]).tolist() == [
        [116.4, 39.9]
    ]


def test_places_that_contradict_the_visits_are_noted(visits, tmp_path: Path) -> None:
    (tmp_path / "places.csv").write_text("location,lat,lon\na,40.7,-73.9\nb,40.8,-73.8\n")
    places, notes = read_places(tmp_path / "places.csv"), list[str]()
    visits("trajectory,location,lat,lon", "1,a,40.7,-73.9", "1,b,40.8,-73.8", places=places, notes=notes)
    assert notes == []
    visits("trajectory,location,lat,lon", "1,a,-73.9,40.7", "1,b,-73.8,40.8", places=places, notes=notes)
    assert any("one of the two files has them exchanged" in note for note in notes)
    notes.clear()
    visits("trajectory,location,lat,lon", "1,a,48.2,16.3", "1,b,48.3,16.2", places=places, notes=notes)
    assert notes == []  # other coordinates, but not exchanged
