"""COAT: set-based generalization within a utility policy."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import persons, records
from sfumato import Coat, Pcta, Policy, Taxonomy, Transactions, verify
from sfumato.errors import DataError, Infeasible, MissingKnowledge
from sfumato.prepare.policies import every_set, siblings
from twins.items import keep_policy

HALVES = [["a", "c", "e"], ["b", "d"]]


@st.composite
def told(draw: Any) -> Transactions:
    """Transactions with policies on the items that occur."""
    rows = [*draw(records()), ["a", "b"], ["b", "c"], ["e"], ["a"]]
    names = {item for row in rows for item in row}
    protected = draw(st.lists(st.sets(st.sampled_from(sorted(names)), min_size=1, max_size=3), min_size=1, max_size=4))
    privacy = draw(st.sampled_from([Policy(protected), Policy(size=1), Policy(size=2)]))
    halves = [sorted(names & set(half)) for half in HALVES]
    utility = draw(st.sampled_from([None, Policy([half for half in halves if half])]))
    data = Transactions.from_lists(rows, persons=draw(persons(len(rows))))
    return data.with_policies(privacy, utility)


def as_published(data: Transactions, group: dict[str, frozenset[str]]) -> list[list[list[str]]]:
    kept = [sorted({tuple(sorted(group[item])) for item in row if item in group}) for row in data.to_lists()]
    return sorted([list(part) for part in row] for row in kept if row)


@pytest.mark.parametrize("method", [Coat, Pcta])
@settings(max_examples=120, deadline=None)
@given(data=told(), k=st.integers(2, 4))
def test_the_release_is_the_twins(method: Any, data: Transactions, k: int) -> None:
    if len(set(data.units[data.lengths > 0].tolist())) < k:
        return
    release = method(k=k, suppression=1.0).anonymize(data)
    group, suppressed = keep_policy(
        data.to_lists(), data.units.tolist(), k, data.privacy_policy, data.utility_policy, best_pair=method is Pcta
    )
    members = {name: sorted(release.data.members.get(name, (name,))) for name in release.data.names}
    published = sorted(sorted(members[label] for label in row) for row in release.data.to_lists())
    assert published == as_published(data, group)
    assert release.counts["suppressed_items"] == len(suppressed)
    assert release.counts["suppressed_occurrences"] == sum(
        item in suppressed for row in data.to_lists() for item in row
    )
    assert release.holds


@pytest.mark.parametrize("method", [Coat, Pcta])
@settings(max_examples=60, deadline=None)
@given(data=told(), k=st.integers(2, 4), bound=st.sampled_from([0.0, 0.1, 0.2, 0.25, 0.3, 0.5]))
def test_the_bound_on_occurrences_is_exact(method: Any, data: Transactions, k: int, bound: float) -> None:
    """A release is refused if, and only if, the twin suppresses a larger share of the items of records."""
    if len(set(data.units[data.lengths > 0].tolist())) < k:
        return
    _, suppressed = keep_policy(
        data.to_lists(), data.units.tolist(), k, data.privacy_policy, data.utility_policy, best_pair=method is Pcta
    )
    items = [item for row in data.to_lists() for item in row]
    share = Fraction(sum(item in suppressed for item in items), len(items))
    bounded = method(k=k, suppression=1.0, occurrence_suppression=bound)
    if share <= Fraction(str(bound)):
        assert bounded.anonymize(data).holds
        return
    with pytest.raises(Infeasible, match=rf"{method.name}: occurrence_suppression={bound:g} is too small") as refusal:
        bounded.anonymize(data)
    enough = float(re.findall(r"; occurrence_suppression=(\S+) would be enough", str(refusal.value))[0])
    assert method(k=k, suppression=1.0, occurrence_suppression=enough).anonymize(data).holds
    assert Fraction(str(enough)) - share < Fraction(1, 1000)


def test_many_items_may_be_few_occurrences() -> None:
    """Nine of ten items are in one record each; they are 9 of 109 entries of the records."""
    rows = [["flu"]] * 91 + [["flu", f"rare {number}"] for number in range(9)]
    data = Transactions.from_lists(rows)
    data = data.with_policies(Policy(size=1), Policy([[name] for name in data.names]))
    sentence = (
        r"coat: suppression=0.1 and occurrence_suppression=0.05 are too small: 90.0% of the items, which are 8.3% of "
        r"the occurrences, would have to be suppressed; suppression=0.9 and occurrence_suppression=0.083 would be "
    )
    with pytest.raises(Infeasible, match=sentence):
        Coat(k=5, occurrence_suppression=0.05).anonymize(data)
    release = Coat(k=5, suppression=1, occurrence_suppression=0.083).anonymize(data)
    assert release.counts["suppressed_occurrences"] == 9


def test_a_set_that_nobody_held_is_looked_at_again_when_a_merge_brings_it_about() -> None:
    """{b, x} leads to nobody, until a, too rare alone, is published as one with b: then to the one record of a."""
    rows = [["a", "x"], ["b"], ["b"], ["x"], ["x"]]
    data = Transactions.from_lists(rows).with_policies(Policy([["a"], ["b", "x"]]), Policy([["a", "b"], ["x"]]))
    release = Coat(k=2, suppression=1.0).anonymize(data)
    assert release.holds
    assert release.counts["suppressed_items"] > 0  # one of g1 and x has to go
    assert not any({"g1", "x"} <= set(row) for row in release.data.to_lists())


LARGER = Taxonomy(
    {"*": None, "A": "*", "B": "*"} | dict.fromkeys(["a", "c", "e", "u", "v"], "A") | dict.fromkeys("bdwxyz", "B")
)


@pytest.mark.parametrize("method", [Coat, Pcta])
@settings(max_examples=40, deadline=None)
@given(rows=records(), k=st.integers(2, 3), protected=st.sampled_from([None, [["a", "z"], ["w"], ["b", "c", "x"]]]))
def test_items_of_the_hierarchy_that_do_not_occur_change_nothing(
    method: Any, rows: Any, k: int, protected: Any
) -> None:
    """The policies name all items of the hierarchy; the release is that of the twin, which sees those of the data."""
    rows = [*rows, ["a", "b"], ["b", "c"], ["e"], ["a"]]
    privacy = every_set(2) if protected is None else Policy(protected)
    data = Transactions.from_lists(rows, taxonomy=LARGER).with_policies(privacy, siblings(LARGER))
    release = method(k=k, suppression=1.0).anonymize(data)
    group, suppressed = keep_policy(
        data.to_lists(), data.units.tolist(), k, privacy, siblings(LARGER), best_pair=method is Pcta
    )
    members = {name: sorted(release.data.members.get(name, (name,))) for name in release.data.names}
    assert sorted(sorted(members[label] for label in row) for row in release.data.to_lists()) == as_published(
        data, group
    )
    assert release.counts["suppressed_items"] == len(suppressed)
    assert release.holds


def test_the_policy_is_published_whole_and_does_not_say_what_occurs(tmp_path: Path) -> None:
    policies, verdicts = [], []
    for number, rows in enumerate(([["a", "b"]] * 3, [["c", "d"], ["c", "d"], ["a", "d"], ["a", "d"]])):
        data = Transactions.from_lists(rows, taxonomy=LARGER).with_policies(every_set(2), siblings(LARGER))
        out = tmp_path / str(number)
        Coat(k=2, suppression=0.1).anonymize(data).write(out)
        policies.append((out / "context" / "utility_policy.csv").read_text())
        verdicts += [verify(out), verify(out, original=data)]
        assert "policy" not in (out / "certificate.json").read_text().partition("guarantees")[0]
    assert policies[0] == policies[1]
    assert policies[0].count("\n") == 1 + len(LARGER.leaves)
    # the files do not say how many items were suppressed; the original does
    assert [one.code for one in verdicts] == [3, 0, 3, 0]


def test_a_sample_counts_the_items_that_it_has() -> None:
    """One of its three items is suppressed, which is more than a quarter, though not of the whole vocabulary."""
    whole = Transactions.from_lists([["a"], ["a"], ["b"], ["b"], ["c"], ["d"], ["e"]])
    sample = whole.take(range(5)).with_policies(Policy([["a"], ["b"], ["c"]]), Policy([["a"], ["b"], ["c"]]))
    with pytest.raises(Infeasible, match=r"suppression=0.25 is too small: 33.3% of the items"):
        Coat(k=2, suppression=0.25).anonymize(sample)
    assert Coat(k=2, suppression=0.4).anonymize(sample).holds


def test_refusals() -> None:
    data = Transactions.from_lists([["a", "b"], ["a"], ["b"]])
    with pytest.raises(MissingKnowledge, match=r"coat: needs a privacy policy.*say which sets of items to protect"):
        Coat(k=2).anonymize(data)
    with pytest.raises(DataError, match=r"the policy: wanted constraints on items of the data, found 1 unknown"):
        Coat(k=2).anonymize(data.with_policies(Policy([["x", "a"]])))
    with pytest.raises(DataError, match="wanted every item in one utility constraint, found an item in two"):
        Coat(k=2).anonymize(data.with_policies(Policy([["a"]]), Policy([["a", "b"], ["a"]])))
    many = [str(number) for number in range(13)]
    with pytest.raises(DataError, match="wanted privacy constraints of up to 12 items, found one of 13"):
        Coat(k=2).anonymize(Transactions.from_lists([many, many]).with_policies(Policy([many])))
    alone = data.with_policies(Policy([["a", "b"]]), Policy([["a"], ["b"]]))
    with pytest.raises(Infeasible, match=r"coat: suppression=0.1 is too small: 50.0% of the items"):
        Coat(k=2).anonymize(alone)
    assert Coat(k=2, suppression=0.5).anonymize(alone).data.to_lists() == [["b"], ["b"]]
