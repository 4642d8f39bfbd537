"""Whether merging items can keep a policy, against every way of merging them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import Policy, Transactions
from sfumato.privacy.policy import PolicyProtection
from sfumato.privacy.policy_feasibility import review_privacy_policy, review_utility_policy

ITEMS = "abcd"
BASKETS = st.lists(st.sets(st.sampled_from(ITEMS), min_size=1), min_size=2, max_size=7)
SETS = st.lists(st.sets(st.sampled_from(ITEMS), min_size=1, max_size=3), min_size=1, max_size=3)


def partitions(items: list[str]) -> Iterator[list[list[str]]]:
    """Every way to divide items into groups."""
    if not items:
        yield []
        return
    for rest in partitions(items[1:]):
        yield [[items[0]], *rest]
        for index, group in enumerate(rest):
            yield [*rest[:index], [items[0], *group], *rest[index + 1 :]]


@settings(max_examples=40, deadline=None)
@given(BASKETS, SETS, st.integers(2, 3), st.sampled_from([None, [["a", "b"], ["c", "d"]], [["a", "b", "c"]]]))
def test_satisfiable_means_that_some_merging_keeps_the_policy(
    rows: list[set[str]], sets: list[set[str]], k: int, utility: list[list[str]] | None
) -> None:
    data, policy = Transactions.from_lists([sorted(row) for row in rows]), Policy(sets)
    allowed = None if utility is None else Policy(utility)
    review = review_privacy_policy(policy, data, k=k, utility=allowed)
    ways = []
    for groups in partitions(list(data.names)):
        if allowed is not None and any(
            len(group) > 1 and not any(set(group) <= set(one) for one in allowed.sets) for group in groups
        ):
            continue
        label = {item: "".join(sorted(group)).upper() for group in groups for item in group}
        merged = Transactions.from_lists([sorted({label[item] for item in row}) for row in rows])
        members = {"".join(sorted(group)).upper(): tuple(sorted(group)) for group in groups}
        ways.append(PolicyProtection(k=k).check(replace(merged, members=members).with_policies(policy)).holds)
    assert review.satisfiable == any(ways)
    supports = {subset: number for subset in policy.subsets if (number := sum(set(subset) <= row for row in rows))}
    assert review.below_k == sum(number < k for number in supports.values())
    assert review.smallest_support == min(supports.values(), default=None)


def test_the_sizes_and_the_unknown_items() -> None:
    data = Transactions.from_lists([["a", "b"], ["c"]])
    review = review_privacy_policy(Policy([["a"], ["b", "z"], ["c"]]), data)
    assert (review.sizes, review.unknown_items, review.unnamed_items, review.satisfiable) == ({1: 2, 2: 1}, 1, 0, None)
    assert review.problems == ("1 items of the policy are neither in the data nor in their hierarchy",)
    assert review_utility_policy(Policy(size=2), data).problems
    assert review_utility_policy(Policy([["a", "b"]]), data).unnamed_items == 1


def test_a_rule_that_finds_nothing_is_a_problem_and_no_error() -> None:
    data = Transactions.from_lists([["a", "b"], ["a", "b"]])
    assert review_privacy_policy(Policy([["a", "b"]], rule="rare:2:2"), data).problems
