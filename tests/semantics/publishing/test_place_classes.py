"""Classes of places: the choice of one, the tree, sensitivity along every superclass."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.errors import DataError
from sfumato.semantics.knowledge.class_graph import ClassGraph
from sfumato.semantics.publishing.place_classes import ROOT, UNCLASSIFIED, PlaceClasses


def test_the_rarest_lowest_class_is_chosen() -> None:
    above = [("clinic", "health"), ("clinic", "building"), ("health", "place"), ("building", "place")]
    types = [("p", "clinic"), ("p", "place"), ("q", "building"), ("r", "health"), ("r", "building"), ("s", "building")]
    classes = PlaceClasses.of(ClassGraph.of(above, types), ["p", "q", "r", "s", "t"], ["health"])
    assert classes.own == {"p": "clinic", "q": "building", "r": "health", "s": "building"}
    assert classes.sensitive_places == {"p", "r"}
    names = {resource: resource.upper() for resource in "pqrst"}
    tree = classes.taxonomy(names, {name: name for name in classes.names({})})
    assert tree.ancestors("P") == ("clinic", "health", "place", ROOT)  # health has fewer instances than building
    assert tree.ancestors("T") == (UNCLASSIFIED, ROOT)
    assert tree.sensitive == {"P", "R", "clinic", "health"}


def test_sensitivity_comes_from_a_superclass_that_the_tree_does_not_keep() -> None:
    above = [("chapel", "church"), ("chapel", "monument"), ("church", "place"), ("monument", "place")]
    types = [("p", "chapel"), ("q", "church"), ("r", "church"), ("s", "monument")]
    classes = PlaceClasses.of(ClassGraph.of(above, types), ["p", "q", "r", "s"], ["church"])
    tree = classes.taxonomy({name: name for name in "pqrs"}, {name: name for name in classes.names({})})
    assert tree.parent("chapel") == "monument"
    assert tree.sensitive == {"p", "q", "r", "chapel", "church"}


def test_a_sensitive_class_that_is_not_chosen_marks_the_place() -> None:
    types = [("p", "cafe"), ("p", "party"), ("q", "party"), ("r", "cafe"), ("s", "party")]
    classes = PlaceClasses.of(ClassGraph.of([], types), ["p", "q", "r", "s"], ["party"])
    tree = classes.taxonomy({name: name for name in "pqrs"}, {name: name for name in classes.names({})})
    assert tree.parent("p") == "cafe"
    assert tree.sensitive == {"p", "q", "s", "party"}


@pytest.mark.parametrize("seed", range(20))
def test_as_the_rules_by_hand(seed: int) -> None:
    rng = np.random.default_rng(seed)
    names = [f"c{number}" for number in range(7)]
    above = [(names[low], names[high]) for low in range(7) for high in range(low + 1, 7) if rng.random() < 0.35]
    types = [(f"p{place}", name) for place in range(8) for name in names if rng.random() < 0.3]
    marked = [name for name in names if rng.random() < 0.2]
    graph = ClassGraph.of(above, [*types, *((f"x{name}", name) for name in names)])

    def up(name: str) -> set[str]:
        return {name}.union(*(up(parent) for child, parent in above if child == name))

    instances: dict[str, set[str]] = {name: set() for name in names}  # other instances, x..., do not count
    for place, name in types:
        for other in up(name):
            instances[other].add(place)
    places = [f"p{place}" for place in range(8)]
    classes = PlaceClasses.of(graph, places, marked)
    tree = classes.taxonomy({place: place for place in places}, {name: name for name in classes.names({})})
    for place in places:
        own = [name for owner, name in types if owner == place]
        lowest = [name for name in own if not any(name in up(other) - {other} for other in own)]
        path = [place]
        node = min(lowest, key=lambda name: (len(instances[name]), name), default=None)
        if node is None:
            path.append(UNCLASSIFIED)
        while node is not None:
            path.append(node)
            parents = [parent for child, parent in above if child == node]
            node = min(parents, key=lambda name: (len(instances[name]), name), default=None)
        assert [place, *tree.ancestors(place)] == [*path, ROOT]
        assert (place in tree.sensitive) == bool(set(marked) & set().union(*(up(name) for name in own)))


def test_no_places() -> None:
    with pytest.raises(DataError, match="at least one place with a geometry"):
        PlaceClasses.of(ClassGraph.of([]), []).taxonomy({}, {})
