"""One tree for hierarchies, items and places: its forms, its questions, its construction."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Taxonomy
from sfumato.data.frames import Source
from sfumato.errors import DataError, FileError

FOOD = Taxonomy(
    {
        "food": None,
        "bread": "food",
        "fruit": "food",
        "fig": "fruit",
        "citrus": "fruit",
        "lime": "citrus",
        "lemon": "citrus",
    },
    sensitive=["citrus"],
)


@st.composite
def trees(draw: st.DrawFn) -> Taxonomy:
    """Any tree, children in any order."""
    size = draw(st.integers(1, 12))
    above = [draw(st.integers(0, node - 1)) for node in range(1, size)]
    parents: dict[str, str | None] = {"n0": None}
    parents |= {f"n{node}": f"n{parent}" for node, parent in enumerate(above, start=1)}
    rows = draw(st.permutations(list(parents.items())))
    marked = draw(st.sets(st.sampled_from(sorted(parents))))
    return Taxonomy(dict(rows), sensitive=marked)


def refused(call: Any, *args: Any, **options: Any) -> str:
    with pytest.raises(DataError) as refusal:
        call(*args, **options)
    return str(refusal.value)


# ---- questions


def test_a_tree_answers() -> None:
    assert FOOD.root == "food"
    assert len(FOOD) == 7
    assert FOOD.leaves == ("bread", "fig", "lime", "lemon")
    assert FOOD.children("fruit") == ("fig", "citrus")
    assert FOOD.parent("lime") == "citrus"
    assert FOOD.parent("food") is None
    assert FOOD.leaves_below("fruit") == ("fig", "lime", "lemon")
    assert FOOD.leaves_below("fig") == ("fig",)
    assert [FOOD.leaf_count(node) for node in ("food", "citrus", "bread")] == [4, 2, 1]
    assert [FOOD.depth(node) for node in ("food", "bread", "lime")] == [0, 1, 3]
    assert FOOD.height == 3
    assert FOOD.ancestors("lime") == ("citrus", "fruit", "food")
    assert FOOD.is_leaf("bread")
    assert not FOOD.is_leaf("fruit")
    assert "fig" in FOOD
    assert "nut" not in FOOD
    assert FOOD.sensitive == {"citrus", "lime", "lemon"}
    assert repr(FOOD) == "<Taxonomy: 7 nodes, 4 leaves, height 3>"


def test_the_closest_common_ancestor() -> None:
    assert FOOD.common_ancestor(["lime"]) == "lime"
    assert FOOD.common_ancestor(["lime", "lemon"]) == "citrus"
    assert FOOD.common_ancestor(["lime", "citrus"]) == "citrus"
    assert FOOD.common_ancestor(iter(["lime", "lemon", "fig"])) == "fruit"
    assert FOOD.common_ancestor(["lime", "bread"]) == "food"


@given(trees(), st.data())
def test_the_answers_agree_with_the_definitions(tree: Taxonomy, draw: st.DataObject) -> None:
    for node in tree.nodes:
        below = [leaf for leaf in tree.leaves if node in (leaf, *tree.ancestors(leaf))]
        assert list(tree.leaves_below(node)) == below
        assert tree.leaf_count(node) == len(below)
        assert tree.depth(node) == len(tree.ancestors(node))
        assert all(tree.parent(child) == node for child in tree.children(node))
        assert tree.is_leaf(node) == (not tree.children(node))
    assert tree.height == max(map(tree.depth, tree.nodes))
    nodes = draw.draw(st.lists(st.sampled_from(tree.nodes), min_size=1, max_size=4))
    shared = set.intersection(*({node, *tree.ancestors(node)} for node in nodes))
    assert tree.common_ancestor(nodes) == max(shared, key=tree.depth)


@pytest.mark.parametrize(
    "question",
    [
        FOOD.parent,
        FOOD.children,
        FOOD.is_leaf,
        FOOD.depth,
        FOOD.leaves_below,
        FOOD.leaf_count,
        FOOD.ancestors,
        lambda n: FOOD.common_ancestor([n]),
    ],
)
def test_an_unknown_node_is_refused(question: Any) -> None:
    assert refused(question, "figs") == f"the taxonomy has no such node among its {len(FOOD.nodes)}"


def test_other_questions_refused() -> None:
    assert refused(FOOD.common_ancestor, []) == "Taxonomy.common_ancestor: wanted at least one node, got none"
    assert refused(Taxonomy, {"*": None}, sensitive=["x"]).startswith("the taxonomy has no such node")


def test_every_value_must_be_a_leaf() -> None:
    FOOD.require(["fig", "lime"])
    assert refused(FOOD.require, ["fig", "nut", "fruit"], "item") == (
        "the taxonomy: wanted a leaf for every item of the data, found none for 2"
    )
    from_file = Taxonomy.from_paths([["a", "*"]], source=Source("age.csv", file=True, first_line=1))
    with pytest.raises(FileError, match=r"^age.csv: wanted a leaf for every age of the data, found none for 1$"):
        from_file.require(["a", "b"], "age")


def test_trees_are_equal_by_content() -> None:
    same = Taxonomy({node: FOOD.parent(node) for node in reversed(FOOD.nodes)}, sensitive=["citrus"])
    assert same == FOOD
    assert Taxonomy({node: FOOD.parent(node) for node in FOOD.nodes}) != FOOD
    assert FOOD != "food"


# ---- the two forms


@given(trees())
def test_parents_come_back(tree: Taxonomy) -> None:
    rows = tree.to_parents()
    assert [node for node, _, _ in rows] == list(tree.nodes)
    marked = [node for node, _, flag in rows if flag]
    assert Taxonomy({node: parent for node, parent, _ in rows}, sensitive=marked) == tree


@given(trees())
def test_paths_come_back(tree: Taxonomy) -> None:
    again = Taxonomy.from_paths(tree.to_paths())
    assert again == Taxonomy({node: tree.parent(node) for node in tree.nodes})
    assert again.leaves == tree.leaves


@given(trees(), st.data())
def test_repeated_consecutive_nodes_are_one_node(tree: Taxonomy, draw: st.DataObject) -> None:
    padded = [[node for node in path for _ in range(draw.draw(st.integers(1, 3)))] for path in tree.to_paths()]
    assert Taxonomy.from_paths(padded) == Taxonomy.from_paths(tree.to_paths())


def test_rows_of_unequal_length() -> None:
    tree = Taxonomy.from_paths([["lime", "citrus", "fruit", "*"], ["bread", "*"], ["fig", "fruit", "*"], []])
    assert tree.leaves == ("lime", "fig", "bread")
    assert tree.depth("bread") == 1


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (
            [["a", "g", "*"], ["b", "h", "*"], ["c", "g", "h", "*"]],
            "the hierarchy, row 3: wanted one parent for each node, found a second one",
        ),
        ([["a", "g"], ["b", "g", "*"]], "the hierarchy, row 2: wanted one parent for each node, found a second one"),
        ([["a", "b", "a"]], "the hierarchy, row 1: wanted one parent for each node, found a second one"),
        (
            [["x", "a", "b"], ["y", "b", "a"]],
            "the hierarchy, row 2: wanted one parent for each node, found a second one",
        ),
        (
            [["a", "*"], [], ["a", "*"]],
            "the hierarchy, row 3: wanted each leaf once, found this leaf for the second time",
        ),
        ([["a", "", "*"]], "the hierarchy, row 1: wanted a leaf, its ancestors and the root, found an empty name"),
        ([["a", "*"], ["b", "all"]], "the hierarchy: wanted one root, found 2"),
        (
            [["a", "g", "*"], ["g", "*"]],
            "the hierarchy, row 2: wanted a leaf without nodes below it, found a leaf that is also an inner node",
        ),
        ([], "the hierarchy: wanted at least one node, found none"),
    ],
)
def test_paths_that_are_no_tree(rows: list[list[str]], sentence: str) -> None:
    assert refused(Taxonomy.from_paths, rows) == sentence


@pytest.mark.parametrize(
    ("parents", "sentence"),
    [
        ({"*": None, "a": "b", "b": "c", "c": "a"}, "the taxonomy: wanted a tree, found a cycle"),
        ({"a": "a", "*": None}, "the taxonomy: wanted a tree, found a cycle"),
        ({"a": "b", "b": "a"}, "the taxonomy: wanted a root, found none: the nodes form a cycle"),
        ({"a": None, "b": None}, "the taxonomy: wanted one root, found 2"),
        ({"*": None, "a": "g"}, "the taxonomy: wanted a parent that is a node itself, found an unknown name"),
        ({}, "the taxonomy: wanted at least one node, found none"),
    ],
)
def test_parents_that_are_no_tree(parents: dict[str, str | None], sentence: str) -> None:
    assert refused(Taxonomy, parents) == sentence


# ---- construction


@given(st.lists(st.text(max_size=3), min_size=1, max_size=40, unique=True), st.integers(2, 5))
def test_a_balanced_tree(leaves: list[str], fanout: int) -> None:
    tree = Taxonomy.balanced(leaves, fanout)
    assert list(tree.leaves) == leaves
    assert all(len(tree.children(node)) <= fanout for node in tree.nodes)
    assert fanout ** max(tree.height - 1, 0) < max(len(leaves), 2)
    assert all(len(tree.children(node)) > 1 for node in tree.nodes if not tree.is_leaf(node) and node != tree.root)


def test_names_of_a_balanced_tree() -> None:
    tree = Taxonomy.balanced(["a", "b", "c", "d", "e"], 2)
    assert tree.to_paths()[0] == ("a", "[a:b]", "[a:d]", "*")
    tree = Taxonomy.balanced(["*", "[*:[*:z]]", "[*:z]", "z"], 2)
    assert tree.leaves == ("*", "[*:[*:z]]", "[*:z]", "z")
    assert tree.root == "**"
    assert Taxonomy.balanced(["a"], 2).to_paths() == [("a", "*")]


WHOLE = st.lists(st.integers(-50, 50), min_size=1, max_size=30)
BROKEN = st.lists(st.floats(-50, 50, allow_subnormal=False), min_size=1, max_size=30)


@given(WHOLE | BROKEN, st.sampled_from([1, 5, 7, 0.5, 2.5]), st.integers(2, 4))
def test_an_interval_tree(values: list[float], width: float, fanout: int) -> None:
    tree = Taxonomy.intervals(values, width, fanout)
    assert [float(leaf) for leaf in tree.leaves] == sorted({float(value) + 0.0 for value in values})
    for leaf in tree.leaves:
        low, high = map(float, (tree.parent(leaf) or "").strip("[]").split(":"))
        assert low <= float(leaf) <= high
        assert low % width == pytest.approx(0, abs=1e-9) or low % width == pytest.approx(width)
        assert high - low <= width
    intervals = {tree.parent(leaf) for leaf in tree.leaves}
    assert all(
        len(tree.children(node)) <= fanout for node in tree.nodes if not tree.is_leaf(node) and node not in intervals
    )


def test_names_of_intervals() -> None:
    assert Taxonomy.intervals([20, 24, 25], 5).to_paths() == [
        ("20", "[20:24]", "*"),
        ("24", "[20:24]", "*"),
        ("25", "[25:29]", "*"),
    ]
    assert Taxonomy.intervals([20, 24.5], 5).to_paths()[1] == ("24.5", "[20:25]", "*")
    assert Taxonomy.intervals([-3, 4], 5.0).to_paths() == [("-3", "[-5:-1]", "*"), ("4", "[0:4]", "*")]
    assert Taxonomy.intervals(np.array([7]), 2).to_paths() == [("7", "[6:7]", "*")]
    assert Taxonomy.intervals([5, 5.0, 5], 10).leaves == ("5",)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: Taxonomy.balanced([], 2), "Taxonomy: wanted at least one leaf, got none"),
        (lambda: Taxonomy.balanced(["a"], 1), "Taxonomy: wanted a fan-out of at least 2, got 1"),
        (
            lambda: Taxonomy.balanced(["a", "b", "a"], 2),
            "Taxonomy.balanced: wanted every leaf once, found a leaf twice",
        ),
        (lambda: Taxonomy.intervals([], 5), "Taxonomy: wanted at least one leaf, got none"),
        (lambda: Taxonomy.intervals([1], 5, 1), "Taxonomy: wanted a fan-out of at least 2, got 1"),
    ],
)
def test_constructions_refused(call: Any, sentence: str) -> None:
    assert refused(call) == sentence


@pytest.mark.parametrize(
    ("values", "width"),
    [([1.0], 0), ([1.0], -2), ([1.0], float("nan")), ([1.0], float("inf")), ([float("nan")], 5), ([float("inf")], 5)],
)
def test_intervals_need_finite_numbers(values: list[float], width: float) -> None:
    sentence = refused(Taxonomy.intervals, values, width)
    assert sentence.startswith("Taxonomy.intervals: wanted finite numbers and a width above 0, found")


def test_spans_and_dissimilarities() -> None:
    tree = Taxonomy({"r": None, "n": "r", "a": "n", "b": "n", "c": "r", "d": "r"})
    assert [tree.span(node) for node in ("r", "n", "b", "d")] == [(0, 4), (0, 2), (1, 2), (3, 4)]
    assert [tree.dissimilarity(leaves) for leaves in ("a", "ab", "bc", "abcd")] == [0.25, 0.5, 1, 1]
    with pytest.raises(DataError, match="the taxonomy has no such node"):
        tree.dissimilarity("az")
    with pytest.raises(DataError, match="wanted at least one node"):
        tree.dissimilarity("")


def test_time_slots_are_found_under_their_place() -> None:
    tree = Taxonomy({"r": None, "a": "r", "b": "r", "b@9": "r", "c@1": "r"})
    assert [tree.leaf_of(name) for name in ("a", "a@8", "b@9", "b@8", "c@1", "c@1@7", "z@1", "z")] == [
        "a", "a", "b@9", "b", "c@1", "c@1", "z@1", "z",
    ]  # fmt: skip
