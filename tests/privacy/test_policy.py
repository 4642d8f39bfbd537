"""The verifier of policies."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from sfumato import Policy, Transactions
from sfumato.errors import MissingKnowledge
from sfumato.privacy import PolicyProtection
from twins.items import policy_holds


@pytest.mark.parametrize("seed", range(60))
def test_the_verdict_is_that_of_brute_force(seed: int) -> None:
    chance = Random(seed)
    rows = [[chance.choice("abcxy") for _ in range(chance.randint(0, 4))] for _ in range(12)] + [list("abcxy")]
    who = [chance.randrange(8) for _ in rows] if seed % 2 else None
    published = Transactions.from_lists(rows, persons=who)
    published = replace(published, members={"x": ("p", "q"), "y": tuple(chance.sample("pqr", 2))})
    privacy = chance.choice(
        [Policy([["a", "p"], ["b", "q", "c"]]), Policy(size=2), Policy([["p", "q"]]), Policy([["r"]])]
    )
    utility = chance.choice([None, Policy([["p", "q", "r"]]), Policy([["p", "r"], ["q"]])])
    original = Transactions.from_lists([list("abcpqr"), list("st")[: seed % 3]]).with_policies(privacy, utility)
    model = PolicyProtection(k=chance.randint(2, 4), suppression=chance.choice([0.0, 0.2, 1.0]))
    assert model.check(published, original).holds is policy_holds(model, published, original)


def test_every_subset_of_a_constraint_is_protected_and_the_rarest_is_shown() -> None:
    rows = [["a", "b"], ["a", "b"], ["b"], ["c"]]
    data = Transactions.from_lists(rows).with_policies(Policy([["a", "b"], ["c", "b"]]))
    verdict = PolicyProtection(k=2).check(data)
    assert verdict.witnesses == ({"items": ["c"], "support": 1},)
    assert verdict.measured["smallest_support"] == 1
    assert verdict.measured["violating_sets"] == 1


def test_what_the_files_cannot_say_about_suppression_is_said() -> None:
    data = Transactions.from_lists([["a"], ["a"]])
    told = data.with_policies(Policy([["a"]]), Policy([["a", "b"], ["c", "d"]]))
    verdict = PolicyProtection(k=2, suppression=0.5).check(told)
    assert verdict.holds == "not checkable"
    assert "give the original" in verdict.reason
    seen = Transactions.from_lists([["a", "b"]]).with_policies(told.privacy_policy, told.utility_policy)
    assert PolicyProtection(k=2, suppression=0.5).check(told, seen).holds is True
    assert PolicyProtection(k=2, suppression=0.4).check(told, seen).holds is False


def test_data_without_a_policy_are_refused() -> None:
    with pytest.raises(MissingKnowledge, match="policy: needs a privacy policy"):
        PolicyProtection(k=2).check(Transactions.from_lists([["a"]]))
