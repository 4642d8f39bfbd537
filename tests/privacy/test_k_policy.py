"""k-anonymity with policy-based protection: the literal twin, rules, and what a verifier must not overlook."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import Mixed, Persons, Policy
from sfumato.errors import DataError, MissingKnowledge
from sfumato.prepare.policies import rare_sets
from sfumato.privacy import KkmAnonymity, KPolicyProtection
from twins.mixed import k_policy_holds

PRIVACY = [Policy([["a", "p"], ["b", "q"]]), Policy(size=1), Policy(size=2), Policy([["p", "q", "z"]]), Policy([["c"]])]
UTILITY = [None, Policy([["p", "q", "a"], ["b", "c", "z"]]), Policy([["p"], ["q"]])]


def mixed(rows: list[tuple[Any, str]], who: list[str] | None = None, **members: tuple[str, ...]) -> Mixed:
    data = Mixed.from_frame({"age": [age for age, _ in rows], "items": [items for _, items in rows]})
    data = replace(data, items=replace(data.items, members=members))
    return data.with_persons(None if who is None else Persons.of(who))


@st.composite
def small(draw: Any) -> Mixed:
    items = st.sets(st.sampled_from("abcg"), max_size=3).map(" ".join)
    rows = draw(st.lists(st.tuples(st.sampled_from([30, 40, None]), items), min_size=1, max_size=12))
    who = draw(st.none() | st.lists(st.sampled_from("uvwxyz"), min_size=len(rows), max_size=len(rows)))
    data = mixed(rows, who, **({"g": ("p", "q")} if any("g" in items for _, items in rows) else {}))
    return data.with_policies(draw(st.sampled_from(PRIVACY)), draw(st.sampled_from(UTILITY)))


@settings(max_examples=250, deadline=None)
@given(data=small(), k=st.integers(2, 3))
def test_agrees_with_the_twin(data: Mixed, k: int) -> None:
    model = KPolicyProtection(k=k)
    verdict = model.check(data)
    assert verdict.holds is k_policy_holds(model, data, data)
    assert bool(verdict.witnesses) is not verdict.holds


def test_a_rare_label_is_a_violation_even_where_another_label_stands_for_its_item() -> None:
    data = mixed([(30, "g"), (30, "g"), (30, "p")], g=("p", "q")).with_policies(Policy(size=1))
    verdict = KPolicyProtection(k=2).check(data)
    assert verdict.holds is False
    assert verdict.witnesses == ({"values": {"age": 30}, "pattern": ["p"], "support": 1},)


def test_rows_that_agree_with_too_few_are_a_violation_even_without_items() -> None:
    data = mixed([(30, ""), (40, ""), (40, "")]).with_policies(Policy([["a"]]))
    verdict = KPolicyProtection(k=2).check(data)
    assert verdict.witnesses == ({"values": {"age": 30}, "items": [], "support": 1},)
    assert verdict.measured["smallest_class"] == 1


def test_a_set_is_counted_in_each_class_by_itself() -> None:
    data = mixed([(30, "a b"), (30, "c"), (40, "a b"), (40, "c")]).with_policies(Policy([["a", "b"]]))
    verdict = KPolicyProtection(k=2).check(data)
    assert verdict.holds is False
    assert verdict.measured == {
        "unit": "record", "classes": 2, "smallest_class": 2, "smallest_support": 1, "violating_sets": 6,
    }  # fmt: skip
    assert KPolicyProtection(k=2).check(data.with_policies(Policy([["x"]]))).holds is True
    assert KPolicyProtection(k=2).check(data.with_policies(Policy([["x"]])), data).holds is False  # the original's


def test_one_person_with_several_records_is_one() -> None:
    rows = [(30, "a"), (30, "a"), (30, "")]
    told = mixed(rows, ["u", "u", "v"]).with_policies(Policy([["a"]]))
    assert KPolicyProtection(k=2).check(told).holds is False
    assert KPolicyProtection(k=2).check(mixed(rows).with_policies(Policy([["a"]]))).holds is True
    unknown = KPolicyProtection(k=2).check(mixed(rows).with_policies(Policy([["a"]])), told)
    assert unknown.holds == "not checkable"


def test_a_policy_by_a_rule_needs_the_original_unless_more_is_kept() -> None:
    original = mixed([(30, "a b"), (30, "a c"), (30, "a b"), (30, "a d")])
    private = original.with_policies(rare_sets(original.items, 2, 2))
    public = private.with_policies(private.privacy_policy.named())
    verdict = KPolicyProtection(k=2).check(public)
    assert verdict.holds == "not checkable"
    assert "computed from the private data (rare:2:2)" in verdict.reason
    assert KPolicyProtection(k=2).check(public, original).holds is False
    kept = mixed([(30, "a")] * 4).with_policies(Policy(rule="rare:2:2"))
    assert KPolicyProtection(k=2).check(kept).holds is True
    apart = mixed([(30, "a"), (40, "a"), (40, "a")]).with_policies(Policy(rule="rare:2:2"))
    assert KPolicyProtection(k=2).check(apart).holds is False  # whatever the policy protects


def test_a_policy_of_all_sets_is_kkm() -> None:
    data = mixed([(30, "a b"), (30, "a b"), (40, "a"), (40, "b")])
    for k in (2, 3):
        verdict = KPolicyProtection(k=k).check(data.with_policies(Policy(size=2)))
        assert verdict.holds is KkmAnonymity(k=k, m=2).check(data).holds


def test_labels_with_a_common_member_and_other_refusals() -> None:
    data = mixed([(30, "g h")] * 2, g=("a", "b"), h=("b", "c")).with_policies(Policy([["a"]]))
    assert KPolicyProtection(k=2).check(data).holds is False
    with pytest.raises(MissingKnowledge, match="k-policy: needs a privacy policy"):
        KPolicyProtection(k=2).check(mixed([(30, "a")]))
    with pytest.raises(DataError, match="k-policy: wanted mixed, got transactions"):
        KPolicyProtection(k=2).check(data.items)
    shuffled = data.take([1, 0])
    assert KPolicyProtection(k=2).check(shuffled).holds is False
    assert KPolicyProtection(k=2).check(data.take([])).holds is True
