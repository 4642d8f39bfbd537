"""Taxonomies built from categories and coordinates."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from sfumato.data import Places
from sfumato.errors import CallerError, MissingKnowledge
from sfumato.prepare import place_taxonomy, spatial_taxonomy


def places(**more: object) -> Places:
    return Places.from_frame({"location": ["a", "b"], "x": [0, 1], "y": [0, 0], "category": ["Food", "Arts"], **more})


def test_every_place_lies_in_a_small_part_of_its_category() -> None:
    chance = Random(1)
    rows = [(f"p{number:03}", chance.random(), chance.random(), chance.choice("ABC")) for number in range(300)]
    columns = dict(zip(("location", "x", "y", "category"), map(list, zip(*rows, strict=True)), strict=True))
    tree = place_taxonomy(Places.from_frame(columns), sensitive="B", largest=10)
    assert tree.height == 3
    for name, _, _, category in rows:
        part, above, root = tree.ancestors(name)
        assert (above, root) == (category, "place")
        assert part.startswith(f"{category} ")
        assert 5 <= tree.leaf_count(part) <= 10
        assert (name in tree.sensitive) == (category == "B")


def test_parts_are_near() -> None:
    chance = np.random.default_rng(1)
    where = chance.random((200, 2))
    names = [f"p{number:03}" for number in range(200)]
    tree = place_taxonomy(
        Places.from_frame({"location": names, "x": where[:, 0], "y": where[:, 1], "category": ["A"] * 200}), largest=13
    )
    spans = []
    for part in tree.children("A"):
        inside = where[[names.index(name) for name in tree.leaves_below(part)]]
        spans.append(np.ptp(inside, axis=0).max())
    assert np.mean(spans) < 0.4


def test_places_at_one_point_are_parted_by_name() -> None:
    same = Places.from_frame({"location": list("abcd"), "x": [1] * 4, "y": [1] * 4, "category": ["A"] * 4})
    assert place_taxonomy(same, largest=2).leaves_below("A 1") == ("a", "b")


@pytest.mark.parametrize(
    ("found", "options", "problem"),
    [
        (Places.planar({"a": (0, 0)}), {},
         "place_taxonomy: wanted places with a category, found none; add a column 'category'"),
        (places(category=["Food", None]), {},
         "the places: wanted a category for every place, found none for 1"),
        (places(), {"sensitive": ["Foot"]},
         "place_taxonomy: wanted sensitive categories of the places, found 'Foot'"),
        (places(), {"largest": 0}, "place_taxonomy: largest must be a whole number of at least 1, got 0"),
        (places(category=["a", "Arts"]), {},
         "place_taxonomy: wanted distinct names, found a name twice; rename the place or category"),
    ],
)  # fmt: skip
def test_refusals(found: Places, options: dict[str, object], problem: str) -> None:
    with pytest.raises(CallerError) as refusal:
        place_taxonomy(found, **options)  # type: ignore[arg-type]
    assert str(refusal.value) == problem


def test_parts_of_the_map_are_halves_of_the_part_above() -> None:
    rng = np.random.default_rng(3)
    where = {f"p{number}": tuple(rng.integers(0, 9, 2).tolist()) for number in range(37)}
    tree = spatial_taxonomy(Places.planar(where), largest=5)
    assert (set(tree.leaves), tree.rule) == (set(where), "")
    for node in tree.nodes:
        if tree.is_leaf(node):
            continue
        children = tree.children(node)
        if tree.is_leaf(children[0]):
            assert len(children) <= 5
            continue
        first, second = (tree.leaves_below(child) for child in children)
        assert abs(len(first) - len(second)) <= 1
        spread = [np.ptp([where[name][axis] for name in (*first, *second)]) for axis in (0, 1)]
        axis = int(spread[1] > spread[0])
        assert max(where[name][axis] for name in first) <= min(where[name][axis] for name in second)
    with pytest.raises(MissingKnowledge, match="wanted places with coordinates"):
        spatial_taxonomy(Places.from_frame({"location": ["a"], "category": ["x"]}))
