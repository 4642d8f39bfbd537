"""PCTA: the merge that loses least, over all items of a protected set."""

from __future__ import annotations

from sfumato import Coat, Pcta, Policy, Transactions


def test_the_pair_that_loses_least_is_merged_whichever_item_is_rarest() -> None:
    # r is the rarest item of the protected set, but p and q lie in the same records
    rows = [["p", "q"], ["p", "q"], ["p", "q", "r"], ["z"], ["z"], ["z"], ["z"], ["z"], ["z"]]
    data = Transactions.from_lists(rows).with_policies(Policy([["p", "r"]]))
    by_coat = Coat(k=2).anonymize(data).data.members
    by_pcta = Pcta(k=2).anonymize(data).data.members
    assert by_coat == {"g1": ("p", "q", "r")} or "r" in by_coat["g1"]
    assert all("z" not in members for members in by_pcta.values())
