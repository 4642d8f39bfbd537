"""Trails, stops, moves and links on a map are those of the movement, and everything left out is stated."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato import Trajectories, anonymize, draw_map
from sfumato.errors import DataError, OutputError, ParameterError
from sfumato.experiments.reports.maps.projection import Projection
from sfumato.experiments.reports.maps.trails import linked_places, movement_trails, thinning
from sfumato.experiments.reports.maps.trails.movement_trails import movement_trails as trails_of
from sfumato.experiments.reports.maps.trails.trail_script import TRAIL_SCRIPT
from sfumato.semantics.movement.movement import Movement

HOSTILE = "</script><img src=x onerror=alert(1)>"
VISITS = "http://www.seek-project.eu/Baquara02#visits"


class Base:
    """A knowledge base of three places and an event, as frames."""

    places = ("Corcovado", "Urca", HOSTILE)

    def labels(self) -> pl.DataFrame:
        rows = [("e:0", "Cristo", "pt"), ("e:0", "Corcovado", "en"), ("e:1", "Urca", None), ("e:2", HOSTILE, None)]
        return pl.DataFrame(rows, schema=["resource", "label", "language"], orient="row")

    def geometries(self) -> pl.DataFrame:
        rows = [(f"e:{n}", f"POINT({-43.2 - n / 100} -22.9)", -43.2 - n / 100, -22.9) for n in range(3)]
        return pl.DataFrame(rows, schema=["resource", "wkt", "x", "y"], orient="row")

    def types(self) -> pl.DataFrame:
        rows = [
            ("e:0", "c:Thing"),
            ("e:1", "c:Thing"),
            ("e:2", "c:Thing"),
            ("e:0", "c:Peak"),
            ("e:1", "c:Peak"),
            ("e:1", "c:A"),
        ]
        return pl.DataFrame(rows, schema=["resource", "class"], orient="row")

    def events(self) -> pl.DataFrame:
        return pl.DataFrame({"resource": ["e:game"], "begin": [0.0], "end": [9.0], "place": ["e:1"]})


def random_movement(seed: int, objects: int = 4, days: int = 3) -> Movement:
    """Days of a stop, a move and a stop for each moving object, with links of stops, positions and trails."""
    random = np.random.default_rng(seed)
    positions, segments = [], []
    for who in range(objects):
        for day in range(days):
            cuts = np.cumsum([0, *random.integers(1, 6, 3)]) + len(positions)
            segments.append((who, "TRAIL", int(cuts[0]), int(cuts[-1]) - 1))
            for kind, first, last in zip(("STOP", "MOVE", "STOP"), cuts[:-1], cuts[1:], strict=True):
                segments.append((who, kind, int(first), int(last) - 1))
            for n in range(int(cuts[-1] - cuts[0])):
                where = random.uniform((-43.3, -23.0), (-43.1, -22.8))
                positions.append((who, 1.4e9 + day * 86_400 + n * 900.0, *where))
    stops = [row for row, segment in enumerate(segments) if segment[1] == "STOP"]
    targets = [("segment", row) for row in random.choice(stops, 8)] + [("position", 0), ("segment", 0)]
    links = [(kind, int(row), VISITS, "resource", f"e:{n % 4}", 10.0 * n, 0.9) for n, (kind, row) in enumerate(targets)]
    rows = pl.DataFrame(
        links, orient="row", schema=["target_kind", "target", "property", "kind", "value", "metres", "similarity"]
    )
    return Movement.of(
        {"object": [f"user {who}" for who in range(objects)]},
        pl.DataFrame(positions, schema=["object", "begin", "x", "y"], orient="row").cast({"object": pl.UInt32}),
        pl.DataFrame(segments, schema=["object", "type", "first", "last"], orient="row").cast({"object": pl.UInt32}),
        annotations=rows,
    )


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_lines_circles_and_links_are_those_of_the_movement(seed: int) -> None:
    movement = random_movement(seed)
    projection = Projection(True, -43.2, -22.9)
    trails, notes = trails_of(movement, projection, Base())  # type: ignore[arg-type]
    flat = projection.flat(movement.positions.select("x", "y").to_numpy())
    segments = list(movement.segments.iter_rows(named=True))
    wanted = [s for s in segments if s["type"] == "TRAIL" and s["last"] > s["first"]]
    assert [line.points.tolist() for line in trails.trails] == [
        flat[s["first"] : s["last"] + 1].tolist() for s in wanted
    ]
    moves = [s for s in segments if s["type"] == "MOVE"]
    assert [line.points.tolist() for line in trails.moves] == [
        flat[s["first"] - 1 : s["last"] + 2].tolist() for s in moves
    ]
    stops = [row for row, s in enumerate(segments) if s["type"] == "STOP"]
    centres = [flat[segments[row]["first"] : segments[row]["last"] + 1].mean(axis=0) for row in stops]
    assert np.allclose(trails.spots.points[trails.spots.stop], centres, atol=1e-3)
    spot = {("segment", row): n for n, row in enumerate(stops)} | {("position", 0): len(stops)}
    links = {
        (spot[kind, target], value, metres)
        for kind, target, value, metres in movement.annotations.select(
            "target_kind", "target", "value", "metres"
        ).rows()
        if (kind, target) in spot
    }
    names = ["Corcovado", "Urca", HOSTILE, "e:3"]
    got = zip(trails.links.spot.tolist(), trails.links.place.tolist(), trails.links.metres.tolist(), strict=True)
    assert {(s, f"e:{names.index(trails.places.names[p])}", m) for s, p, m in got} == links
    assert trails.properties == ("visits",)
    unknown = sum(value == "e:3" for _, value, _ in links)
    listed = (
        f"Listed with their stops, but not drawn: {unknown} link{'s' * (unknown != 1)} to places without coordinates."
    )
    assert notes == [listed] * (unknown > 0)
    (link,) = trails.trails[0].links
    assert (trails.places.names[link[1]], link[2:]) == ("Urca", (90.0, 0.9))


def test_a_place_has_its_rarest_class_and_an_event_the_coordinates_of_its_place() -> None:
    places = linked_places.linked_places(["e:0", "e:1", "e:2", "e:game", "e:none"], Base(), Projection(False))  # type: ignore[arg-type]
    assert [places.categories[row] for row in places.category] == [
        "c:Peak", "c:A", "c:Thing", "category unknown", "category unknown",
    ]  # fmt: skip
    assert places.points[3].tolist() == places.points[1].tolist() == [-43.21, -22.9]
    assert places.located.tolist() == [True, True, True, True, False]


def test_a_page_is_private_offline_and_escaped(tmp_path: Path) -> None:
    movement = random_movement(4)
    page = draw_map(movement, kb=Base()).write(tmp_path / "trails.html")  # type: ignore[arg-type]
    assert page.stat().st_mode & 0o777 == 0o600
    text = page.read_text()
    assert "<b>Private.</b>" in text
    assert "<img" not in text
    assert text.count("</script>") == 2
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org/2000/svg)", text.replace(VISITS, ""))
    (panel,) = json.loads(re.search(r"<script>const DATA = (.*?);</script>", text)[1])["panels"]
    data = panel["trails"]
    assert data["objects"] == [f"user {who}" for who in range(4)]
    assert sum(data["spots"]["stop"]) == 24
    assert HOSTILE in data["places"]["names"]
    assert re.findall(r'data-layer="(\w+)"', text) == ["trails", "moves", "links", "places", "stops"]
    few = draw_map(movement, layers="stops").html
    assert re.findall(r'data-layer="(\w+)"', few) == ["stops"]
    release = anonymize(Trajectories.from_lists(["ab", "ab"], places={"a": (0, 0), "b": (1, 1)}), "seqanon", k=2, m=1)
    published = release.write(tmp_path / "out").path
    with pytest.raises(OutputError, match="which is published"):
        draw_map(movement).write(published / "trails.html")


def test_before_and_after_share_one_map() -> None:
    movement = random_movement(5)
    walks = Trajectories.from_frame(
        pl.DataFrame(
            {
                "trajectory": [1, 1, 2, 2],
                "location": ["a", "b", "a", "b"],
                "lat": [-22.9, -22.8] * 2,
                "lon": [-43.2, -43.1] * 2,
            }
        )
    )
    drawn = draw_map(movement, anonymize(walks, "seqanon", k=2, m=1))
    assert (
        repr(drawn) == "<DrawnMap of movement and release by SeqAnon(k=2, m=1, rounds=False, suppression=0.0), private>"
    )
    assert re.findall(r'data-layer="(\w+)"', drawn.html)[:2] == ["visits", "flows"]
    assert drawn.svg.count("<title>") == 1
    planar = Trajectories.from_lists(["ab"], places={"a": (0, 0), "b": (1, 1)})
    with pytest.raises(DataError, match="wanted all coordinates as lat and lon, or all as x and y, found both"):
        draw_map(movement, planar)
    with pytest.raises(ParameterError, match="wanted a movement whose links lead into the knowledge base, found none"):
        draw_map(walks, kb=Base())  # type: ignore[arg-type]


def test_large_movements_are_thinned_and_the_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, most in (("_MOST_LINES", 5), ("_MOST_STOPS", 7), ("_MOST_LINKS", 3), ("_MOST_POINTS", 40)):
        monkeypatch.setattr(thinning, name, most)
    monkeypatch.setattr(movement_trails, "_MOST_OBJECTS", 3)
    drawn = draw_map(random_movement(6, days=9), kb=Base())  # type: ignore[arg-type]
    (panel,) = drawn.scene.panels
    trails = panel.trails
    assert (len(trails.objects), len(trails.trails), len(trails.moves), int(trails.spots.stop.sum())) == (3, 5, 5, 7)
    assert len(trails.links) <= 3
    of_lines = {link[1] for line in trails.trails for link in line.links}
    assert set(trails.links.place.tolist()) | of_lines == set(range(len(trails.places)))
    assert sum(len(line.points) for line in (*trails.trails, *trails.moves)) <= 40
    assert panel.summary == "4 moving objects, 36 trails, 72 stops, 36 moves, 10 links"
    notes = "\n".join(drawn.notes)
    for part in (
        "Of 4 moving objects, the 3 with",
        "Of 27 trails, the 5 with",
        "Of 54 stops, the 7 longest",
        "lines are drawn without",
    ):
        assert part in notes
    assert all(note in drawn.html for note in drawn.notes)
    shown = trails.spots.end - trails.spots.begin
    assert shown[trails.spots.stop].min() >= 0


def test_thinned_lines_keep_both_ends() -> None:
    points = np.array([[0.0, 0], [0.1, 0], [5, 0], [5.1, 0], [5.2, 0]])
    assert points[thinning._apart(points, 1.0)].tolist() == [[0, 0], [5, 0], [5.2, 0]]


def test_segments_without_positions_are_drawn_from_their_geometry() -> None:
    segments = {
        "object": ["a"] * 4,
        "type": ["TRAIL", "STOP", "MOVE", "STOP"],
        "begin": [0.0, 0, 20, 40],
        "end": [50.0, 10, 30, 50],
        "wkt": [None, "POINT(1 2)", "LINESTRING(1 2, 3 4)", "POLYGON((0 0, 1 1, 1 0, 0 0))"],
    }
    movement = Movement.of({"object": ["a"]}, None, segments)
    trails, notes = trails_of(movement, Projection(False), None)
    assert trails.spots.points.tolist() == [[1, 2]]
    assert [line.points.tolist() for line in trails.moves] == [[[1, 2], [3, 4]]]
    assert notes == ["Not drawn: 1 stop without positions."]
    bare = Movement.of({"object": ["a"]}, None, {name: column[:1] for name, column in segments.items()})
    with pytest.raises(DataError, match="a map: wanted a movement with positions, found none"):
        draw_map(bare)


def test_positions_without_segments_are_one_line_and_cross_the_date_line() -> None:
    positions = {"object": ["a"] * 3, "begin": [0.0, 1, 2], "x": [179.0, -179.5, -179.0], "y": [0.0, 0, 0]}
    (panel,) = draw_map(Movement.of({"object": ["a"]}, positions)).scene.panels
    (line,) = panel.trails.trails
    assert np.ptp(line.points[:, 0]) < 250_000


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node to run the script of a page")
def test_cards_say_when_how_long_and_where(tmp_path: Path) -> None:
    positions = {
        "object": ["Ana"] * 3,
        "begin": [1.4e9, 1.4e9 + 5400, 1.4e9 + 9000],
        "x": [0.0, 0, 1],
        "y": [0.0, 0, 1],
    }
    segments = {"object": ["Ana"] * 2, "type": ["TRAIL", "STOP"], "first": [0, 0], "last": [2, 1]}
    link = {"target_kind": "segment", "target": 1, "property": VISITS, "kind": "resource", "value": "e:0"}
    movement = Movement.of(
        {"object": ["Ana"]},
        positions,
        segments,
        annotations=[
            {**link, "metres": 12.4, "similarity": 0.93},
            {**link, "target": 0, "value": "e:1", "metres": None, "similarity": None},
        ],
    )
    page = draw_map(movement, kb=Base()).html  # type: ignore[arg-type]
    trails = json.loads(re.search(r"<script>const DATA = (.*?);</script>", page)[1])["panels"][0]["trails"]
    script = f"""
    const whole = (n) => n.toLocaleString("en"), many = (n, word) => whole(n) + " " + word + (n === 1 ? "" : "s");
    const path = (flat) => ({{flat}}), panel = {{trails: {json.dumps(trails)}}}, panels = [panel];
    {TRAIL_SCRIPT}
    preparedTrails(panel.trails);
    const hits = [{{panel, spot: 0}}, {{panel, place: 0}}, {{panel, line: panel.trails.trails[0], layer: "trails"}}];
    console.log(JSON.stringify(hits.map(card)));"""
    (tmp_path / "run.js").write_text(script)
    done = subprocess.run(["node", tmp_path / "run.js"], capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(done.stdout) == [
        "Stop of moving object 1: Ana\n2014-05-13 16:53 to 18:23 UTC, 90 minutes\n"
        "visits: Corcovado (c:Peak, 12 m, similarity 0.93)",
        "Corcovado\nc:Peak\n1 link of 1 moving object",
        "Trail of moving object 1: Ana\n2014-05-13 16:53 to 19:23 UTC, 150 minutes, 3 positions\nvisits: Urca (c:A)",
    ]


def test_the_map_of_one_post_shows_its_near_places() -> None:
    """A place at the stated distance of its link is on it, a mentioned one need not be; at least 100 m are."""
    links = [
        ("position", 0, VISITS, "resource", "e:0", 1025.3, 0.9),
        ("position", 0, VISITS, "resource", "e:2", None, 0.9),
    ]
    names = ["target_kind", "target", "property", "kind", "value", "metres", "similarity"]
    widths = []
    for rows in (links, links[1:]):
        movement = Movement.of(
            {"object": ["a"]},
            {"object": [0], "begin": [0.0], "x": [-43.21], "y": [-22.9]},
            annotations=pl.DataFrame(rows, schema=names, orient="row"),
        )
        scene = draw_map(movement, kb=Base()).scene  # type: ignore[arg-type]
        widths.append(float((scene.high - scene.low)[0]))
    assert widths == pytest.approx([1024.3, 100.0], abs=1)
