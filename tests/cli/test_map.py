"""Maps of movements before and after, as pages and pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sfumato.io import read_network

Run = Any


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random map with 300 vehicles, and one jump, one stranger and one fall among copies of them."""
    from sfumato.generate import Roads
    from sfumato.io import write, write_network

    folder = tmp_path_factory.mktemp("town")
    made = Roads(nodes=12, degree=3, vehicles=300, distance_km=12).make(seed=4)
    write(made, folder / "drives.csv")
    write_network(made.network, folder / "streets")
    return folder


def test_the_whole_way_from_a_file_to_a_picture(run: Run, town: Path, tmp_path: Path) -> None:
    release = tmp_path / "release"
    drives, streets = town / "drives.csv", ("--network", town / "streets")
    assert run("anonymize", "icba", drives, *streets, "--k", 5, "--out", release).code == 0
    assert sorted(path.relative_to(release).as_posix() for path in release.rglob("*.*")) == [
        "certificate.json", "context/nodes.csv", "context/roads.csv", "data.csv",
    ]  # fmt: skip
    assert len(read_network(release / "context")) == 12
    assert run("verify", release).code == 0
    facts = json.loads(run("describe", release, "--json").out)
    assert facts["kind"] == "roads"
    assert facts["times"] == "unknown"
    audited = json.loads(run("audit", release, "--known", 1, "--json").out)
    assert "A visit is a road, its direction and its interval." in audited["notes"]
    before = json.loads(run("audit", drives, *streets, "--known", 1, "--json").out)
    assert "A visit is a road and its direction." in before["notes"]
    refused = run("audit", release, "--original", drives, *streets)
    assert refused.err == f"sfumato: audit: --original needs trajectories, and {release} holds roads\n"
    drawn = run("map", drives, release, *streets, "--out", tmp_path / "map.svg")
    assert drawn.out == f"2 maps in {tmp_path / 'map.svg'} (private)\n"
    assert "300 trajectories on " in (tmp_path / "map.svg").read_text()
    assert run("map", release, "--out", tmp_path / "map.gif").err == (
        f"sfumato: {tmp_path / 'map.gif'}: wanted a file that ends in .html, .png, .svg or .pdf for a map\n"
    )
    alone = run("map", drives, release, "--out", tmp_path / "map.html")  # the release has the network
    assert alone.out == f"2 maps in {tmp_path / 'map.html'} (private)\n"
    assert run("map", release, "--out", tmp_path / "public.html").out == f"1 map in {tmp_path / 'public.html'}\n"
    (release / "data.csv").write_text((release / "data.csv").read_text() + "999,1,all,77,+\n")
    ran = run("map", release, "--out", tmp_path / "map.svg")
    assert "data.csv was altered: its digest is not the one in the certificate" in ran.err
    assert run("verify", release).code == 1


VISITS = "trajectory,location\n" + "".join(
    f"{number},{place}\n" for number, walk in enumerate(("dace", "baec", "ade", "bdec", "dc", "de")) for place in walk
)
PLACES = "location,x,y\na,0,0\nb,-1,0\nc,1,0\nd,-1,1.5\ne,1,1.6\n"


@pytest.fixture
def walks(tmp_path: Path) -> Path:
    (tmp_path / "visits.csv").write_text(VISITS)
    (tmp_path / "places.csv").write_text(PLACES)
    return tmp_path / "visits.csv"


def test_trajectories_before_and_after(run: Run, walks: Path, tmp_path: Path) -> None:
    places, release = ("--places", tmp_path / "places.csv"), tmp_path / "release"
    ran = run("anonymize", "seqanon", walks, *places, "--k", 2, "--m", 2, "--out", release, "--publish-geometry")
    assert ran.code == 0, ran.err
    assert (release / "context" / "places.csv").read_text().startswith("location,x,y\na,0.0,0.0\n")
    assert run("verify", release).code == 0
    assert run("verify", release, "--original", walks, *places).code == 0
    assert run("verify", release, "--original", walks).code == 3
    page = tmp_path / "map.html"
    assert run("map", walks, release, *places, "--out", page).out == f"2 maps in {page} (private)\n"
    assert page.stat().st_mode & 0o777 == 0o600
    assert json.loads(run("map", release, "--json", "--out", tmp_path / "map.svg").out) == {
        "out": str(tmp_path / "map.svg"),
        "private": False,
        "panels": [
            {"title": "release", "summary": "6 trajectories, 19 visits, 3 labels, 1 of them for several places"}
        ],
        "notes": [],
    }
    public = tmp_path / "public.html"
    assert run("map", release, "--out", public).out == f"1 map in {public}\n"
    assert "visits.csv" not in public.read_text()
    assert run("map", walks, release, "--out", page).code == 0, "the release gives the coordinates"
    assert run("map", release, "--layers", "areas", "--top-flows", 3, "--out", public).code == 0
    assert 'data-layer="flows"' not in public.read_text()
    lines = tmp_path / "lines.geojson"
    lines.write_text(json.dumps({"type": "LineString", "coordinates": [[0, 0], [1, 1]]}))
    assert run("map", release, "--basemap", lines, "--out", public).code == 0
    assert 'data-layer="basemap"' in public.read_text()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            (),
            "a map: wanted places with coordinates, found none; give places, or lat and lon (or x and y) columns in the data (--places FILE)",
        ),
        (("--layers", "visit"), "layers: no layer is called 'visit'; did you mean 'visits'?"),
        (("--top-flows", -1), "top_flows must be a whole number of at least 0, got -1"),
        (("--places", "PLACES", "--basemap", "PLACES"), "; a basemap is a GeoJSON file or a road network"),
    ],
)
def test_one_sentence_for_each_mistake(run: Run, walks: Path, tmp_path: Path, options: tuple, sentence: str) -> None:
    words = [tmp_path / "places.csv" if word == "PLACES" else word for word in options]
    ran = run("map", walks, *words, "--out", tmp_path / "map.html")
    assert ran.code == 2
    assert sentence in ran.err
    assert ran.err.count("\n") == 1
    assert not (tmp_path / "map.html").exists()


def test_coordinates_of_visits_are_not_published(run: Run, tmp_path: Path) -> None:
    rows = [
        f"{line},{0 if number == 0 else number % 5},{number % 3}" for number, line in enumerate(VISITS.splitlines())
    ]
    visits = tmp_path / "visits.csv"
    visits.write_text("\n".join(["trajectory,location,x,y", *rows[1:]]) + "\n")
    ran = run("anonymize", "seqanon", visits, "--k", 2, "--m", 1, "--out", tmp_path / "out", "--publish-geometry")
    assert ran.code == 2
    assert ran.err == (
        "sfumato: geometry: wanted coordinates from a public list of places, found coordinates that were computed from "
        "the private visits; give places (--places FILE)\n"
    )
    assert not (tmp_path / "out").exists()


@pytest.fixture
def movement(tmp_path: Path) -> Path:
    from sfumato.semantics.movement.movement import Movement

    positions = {"object": ["p"] * 3, "begin": [0.0, 1800, 3600], "x": [0.0, 0.001, 0.5], "y": [1.0, 1.001, 1.5]}
    segments = {"object": ["p"] * 2, "type": ["TRAIL", "STOP"], "first": [0, 0], "last": [2, 1]}
    link = {"target_kind": "segment", "target": 1, "property": "urn:x#visits", "kind": "resource", "value": "urn:a"}
    Movement.of({"object": ["p"]}, positions, segments, annotations=[link]).write(tmp_path / "movement")
    return tmp_path / "movement"


def test_trails_before_and_after(run: Run, movement: Path, tmp_path: Path) -> None:
    page = tmp_path / "trails.html"
    drawn = run("map", movement, "--out", page)
    assert drawn.out == (
        f"1 map in {page} (private)\n    movement: Listed with their stops, but not drawn: 1 link whose places are in a "
        "knowledge base that was not given.\n"
    )
    assert page.stat().st_mode & 0o777 == 0o600
    (tmp_path / "visits.csv").write_text(VISITS)
    (tmp_path / "places.csv").write_text(PLACES.replace("x,y", "lon,lat"))
    places, release = ("--places", tmp_path / "places.csv"), tmp_path / "release"
    options = ("--k", 2, "--m", 2, "--out", release, "--publish-geometry")
    assert run("anonymize", "seqanon", tmp_path / "visits.csv", *places, *options).code == 0
    both = json.loads(run("map", movement, release, "--json", "--out", page).out)
    assert [panel["summary"] for panel in both["panels"]] == [
        "1 moving object, 1 trail, 1 stop, 0 moves, 1 link",
        "6 trajectories, 19 visits, 3 labels, 1 of them for several places",
    ]
    assert both["private"]
    refused = run("map", movement, "--out", release / "trails.html")
    assert refused.code == 2
    assert "is published" in refused.err
    inside = run("map", movement, "--out", movement / "movement.json")
    assert inside.code == 2


def test_a_damaged_movement_and_a_missing_knowledge_base(run: Run, movement: Path, tmp_path: Path) -> None:
    out = tmp_path / "trails.html"
    refused = run("map", movement, "--kb", tmp_path / "none", "--out", out)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    (movement / "segments.parquet").write_bytes(b"PAR1")
    damaged = run("map", movement, "--out", out)
    assert (damaged.code, damaged.err.count("\n")) == (2, 1)
    assert "segments.parquet" in damaged.err
    assert not out.exists()
