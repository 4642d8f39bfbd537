"""Tables as numbers: leaves, levels, missing values, derived hierarchies, and the published form."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import Table, Taxonomy
from sfumato.data.queries import Between, OneOf, Query
from sfumato.data.tables.encoding import Attribute, Coding, texts_of
from sfumato.errors import DataError

UNEVEN = Taxonomy({"any": None, "craft": "any", "wood": "craft", "joiner": "wood", "smith": "craft", "poet": "any"})


def test_a_loaded_hierarchy_is_taken_whole() -> None:
    attribute = Coding.of(Table({"job": ["smith", "poet"]}, hierarchies={"job": UNEVEN})).attributes[0]
    assert attribute.names == ("any", "craft", "wood", "joiner", "smith", "poet")
    assert attribute.parent.tolist() == [-1, 0, 1, 2, 1, 0]
    assert attribute.depth.tolist() == [0, 1, 2, 3, 2, 1]
    assert list(zip(attribute.first.tolist(), attribute.stop.tolist(), strict=True)) == [
        (0, 3), (0, 2), (0, 1), (0, 1), (1, 2), (2, 3)
    ]  # fmt: skip
    assert attribute.leaf_node.tolist() == [3, 4, 5]
    assert (attribute.n_leaves, attribute.height, attribute.missing) == (3, 3, -1)
    assert attribute.children(1).tolist() == [2, 4]


def test_a_level_is_a_cut_at_one_depth() -> None:
    attribute = Coding.of(Table({"job": ["smith"]}, hierarchies={"job": UNEVEN})).attributes[0]
    names = [[attribute.names[node] for node in level] for level in attribute.levels]
    assert names == [
        ["joiner", "smith", "poet"],
        ["wood", "smith", "poet"],
        ["craft", "craft", "poet"],
        ["any", "any", "any"],
    ]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([0, 1, 5, 17, 40, 41, None]), min_size=1, max_size=12))
def test_levels_only_ever_merge(cells: list[int | None]) -> None:
    attribute = Coding.of(Table(pl.DataFrame({"x": cells}, schema={"x": pl.Int64}))).attributes[0]
    for finer, coarser in zip(attribute.levels, attribute.levels[1:], strict=False):
        assert all(len(set(coarser[finer == node])) == 1 for node in set(finer))
    assert len(set(attribute.levels[-1])) == 1
    assert (attribute.first[attribute.levels] <= np.arange(attribute.n_leaves)).all()
    assert (attribute.stop[attribute.levels] > np.arange(attribute.n_leaves)).all()


def test_a_missing_value_is_a_leaf_under_the_root() -> None:
    table = Table({"x": [2.0, None, float("nan"), 4.0], "y": ["", None, "a", "(missing)"]})
    coding = Coding.of(table)
    assert coding.codes.tolist() == [[0, 2, 2, 1], [2, 2, 1, 0]]
    assert coding.attributes[0].names == ("*", "[2:5]", "[2:3]", "2", "[4:5]", "4", "(missing)")
    assert coding.attributes[1].names == ("*", "(missing)", "a", "(missing)*")
    assert [attribute.missing for attribute in coding.attributes] == [2, 2]
    assert coding.attributes[0].parent[6] == 0
    nothing = Coding.of(Table(pl.DataFrame({"x": [None, None]}))).attributes[0]
    assert (nothing.names, nothing.missing, nothing.height) == (("(missing)",), 0, 0)
    single = Coding.of(Table({"x": ["a", None]}, hierarchies={"x": Taxonomy({"a": None})})).attributes[0]
    assert (single.names, single.parent.tolist(), single.missing) == (("*", "a", "(missing)"), [-1, 0, 0], 1)


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ([30], ("[30:31]", "30")),
        ([30, 31], ("[30:31]", "30", "31")),
        ([-3, 4], ("[-4:5]", "[-4:-3]", "-3", "[4:5]", "4")),
        ([0.5, 0.25], ("[0.25:0.505]", "[0.25:0.255]", "0.25", "[0.5:0.505]", "0.5")),
        ([0.5], ("[0:1]", "0.5")),
        ([2**60, 2**60 + 1], ("*", "1152921504606846976", "1152921504606846977")),
        ([1.0, float("inf")], ("*", "1", "inf")),
        ([True, False], ("*", "false", "true")),
    ],
)
def test_derived_hierarchies(values: list[Any], names: tuple[str, ...]) -> None:
    assert Coding.of(Table({"x": values})).attributes[0].names == names


def test_intervals_by_quantiles_hold_about_as_many_rows_each() -> None:
    """Pay is skewed: intervals of one width leave nearly everybody in one of them."""
    pay = [*range(1000, 1640), 900_000, 1_000_000]
    wide, even = (Coding.of(Table({"pay": pay}), quantiles=quantiles).attributes[0] for quantiles in (False, True))
    assert (wide.stop - wide.first)[wide.depth > 0].max() == 641
    sizes = (even.stop - even.first)[even.depth == even.height - 1]
    assert (int(sizes.min()), int(sizes.max())) == (10, 11)
    assert even.names[0] == "[1000:1000000]"
    assert even.ranges


def test_intervals_by_quantiles_of_few_values_and_missing_ones() -> None:
    one = Coding.of(Table({"x": [3.5, 3.5, None]}), quantiles=True).attributes[0]
    assert one.names == ("*", "3.5", "(missing)")
    few = Coding.of(Table({"x": [1, 1, 1, 2, -3]}), quantiles=True)
    assert few.attributes[0].names[0] == "[-3:2]"
    names = [few.attributes[0].names[few.attributes[0].leaf_node[leaf]] for leaf in few.codes[0]]
    assert names == ["1", "1", "1", "2", "-3"]


def test_the_order_of_rows_does_not_show() -> None:
    one = Coding.of(Table({"x": [3, 9, 1], "y": ["b", "a", "c"]}))
    two = Coding.of(Table({"x": [1, 3, 9], "y": ["c", "b", "a"]}))
    assert [a.names for a in one.attributes] == [a.names for a in two.attributes]
    assert one.codes[:, [2, 0, 1]].tolist() == two.codes.tolist()


def test_texts() -> None:
    assert texts_of(pl.Series([30, None])).to_list() == ["30", None]
    assert texts_of(pl.Series([30.0, -0.0, 2.5, float("nan")])).to_list() == ["30", "0", "2.5", None]
    assert texts_of(pl.Series(["", "x"])).to_list() == [None, "x"]
    assert texts_of(pl.Series([True, None])).to_list() == ["true", None]


def test_the_published_form() -> None:
    table = Table(
        {"age": [30, 31, None], "town": ["Rome", None, "Oslo"], "ill": ["a", "b", "c"]},
        sensitive=("ill",),
        hierarchies={"town": Taxonomy({"*": None, "south": "*", "Rome": "south", "Bari": "south", "Oslo": "*"})},
    )
    coding = Coding.of(table)
    age, town = coding.attributes
    nodes = np.array([[age.names.index("[30:31]")] * 2, [town.names.index("south"), town.leaf_node[town.missing]]])
    public = coding.published(nodes, np.array([0, 1]))
    assert public.frame.rows() == [("[30:31]", "south", "a"), ("[30:31]", None, "b")]
    assert public.members == {"town": {"south": ("Rome", "Bari")}}  # a range says itself what it stands for
    assert (public.quasi_identifiers, public.sensitive, public.persons) == (("age", "town"), ("ill",), None)
    leaves = np.array([age.leaf_node[coding.codes[0]], town.leaf_node[coding.codes[1]]])
    assert coding.published(leaves, np.arange(3)).frame.equals(table.frame)  # types stay where nothing is generalized


def test_a_range_with_missing_values_beside_it() -> None:
    """The root stands for a range and for nothing: 30 to 33, or missing, are five values."""
    table = Table({"age": [30, 33, None]})
    coding = Coding.of(table)
    assert coding.attributes[0].members(0) == ("[30:33]", "(missing)")
    public = coding.published(np.zeros((1, 3), dtype=int), np.arange(3))
    assert public["age"].to_list() == ["*"] * 3
    assert public.members == {"age": {"*": ("[30:33]", "(missing)")}}
    assert public.expected_count(Query(where={"age": Between(30, 31)})) == pytest.approx(3 * 2 / 5)
    assert public.expected_count(Query(where={"age": OneOf(("Rome",))})) == 0


@pytest.mark.parametrize("ages", [[67.0, 67.5, 30.0], [67, 30, 30]])
def test_numbers_match_the_leaves_that_are_the_same_numbers(ages: list[float]) -> None:
    """A hierarchy file writes 67.0 where the column holds the number 67.0, or 67."""
    tree = Taxonomy({"*": None, "old": "*", "67.0": "old", "67.50": "old", "30.0": "*", "unknown": "*"})
    coding = Coding.of(Table({"age": ages}, hierarchies={"age": tree}))
    attribute = coding.attributes[0]
    names = [attribute.names[attribute.leaf_node[leaf]] for leaf in coding.codes[0]]
    assert [float(name) for name in names] == ages
    assert attribute.members(attribute.names.index("old")) == ("67", "67.5")


def test_numbers_in_a_hierarchy_of_texts_stay_as_they_are() -> None:
    tree = Taxonomy({"*": None, "67.0": "*", "67": "*"})
    assert Table({"age": ["67.0"]}, hierarchies={"age": tree}).hierarchies["age"] is tree
    both = Table({"age": [67.0]}, hierarchies={"age": tree})
    assert both.hierarchies["age"].leaves == ("67.0", "67")


def test_a_stranger_is_refused_without_being_quoted() -> None:
    table = Table({"job": ["poet", None, "spy"]}, hierarchies={"job": UNEVEN})
    with pytest.raises(DataError) as refusal:
        Coding.of(table)
    sentence = "the table, row 3: the hierarchy of 'job' lacks 1 value that occurs in the data, first seen here"
    assert str(refusal.value) == sentence
    with pytest.raises(DataError, match="row 1"):  # an inner node is no leaf
        Coding.of(Table({"job": ["craft"]}, hierarchies={"job": UNEVEN}))
    assert isinstance(Coding.of(Table({"job": [None]}, hierarchies={"job": UNEVEN})).attributes[0], Attribute)
