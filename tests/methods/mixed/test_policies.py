"""Policies for the items of mixed data: kept by the transaction methods coat and pcta inside every cluster."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import persons, records
from sfumato import Policy, RFirst, RumBound, Taxonomy, TFirst, TumBound, anonymize, verify
from sfumato.data import Mixed, Persons
from sfumato.errors import Infeasible, MissingKnowledge, ParameterError
from sfumato.prepare.policies import every_set, rare_sets, siblings
from twins.mixed import k_policy_holds

TREE = Taxonomy({"*": None, "A": "*", "B": "*"} | dict.fromkeys("abcxy", "A") | dict.fromkeys("defz", "B"))
METHODS = [(RFirst, {}), (TFirst, {}), (RumBound, {"delta": 0.8}), (TumBound, {"delta": 0.8})]


def people(rows: list[list[str]], who: list[str] | None = None) -> Mixed:
    ages = [30 + len(row) + ord(row[0]) % 3 if row else 40 for row in rows]
    data = Mixed.from_frame({"age": ages, "items": [" ".join(row) for row in rows]}, taxonomy=TREE)
    return data.with_persons(None if who is None else Persons.of(who))


def some_people(count: int = 60) -> Mixed:
    chance = Random(4)
    return people([chance.sample("abcdef", chance.randint(0, 3)) for _ in range(count)])


@pytest.mark.parametrize("transaction", ["coat", "pcta"])
@pytest.mark.parametrize(("method", "more"), METHODS, ids=lambda one: getattr(one, "name", ""))
@settings(max_examples=12, deadline=None)
@given(draw=st.data())
def test_both_policies_hold_by_the_twin(method: Any, more: Any, transaction: str, draw: st.DataObject) -> None:
    rows = [*draw.draw(records()), ["a", "b"], ["b", "c"], ["a", "e"], ["a"], ["d", "f"]]
    data = people(rows, draw.draw(persons(len(rows))))
    privacy = draw.draw(st.sampled_from([every_set(2), Policy([["a", "b", "z"], ["d"]]), rare_sets(data.items, 1, 99)]))
    data = data.with_policies(privacy, draw.draw(st.sampled_from([None, siblings(TREE)])))
    try:
        part = {"method": transaction, "suppression": 1.0}
        release = method(k=2, m=0, transaction=part, allow_keys=True, **more).anonymize(data)
    except Infeasible:
        return
    published = release.data.with_persons(release.persons)
    assert release.holds
    assert k_policy_holds(release.verdicts[0][0], published, data)


@pytest.mark.parametrize(("method", "more"), METHODS, ids=lambda one: getattr(one, "name", ""))
def test_the_release_is_verified_with_its_files_and_with_the_original(method: Any, more: Any, tmp_path: Path) -> None:
    data = some_people()
    rare = rare_sets(data.items, 2, 5)
    for number, privacy in enumerate((every_set(2), Policy([["a", "d", "z"], ["b"]]), rare)):
        told = data.with_policies(privacy, siblings(TREE))
        release = method(k=3, m=0, transaction={"method": "coat", "suppression": 1.0}, **more).anonymize(told)
        out = tmp_path / str(number)
        release.write(out)
        assert (out / "context" / "utility_policy.csv").read_text().count("\n") == 1 + len(TREE.leaves)
        assert (out / "context" / "privacy_policy.csv").exists() is (privacy is not rare)
        rules = release.certificate().policy or {}
        assert rules.get("privacy_policy") == (rare.rule if privacy is rare else None)
        by_files = verify(out)
        assert not by_files.problems
        assert by_files.code in ((0, 3) if privacy is rare else (0,))
        assert verify(out, original=told).code == 0
        other = told.with_policies(Policy([["c", "f"]]), siblings(TREE))
        assert verify(out, original=other).problems == (
            "the privacy policy of the release is not the one of the original",
        )


def test_m_or_the_policy_decides() -> None:
    data = some_people().with_policies(every_set(2), siblings(TREE))
    by_m = RFirst(k=3, m=2, transaction={"method": "coat", "suppression": 1.0})
    by_policy = RFirst(k=3, m=0, transaction={"method": "coat", "suppression": 1.0})
    assert [model.name for model in by_m.guarantees + by_policy.guarantees] == ["kkm", "k-policy"]
    releases = [method.anonymize(data, seed=1) for method in (by_m, by_policy)]
    assert releases[0].to_polars().equals(releases[1].to_polars())
    assert releases[0].notes == releases[1].notes
    other = data.with_policies(Policy([["a"]]), siblings(TREE))
    assert "the privacy policy was not used: m=2" in by_m.anonymize(other).notes[0]
    assert "the policies were not used: apriori keeps none" in RFirst(k=3, m=2).anonymize(other).notes[0]
    fewer = by_policy.anonymize(other, seed=1)
    assert fewer.counts["generalized_items"] + fewer.counts["suppressed_items"] < sum(
        releases[0].counts[name] for name in ("generalized_items", "suppressed_items")
    )
    assert anonymize(data, "r-first", k=3, m=0, transaction={"method": "coat", "suppression": 1.0}).holds


def test_refusals() -> None:
    with pytest.raises(ParameterError, match=r"RFirst: m must be a whole number of at least 1 with .* apriori, got 0"):
        RFirst(k=2, m=0)
    with pytest.raises(MissingKnowledge, match="r-first: needs a privacy policy where m is 0"):
        RFirst(k=2, m=0, transaction="coat").anonymize(some_people())
    with pytest.raises(Exception, match="found 1 unknown; an item that does not occur must be in the hierarchy"):
        RFirst(k=2, m=0, transaction="coat").anonymize(some_people().with_policies(Policy([["a", "nothing"]])))


def test_a_method_inside_takes_parameters_as_text_and_a_refusal_names_enough() -> None:
    rows = {"age": [20, 20, 21, 21, 22, 22], "codes": ["a b", "a", "b c", "c d", "d", "a d"]}
    people = Mixed.from_frame(rows, items="codes")
    apart = people.with_policies(None, Policy([[name] for name in people.items.names]))
    with pytest.raises(Infeasible, match=r"suppression=0\.1 of coat is too small: in 3 clusters, up to") as refusal:
        RFirst(k=2, m=1, transaction="coat").anonymize(apart)
    enough = refusal.value.args[0].details["transaction"]
    method = RFirst(k=2, m=1, transaction=enough)
    assert method.to_json()["transaction"] == {"method": "coat", "suppression": float(enough.partition("=")[2])}
    assert method.anonymize(apart).holds
    with pytest.raises(ParameterError, match="did you mean 'suppression'"):
        RFirst(k=2, m=1, transaction="coat:supression=1")


def test_a_bound_on_occurrences_counts_those_of_all_clusters() -> None:
    """Of six occurrences, two are suppressed: b, which one of two in a cluster has, and c in another one."""
    rows = {"age": [20, 20, 30, 30, 40, 40], "codes": ["a b", "a", "c", "", "d", "d"]}
    people = Mixed.from_frame(rows, items="codes")
    apart = people.with_policies(None, Policy([[name] for name in people.items.names]))
    freely = RFirst(k=2, m=1, transaction="coat:suppression=1").anonymize(apart)
    assert freely.counts["suppressed_items"] == 2
    assert RFirst(k=2, m=1, transaction="coat:suppression=1,occurrence_suppression=0.334").anonymize(apart).holds
    wanted = r"r-first: occurrence_suppression=0.3 of coat is too small: 33.3% of the occurrences of items in all cl"
    with pytest.raises(Infeasible, match=wanted) as refusal:
        RFirst(k=2, m=1, transaction="coat:suppression=1,occurrence_suppression=0.3").anonymize(apart)
    assert refusal.value.args[0].details["transaction"] == "coat:suppression=1,occurrence_suppression=0.334"


@pytest.mark.parametrize(("method", "more"), METHODS, ids=lambda one: getattr(one, "name", ""))
@pytest.mark.parametrize("transaction", ["coat", "pcta"])
def test_a_refusal_names_both_bounds_where_both_fail(method: Any, more: Any, transaction: str) -> None:
    data = some_people(20).with_policies(None, Policy([[name] for name in "abcdef"]))
    tight = f"{transaction}:suppression=0,occurrence_suppression=0"
    with pytest.raises(Infeasible, match="suppression=0 of") as refusal:
        method(k=3, m=2, transaction=tight, **more).anonymize(data, seed=1)
    enough = refusal.value.args[0].details["transaction"]
    assert "occurrence_suppression=0." in enough
    assert method(k=3, m=2, transaction=enough, **more).anonymize(data, seed=1).holds
