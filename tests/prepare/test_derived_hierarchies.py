"""Hierarchies of every kind of data, and the values that they cover."""

from __future__ import annotations

import polars as pl
import pytest

from sfumato.data import Mixed, Table, Trajectories, Transactions
from sfumato.errors import DataError, MissingKnowledge
from sfumato.prepare.derived_hierarchies import derived_hierarchies, values_to_cover

TABLE = Table({"age": [17, 21, None], "town": ["Rome", "Oslo", "Oslo"]})


def test_tables_items_and_locations() -> None:
    trees = derived_hierarchies(TABLE, ["age", "town"])
    assert {name: set(tree.leaves) for name, tree in trees.items()} == {"age": {"17", "21"}, "town": {"Rome", "Oslo"}}
    assert values_to_cover(TABLE, "town") == ["Oslo", "Rome"]
    baskets = Transactions.from_lists([["ale", "tea"], ["rye"]])
    assert set(derived_hierarchies(baskets)["item"].leaves) == set(values_to_cover(baskets)) == {"ale", "rye", "tea"}
    walks = Trajectories.from_lists(["ab"], places={"a": (0, 0), "b": (9, 0)})
    assert derived_hierarchies(walks)["location"].root == "place"


def test_mixed_data_have_items_under_the_name_of_their_column() -> None:
    mixed = Mixed.from_frame(pl.DataFrame({"age": [1, 2], "codes": ["a b", "c"]}), items="codes")
    assert set(derived_hierarchies(mixed, ["age", "codes"])) == {"age", "codes"}
    assert values_to_cover(mixed) == values_to_cover(mixed, "codes") == ["a", "b", "c"]


def test_refusals() -> None:
    with pytest.raises(DataError, match="wanted a column 'twon', found none; did you mean 'town'"):
        derived_hierarchies(TABLE, ["twon"])
    with pytest.raises(DataError, match="found none"):
        derived_hierarchies(TABLE)
    with pytest.raises(DataError, match="leave the column out"):
        derived_hierarchies(Transactions.from_lists([["a"]]), ["age"])
    with pytest.raises(DataError, match="wanted the column of the table"):
        values_to_cover(TABLE)
    walks = Trajectories.from_lists(["ab"], places={"a": (0, 0), "b": (9, 0)})
    with pytest.raises(MissingKnowledge, match="wanted categories of the places"):
        derived_hierarchies(walks, sensitive=["Health"])
