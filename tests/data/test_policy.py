"""Policies: sets of items to protect, items that may be published as one."""

from __future__ import annotations

import pytest

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
         "the policy: wanted at least one item in each constraint, found a constraint without"),
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
