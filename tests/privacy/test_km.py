"""The k^m verifier against brute force, and everything it must not be fooled by."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from datasets import persons, records
from sfumato import Table, Trajectories, Transactions
from sfumato.data import Persons
from sfumato.errors import DataError
from sfumato.privacy import KmAnonymity

SHAPES = {"trajectories": Trajectories, "transactions": Transactions}


@pytest.mark.parametrize("kind", SHAPES)
@settings(max_examples=250, deadline=None)
@given(rows=records("abcd"), k=st.integers(2, 4), m=st.integers(1, 4), draw=st.data())
def test_every_figure_is_that_of_brute_force(kind: str, rows: Any, k: int, m: int, draw: Any) -> None:
    who = draw.draw(persons(len(rows)))
    data = SHAPES[kind].from_lists(rows, persons=who)
    verdict = KmAnonymity(k=k, m=m).check(data)
    units = data.units.tolist()
    counted = oracles.supports(data.to_lists(), units, m)
    violations = {pattern: count for pattern, count in counted.items() if count < k}
    assert verdict.holds is not bool(violations)
    assert verdict.checked_from == ("files" if who is None else "original")
    assert verdict.measured["patterns"] == len(counted)
    if not counted:
        return
    assert verdict.measured["smallest_support"] == min(counted.values())
    assert verdict.measured["violating_patterns"] == len(violations)
    assert len(verdict.witnesses) == min(5, len(violations))
    rarest = sorted(violations, key=lambda pattern: (violations[pattern], pattern))[:5]
    assert [tuple(witness["pattern"]) for witness in verdict.witnesses] == rarest
    assert [witness["support"] for witness in verdict.witnesses] == [violations[pattern] for pattern in rarest]
    further = min(oracles.supports(data.to_lists(), units, m + 1).values())
    assert verdict.measured["k_at_m_plus_1"] in (further, "not measured")
    if further == min(counted.values()) and max(map(len, data.to_lists())) <= m:
        assert verdict.measured["k_at_m_plus_1"] == further


def test_the_k_at_m_plus_1_stops_at_the_first_lonely_pattern() -> None:
    rows = [["a", "b"], ["a", "b"], ["b", "a"], ["b", "a"], ["a", "b", "a"], ["b", "a", "b"]]
    verdict = KmAnonymity(k=2, m=2).check(Trajectories.from_lists(rows * 1))
    assert verdict.measured["smallest_support"] >= 1
    assert verdict.measured["k_at_m_plus_1"] == 1


def test_the_k_at_m_plus_1_is_not_measured_when_it_costs_too_much() -> None:
    rows = [list("abcdefgh")] * 3
    verdict = KmAnonymity(k=3, m=1).check(Trajectories.from_lists(rows))
    assert verdict.measured["smallest_support"] == 3
    assert verdict.measured["k_at_m_plus_1"] == "not measured"
    assert KmAnonymity(k=3, m=8).check(Trajectories.from_lists(rows)).measured["k_at_m_plus_1"] == 3


@pytest.mark.parametrize("kind", SHAPES)
def test_nothing_and_nobody(kind: str) -> None:
    for rows in ([], [[]], [[], []]):
        verdict = KmAnonymity(k=2, m=2).check(SHAPES[kind].from_lists(rows))
        assert verdict.holds is True
        assert verdict.measured["patterns"] == 0
    assert KmAnonymity(k=2, m=2).check(SHAPES[kind].from_lists([["a"]])).holds is False


def test_the_order_of_records_and_persons_does_not_matter() -> None:
    rows = [["a", "b"], ["b"], ["a", "b"], ["a"], ["b", "a"]]
    data = Trajectories.from_lists(rows, persons=["u", "v", "u", "w", "w"])
    verdicts = [KmAnonymity(k=2, m=2).check(data.take(np.random.default_rng(s).permutation(5))) for s in range(6)]
    assert all(verdict == verdicts[0] for verdict in verdicts)


def test_a_planted_violation_in_a_crowd_is_found() -> None:
    rng = np.random.default_rng(3)
    rows = [[f"p{i}" for i in rng.integers(0, 4, 3)] for _ in range(3000)]
    model = KmAnonymity(k=5, m=3)
    assert model.check(Trajectories.from_lists(rows)).holds is True
    rows[1234] = ["p0", "p1", "elsewhere"]
    verdict = model.check(Trajectories.from_lists(rows))
    assert verdict.holds is False
    assert all("elsewhere" in witness["pattern"] for witness in verdict.witnesses)
    assert verdict.measured["violating_patterns"] == 4


def test_two_labels_with_a_common_member_in_one_record_are_refused() -> None:
    data = Trajectories.from_lists([["g1", "a"], ["g1", "a"]])
    assert KmAnonymity(k=2, m=2).check(data).holds is True
    torn = replace(data, members={"g1": ("a", "b")})
    verdict = KmAnonymity(k=2, m=2).check(torn)
    assert verdict.holds is False
    assert verdict.witnesses == ({"labels": ["a", "g1"], "shared_member": "a"},)


def test_labels_with_a_common_member_in_different_records_are_local_recoding() -> None:
    data = Trajectories.from_lists([["g1", "c"], ["g1", "c"], ["g2", "c"], ["g2", "c"]])
    local = replace(data, members={"g1": ("a", "b"), "g2": ("b", "d")})
    assert KmAnonymity(k=2, m=2).check(local).holds is True


def test_persons_come_from_the_original_where_they_can_be_told() -> None:
    rows = [["a", "b"], ["a", "b"], ["a", "b"]]
    published, _ = Trajectories.from_lists(rows).published()
    model = KmAnonymity(k=2, m=2)
    assert model.check(published).checked_from == "files"
    two = Trajectories.from_lists(rows, persons=["u", "v", "v"])
    one = Trajectories.from_lists(rows, persons=["u", "u", "u"])
    assert model.check(published, two).holds is True
    assert model.check(published, one).holds is False
    assert model.check(published, one).checked_from == "original"
    shorter = Trajectories.from_lists([*rows, ["b"]], persons=["u", "v", "v", "v"])
    verdict = model.check(published, shorter)
    assert verdict.holds == "not checkable"
    assert "cannot be determined" in verdict.reason


def test_only_sequences_and_sets_are_checked() -> None:
    with pytest.raises(DataError, match="km: wanted trajectories or transactions, got table"):
        KmAnonymity(k=2, m=1).check(Table({"age": [1]}))


def test_figures_that_took_the_original_are_not_published() -> None:
    data = Trajectories.from_lists([["a"], ["a"]]).with_persons(Persons.of(["u", "v"]))
    verdict = KmAnonymity(k=2, m=1).check(data)
    assert verdict.measured["smallest_support"] == 2
    assert verdict.to_published_json() == {"holds": True, "checked_from": "original", "measured": {}, "witnesses": []}
