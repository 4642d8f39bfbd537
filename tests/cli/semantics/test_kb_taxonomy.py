"""`sfumato kb taxonomy`: the file, its readers, and wrong classes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfumato import read_places, read_taxonomy
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from tests.cli.conftest import Run
from tests.semantics.publishing.small_city import turtle


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    (tmp_path / "city.ttl").write_text(turtle())
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as base:
        base.load(tmp_path / "city.ttl")
    return tmp_path / "kb"


def test_the_taxonomy_and_the_places(run: Run, kb: Path, tmp_path: Path) -> None:
    tree, places = tmp_path / "taxonomy.csv", tmp_path / "places.csv"
    ran = run("kb", "taxonomy", kb, "--out", tree, "--places-out", places)
    assert ran.code == 0, ran.err
    assert "20 places under 8 nodes" in ran.out
    assert "Sensitive: 7 places; classes: Church, Clinic." in ran.out
    taxonomy = read_taxonomy(tree)
    assert taxonomy.ancestors("Clinic 1") == ("Clinic", "Amenity", "Site", "any place")
    assert len(read_places(places)) == 20
    assert oct(tree.stat().st_mode)[-3:] == "600"


def test_named_classes(run: Run, kb: Path, tmp_path: Path) -> None:
    out = tmp_path / "taxonomy.csv"
    facts = json.loads(
        run("kb", "taxonomy", kb, "--out", out, "--sensitive", "cafe,http://example.org/Museum", "--json").out
    )
    assert facts["sensitive_classes"] == ["Cafe", "Museum"]
    assert facts["sensitive_places"] == 13
    assert (
        json.loads(run("kb", "taxonomy", kb, "--out", out, "--sensitive", "none", "--json").out)["sensitive_places"]
        == 0
    )
    ran = run("kb", "taxonomy", kb, "--out", tmp_path / "other.csv", "--sensitive", "clinik")
    assert ran.code == 2
    assert "no class of the knowledge base is called 'clinik'" in ran.err
    assert not (tmp_path / "other.csv").exists()


def test_no_knowledge_base(run: Run, tmp_path: Path) -> None:
    ran = run("kb", "taxonomy", tmp_path / "nothing", "--out", tmp_path / "taxonomy.csv")
    assert ran.code == 2
    assert ran.err.count("\n") == 1
