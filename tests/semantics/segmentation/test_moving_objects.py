"""Moving objects: by account, by person and means, by person, by trajectory; what contradicts itself is refused."""

from __future__ import annotations

from typing import Any

import pytest

from sfumato import Positions
from sfumato.errors import DataError
from sfumato.semantics import segment
from sfumato.semantics.segmentation.moving_objects import moving_objects

POSTS: dict[str, list[Any]] = {
    "person": ["eva", "bob", "eva", "eva", "bob"],
    "object": ["eva_b", "bob_a", "eva_a", "eva_b", None],
    "person_class": ["x:Tourist", None, "x:Tourist", "x:Tourist", None],
    "means": ["Flickr", "Flickr", "Twitter", "Flickr", "Flickr"],
    "time": [5, 1, 1, 2, 3],
    "x": [0, 0, 0, 0, 0],
    "y": [0, 0, 0, 0, 0],
}


def objects(by: str, **other: Any) -> list[dict[str, Any]]:
    _, frame = moving_objects(Positions.from_frame({**POSTS, **other}), by)
    return frame.to_dicts()


def test_objects_by_name_and_by_person_and_means() -> None:
    assert objects("object") == [
        {"object": "eva_a", "person": "eva", "person_class": "x:Tourist", "means": "Twitter"},
        {"object": "eva_b", "person": "eva", "person_class": "x:Tourist", "means": "Flickr"},
        {"object": "bob_a", "person": "bob", "person_class": None, "means": "Flickr"},
        {"object": "bob/Flickr", "person": "bob", "person_class": None, "means": "Flickr"},
    ]
    nameless = objects("object", object=[None] * 5)
    assert [row["object"] for row in nameless] == ["eva/Twitter", "eva/Flickr", "bob/Flickr"]


def test_persons_and_trajectories() -> None:
    assert objects("person") == [
        {"object": "eva", "person": "eva", "person_class": "x:Tourist", "means": None},  # two means
        {"object": "bob", "person": "bob", "person_class": None, "means": "Flickr"},
    ]
    tracks = objects("trajectory", trajectory=["t1", "t2", "t1", "t3", "t2"])
    assert [(row["object"], row["person"]) for row in tracks] == [("t1", "eva"), ("t2", "bob"), ("t3", "eva")]


def test_a_file_of_objects_alone() -> None:
    only = {name: POSTS[name] for name in ("time", "x", "y")} | {"object": ["a", "b", "a", "a", "b"]}
    movement = segment(only, fastest_kmh="any")
    assert movement.objects.select("object", "person").rows() == [("a", "a"), ("b", "b")]


def test_the_positions_of_each_object_are_in_order() -> None:
    movement = segment(POSTS, fastest_kmh="any")
    assert movement.objects["means"].to_list() == ["Twitter", "Flickr", "Flickr", "Flickr"]
    assert movement.positions.select("object", "begin").rows() == [(0, 1.0), (1, 2.0), (1, 5.0), (2, 1.0), (3, 3.0)]


def test_contradictions() -> None:
    with pytest.raises(DataError, match=r"^segment: wanted one person for each moving object, found two$"):
        objects("object", object=["same"] * 5)
    with pytest.raises(DataError, match=r"^segment: wanted one means for each moving object, found two$"):
        objects("object", object=["eva", "bob", "eva", "eva", "bob"])
