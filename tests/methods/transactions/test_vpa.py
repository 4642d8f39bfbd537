"""VPA: parts of the hierarchy, then repair across parts."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from datasets import TAXONOMY, persons, records
from sfumato import AprioriAnon, Transactions, Vpa
from sfumato.methods.transactions.hierarchy import Hierarchy
from sfumato.methods.transactions.vpa import _parts


@settings(max_examples=80, deadline=None)
@given(rows=records(), k=st.integers(2, 3), m=st.integers(1, 3), draw=st.data())
def test_one_part_is_apriori(rows: list[list[str]], k: int, m: int, draw: st.DataObject) -> None:
    data = Transactions.from_lists(rows, persons=draw.draw(persons(len(rows))), taxonomy=TAXONOMY)
    assume(len(set(data.units[data.lengths > 0].tolist())) >= k)
    whole = AprioriAnon(k=k, m=m).anonymize(data).data
    assert Vpa(k=k, m=m, parts=1).anonymize(data).data.to_lists() == whole.to_lists()


def test_parts_are_whole_subtrees_and_cover_every_item_once() -> None:
    tree = Hierarchy.of(TAXONOMY)
    nodes = tree.nodes_of(list("abcdef"))
    for parts in range(1, 7):
        tops = _parts(tree, np.bincount(nodes, minlength=len(tree)), parts)
        assert len(tops) <= parts
        covered = [leaf for part in tops for top in part for leaf in TAXONOMY.leaves_below(tree.names[top])]
        assert sorted(covered) == list("abcdef")


def test_what_is_unsafe_across_parts_is_repaired() -> None:
    rows = [["a", "e"], ["a", "f"], ["b", "e"], ["b", "f"]]
    release = Vpa(k=2, m=2, parts=2).anonymize(Transactions.from_lists(rows, taxonomy=TAXONOMY))
    assert release.holds
    assert min(len(record) for record in release.data.to_lists()) == 2
