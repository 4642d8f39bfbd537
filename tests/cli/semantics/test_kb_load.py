"""Files loaded into a knowledge base on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from papers.baquara_world import FOLDER
from sfumato.cli.semantics.kb_load import _period
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from sfumato.semantics.movement.movement import Movement

Run = Any
OSM = (
    "osm,key,value,name,lat,lon,wikidata\nnode/1,amenity,cafe,Sole,41.9,12.5,Q1\nnode/2,shop,books,Luna,41.8,12.4,Q1\n"
)


def test_triples_tables_and_movements(run: Run, tmp_path: Path) -> None:
    kb, places = tmp_path / "kb", tmp_path / "places.csv"
    places.write_text(OSM)
    ran = run("kb", "load", kb, FOLDER / "world.ttl", "--no-ontology")
    assert ran.out.splitlines() == [
        "world.ttl: 3,036 triples",
        "owl:sameAs: 2 links, 2 joined under one name, 0 left alone because the things are too far apart",
        f"{kb}: {len(KnowledgeBase.open(kb)):,} triples; a knowledge base is private",
    ]
    note = json.loads(run("kb", "load", kb, places, FOLDER / "world.ttl", "--mapping", "osm", "--json").out)
    assert [entry.get("known", False) for entry in note["files"]] == [False, True]
    assert note["same_as"] == {"links": 4, "joined": 2, "far": 2, "aliases": 2}
    objects = pl.DataFrame({"object": ["o"], "person": ["p"]})
    positions = pl.DataFrame({"object": ["o", "o"], "begin": [0.0, 60.0], "x": [12.5, 12.51], "y": [41.9, 41.9]})
    Movement.of(objects, positions).write(tmp_path / "movement")
    assert "movement: " in run("kb", "load", kb, tmp_path / "movement").out
    assert run("kb", "load", kb, tmp_path / "movement").out.startswith("movement: loaded before, nothing new\n")
    around = tmp_path / "around"
    ran = run("kb", "load", around, places, "--mapping", "osm", "--around", tmp_path / "movement", "--no-ontology")
    assert ran.code == 0
    with KnowledgeBase.open(around) as base:
        assert base.labels()["label"].to_list() == ["Sole"]


def test_a_load_that_fails_leaves_no_new_directory(run: Run, tmp_path: Path) -> None:
    kb = tmp_path / "kb"

    def sentence(*args: object) -> str:
        ran = run("kb", "load", kb, *args)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert not kb.exists()
        return str(ran.err).removeprefix("sfumato: ").strip()

    world = FOLDER / "world.ttl"
    assert sentence() == "kb load: wanted FILES or --endpoint, found neither"
    assert sentence(tmp_path / "x.ttl").endswith("x.ttl: cannot be read (No such file or directory)")
    assert sentence(world, "--box", "0,0,1,1").startswith("world.ttl: no place lies in the box")
    assert sentence(world, "--box", "1,2,3").startswith("--box: wanted west,south,east,north")
    assert sentence(world, "--box", "1,5,3,2").startswith("box: wanted west, south, east, north in degrees")
    assert sentence(world, "--period", "2014-07-01").startswith("--period: wanted FROM,TO")
    assert sentence(world, "--period", "2014-07-02,2014-07-01T00:00").startswith("period: wanted a begin")
    assert sentence("--endpoint", "http://127.0.0.1:1/").startswith("kb load: --endpoint needs --query, --box")
    assert sentence("--endpoint", "ftp://x/", "--box", "0,0,1,1").startswith("endpoint: wanted an address")
    assert sentence(world, "--query", world) == "kb load: --query needs --endpoint, found none"
    assert sentence(world, "--around", tmp_path, "--box", "0,0,1,1").startswith("kb load: wanted --around alone")
    (tmp_path / "a.csv").write_text(OSM)
    assert "wanted a mapping of the columns" in sentence(tmp_path / "a.csv")
    assert "did you mean 'osm'" in sentence(tmp_path / "a.csv", "--mapping", "oms")
    (tmp_path / "kb2").mkdir()
    (tmp_path / "kb2" / "file").write_text("x")
    assert "found a directory without kb.json" in run("kb", "load", tmp_path / "kb2", world).err


def test_a_period_of_days_includes_the_last_day() -> None:
    assert _period("2014-07-02,2014-07-13") == (1404259200, pytest.approx(1405296000, abs=1e-3))
    assert _period("2014-07-02, 2014-07-13T00:00") == (1404259200, 1405209600)
    assert _period(None) is None
