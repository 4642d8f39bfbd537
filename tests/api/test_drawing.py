"""`sfumato.draw_map` of what a user has."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato import Places, Trajectories, anonymize, draw_map
from sfumato.errors import DataError, ParameterError

WHERE = {"a": (0, 0), "b": (5, 0), "c": (6, 0)}
WALKS = Trajectories.from_lists([["a", "b"], ["a", "b"], ["a", "c"]], places=WHERE)


def test_datasets_frames_releases_files_and_directories(tmp_path: Path) -> None:
    release = anonymize(WALKS, "seqanon", k=2, m=1)
    out = release.write(tmp_path / "published", geometry=True)
    file = tmp_path / "visits.csv"
    WALKS.to_polars().write_csv(file)
    assert repr(draw_map(WALKS)) == "<DrawnMap of data, private>"
    assert (
        repr(draw_map(WALKS, release))
        == "<DrawnMap of original and release by SeqAnon(k=2, m=1, rounds=False, suppression=0.0), private>"
    )
    assert repr(draw_map(file, out.path)) == "<DrawnMap of visits.csv and published, private>"
    assert repr(draw_map(str(out.path))) == "<DrawnMap of published, public>"
    assert repr(draw_map(WALKS.to_polars(), places=Places.planar(WHERE))) == "<DrawnMap of data, private>"
    assert [panel.title for panel in draw_map(WALKS, WALKS).scene.panels] == ["data", "data (2)"]


def test_places_from_a_file_come_first(tmp_path: Path) -> None:
    (tmp_path / "places.csv").write_text("location,x,y\na,100,0\n")
    (panel,) = draw_map(WALKS, places=tmp_path / "places.csv").scene.panels
    assert dict(zip(panel.marks.names, panel.marks.points.tolist(), strict=True)) == {
        "a": [100.0, 0.0], "b": [5.0, 0.0], "c": [6.0, 0.0],
    }  # fmt: skip


def test_refusals() -> None:
    with pytest.raises(DataError, match="wanted at least one dataset, found none"):
        draw_map()
    with pytest.raises(ParameterError, match="wanted a title for each of 1 sources, found 2"):
        draw_map(WALKS, titles=["a", "b"])
    with pytest.raises(ParameterError, match="no layer is called 'roads'"):
        draw_map(WALKS, layers=["roads"])
