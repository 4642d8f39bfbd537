"""`sfumato enrich` on the small world."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from semantics.linking import small_world
from sfumato.semantics import read_movement

pytest.importorskip("pyoxigraph")
Run = Any
RIO = "http://example.org/"


@pytest.fixture
def movement(tmp_path: Path) -> Path:
    small_world.movement().write(tmp_path / "movement")
    return tmp_path / "movement"


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    """The places of the small world as a knowledge base."""
    from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

    lines = []
    for place, wkt, names, _ in small_world.PLACES:
        resource = f"<{RIO}{place.replace(':', '/')}>"
        for name in names.split("|"):
            label, _, language = name.partition("@")
            lines.append(f"{resource} rdfs:label {json.dumps(label)}{f'@{language}' if language else ''} .")
        lines.append(f'{resource} geo:hasGeometry [ geo:asWKT "{wkt}"^^geo:wktLiteral ] .')
    lines += [
        f"<{RIO}party> a <http://www.seek-project.eu/Baquara02#Event> ; bq:occursIn <{RIO}rio/sc_pub> ;",
        'bq:begin "1970-01-01T00:00:00Z"^^xsd:dateTime ; bq:end "1970-01-02T00:00:00Z"^^xsd:dateTime .',
    ]
    prefixes = {
        "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
        "geo": "http://www.opengis.net/ont/geosparql#",
        "bq": "http://www.seek-project.eu/Baquara02#",
        "xsd": "http://www.w3.org/2001/XMLSchema#",
    }
    head = [f"@prefix {name}: <{iri}> ." for name, iri in prefixes.items()]
    (tmp_path / "places.ttl").write_text("\n".join([*head, *lines]), "utf-8")
    with KnowledgeBase.create(tmp_path / "kb", ontology=False) as base:
        base.load(tmp_path / "places.ttl")
    return tmp_path / "kb"


def test_enrich(run: Run, tmp_path: Path, movement: Path, kb: Path) -> None:
    out = tmp_path / "enriched"
    ran = run("enrich", movement, "--kb", kb, "--tau-s", 1024, "--tau-t", 0.8, "--first", "similar", "--out", out)
    assert (ran.code, ran.err) == (0, "")
    assert "7 of 9 positions linked" in " ".join(ran.out.split())
    assert "links visits: 8" in ran.out
    enriched = read_movement(out)
    assert stat.S_IMODE(out.stat().st_mode) == 0o700
    added = enriched.annotations.filter(enriched.annotations["kind"] == "resource")
    assert added["value"].to_list()[:2] == [f"{RIO}rio/sc_pub", f"{RIO}rio/sc_market"]  # the party shares an instant
    figures = json.loads(run("enrich", movement, "--kb", kb, "--out", tmp_path / "other", "--json").out)
    assert (figures["linked"], figures["visits"], figures["parameters"]["tau_s"]) == (5, 6, 16)


def test_refusals_write_nothing(run: Run, tmp_path: Path, movement: Path, kb: Path) -> None:
    out = tmp_path / "enriched"
    for options, sentence in (
        (("--languages", "fi"), "languages: wanted labels in 'fi', found labels in en, pt"),
        (("--names", "tags"), "link: wanted texts of 'tags' to compare with labels, found texts of place"),
        (("--on", "stops"), "link: wanted stops, found a movement without stops"),
        (("--stages", "stemm"), "link: no stage is called 'stemm'; did you mean 'stem'?"),
        (
            ("--tau-t", 2),
            "enrich: Invalid value for '--tau-t': tau_t must be a number of at least 0 and at most 1, got 2.0",
        ),
    ):
        ran = run("enrich", movement, "--kb", kb, "--out", out, *options)
        assert (ran.code, ran.err) == (2, f"sfumato: {sentence}\n")
    assert "wanted a knowledge base, found none" in run("enrich", movement, "--kb", tmp_path / "no", "--out", out).err
    assert "wanted the directory of a movement" in run("enrich", tmp_path, "--kb", kb, "--out", out).err
    assert not out.exists()
    published = tmp_path / "published"
    published.mkdir()
    (published / "certificate.json").write_text("{}")
    assert run("enrich", movement, "--kb", kb, "--out", published / "enriched").code == 2
    assert run("enrich", movement, "--kb", kb, "--out", movement).code == 2
