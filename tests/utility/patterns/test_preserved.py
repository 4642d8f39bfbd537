"""Frequent patterns kept and made up, by hand and by enumerating worlds."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sfumato import SeqAnon, Trajectories
from sfumato.data import Transactions
from sfumato.errors import DataError
from sfumato.utility.patterns.preserved import PatternsPreserved, PatternsSpurious
from sfumato.utility.patterns.random_projection import projected

WALKS = Trajectories.from_lists(
    ["ab", "ab", "ac", "d", "d"], places={"a": (0, 0), "b": (50, 0), "c": (51, 0), "d": (9, 9)}
)


class Released:
    origin = None

    def __init__(self, data: Any) -> None:
        self.data = data


def test_labels_as_they_are_by_hand() -> None:
    release = SeqAnon(k=2, m=1).anonymize(WALKS)
    assert release.data.members == {"g1": ("b", "c")}
    # frequent before: a, b, d, ab; published: a, d, g1, (a g1)
    assert PatternsPreserved(support=2, projections=0)(WALKS, release).value == 50
    assert PatternsSpurious(support=2, projections=0)(WALKS, release).value == 50


def test_projections_average_over_worlds() -> None:
    release = SeqAnon(k=2, m=1).anonymize(WALKS)
    # of the 8 worlds, b (and ab) has support >= 2 in 4, c (and ac) in 4: a, d always
    kept = PatternsPreserved(support=2, projections=600)(WALKS, release).value
    assert kept == pytest.approx(75, abs=4)
    assert PatternsSpurious(support=2, projections=600)(WALKS, release).value == pytest.approx(25, abs=4)
    again = PatternsPreserved(support=2, projections=600)(WALKS, release).value
    assert kept == again


def test_nothing_changed_is_nothing_lost() -> None:
    for data in (WALKS, Transactions.from_lists(["ab", "abc", "c"])):
        assert PatternsPreserved(support=2)(data, Released(data)).value == 100
        assert PatternsSpurious(support=2)(data, Released(data)).value == 0
    empty = Trajectories.from_lists([])
    assert PatternsPreserved()(WALKS, Released(empty)).value == 0
    assert PatternsSpurious()(WALKS, Released(empty)).value == 0
    assert PatternsPreserved()(empty, Released(empty)).value == 100


def test_a_generalized_item_is_any_non_empty_subset() -> None:
    data = replace(Transactions.from_lists([["g1", "z"]]), members={"g1": ("a", "b", "c")})
    rng = np.random.default_rng(3)
    seen: dict[tuple[str, ...], int] = {}
    for _ in range(1400):
        world = tuple(projected(data, rng).labels(0))
        assert world[-1] == "z"
        seen[world] = seen.get(world, 0) + 1
    assert len(seen) == 7
    assert min(seen.values()) > 140
    assert max(seen.values()) < 265


def test_a_generalized_location_is_one_member_each_time() -> None:
    data = replace(Trajectories.from_lists([["g1", "z", "g1"], []]), members={"g1": ("a", "b")})
    rng = np.random.default_rng(3)
    worlds = {tuple(projected(data, rng).labels(0)) for _ in range(60)}
    assert worlds == {(x, "z", y) for x in "ab" for y in "ab"}
    assert len(projected(data, rng)) == 2


def test_a_label_for_everything_has_more_patterns_than_can_be_counted() -> None:
    items = tuple(f"i{number:02}" for number in range(40))
    data = Transactions.from_lists([[item] for item in items])
    lost = replace(Transactions.from_lists([["any"]] * 400), members={"any": items})
    release = SimpleNamespace(data=lost, origin=None)
    with pytest.raises(DataError, match="patterns-preserved: wanted patterns with at most 4,194,304 labels"):
        PatternsPreserved()(data, release)
    assert PatternsPreserved(largest=2)(data, release).value == 100
