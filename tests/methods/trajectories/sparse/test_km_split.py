"""KmSplit by hand, beside its literal twin, and in the files it writes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from oracles import km_holds
from sfumato import KmSplit, Trajectories, verify
from sfumato.errors import Infeasible
from sfumato.privacy import KmAnonymity
from sparse_walks import (
    as_members,
    assert_sound,
    behind,
    counted,
    listed,
    many_walks,
    named,
    spoil,
    walks,
    with_tree,
)
from twins.sparse import km_split

CORNERS = {"a": (0, 0), "b": (9, 0), "c": (0, 9), "d": (9, 9)}


def by_hand(rows: list[str], **more: Any) -> list[list[str]]:
    data = Trajectories.from_lists(rows, places=CORNERS, persons=more.pop("persons", None))
    release = KmSplit(**{"k": 2, "m": 2, **more}).anonymize(data)
    assert_sound(release)
    return release.data.to_lists()


def test_a_record_is_cut_between_two_visits_that_are_a_rare_pair() -> None:
    """Only one person goes from ab to cd: both parts stay."""
    assert by_hand(["ab", "ab", "abcd", "cd", "cd"]) == [list("ab")] * 3 + [list("cd")] * 3


def test_a_visit_that_fits_nowhere_is_a_piece_of_its_own() -> None:
    assert by_hand(["ab", "ab", "abc", "c"]) == [list("ab")] * 3 + [["c"]] * 2


def test_with_one_piece_the_rest_is_single_visits() -> None:
    rows = by_hand(["ab", "ab", "abcd", "cd", "cd"], pieces=1)
    assert Counter(map(tuple, rows)) == {("a", "b"): 3, ("c", "d"): 2, ("c",): 1, ("d",): 1}


def test_a_visit_that_is_shown_already_is_published_only_if_keep_needs_it() -> None:
    """Nobody else goes from a to a: the second visit would count a second time."""
    assert by_hand(["ab", "ab", "aba"], keep=0.8) == [list("ab")] * 3
    assert sorted(by_hand(["ab", "ab", "aba"], keep=1.0)) == [["a"], *[list("ab")] * 3]


def test_pieces_of_one_trajectory_count_once_without_persons() -> None:
    """Two trajectories could be four pieces ab: with k=3 that is not enough, and a third one makes it so."""
    two = ["abab", "abab", "cd", "cd", "cd"]
    assert ["a", "b"] not in by_hand(two, k=3)
    assert by_hand([*two, "ab"], k=3).count(["a", "b"]) == 5


def test_counting_pieces_as_records_would_be_wrong() -> None:
    """A release whose pieces alone look 3-anonymous, and which two original records stand behind."""
    data = Trajectories.from_lists(["ab", "ab", "ab"], places=CORNERS)
    pieces = KmSplit(k=3, m=2).anonymize(data)
    assert km_holds(KmAnonymity(k=3, m=2), pieces.data)
    whose = counted(pieces).persons.codes
    forged = pieces.data.with_persons(counted(pieces).persons.take(np.where(whose == 2, 1, whose)))
    assert not km_holds(KmAnonymity(k=3, m=2), forged)
    assert KmAnonymity(k=3, m=2).check(forged).holds is False


def twin_of(release: Any, tree: Any) -> list[list[tuple[str, ...]]]:
    """What the twin publishes with the labels of a tree."""
    method = release.method
    places, units = listed(release.original)
    wanted = -(-round(method.keep * 100) * len(release.original.codes) // 100)
    rows = km_split(places, units, tree, method.k, method.m, method.pieces, wanted)
    return named(rows, release.original.names)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    data=walks(), k=st.integers(2, 4), m=st.integers(1, 3), levels=st.integers(1, 3),
    keep=st.sampled_from([0.3, 0.8, 1.0]), pieces=st.sampled_from([None, 1, 2]),
)  # fmt: skip
def test_the_output_is_that_of_the_literal_twin(
    data: Trajectories, k: int, m: int, levels: int, keep: float, pieces: int | None
) -> None:
    try:
        release, tree = with_tree(KmSplit(k=k, m=m, levels=levels, keep=keep, pieces=pieces), data)
    except Infeasible:
        assume(False)
    assert as_members(release.data) == twin_of(release, tree)
    assert len(release.origin) >= keep * len(data.codes)  # every visit can be a piece of its own
    larger = Counter(record for record, length in zip(behind(release), release.data.lengths, strict=True) if length > 1)
    assert pieces is None or max(larger.values(), default=0) <= pieces


@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_larger_data_agree_with_the_twin(seed: int, m: int) -> None:
    release, tree = with_tree(KmSplit(k=3, m=m), many_walks(seed, records=60))
    assert as_members(release.data) == twin_of(release, tree)
    assert release.counts["split_records"] > 0 or m == 1


@pytest.mark.parametrize("people", [None, 50], ids=["records", "persons"])
def test_the_written_files_verify(people: int | None, tmp_path: Any) -> None:
    """Who is behind a piece is known only with the original and the report."""
    release = KmSplit(k=4, m=2).anonymize(many_walks(3, people=people))
    release.write(tmp_path / "out", report=tmp_path / "report.json")
    original = release.original
    by_files = verify(tmp_path / "out")
    assert by_files.code == 3
    assert "original" in by_files.verdicts[0][1].reason
    assert verify(tmp_path / "out", original=original).code == 3
    assert verify(tmp_path / "out", original=original, report=tmp_path / "report.json").code == 0
    spoil(tmp_path / "out")
    assert verify(tmp_path / "out").code == 1
    assert verify(tmp_path / "out", original=original).code == 1


def test_with_l_the_written_files_verify(tmp_path: Any) -> None:
    rows = ["ab", "abd", "ab", "ab", "bc", "bc", "cd", "dcd"]
    data = Trajectories.from_lists(rows, places=CORNERS)
    data = Trajectories.from_lists(rows, places=data.places.with_sensitive(["d"]))
    release = KmSplit(k=2, m=2, l=2).anonymize(data)
    assert_sound(release)
    release.write(tmp_path / "out", report=tmp_path / "report.json")
    assert verify(tmp_path / "out").code == 3
    assert verify(tmp_path / "out", original=data, report=tmp_path / "report.json").code == 0
