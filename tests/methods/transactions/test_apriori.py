"""Apriori: global full-subtree recoding of items."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from datasets import TAXONOMY, persons, records
from sfumato import AprioriAnon, Taxonomy, Transactions
from sfumato.errors import DataError, Infeasible, MissingKnowledge
from twins.items import LiteralCut, is_safe

some_k = st.integers(2, 4)
some_m = st.integers(1, 3)


def literal(data: Transactions, k: int, m: int, l: int = 1) -> list[list[str]]:  # noqa: E741
    """What the twin publishes, sorted; empty records are dropped."""
    cut = LiteralCut(data.to_lists(), data.units.tolist(), data.taxonomy, k, l, set(data.sensitive))
    cut.repair(m)
    return sorted(sorted(record) for record in cut.published() if record)


@settings(max_examples=150, deadline=None)
@given(rows=records(), k=some_k, m=some_m, draw=st.data())
def test_the_release_is_the_twins(rows: list[list[str]], k: int, m: int, draw: st.DataObject) -> None:
    data = Transactions.from_lists(rows, persons=draw.draw(persons(len(rows))), taxonomy=TAXONOMY)
    crowd = len(set(data.units[data.lengths > 0].tolist()))
    assume(crowd >= k)
    assert AprioriAnon(k=k, m=m).anonymize(data).data.to_lists() == literal(data, k, m)


@settings(max_examples=150, deadline=None)
@given(rows=records(), k=st.integers(2, 3), l=st.integers(2, 3), m=some_m, draw=st.data())
def test_the_diverse_release_is_the_twins(rows: list[list[str]], k: int, l: int, m: int, draw: Any) -> None:  # noqa: E741
    rows = [*rows, ["f"]]
    data = Transactions.from_lists(rows, persons=draw.draw(persons(len(rows))), taxonomy=TAXONOMY, sensitive=["f"])
    try:
        release = AprioriAnon(k=k, m=m, l=l).anonymize(data)
    except Infeasible:
        top = [frozenset("f" if item == "f" else "all" for item in row) for row in rows]
        few = len(set(data.units[data.lengths > 0].tolist())) < k
        assert few or not is_safe({"all"}, top, data.units.tolist(), k, l, {"f"})
        return
    assert release.holds
    assert release.data.to_lists() == literal(data, k, m, l)


def test_everything_below_a_raised_node_is_published_as_that_node() -> None:
    tree = Taxonomy({"*": None, "A": "*", "B": "*", "a1": "A", "a2": "A", "b1": "B", "b2": "B"})
    rows = [["a1", "b1"], ["a1", "b1"], ["a2", "b1"], ["b2"], ["b2"]]
    release = AprioriAnon(k=2, m=2).anonymize(Transactions.from_lists(rows, taxonomy=tree))
    assert release.data.to_lists() == [["A", "b1"], ["A", "b1"], ["A", "b1"], ["b2"], ["b2"]]
    assert release.data.members == {"A": ("a1", "a2")}
    assert release.counts["generalized_items"] == 3
    assert release.origin.tolist() == [0, 1, 2, 3, 4, 5, 6, 7]


def test_sensitive_items_are_published_as_they_are_and_stand_for_nobody_else() -> None:
    tree = Taxonomy({"*": None, "A": "*", "a": "A", "s": "A", "b": "A"})
    rows = [["a", "s"], ["a"], ["b"], ["b"]]
    data = Transactions.from_lists(rows, taxonomy=tree, sensitive=["s"])
    release = AprioriAnon(k=2, m=1, l=3).anonymize(data)
    assert release.data.to_lists() == [["A"], ["A"], ["A"], ["A", "s"]]
    assert release.data.members == {"A": ("a", "b")}  # not s: nobody could say what an attacker knows who knows A
    assert release.method.guarantees[0].name == "lm"


def test_refusals() -> None:
    tree = Taxonomy({"*": None, "a": "*", "s": "*"})
    data = Transactions.from_lists([["a", "s"], ["a", "s"]], taxonomy=tree)
    with pytest.raises(MissingKnowledge, match="apriori: l=2 needs sensitive items, these data name none; name"):
        AprioriAnon(k=2, m=1, l=2).anonymize(data)
    with pytest.raises(Infeasible, match="apriori: k=2 and l=2 are too large for these data"):
        AprioriAnon(k=2, m=1, l=2).anonymize(data.with_sensitive(["s"]))
    with pytest.raises(Infeasible, match="k=3 needs at least 3 records with an item, these data have 2"):
        AprioriAnon(k=3, m=1).anonymize(data)
    with pytest.raises(MissingKnowledge, match="apriori: needs taxonomy"):
        AprioriAnon(k=2, m=1).anonymize(Transactions.from_lists([["a"], ["a"]]))
    with pytest.raises(DataError, match=r"wanted a leaf for every item of the data, found none for 1"):
        AprioriAnon(k=2, m=1).anonymize(Transactions.from_lists([["x"], ["a"]], taxonomy=tree))
