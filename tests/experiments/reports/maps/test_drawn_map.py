"""Pages and pictures of maps: self-contained, escaped, repeatable, and private where they must be."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest

from sfumato import SeqAnon, Trajectories, draw_map
from sfumato.errors import OutputError
from sfumato.experiments.reports.maps import map_svg
from sfumato.generate import Roads

HOSTILE = "</script><img src=x onerror=alert(1)>\u2028&\"'\x01"
WHERE = {"a": (0, 0), "b": (-1, 0), HOSTILE: (1, 0), "d": (-1, 1.5), "e": (1, 1.6)}
DAYS = [[HOSTILE if place == "c" else place for place in day] for day in ("dace", "baec", "ade", "bdec", "dc", "de")]
WALKS = Trajectories.from_lists(DAYS, places=WHERE)
RELEASE = SeqAnon(k=2, m=2).anonymize(WALKS)


class Tags(HTMLParser):
    """The tags and attributes that a browser sees."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}


def payload(page: str) -> dict:
    return json.loads(re.search(r"<script>const DATA = (.*?);</script>", page)[1])


def test_a_page_holds_the_figures_and_nothing_from_outside() -> None:
    page = draw_map(WALKS, RELEASE, titles=["<b>before</b>", HOSTILE]).html
    data = payload(page)
    assert [sum(panel["marks"]["visits"]) for panel in data["panels"]] == [19, 19]
    assert HOSTILE in data["panels"][0]["marks"]["names"]
    assert "<img" not in page
    assert "<b>before" not in page
    assert page.count("</script>") == 2
    assert "\u2028" not in page.partition("const DATA")[2]
    tags = Tags()
    tags.feed(page)
    assert not tags.names & {"img", "link", "iframe", "object", "embed", "base", "image", "use"}
    assert not {name for name in tags.attributes if name in ("src", "href", "xlink:href") or name.startswith("on")}
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org/2000/svg)", page)
    assert "default-src 'none'" in page
    places, labels = data["panels"]
    assert {name: len(column) for name, column in places["marks"].items() if column} == {
        "points": 10, "visits": 5, "members": 5, "names": 5,
    }  # fmt: skip
    assert labels["areas"][0]["members"] == 3
    moves = sum(data["panels"][0]["flows"][2::3])
    assert moves == sum(len(day) - 1 for day in DAYS)


def test_a_picture_is_well_formed_and_always_the_same() -> None:
    drawn = draw_map(WALKS, RELEASE, titles=["before", HOSTILE])
    root = ET.fromstring(drawn.svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert drawn.svg == draw_map(WALKS, RELEASE, titles=["before", HOSTILE]).svg
    assert " id=" not in drawn.svg
    assert drawn._repr_svg_() == drawn.svg
    assert len(root.findall(".//{http://www.w3.org/2000/svg}circle")) >= 7
    both = {"before": WALKS, "after": RELEASE.data}
    assert map_svg(both) == map_svg(both)
    assert "Private" in drawn.svg
    assert "Private" not in map_svg(both)


@pytest.mark.parametrize(
    ("ending", "start"),
    [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<svg"), ("html", b"<!doctype html>")],
)
def test_every_format(ending: str, start: bytes, tmp_path: Path) -> None:
    file = draw_map(WALKS, RELEASE).write(tmp_path / f"map.{ending}")
    assert file.read_bytes().startswith(start)
    assert file.stat().st_mode & 0o777 == 0o600


def test_roads_have_a_page_and_a_picture() -> None:
    drives = Roads(nodes=12, degree=3, vehicles=60, distance_km=12).make(seed=4)
    drawn = draw_map(drives, basemap=drives.network)
    (panel,) = payload(drawn.html)["panels"]
    assert sum(panel["roads"]["vehicles"]) == len(drives.codes)
    assert len(panel["roads"]["ends"]) == 4 * len(drives.network.roads)
    assert 'data-layer="basemap"' in drawn.html
    assert "vehicles on a road" in drawn.svg
    assert drawn.to_json()["panels"][0]["title"] == "data"


def test_a_map_of_a_release_alone_is_public(tmp_path: Path) -> None:
    out = RELEASE.write(tmp_path / "out", geometry=True).path
    drawn = draw_map(out)
    assert not drawn.private
    assert drawn.write(tmp_path / "map.svg").stat().st_mode & 0o077 != 0
    assert "Private" not in drawn.html
    assert not draw_map(RELEASE).private
    for hidden in (draw_map(WALKS), draw_map(out, WALKS), draw_map(RELEASE.data)):
        assert hidden.private
    visits = Trajectories.from_frame(WALKS.to_polars().join(WALKS.places.frame, on="location"))
    assert draw_map(SeqAnon(k=2, m=2).anonymize(visits)).private, "its coordinates were computed from private visits"


def test_refused_files(tmp_path: Path) -> None:
    drawn = draw_map(WALKS)
    with pytest.raises(OutputError, match=r"map.gif: wanted a file that ends in .html, .png, .svg or .pdf for a map$"):
        drawn.write(tmp_path / "map.gif")
    out = RELEASE.write(tmp_path / "out").path
    for place in (out, out / "context"):
        place.mkdir(exist_ok=True)
        with pytest.raises(OutputError, match="which is published"):
            drawn.write(place / "map.html")
