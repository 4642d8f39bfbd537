"""Places by the labels that stand for them."""

from __future__ import annotations

from dataclasses import replace

from sfumato import Trajectories
from sfumato.privacy.checks.label_images import LabelImages


def test_labels_that_share_nothing_have_no_images() -> None:
    data = replace(Trajectories.from_lists([["g1"], ["c"]]), members={"g1": ("a", "b")})
    assert LabelImages.of(data, range(2)) is None


def test_places_behind_the_same_labels_are_one() -> None:
    data = replace(
        Trajectories.from_lists([["g1"], ["g2"], ["g3"]]),
        members={"g1": ("a", "b", "c"), "g2": ("b", "c", "d"), "g3": ("e", "f")},
    )
    images = LabelImages.of(data, range(3))
    assert images is not None
    assert dict(zip(images.names, images.images, strict=True)) == {
        "a": ("g1",),
        "b": ("g1", "g2"),
        "d": ("g2",),
        "g3": ("g3",),
    }
    assert images.profiles_of(data.codes).tolist() == [2, 2, 1]


def test_only_the_given_labels_count() -> None:
    data = replace(Trajectories.from_lists([["a"], ["g1"]]), members={"g1": ("a", "b")})
    assert LabelImages.of(data, [0]) is None
    assert LabelImages.of(data, [0, 1]) is not None


def test_a_person_with_two_labels_of_one_place() -> None:
    data = replace(Trajectories.from_lists([["a"], ["g1"], ["g1"]]), members={"g1": ("a", "b")})
    images = LabelImages.of(data, range(2))
    assert images is not None
    assert not images.overlap_in_units(data)
    for who, shared in (("uvw", False), ("uuv", True), ("uvu", True), ("uvv", False)):
        named = Trajectories.from_lists([["a"], ["g1"], ["g1"]], persons=list(who))
        assert images.overlap_in_units(named) is shared
