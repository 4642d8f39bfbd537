"""`sfumato kb facets`."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase

PAPERS = Path(__file__).parents[2] / "papers" / "baquara"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("facets") / "kb"
    with KnowledgeBase.create(directory) as kb:
        kb.load(PAPERS / "world.ttl")
    return directory


def test_facets_are_listed_and_counted(world: Path, run) -> None:
    listed = run("kb", "facets", str(world))
    assert listed.code == 0
    assert "TransportationMeans" in listed.out
    counted = run("kb", "facets", str(world), "place", "--relation", "visits", "--under", "dbo:Place")
    assert "dbo:Stadium" in counted.out
    assert "the counts are private" in counted.out


def test_counts_are_written_to_a_private_file(world: Path, tmp_path: Path, run) -> None:
    for name in ("counts.csv", "counts.parquet"):
        out = tmp_path / name
        assert run("kb", "facets", str(world), "Event", "--out", str(out)).code == 0
        frame = pl.read_csv(out) if name.endswith("csv") else pl.read_parquet(out)
        assert frame.filter(label="football match")["stops"].item() == 6
        assert out.stat().st_mode & 0o077 == 0


def test_the_time_facet_is_written_into_the_knowledge_base(world: Path, run) -> None:
    done = run("kb", "facets", str(world), "Time", "--write-times", "--hemisphere", "south", "--json")
    facts = json.loads(done.out)
    assert facts["triples_added"] > 0
    assert {"Winter", "Sunday evening"} <= {row["label"] for row in facts["rows"]}


def test_mistakes_of_the_caller_are_one_sentence(world: Path, tmp_path: Path, run) -> None:
    assert "did you mean 'Place'?" in run("kb", "facets", str(world), "Plase").err
    assert "wanted a time zone" in run("kb", "facets", str(world), "Time", "--zone", "Mars").err
    assert "name the facet" in run("kb", "facets", str(world), "--under", "dbo:Place").err
    assert "one of the prefixes" in run("kb", "facets", str(world), "Place", "--under", "x:y").err
    assert "found '.txt'" in run("kb", "facets", str(world), "--out", str(tmp_path / "a.txt")).err
