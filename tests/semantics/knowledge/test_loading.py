"""Movements put into a knowledge base: several segmentations of the same positions, and what is refused."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from sfumato.errors import FileError, ParameterError
from sfumato.semantics import Movement, segment
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from sfumato.semantics.knowledge.selection import around

WALK = {
    "person": ["Ana é/1"] * 6,
    "time": [0, 1800, 1860, 9000, 9060, 90_000],
    "lon": [12.5, 12.5, 12.6, 12.61, 12.62, 12.7],
    "lat": [41.9] * 6,
}


def written(folder: Path, name: str, walk: Any = WALK, **rules: Any) -> Path:
    segment(walk, **rules).write(folder / name)
    return folder / name


def test_two_segmentations_of_the_same_positions_come_back(tmp_path: Path) -> None:
    days = written(tmp_path, "days")
    gaps = written(tmp_path, "gaps", trails="gap", gap_minutes=60, tree="gaps/60 é")
    with KnowledgeBase.create(tmp_path / "kb") as base:
        base.load([days, gaps])
        both = Movement.from_knowledge_base(base)
        assert base.check().filter(severity="violation").is_empty()
    assert len(both.positions) == 6
    expected = [segment(WALK), segment(WALK, trails="gap", gap_minutes=60, tree="gaps/60 é")]
    names = [name for movement in expected for name in movement.segments["name"]]
    assert sorted(both.segments["name"]) == sorted(names) == sorted(set(names))
    assert set(both.segments["tree"]) == {"", "gaps/60 é"}


def test_movements_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    days, gaps = written(tmp_path, "days"), written(tmp_path, "gaps", trails="gap", gap_minutes=60)
    later = written(tmp_path, "later", WALK | {"time": [time + 1 for time in WALK["time"]]})  # type: ignore[operator]
    annotations = {
        "target_kind": ["segment"],
        "target": [0],
        "property": ["http://www.seek-project.eu/Baquara02#tag"],
        "kind": ["tag"],
        "value": ["sun"],
    }
    segment(WALK).annotated(annotations).write(tmp_path / "more")
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as base:
        base.load(days)
        size = len(base)
        for other in (gaps, later):
            with pytest.raises(FileError, match="wanted other names than those of the movements in the knowledge base"):
                base.load(other)
            assert len(base) == size
        assert base.load(tmp_path / "more").triples > 0


def test_plane_coordinates_are_refused_with_the_name_of_the_movement(tmp_path: Path) -> None:
    plane = {"person": ["ann"] * 2, "time": [0, 10], "x": [0, 40], "y": [0, 0]}
    path = written(tmp_path, "plane", plane)
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as base, pytest.raises(FileError) as refused:
        base.load(path)
    assert str(refused.value) == f"{path}: wanted a movement in longitude and latitude, found plane coordinates"
    with pytest.raises(ParameterError, match="around: wanted a movement in longitude and latitude"):
        around(segment(plane))


@pytest.mark.parametrize("name", ["a.nt", "a.ttl", "a.rdf", "a.nt.gz"])
def test_a_file_without_a_byte_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    (tmp_path / "comment.nt.gz").write_bytes(gzip.compress(b"# nothing\n"))
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as base:
        with pytest.raises(FileError, match="the file is empty"):
            base.load(tmp_path / name)
        assert base.load(tmp_path / "comment.nt.gz").triples == 0
