"""BfP2ka against its literal twin, and in the cases that ask for thought."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import persons
from sfumato import BfP2ka, Trajectories, Transactions, verify
from sfumato.errors import DataError, Infeasible, ParameterError
from sfumato.generate import Checkins
from twins.p2ka import bf_p2ka

sequences = st.lists(st.lists(st.sampled_from("abcd"), max_size=7), min_size=1, max_size=24)


def published(rows: Any, k: int, who: Any = None) -> list[str]:
    return ["".join(row) for row in BfP2ka(k=k).anonymize(Trajectories.from_lists(rows, persons=who)).data.to_lists()]


@settings(max_examples=300, deadline=None)
@given(rows=sequences, k=st.integers(2, 4), draw=st.data())
def test_the_output_is_that_of_the_literal_twin(rows: Any, k: int, draw: Any) -> None:
    who = draw.draw(persons(len(rows)))
    units = list(range(len(rows))) if who is None else who
    expected, dropped = bf_p2ka(rows, units, k)
    data = Trajectories.from_lists(rows, persons=who)
    if not expected:
        with pytest.raises(Infeasible, match=f"k={k}"):
            BfP2ka(k=k).anonymize(data)
        return
    release = BfP2ka(k=k).anonymize(data)
    assert [tuple(row) for row in release.data.to_lists()] == expected
    assert release.counts["suppressed_records"] == dropped + sum(not row for row in rows)
    assert release.holds


@pytest.mark.parametrize(("seed", "length", "who"), [(1, 6.0, None), (2, 6.0, 60), (3, 3.0, 200)])
def test_larger_data_agree_with_the_twin(seed: int, length: float, who: int | None) -> None:
    made = Checkins(trajectories=300, locations=12, mean_length=length, persons=who).make(seed=seed)
    rows = [row[:12] for row in made.to_lists()]
    data = Trajectories.from_lists(rows, persons=None if who is None else made.units.tolist())
    expected, dropped = bf_p2ka(rows, data.units.tolist(), 3)
    release = BfP2ka(k=3).anonymize(data)
    assert [tuple(row) for row in release.data.to_lists()] == expected
    assert release.counts["suppressed_records"] == dropped
    assert release.counts["moved_records"] > 100


@pytest.mark.parametrize("length", [63, 64, 65, 127, 128, 129, 200])
def test_sequences_longer_than_a_machine_word(length: int) -> None:
    """The common subsequence is a row of bits in words of 64: at the borders a carry must not get lost."""
    rng = np.random.default_rng(length)
    long = [str(n) for n in rng.integers(0, 3, length)]
    shared = [["0", "1", "2", "0", *long[::3]], ["1", "0", *long[1::4], "2"], ["2", *long[: length // 2]]]
    rows = [row for row in shared for _ in range(2)] + [long, long[::-1]]
    data = Trajectories.from_lists(rows)
    assert [tuple(row) for row in BfP2ka(k=2).anonymize(data).data.to_lists()] == _by_table(rows, shared)


def _by_table(rows: list[list[str]], shared: list[list[str]]) -> list[tuple[str, ...]]:
    """What is expected of two cut sequences, by the textbook table of lengths."""
    found = [tuple(row) for row in rows[:-2]]
    for cut in rows[-2:]:
        options = []
        for path in shared:
            table = [0] * (len(cut) + 1)
            for depth, label in enumerate(path, start=1):
                row = [0]
                for at, visit in enumerate(cut):
                    row.append(table[at] + 1 if visit == label else max(row[-1], table[at + 1]))
                table = row
                options.append((-table[-1], depth, tuple(path[:depth])))
        found.append(min(options)[2])
    return sorted(found)


def test_a_short_path_is_closer_than_a_long_one() -> None:
    """(c) is in both branches; it lies deeper below a, where two visits would be invented."""
    assert published(["abc", "abc", "bc", "bc", "xc"], 2).count("bc") == 3


def test_ties_go_to_the_first_name() -> None:
    rows = ["ca", "ca", "ba", "ba", "xa"]
    assert published(rows, 2) == ["ba", "ba", "ba", "ca", "ca"]
    assert published(rows[::-1], 2) == ["ba", "ba", "ba", "ca", "ca"]


def test_sequences_that_end_inside_a_pruned_subtree_come_back() -> None:
    """(a, b, c) and (a, b, c, d): both end below the pruned node c, one of them at an inner node."""
    rows = ["ab", "ab", "ab", "abc", "abcd"]
    assert published(rows, 3) == ["ab"] * 5


def test_a_release_may_hold_a_sequence_fewer_than_k_times() -> None:
    """Three begin with a, b; two of them have more in common with what others do, and are published as that."""
    rows = ["abx", "aby", "ab", *["cabx"] * 3, *["caby"] * 3]
    assert published(rows, 3) == ["ab", *["cabx"] * 4, *["caby"] * 4]


def test_a_beginning_that_k_share_stays_although_no_continuation_does() -> None:
    assert published(["ab", "ac", "ad", "ae"], 4) == ["a"] * 4


def test_k_records_of_one_person_hide_nobody() -> None:
    rows = ["ab", "ab", "ab", "a", "a"]
    assert published(rows, 3) == ["a", "a", "ab", "ab", "ab"]
    assert published(rows, 3, who=list("uuuvw")) == ["a"] * 5
    release = BfP2ka(k=3).anonymize(Trajectories.from_lists(rows, persons=list("uuuvw")))
    assert release.verdicts[0][1].measured["unit"] == "person"
    assert release.holds


def test_what_has_nothing_in_common_is_suppressed_and_counted() -> None:
    release = BfP2ka(k=2).anonymize(Trajectories.from_lists(["ab", "ab", "xy", "", "acy"]))
    assert release.data.to_lists() == [["a"], ["a", "b"], ["a", "b"]]
    assert release.counts == {
        "suppressed_records": 2,
        "moved_records": 1,
        "suppressed_visits": 4,
        "added_visits": 0,
    }
    assert release.certificate().records == {"published": 3, "suppressed": 2, "added": 0, "split": 0}


def test_visits_that_nobody_made_are_counted() -> None:
    release = BfP2ka(k=2).anonymize(Trajectories.from_lists(["ab", "ab", "xb"]))
    assert release.data.to_lists() == [["a", "b"]] * 3
    assert release.counts["added_visits"] == 1
    assert release.counts["suppressed_visits"] == 1


def test_the_certificate_says_what_the_release_is_not(tmp_path: Any) -> None:
    rows = ["ab", "ab", "ac", "b"]
    release = BfP2ka(k=2).anonymize(Trajectories.from_lists(rows))
    certificate = release.certificate()
    assert any(limit["key"] == "sequences-of-nobody" for limit in certificate.not_covered)
    assert any("fewer than k times" in limit["text"] for limit in certificate.not_covered)
    (guarantee,) = certificate.guarantees
    assert guarantee.verdict == {"holds": True, "checked_from": "original", "measured": {}, "witnesses": []}
    assert release.origin is None
    release.write(tmp_path / "out")
    ((_, alone),) = verify(tmp_path / "out").verdicts
    ((_, whole),) = verify(tmp_path / "out", original=Trajectories.from_lists(rows)).verdicts
    ((_, other),) = verify(tmp_path / "out", original=Trajectories.from_lists(["ab", "ac"])).verdicts
    assert (alone.holds, whole.holds, other.holds) == ("not checkable", True, False)


def test_persons_are_asked_of_the_original_too(tmp_path: Any) -> None:
    rows = ["ab", "ab", "a", "a"]
    BfP2ka(k=2).anonymize(Trajectories.from_lists(rows, persons=list("uvwx"))).write(tmp_path / "out")
    nameless = verify(tmp_path / "out", original=Trajectories.from_lists(rows)).verdicts[0][1]
    assert nameless.holds == "not checkable"
    assert nameless.reason.remedy == "name-person-column"
    alike = Trajectories.from_lists(rows, persons=list("uuuu"))
    assert verify(tmp_path / "out", original=alike).verdicts[0][1].holds is False
    told = Trajectories.from_lists(rows, persons=list("uvwx"))
    assert verify(tmp_path / "out", original=told).verdicts[0][1].holds is True


def test_times_are_not_published_and_side_knowledge_stays() -> None:
    frame = {
        "trajectory": [1, 1, 2, 2],
        "location": list("abab"),
        "time": [5, 6, 7, 8],
        "x": [0, 1, 0, 1],
        "y": [0] * 4,
    }
    release = BfP2ka(k=2).anonymize(pl.DataFrame(frame))
    assert release.data.times is None
    assert release.data.places is not None


def test_the_phases_are_timed_and_watched() -> None:
    seen: list[tuple[str, int, int]] = []
    data = Trajectories.from_lists(["ab", "ab", "b"])
    release = BfP2ka(k=2).anonymize(data, progress=lambda *said: seen.append(said))
    assert {phase for phase, _, _ in seen} == set(release.seconds)
    assert {"building the prefix tree", "putting back what was cut", "generating"} < set(release.seconds)


def test_refusals() -> None:
    with pytest.raises(ParameterError) as low:
        BfP2ka(k=1)
    assert str(low.value) == "BfP2ka: k must be a whole number of at least 2, got 1"
    with pytest.raises(Infeasible) as few:
        BfP2ka(k=3).anonymize(Trajectories.from_lists(["a", "a", ""]))
    assert str(few.value) == "bf-p2ka: k=3 needs at least 3 records with a visit, these data have 2"
    with pytest.raises(Infeasible) as nothing:
        BfP2ka(k=2).anonymize(Trajectories.from_lists(["ab", "ba", "ca"]))
    assert str(nothing.value) == (
        "bf-p2ka: k=2 leaves nothing to publish, because no location begins the trajectories of 2 records; "
        "choose a smaller k or coarser locations"
    )
    with pytest.raises(DataError, match="bf-p2ka: wanted trajectories, got transactions"):
        BfP2ka(k=2).anonymize(Transactions.from_lists(["a", "a"]))
