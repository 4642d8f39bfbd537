"""Policies: sets of items to protect, items that may be published as one."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import Policy
from sfumato.errors import DataError


def test_constraints_are_sets_in_the_order_given() -> None:
    policy = Policy([["b", "a", "b"], ["c"]])
    assert policy.sets == (("a", "b"), ("c",))
    assert policy.items == {"a", "b", "c"}
    assert Policy.from_frame(policy.to_polars()) == policy
    assert Policy(size=2) != policy


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: Policy([]), "the policy: wanted at least one constraint, found none"),
        (lambda: Policy([["a"], []]),
         "the policy: wanted at least one item in each constraint, found a constraint without items"),
        (lambda: Policy.from_frame({"item": ["a"]}), "the policy: wanted the columns constraint, item, found item"),
        (
            lambda: Policy.from_frame({"constraint": ["1", "1"], "item": ["a", None]}),
            "the policy, row 2: wanted an item, found nothing",
        ),
    ],
)  # fmt: skip
def test_what_is_no_policy_is_refused(make: object, problem: str) -> None:
    with pytest.raises(DataError) as refusal:
        make()  # type: ignore[operator]
    assert str(refusal.value) == problem


@given(st.lists(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=4), min_size=1, max_size=8))
def test_subsets_are_those_of_brute_force(sets: list[list[str]]) -> None:
    policy = Policy(sets)
    expected = {part for one in policy.sets for size in range(1, len(one) + 1) for part in combinations(one, size)}
    assert policy.subsets == tuple(sorted(expected, key=lambda part: (len(part), part)))
    items, rows = policy.coded_subsets
    assert rows.shape == (len(expected), max(len(one) for one in policy.sets))
    assert tuple(tuple(items[code] for code in row if code >= 0) for row in rows) == policy.subsets
