"""PCTA: the merge that loses least, over all items of a protected set.  Its twin is met in test_coat.py."""

from __future__ import annotations

from sfumato import Coat, Pcta, Policy, Transactions


def test_another_item_of_the_set_is_merged_where_the_rarest_may_not_be() -> None:
    rows = [["p", "r"], ["q", "r"], ["p"], ["p"]]
    policies = Policy([["p", "r"]]), Policy([["p", "q"], ["r"]])  # r is the rarest, and alone in its constraint
    data = Transactions.from_lists(rows).with_policies(*policies)
    by_coat = Coat(k=2, suppression=1.0).anonymize(data)
    assert by_coat.counts["suppressed_items"] == 1
    assert by_coat.counts["suppressed_occurrences"] == 2  # r in two records
    assert by_coat.data.to_lists() == [["p"], ["p"], ["p"], ["q"]]
    by_pcta = Pcta(k=2, suppression=1.0).anonymize(data)
    assert by_pcta.counts["suppressed_items"] == by_pcta.counts["suppressed_occurrences"] == 0
    assert by_pcta.data.to_lists() == [["g1"], ["g1"], ["g1", "r"], ["g1", "r"]]
    assert by_pcta.data.members == {"g1": ("p", "q")}


def test_of_several_merges_the_one_that_loses_least_is_made() -> None:
    # {a, b} leads to one; a with c would be in 4 records, b with d in 2
    rows = [["a", "b"], ["a"], ["a"], ["c"], ["a", "d"]]
    utility = Policy([["a", "c"], ["b", "d"]])
    data = Transactions.from_lists(rows).with_policies(Policy([["a", "b"]]), utility)
    assert Pcta(k=2).anonymize(data).data.members == {"g1": ("b", "d")}
