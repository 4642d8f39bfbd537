"""Movements of a knowledge base as tables: everything comes back, and mistakes are named before the work."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from papers.baquara_world import FOLDER
from sfumato.semantics import Movement, read_movement
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

Run = Any


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("world") / "kb"
    with KnowledgeBase.create(directory, ontology=False) as base:
        base.load([FOLDER / "world.ttl"])
    return directory


@pytest.fixture(scope="module")
def movement(world: Path) -> Movement:
    with KnowledgeBase.open(world) as base:
        return Movement.from_knowledge_base(base)


@pytest.mark.parametrize("name", ["tables", "tables.duckdb"])
def test_the_tables_hold_the_movement(run: Run, world: Path, movement: Movement, tmp_path: Path, name: str) -> None:
    ran = run("kb", "export", world, "--out", tmp_path / name)
    assert ran.code == 0, ran.err
    assert "9 objects, 17 positions, 142 segments, 214 annotations, 1 pattern, 1 description in" in ran.out
    assert "private" in ran.out
    assert read_movement(tmp_path / name).equals(movement)
    assert stat.S_IMODE((tmp_path / name).stat().st_mode) in (0o600, 0o700)


def test_a_movement_goes_in_and_comes_out(run: Run, movement: Movement, tmp_path: Path) -> None:
    movement.write(tmp_path / "first")
    assert run("kb", "load", tmp_path / "kb", tmp_path / "first").code == 0
    ran = run("kb", "export", tmp_path / "kb", "--out", tmp_path / "second", "--json")
    assert json.loads(ran.out)["rows"]["segments"] == 142
    assert read_movement(tmp_path / "second").equals(movement)


def test_names_are_the_ends_of_iris(run: Run, tmp_path: Path) -> None:
    positions = {"object": ["two words"] * 2, "begin": [0, 9.5], "x": [1.0, 2.0], "y": [3.0, 4.0]}
    segments = {"object": ["two words"], "type": ["TRAIL"], "first": [0], "last": [1]}
    walk = Movement.of({"object": ["two words"]}, positions, segments)
    walk.write(tmp_path / "walk")
    assert run("kb", "load", tmp_path / "kb", tmp_path / "walk").code == 0
    assert run("kb", "export", tmp_path / "kb", "--out", tmp_path / "out").code == 0
    assert read_movement(tmp_path / "out").equals(walk)
    assert run("kb", "export", tmp_path / "kb", "--out", tmp_path / "other", "--base-iri", "http://a/").code == 0
    names = read_movement(tmp_path / "other").objects["object"].to_list()
    assert names == ["http://example.org/movement/object/two%20words"]


def test_mistakes(run: Run, world: Path, tmp_path: Path) -> None:
    (tmp_path / "there.duckdb").write_text("something")
    ran = run("kb", "export", world, "--out", tmp_path / "there.duckdb")
    assert (ran.code, (tmp_path / "there.duckdb").read_text()) == (2, "something")
    assert "exists already" in ran.err
    ran = run("kb", "export", world, "--out", tmp_path / "tables.xlsx")
    assert (ran.code, "or a file that ends in .duckdb, found '.xlsx'" in ran.err) == (2, True)
    assert not (tmp_path / "tables.xlsx").exists()
    assert "wanted a base IRI" in run("kb", "export", world, "--out", tmp_path / "a", "--base-iri", "rio").err
    assert "wanted a knowledge base" in run("kb", "export", tmp_path / "no", "--out", tmp_path / "a").err
    with KnowledgeBase.create(tmp_path / "empty", ontology=False):
        pass
    ran = run("kb", "export", tmp_path / "empty", "--out", tmp_path / "a")
    assert (ran.code, "wanted a knowledge base with moving objects, found none" in ran.err) == (2, True)
    assert not (tmp_path / "a").exists()
