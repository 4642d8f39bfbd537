"""The classes of the synthetic city are a graph without cycles that holds every class in use."""

from __future__ import annotations

import io

import pytest

from sfumato.generate import Posts
from sfumato.generate.coast.vocabulary import CLASSES, classes_frame, classes_turtle, iri


def ancestors(name: str) -> set[str]:
    parents = CLASSES[name][0].split()
    return set(parents).union(*(ancestors(parent) for parent in parents))


def test_no_class_is_above_itself() -> None:
    assert not [name for name in CLASSES if name in ancestors(name)]


def test_every_class_in_use_is_declared() -> None:
    city = Posts(people=40, days=2, places=150).make(seed=1)
    used = set(city.places["class"]) | set(city.events["class"]) | set(city.regions["class"])
    used |= set(city.posts["person_class"]) | set(city.posts["means_class"])
    assert used <= {iri(name) for name in CLASSES}
    assert len([name for name, (parents, _) in CLASSES.items() if len(parents.split()) > 1]) > 3  # not a tree


def test_turtle_and_table_say_the_same() -> None:
    store = pytest.importorskip("pyoxigraph")
    triples = store.parse(io.BytesIO(classes_turtle().encode()), format=store.RdfFormat.TURTLE)
    pairs = {(t.subject.value, t.object.value) for t in triples if t.predicate.value.endswith("subClassOf")}
    table = classes_frame().drop_nulls("parent")
    assert pairs == set(table.select("class", "parent").iter_rows())
