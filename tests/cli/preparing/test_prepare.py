"""`sfumato prepare grid|regions|split|stops|slots`: what the Python preparations do, from file to file."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

import sfumato
from sfumato.prepare import Grid, RegionsOfInterest, SplitByDay, SplitByGap, StayPoints, TimeSlots

GPS = """person,time,lat,lon
ann,2031-03-03T08:00:00Z,45.464,9.190
ann,2031-03-03T08:30:00Z,45.4641,9.1901
ann,2031-03-03T09:00:00Z,45.478,9.227
ann,2031-03-03T10:00:00Z,45.478,9.2271
ann,2031-03-04T08:00:00Z,45.464,9.190
bob,2031-03-03T08:10:00Z,45.464,9.190
bob,2031-03-03T09:10:00Z,45.464,9.190
bob,2031-03-03T09:30:00Z,45.478,9.227
"""
PLACES = "location,lat,lon\nhome,45.464,9.19\nwork,45.478,9.227\n"
TREE = "node,parent\ntown,\nhome,town\nwork,town\n"


@pytest.fixture
def gps(tmp_path: Path) -> Path:
    (tmp_path / "gps.csv").write_text(GPS)
    (tmp_path / "places.csv").write_text(PLACES)
    (tmp_path / "tree.csv").write_text(TREE)
    return tmp_path / "gps.csv"


def test_a_grid_with_its_cells_can_be_anonymized(run, gps: Path) -> None:
    out, cells = gps.with_name("visits.csv"), gps.with_name("cells.csv")
    done = run("prepare", "grid", gps, "--cell-m", 500, "--out", out, "--places-out", cells)
    assert done.code == 0, done.err
    wanted = Grid(cell_m=500).apply(sfumato.read_positions(gps)).data
    written = sfumato.read(out, places=sfumato.read_places(cells))
    assert written.to_lists() == wanted.to_lists()
    assert written.times.tolist() == wanted.times.tolist()
    assert len(written.persons) == 2
    assert written.places.derived  # which cells were visited is private
    assert stat.S_IMODE(out.stat().st_mode) == stat.S_IMODE(cells.stat().st_mode) == 0o600
    done = run("anonymize", "seqanon", out, "--places", cells, "--k", 2, "--m", 1, "--out", gps.with_name("release"))
    assert done.code == 0, done.err
    assert not (gps.with_name("release") / "context" / "places.csv").exists()
    box = ("--west", 9, "--south", 45, "--east", 10, "--north", 46, "--unvisited", "true")
    assert run("prepare", "grid", gps, "--cells", 4, *box, "--out", out, "--places-out", cells).code == 0
    assert not sfumato.read_places(cells).derived  # every cell of a given box


def test_steps_follow_each_other(run, gps: Path) -> None:
    visits, days, slots = (gps.with_name(name) for name in ("visits.csv", "days.parquet", "slots.csv"))
    assert run("prepare", "grid", gps, "--cells", 4, "--out", visits).code == 0
    assert run("prepare", "split", visits, "--by", "day", "--offset-h", 1, "--out", days).code == 0
    done = run("prepare", "slots", days, "--minutes", 720, "--out", slots, "--json")
    data = sfumato.read_positions(gps)
    for step in (Grid(cells=4), SplitByDay(offset_h=1), TimeSlots(minutes=720)):
        data = step.apply(data).data
    assert sfumato.read(slots).to_lists() == data.to_lists()
    facts = json.loads(done.out)
    assert (facts["records"], facts["visits"], facts["locations"]) == (len(data), len(data.codes), len(data.names))
    assert facts["parameters"] == {"minutes": 720, "offset_h": 0.0}


def test_positions_are_split(run, gps: Path) -> None:
    out = gps.with_name("parts.csv")
    done = run("prepare", "split", gps, "--by", "gap", "--gap-s", 3600, "--out", out)
    wanted = SplitByGap(gap_s=3600).apply(sfumato.read_positions(gps)).data
    assert done.out == f"{len(wanted)} tracks with 8 positions in {out}\n"
    assert sfumato.read_positions(out).to_polars().equals(wanted.to_polars())


def test_regions(run, gps: Path) -> None:
    out = gps.with_name("regions.csv")
    assert run("prepare", "regions", gps, "--cell-m", 500, "--density", 0.9, "--out", out).code == 0
    wanted = RegionsOfInterest(cell_m=500, density=0.9).apply(sfumato.read_positions(gps)).data
    assert sfumato.read(out).to_lists() == wanted.to_lists()


def test_stops_are_visits_where_places_are_known_and_else_positions(run, gps: Path) -> None:
    out = gps.with_name("stops.csv")
    assert run("prepare", "stops", gps, "--out", out).code == 0
    wanted = StayPoints().apply(sfumato.read_positions(gps)).data
    assert sfumato.read_positions(out).times.tolist() == wanted.times.tolist()
    places = ("--places", gps.with_name("places.csv"))
    done = run("prepare", "stops", gps, *places, "--place-within-m", 200, "--out", out)
    assert done.code == 0, done.err
    assert sfumato.read(out).to_lists() == [["home", "work"], ["home"]]
    done = run("prepare", "stops", gps, "--by", "places", "--radius-m", 200, *places, "--out", out)
    assert sfumato.read(out).to_lists() == [["home", "work"], ["home"]]


def test_a_taxonomy_gets_its_slots(run, gps: Path) -> None:
    stops, slots, tree = (gps.with_name(name) for name in ("stops.csv", "slots.csv", "slot_tree.csv"))
    run("prepare", "stops", gps, "--places", gps.with_name("places.csv"), "--place-within-m", 200, "--out", stops)
    options = ("--taxonomy", gps.with_name("tree.csv"), "--taxonomy-out", tree)
    done = run("prepare", "slots", stops, *options, "--out", slots)
    assert done.code == 0, done.err
    assert sfumato.read_taxonomy(tree).ancestors("home@08") == ("home", "town")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["gird", "INPUT"], "prepare: no preparation is called 'gird'; did you mean 'grid'?"),
        (["split", "INPUT", "--out", "x.csv"], "prepare split: wanted a rule, found none; choose one (--by day, week,"),
        (["split", "INPUT", "--by", "gap", "--out", "x.csv"], "prepare split: --by gap needs --gap-s: a number above"),
        (["split", "INPUT", "--by", "day", "--gap-s", "9", "--out", "x.csv"], "--by day has no --gap-s; leave it out"),
        (["grid", "INPUT", "--out", "x.txt"], "x.txt: wanted a file that ends in .csv or .parquet"),
        (["grid", "INPUT", "--out", "INPUT"], "the output would replace an input of this command"),
        (["grid", "INPUT", "--cells", "0", "--out", "x.csv"], "prepare grid: Invalid value for '--cells'"),
        (["slots", "INPUT", "--out", "x.csv"], "make visits of positions first (sfumato prepare grid)"),
        (["slots", "INPUT", "--taxonomy-out", "t.csv", "--out", "x.csv"], "wanted the taxonomy of the locations"),
        (["stops", "INPUT", "--by", "places", "--out", "x.csv"], "wanted places with coordinates, found none"),
        (["grid", "none.csv", "--out", "x.csv"], "none.csv"),
    ],
)
def test_a_mistake_is_said_in_a_sentence(run, gps: Path, monkeypatch, words: list[str], sentence: str) -> None:
    monkeypatch.chdir(gps.parent)
    done = run("prepare", *[str(gps) if word == "INPUT" else word for word in words])
    assert done.code == 2
    assert sentence in done.err
    assert done.err.count("\n") == 1
    assert not (gps.parent / "x.csv").exists()
