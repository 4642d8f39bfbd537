"""KmSuppress by hand, beside its literal twin, and in the files it writes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sfumato import KmSuppress, Trajectories, verify
from sfumato.errors import Infeasible
from sfumato.methods.trajectories.sparse.label_tree import LabelTree
from sparse_walks import as_members, assert_sound, behind, listed, many_walks, named, spoil, walks, with_tree
from twins.sparse import km_suppress

CORNERS = {"a": (0, 0), "b": (9, 0), "c": (0, 9), "d": (9, 9)}


def by_hand(rows: list[str], **more: Any) -> list[list[str]]:
    method = KmSuppress(**{"k": 2, "m": 2, "keep": 0.5, **more})
    release = method.anonymize(Trajectories.from_lists(rows, places=CORNERS))
    assert_sound(release)
    return release.data.to_lists()


def test_the_visit_that_makes_a_pair_rare_is_suppressed_there_and_nowhere_else() -> None:
    """c is popular, but only one person goes from a to c."""
    assert by_hand(["ab", "ab", "abc", "cd", "cd"]) == [list("ab")] * 3 + [list("cd")] * 2


def test_the_larger_clique_stays() -> None:
    """abc and d: of the last record, the three visits that go together stay."""
    assert by_hand(["abc", "abc", "dabc", "d", "d"]) == [list("abc")] * 3 + [["d"]] * 2


def test_a_triple_is_rare_although_its_pairs_are_not() -> None:
    rows = ["ab", "ab", "bc", "bc", "ac", "ac", "abc"]
    assert ["a", "b", "c"] in by_hand(rows)
    assert ["a", "b", "c"] not in by_hand(rows, m=3)
    assert sum(map(len, by_hand(rows, m=3))) == sum(map(len, rows)) - 1


def test_rare_places_that_are_near_become_one_label() -> None:
    places = {"a": (0, 0), "b": (1, 0), "c": (50, 0), "d": (51, 0)}
    data = Trajectories.from_lists(["a", "b", "c", "d"], places=places)
    release = KmSuppress(k=2, m=1, keep=1.0).anonymize(data)
    assert sorted(release.data.members.values()) == [("a", "b"), ("c", "d")]


def twin_of(release: Any, tree: LabelTree) -> list[list[tuple[str, ...]]]:
    """What the twin publishes with the labels of a tree, labels as the places that are visited under them."""
    places, units = listed(release.original)
    return named(km_suppress(places, units, tree, release.method.k, release.method.m), release.original.names)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    data=walks(), k=st.integers(2, 4), m=st.integers(1, 3), levels=st.integers(1, 3),
    keep=st.sampled_from([0.3, 0.8, 1.0]),
)  # fmt: skip
def test_the_output_is_that_of_the_literal_twin(data: Trajectories, k: int, m: int, levels: int, keep: float) -> None:
    try:
        release, tree = with_tree(KmSuppress(k=k, m=m, levels=levels, keep=keep), data)
    except Infeasible:
        assume(False)
    assert as_members(release.data) == twin_of(release, tree)
    assert len(behind(release)) == len(set(behind(release)))


@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_larger_data_agree_with_the_twin(seed: int, m: int) -> None:
    release, tree = with_tree(KmSuppress(k=4, m=m, keep=0.8), many_walks(seed, records=60))
    assert as_members(release.data) == twin_of(release, tree)
    assert release.counts["suppressed_visits"] <= 0.2 * len(release.original.codes)


@pytest.mark.parametrize("people", [None, 50], ids=["records", "persons"])
def test_the_written_files_verify(people: int | None, tmp_path: Any) -> None:
    release = KmSuppress(k=4, m=2).anonymize(many_walks(3, people=people))
    release.write(tmp_path / "out", report=tmp_path / "report.json")
    original = release.original
    assert verify(tmp_path / "out").code == (0 if people is None else 3)
    assert verify(tmp_path / "out", original=original, report=tmp_path / "report.json").code == 0
    spoil(tmp_path / "out")
    assert verify(tmp_path / "out").code == 1
