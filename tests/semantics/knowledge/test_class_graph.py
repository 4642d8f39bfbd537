"""Class graphs: distinct counts, one superclass for a tree, sensitivity from all, cycles and equivalent classes."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import polars as pl
import pytest

from sfumato.errors import DataError
from sfumato.semantics.knowledge.class_graph import ClassGraph
from sfumato.semantics.knowledge.facets.extraction import class_graph_of
from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from sfumato.semantics.vocabulary import prefix_lines

BAQUARA = Path(__file__).parents[2] / "papers" / "baquara"
VISITS = "SELECT DISTINCT ?stop ?place { ?stop a bq:Stop ; bq:visits ?place }"


@pytest.mark.parametrize("seed", range(20))
def test_counts_tree_and_sensitivity_agree_with_a_search(seed: int) -> None:
    chance = random.Random(seed)
    names = "abcdefg"
    edges = [(child, parent) for i, child in enumerate(names) for parent in names[:i] if chance.random() < 0.4]
    types = [(f"r{number}", chance.choice(names)) for number in range(8) for _ in range(chance.randint(1, 2))]
    graph = ClassGraph.of(edges, types)

    def reaches(name: str, top: str) -> bool:
        return name == top or any(reaches(parent, top) for child, parent in edges if child == name)

    instances = {top: len({r for r, name in types if reaches(name, top)}) for top in graph.classes}
    assert dict(graph.counts().rows()) == instances
    kept = dict(graph.tree().rows())
    for name in graph.classes:
        parents = sorted({parent for child, parent in edges if child == name}, key=lambda p: (instances[p], p))
        assert kept[name] == (parents[0] if parents else None)
        assert graph.sensitive([name]) == {other for other in graph.classes if reaches(other, name)}
    links = pl.DataFrame(
        [(f"s{i}", chance.choice([*"abc", "r0", "r1", "r2"])) for i in range(10)],
        schema=["stop", "resource"],
        orient="row",
    )
    expected = {}
    for top in graph.classes:
        stops = {
            stop
            for stop, thing in links.rows()
            if (thing in graph and reaches(thing, top)) or any(r == thing and reaches(name, top) for r, name in types)
        }
        if stops:
            expected[top] = len(stops)
    assert dict(graph.roll_up(links, ["stop"]).rows()) == expected


def test_the_papers_roll_up_of_stops_by_class(tmp_path: Path) -> None:
    """The checked answer of b15_facet_rollup.rq, computed in columns."""
    with KnowledgeBase.create(tmp_path / "kb") as kb:
        kb.load(BAQUARA / "world.ttl")
        graph = kb.classes()
        visits = kb.answer(prefix_lines("bq") + VISITS).frame
    counts = graph.roll_up(visits, ["stop", "place"], resource="place")
    answer = {name: (stops, places) for name, stops, places in counts.rows()}
    with (BAQUARA / "expected" / "b15_facet_rollup.csv").open(encoding="utf-8", newline="") as file:
        checked = {row["class"]: (int(row["stops"]), int(row["places"])) for row in csv.DictReader(file)}
    assert len(checked) == 7
    assert {name: answer[name] for name in checked} == checked


def test_equivalent_classes_are_one_class() -> None:
    graph = ClassGraph.of(
        [("match", "sport"), ("game", "event")], [("final", "match")], [("sport", "game"), ("game", "play")]
    )
    assert graph.names_of("play") == ("game", "play", "sport")
    assert "sport" in graph
    assert graph.ancestors("match") == {"game", "event"}
    assert dict(graph.counts().rows()) == {"event": 1, "game": 1, "match": 1}


def test_a_cycle_between_equivalent_classes_is_merged_and_another_is_named() -> None:
    merged = ClassGraph.of([("a", "b"), ("b", "a"), ("a", "c")], [("x", "b")], [("a", "b")])
    assert dict(merged.counts().rows()) == {"a": 1, "c": 1}
    wanted = "^ClassGraph: wanted no cycle, found a is a subclass of b is a subclass of a$"
    with pytest.raises(DataError, match=wanted):
        ClassGraph.of([("a", "b"), ("b", "a"), ("a", "c")])
    with pytest.raises(DataError, match=r"found a is a subclass of c is a subclass of a$"):
        ClassGraph.of([("a", "c"), ("c", "b")], equivalent=[("a", "b")])


def test_cyclic_subclasses_of_a_knowledge_base_are_refused_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "cycle.ttl"
    file.write_text(prefix_lines("rdfs", "bq") + "bq:City rdfs:subClassOf bq:Bar . bq:Bar rdfs:subClassOf bq:City .")
    with KnowledgeBase.create(tmp_path / "kb") as kb:
        kb.load(file)
        with pytest.raises(DataError, match=r"found bq:Bar is a subclass of bq:City is a subclass of bq:Bar$"):
            class_graph_of(kb)


def test_a_part_of_a_graph_and_an_unknown_class() -> None:
    graph = ClassGraph.of([("a", "b"), ("c", "d")], [("x", "a"), ("y", "c")], [("a", "z")])
    assert graph.under("b").classes == ("a", "b")
    assert graph.under("b").types.rows() == [("x", "a")]
    assert graph.under("b").name_of("z") == "a"
    with pytest.raises(DataError, match=r"wanted one of its 4 classes, found q"):
        graph.parents("q")
