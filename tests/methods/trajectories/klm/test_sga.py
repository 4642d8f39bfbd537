"""Sga where it differs from Zga; the literal twin of both is asked in test_zga.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sfumato import Places, Sga, Trajectories
from sfumato.errors import ParameterError
from sfumato.kernels.mining.containment import contained_patterns
from sfumato.methods.base import Run
from sfumato.methods.trajectories.klm.unit_order import Organized

PLACES = Places.planar({name: (at, 0) for at, name in enumerate("abcdy")}).with_sensitive("y")


def keys(method: Sga, rows: Any, **more: Any) -> list[list[int]]:
    data = Trajectories.from_lists(rows, places=PLACES, **more)
    organized = Organized(data, np.array([name == "y" for name in data.names]))
    offsets, ones = method.select(organized, Run())
    return [ones[offsets[at] : offsets[at + 1]].tolist() for at in range(organized.n_units)]


def test_keys_are_the_frequent_subtrajectories_without_sensitive_visits() -> None:
    """a (4), b (4), (a,b) (3): y between a and b is not there, and y, the most frequent of all, makes no bit."""
    rows = ["ayb", "yab", "aby", "ya", "yb", "y"]
    assert keys(Sga(k=2, l=2, m=1, top=3), rows) == [[2, 1, 0], [2, 1, 0], [2, 1, 0], [0], [1]]
    assert keys(Sga(k=2, l=2, m=1, top=1), rows) == [[0], [0], [0], [0], []]


def test_a_person_has_the_keys_of_all_their_trajectories() -> None:
    """(a), (b), (a,b): nobody but v goes from a to b in one trajectory."""
    found = keys(Sga(k=2, l=2, m=1, top=3), ["a", "b", "ab", "y"], persons=list("uuvw"))
    assert found == [[1, 0], [2, 1, 0]]


def test_fewer_subtrajectories_than_asked_for_make_shorter_keys() -> None:
    data = Trajectories.from_lists(["a", "a", "a"], places=PLACES)
    assert keys(Sga(k=2, l=2, m=1, top=50), ["a", "a"]) == [[0], [0]]
    assert Sga(k=2, l=2, m=1, top=50).anonymize(data).holds


@pytest.mark.parametrize(
    ("record", "pattern", "inside"),
    [("abc", "ac", True), ("abc", "ca", False), ("aba", "aa", True), ("ab", "aa", False), ("", "a", False)],
)
def test_what_a_record_contains(record: str, pattern: str, inside: bool) -> None:
    def flat(word: str) -> tuple[Any, Any]:
        return np.array([ord(x) for x in word], dtype=np.int32), np.array([0, len(word)], dtype=np.int64)

    assert contained_patterns(*flat(record), *flat(pattern)).tolist() == [[inside]]


def test_top_is_refused_in_one_sentence() -> None:
    with pytest.raises(ParameterError) as refusal:
        Sga(k=2, l=2, m=1, top=0)
    assert str(refusal.value) == "Sga: top must be a whole number of at least 1, got 0"
