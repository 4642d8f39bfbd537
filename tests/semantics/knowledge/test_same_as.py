"""One name for near things that owl:sameAs joins, compared with a slow reference implementation."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Point

from sfumato.semantics.knowledge.knowledge_base import KnowledgeBase
from sfumato.semantics.knowledge.same_as import near_components
from twins.knowledge import near_groups

NAMES = st.sampled_from([f"urn:{letter}" for letter in "abcdefgh"])
LINKS = st.lists(st.tuples(NAMES, NAMES).filter(lambda link: link[0] != link[1]), min_size=1, max_size=9)
POINTS = st.dictionaries(NAMES, st.tuples(st.integers(0, 4).map(lambda x: x / 200), st.just(41.9)))


@given(LINKS, POINTS)
def test_groups_agree_with_the_reference_implementation(links: list[tuple[str, str]], points: dict) -> None:
    names = near_components(links, {name: [Point(*where)] for name, where in points.items()}, 900.0)
    groups: defaultdict[str, set[str]] = defaultdict(set)
    for name, first in names.items():
        groups[first].add(name)
    assert {frozenset(group) for group in groups.values()} == near_groups(links, points, 900.0)
    assert all(first == min(group) for first, group in groups.items())


def place(name: str, longitude: float, *others: str) -> str:
    same = "".join(f" ; owl:sameAs <urn:{other}>" for other in others)
    point = f'[ geo:asWKT "POINT({longitude} 0)"^^geo:wktLiteral ]'
    return f'<urn:{name}> rdfs:label "{name}" ; geo:hasGeometry {point}{same} .'


HEAD = """@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix geo: <http://www.opengis.net/ont/geosparql#> .
"""


@pytest.fixture
def base(tmp_path: Path) -> KnowledgeBase:
    return KnowledgeBase.create(tmp_path / "kb", ontology=False)


def loaded(base: KnowledgeBase, path: Path, *lines: str, **options: object) -> tuple[int, int, int]:
    path.write_text(HEAD + "\n".join(lines))
    same = base.load(path, **options).same_as  # type: ignore[arg-type]
    return same.links, same.joined, same.far


def labels(base: KnowledgeBase) -> dict[str, set[str]]:
    names: defaultdict[str, set[str]] = defaultdict(set)
    for resource, label, _ in base.labels().rows():
        names[resource.removeprefix("urn:")].add(label)
    return dict(names)


def test_an_entity_that_near_and_far_places_share(base: KnowledgeBase, tmp_path: Path) -> None:
    """0.005 degrees on the equator are 556 m."""
    lines = [place("b", 0, "q"), place("a", 0.005, "q"), place("far", 1, "q"), '<urn:q> rdfs:label "entity" .']
    with base:
        assert loaded(base, tmp_path / "a.ttl", *lines) == (3, 0, 3)
        assert labels(base) == {"a": {"a", "b"}, "far": {"far"}, "q": {"entity"}}
        before = len(base)
        assert loaded(base, tmp_path / "a.ttl", *lines, same_as_within_m=1000.0) == (3, 0, 3)
        assert len(base) == before  # nothing more to join
        assert loaded(base, tmp_path / "b.ttl", "<urn:trip> <urn:visits> <urn:b> .") == (3, 0, 3)
        assert base.answer("SELECT ?place WHERE { <urn:trip> <urn:visits> ?place }").frame["place"].item() == "urn:a"


def test_chains_are_joined_only_along_near_links(base: KnowledgeBase, tmp_path: Path) -> None:
    lines = [place("a", 0, "b"), place("b", 0.005, "c"), place("c", 0.01, "d"), place("d", 0.5)]
    with base:
        assert loaded(base, tmp_path / "a.ttl", *lines) == (3, 2, 1)
        assert labels(base) == {"a": {"a", "b", "c"}, "d": {"d"}}
        assert base.geometries()["resource"].to_list() == ["urn:a"] * 3 + ["urn:d"]
        replaced = base.answer("SELECT ?a ?b WHERE { ?a <http://purl.org/dc/terms/isReplacedBy> ?b } ORDER BY ?a")
        assert replaced.frame.rows() == [("urn:b", "urn:a"), ("urn:c", "urn:a")]


def test_an_earlier_name_replaces_a_later_one(base: KnowledgeBase, tmp_path: Path) -> None:
    with base:
        assert loaded(base, tmp_path / "a.ttl", place("m", 0, "n"), place("n", 0)) == (1, 1, 0)
        assert loaded(base, tmp_path / "b.ttl", place("b", 0, "n")) == (2, 2, 0)
        assert labels(base) == {"b": {"b", "m", "n"}}


def test_names_can_be_kept_and_the_distance_chosen(base: KnowledgeBase, tmp_path: Path) -> None:
    lines = [place("a", 0, "b"), place("b", 0.005)]
    with base:
        assert loaded(base, tmp_path / "a.ttl", *lines, same_as_within_m=None) == (0, 0, 0)
        assert labels(base) == {"a": {"a"}, "b": {"b"}}
        assert loaded(base, tmp_path / "a.ttl", *lines, same_as_within_m=500.0) == (1, 0, 1)
        assert loaded(base, tmp_path / "a.ttl", *lines, same_as_within_m=600.0) == (1, 1, 0)
