"""tKd, tKd-a and tKd-ML2, by hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from sfumato import Disassociate, Taxonomy, Transactions
from sfumato.data import Chunks
from sfumato.errors import DataError, MissingKnowledge
from sfumato.utility.patterns.top_itemsets import TopKDeviation, TopKDeviationCertain, TopKMultipleLevel
from twins.frequent_patterns import frequent
from twins.random_releases import baskets

TREE = Taxonomy({"all": None, "drinks": "all", "food": "all", "ale": "drinks", "tea": "drinks", "bread": "food"})
DATA = Transactions.from_lists([["ale", "bread"]] * 3 + [["tea"]] * 2, taxonomy=TREE)


@dataclass
class Files:
    data: Any
    origin: None = None


def test_what_is_published_as_it_is_loses_nothing() -> None:
    for measure in (TopKDeviation(top=4), TopKMultipleLevel(top=4)):
        assert measure(DATA, Files(DATA)).value == 0


def test_apart_is_lost_where_only_subrecords_count() -> None:
    """The top 4: ale, bread, both, tea; both together are in no subrecord."""
    chunks = Chunks.of([{"size": 5, "chunks": [[["ale"]] * 3, [["bread"]] * 3, [["tea"]] * 2], "terms": []}])
    assert TopKDeviationCertain(top=4)(DATA, Files(chunks)).value == pytest.approx(1 / 4)


def test_a_generalized_item_is_lost_below_its_level() -> None:
    """Level 1: drinks, food, both kept.  Level 2: ale, bread, ale and bread, tea; bread alone is left."""
    coarse = Transactions.from_lists([["drinks", "bread"]] * 3 + [["drinks"]] * 2)
    coarse = replace(coarse, members={"drinks": ("ale", "tea")})
    assert TopKMultipleLevel(top=10)(DATA, Files(coarse)).value == pytest.approx(3 / 7)
    assert TopKDeviation(top=4)(DATA, Files(coarse)).value == pytest.approx(3 / 4)


def test_a_label_beside_the_tree_stands_for_its_members() -> None:
    coarse = Transactions.from_lists([["g1", "bread"]] * 3 + [["g1"]] * 2)
    coarse = replace(coarse, members={"g1": ("ale", "tea")})
    assert TopKMultipleLevel(top=10)(DATA, Files(coarse)).value == pytest.approx(3 / 7)


def test_a_seed_repeats() -> None:
    release = Disassociate(k=2, m=2).anonymize(DATA)
    assert TopKDeviation(top=5, seed=3)(DATA, release) == TopKDeviation(top=5, seed=3)(DATA, release)


def test_nothing_published_is_all_lost() -> None:
    assert TopKDeviation(top=4)(DATA, Files(Transactions.from_lists([]))).value == 1
    assert TopKDeviation(top=4)(Transactions.from_lists([[]]), Files(DATA)).value == 0


def test_refusals() -> None:
    with pytest.raises(DataError, match="tkd-a: wanted chunks"):
        TopKDeviationCertain()(DATA, Files(DATA))
    with pytest.raises(MissingKnowledge, match="tkd-ml2: needs a hierarchy of items"):
        TopKMultipleLevel()(replace(DATA, taxonomy=None), Files(DATA))


@pytest.mark.parametrize("top", [1, 4, 1000])
def test_every_shape_is_its_literal_definition(top: int) -> None:
    for case in baskets(13):
        after = case.published.reconstruct(1, seed=0)[0].to_lists() if case.shape == "chunks" else case.after
        old, new = (_most_frequent(rows, top) for rows in (case.before, after))
        expected = 1 - len(old & new) / len(old) if old else 0.0
        assert TopKDeviation(top=top)(case.original, case.published).value == pytest.approx(expected), case.shape


def _most_frequent(rows: list[list[str]], top: int) -> set[tuple[str, ...]]:
    """The itemsets of highest support, ties by name."""
    support = {
        found: sum(set(found) <= set(row) for row in rows) for found in frequent([sorted(row) for row in rows], 1)
    }
    return set(sorted(support, key=lambda found: (-support[found], found))[:top])
