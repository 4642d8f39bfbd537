"""k-anonymity of sequences: by hand, by the definition, and what it says where it cannot tell."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import persons
from sfumato import Trajectories, Transactions
from sfumato.errors import DataError
from sfumato.privacy import SequenceKAnonymity
from twins.p2ka import contained, sequence_k_holds

rows = st.lists(st.lists(st.sampled_from("abcde"), max_size=5), max_size=12)
MEMBERS = {"e": ("a", "x"), "d": ("a", "b")}  # labels that overlap, and a member nobody visits


@settings(max_examples=300, deadline=None)
@given(seen=rows, known=rows, k=st.integers(2, 4), generalized=st.booleans(), draw=st.data())
def test_the_verdict_is_that_of_the_definition(seen: Any, known: Any, k: int, generalized: bool, draw: Any) -> None:
    published, original = (
        Trajectories.from_lists(seen),
        Trajectories.from_lists(known, persons=draw.draw(persons(len(known)))),
    )
    if generalized:
        used = {label: group for label, group in MEMBERS.items() if label in published.names}
        published = replace(published, members=used)
    verdict = SequenceKAnonymity(k=k).check(published, original)
    assert verdict.holds is sequence_k_holds(SequenceKAnonymity(k=k), published, original)
    units = original.units.tolist()
    counts = [
        len({unit for unit, row in zip(units, known, strict=True) if contained(one, row, published.members)})
        for one in seen
        if one
    ]
    assert verdict.measured == {
        "unit": original.unit,
        "sequences": len(counts),
        "smallest_support": min(counts, default=None),
        "violating_sequences": sum(count < k for count in counts),
    }
    for witness in verdict.witnesses:
        holders = {
            u for u, row in zip(units, known, strict=True) if contained(witness["pattern"], row, published.members)
        }
        assert len(holders) == witness["support"] < k
        assert any(row[: len(witness["pattern"])] == witness["pattern"] for row in seen)
    assert bool(verdict.witnesses) is (verdict.holds is False)


def test_there_is_no_bound_on_the_length() -> None:
    long = [f"p{number:02}" for number in range(90)] * 2
    swapped = [*long[:-2], long[-1], long[-2]]
    check = SequenceKAnonymity(k=2).check
    assert check(Trajectories.from_lists([long]), Trajectories.from_lists([long, long])).holds is True
    assert check(Trajectories.from_lists([long]), Trajectories.from_lists([long, swapped])).holds is False
    assert check(Trajectories.from_lists([long[:-1]]), Trajectories.from_lists([long, swapped])).holds is True


def test_a_published_sequence_may_be_nobodys_own() -> None:
    original = Trajectories.from_lists(["axbyc", "abzc", "c"])
    assert SequenceKAnonymity(k=2).check(Trajectories.from_lists(["abc"]), original).holds is True
    assert SequenceKAnonymity(k=2).check(Trajectories.from_lists(["abcc"]), original).holds is False


def test_how_often_it_is_published_does_not_matter() -> None:
    original = Trajectories.from_lists(["ab", "ab", "cd"])
    verdict = SequenceKAnonymity(k=2).check(Trajectories.from_lists(["ab", "cd", "cd", "cd"]), original)
    assert verdict.holds is False
    assert verdict.measured["violating_sequences"] == 3
    assert verdict.witnesses == ({"pattern": ["c"], "support": 1},)


def test_k_sequences_of_one_person_count_once() -> None:
    published = Trajectories.from_lists(["ab"])
    original = Trajectories.from_lists(["ab", "xab", "ab"], persons=["u", "u", "v"])
    assert SequenceKAnonymity(k=3).check(published, original.with_persons(None)).holds is True
    verdict = SequenceKAnonymity(k=3).check(published, original)
    assert (verdict.holds, verdict.measured["smallest_support"]) == (False, 2)


def test_nothing_published_and_nothing_original() -> None:
    nothing, empty = Trajectories.from_lists([]), Trajectories.from_lists([[], []])
    some = Trajectories.from_lists(["ab"])
    for published in (nothing, empty):
        for original in (nothing, empty, some):
            verdict = SequenceKAnonymity(k=2).check(published, original)
            assert verdict.holds is True
            assert verdict.measured["smallest_support"] is None
    verdict = SequenceKAnonymity(k=2).check(some, nothing)
    assert verdict.holds is False
    assert verdict.witnesses == ({"pattern": ["a"], "support": 0},)


def test_the_order_of_the_files_does_not_matter() -> None:
    rng = np.random.default_rng(4)
    seen = ["".join(rng.choice(list("abc"), rng.integers(0, 5))) for _ in range(40)]
    known = ["".join(rng.choice(list("abc"), rng.integers(0, 7))) for _ in range(60)]
    first = SequenceKAnonymity(k=25).check(Trajectories.from_lists(seen), Trajectories.from_lists(known))
    again = SequenceKAnonymity(k=25).check(Trajectories.from_lists(seen[::-1]), Trajectories.from_lists(known[::-1]))
    assert first == again
    assert len(first.witnesses) == 5
    assert [w["support"] for w in first.witnesses] == sorted(w["support"] for w in first.witnesses)


def test_without_the_original_nothing_is_said() -> None:
    verdict = SequenceKAnonymity(k=2).check(Trajectories.from_lists(["ab", "ab"]))
    assert verdict.holds == "not checkable"
    assert verdict.checked_from == "original"
    assert str(verdict.reason).endswith("the original sequences; give the original to check it fully")
    assert SequenceKAnonymity.needs_original


def test_what_was_counted_in_the_original_is_not_published() -> None:
    data = Trajectories.from_lists(["ab", "ab"])
    verdict = SequenceKAnonymity(k=2).check(data, data)
    assert verdict.measured["smallest_support"] == 2
    assert verdict.to_published_json() == {
        "holds": True,
        "checked_from": "original",
        "measured": {},
        "witnesses": [],
    }


def test_refusals() -> None:
    with pytest.raises(DataError, match="sequence-k: wanted trajectories, got transactions"):
        SequenceKAnonymity(k=2).check(Transactions.from_lists(["a"]))
    with pytest.raises(DataError, match="sequence-k: wanted trajectories, got transactions"):
        SequenceKAnonymity(k=2).check(Trajectories.from_lists(["a"]), Transactions.from_lists(["a"]))
