"""LRA: parts of similar records, each under its own cut."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from datasets import TAXONOMY, persons, records
from sfumato import AprioriAnon, Lra, Taxonomy, Transactions
from twins.items import lm_holds


@settings(max_examples=80, deadline=None)
@given(rows=records(), k=st.integers(2, 3), m=st.integers(1, 2), draw=st.data())
def test_one_part_is_apriori(rows: list[list[str]], k: int, m: int, draw: st.DataObject) -> None:
    data = Transactions.from_lists(rows, persons=draw.draw(persons(len(rows))), taxonomy=TAXONOMY)
    assume(len(set(data.units[data.lengths > 0].tolist())) >= k)
    whole = AprioriAnon(k=k, m=m).anonymize(data).data
    assert Lra(k=k, m=m, parts=1).anonymize(data).data.to_lists() == whole.to_lists()


def test_parts_end_between_different_records_and_hold_a_crowd() -> None:
    rows = [["a"]] * 5 + [["b"]] + [["c"], ["d"]] * 2
    data = Transactions.from_lists(rows, taxonomy=TAXONOMY)
    release = Lra(k=2, m=1, parts=5).anonymize(data)
    assert release.holds
    # b is alone: its part goes on until two records are in it; the five equal ones stay as they are
    assert release.data.to_lists().count(["a"]) == 5
    assert ["b"] not in release.data.to_lists()


def test_one_item_may_have_labels_of_its_own_in_each_part() -> None:
    rows = [["a"]] * 3 + [["b", "c"]] * 2 + [["a", "c"]]
    release = Lra(k=3, m=2, parts=2).anonymize(Transactions.from_lists(rows, taxonomy=TAXONOMY))
    assert release.data.to_lists() == [["a"]] * 3 + [["c", "food"]] * 3
    assert release.data.members == {"food": ("a", "b")}


def test_parts_that_cannot_be_diverse_are_joined() -> None:
    rows = [["a", "f"], ["a", "f"], ["c"], ["c"], ["d"], ["d"]]
    data = Transactions.from_lists(rows, taxonomy=TAXONOMY, sensitive=["f"])
    release = Lra(k=2, m=1, l=2, parts=3).anonymize(data)
    assert release.holds
    assert ["a", "f"] not in release.data.to_lists()


def test_persons_stay_whole_where_parts_are_to_be_diverse() -> None:
    """By records, v would be in two parts: each is safe, and together two of three with an a have the secret."""
    rows = [["a", "0"], ["a"], ["a", "b", "0"], ["a", "b"], ["b"], ["b"]]
    tree = Taxonomy({"any": None, "0": "any", "a": "any", "b": "any"})
    data = Transactions.from_lists(rows, persons=list("uvwvxy"), taxonomy=tree, sensitive=["0"])
    for parts in (1, 2, 3):
        release = Lra(k=2, l=2, m=1, parts=parts).anonymize(data)
        assert release.holds
        assert lm_holds(release.method.guarantees[0], release.data.with_persons(release.persons), data)
