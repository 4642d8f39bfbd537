"""Networks as ways: cut at their nodes, joined where they share one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sfumato.io import read_network

WAYS = """way,node,lat,lon,oneway
High,1,60,12,no
High,2,60.001,12,no
High,3,60.002,12.001,no
Side,2,60.001,12,yes
Side,4,60.001,12.002,yes
"""


def test_ways_are_cut_at_their_nodes(tmp_path: Path) -> None:
    (tmp_path / "town.csv").write_text(WAYS)
    town = read_network(tmp_path / "town.csv")
    assert town.geographic is True
    assert town.nodes.to_list() == ["1", "2", "3", "4"]
    assert town.to_frames()[1].rows() == [
        ("High.1", "1", "2", False),
        ("High.2", "2", "3", False),
        ("Side.1", "2", "4", True),
    ]
    assert town.lengths.round(1).tolist() == [111.2, 124.3, 111.2]
    town.require_connected("town")


def test_a_planar_way_in_a_ring_with_a_class(tmp_path: Path) -> None:
    (tmp_path / "town.csv").write_text("way,node,x,y,class\n7,a,0,0,2\n7,b,3,4,2\n7,c,3,0,2\n7,a,0,0,2\n")
    town = read_network(tmp_path / "town.csv")
    assert town.lengths.tolist() == [5, 4, 3]
    assert town.classes.tolist() == [2, 2, 2]
    assert town.ends.tolist() == [[0, 1], [1, 2], [2, 0]]


@pytest.mark.parametrize("word", ["-1", "reverse"])
def test_a_way_that_is_driven_backwards_is_turned_round(tmp_path: Path, word: str) -> None:
    (tmp_path / "town.csv").write_text(WAYS.replace("yes", word).replace(",no\n", ",0\n"))
    assert read_network(tmp_path / "town.csv").to_frames()[1].rows() == [
        ("High.1", "1", "2", False),
        ("High.2", "2", "3", False),
        ("Side.1", "4", "2", True),
    ]


@pytest.mark.parametrize(
    ("word", "oneway"),
    [*((yes, True) for yes in ("1", "true", "True", "yes")), *((no, False) for no in ("0", "false", "no", ""))],
)
def test_words_for_one_way(tmp_path: Path, word: str, oneway: bool) -> None:
    (tmp_path / "town.csv").write_text(f"way,node,x,y,oneway\n1,a,0,0,{word}\n1,b,1,0,{word}\n")
    assert read_network(tmp_path / "town.csv").oneway.tolist() == [oneway]


def test_a_node_that_follows_itself_counts_once(tmp_path: Path) -> None:
    (tmp_path / "town.csv").write_text(
        "way,node,x,y,class\n7,a,0,0,residential\n7,a,0,0,residential\n7,b,3,4,residential\n8,b,3,4,motorway\n"
        "8,c,3,0,motorway\n8,c,3,0,motorway\n8,b,3,4,motorway\n"
    )
    town = read_network(tmp_path / "town.csv")
    assert town.to_frames()[1].rows() == [("7.1", "a", "b", 5), ("8.1", "b", "c", 0), ("8.2", "c", "b", 0)]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("way,node,x\n1,a,0\n", ": wanted the columns way, node, lat, lon, found way, node, x"),
        ("way,node,x,y\n", ": wanted at least one way, found none"),
        ("way,node,x,y\n1,a,0,0\n2,b,1,1\n", ": wanted ways of at least two nodes, found none"),
        ("way,node,x,y\n1,a,0,0\n1,b,1,1\n2,a,0,5\n", ", line 4: wanted one position for each node, found "
         "a second one"),
        ("way,node,x,y\n1,a,0,0\n1,,1,1\n", ", line 3: wanted a node, found nothing (is the file cut off?)"),
        ("way,node,x,y\n1,a,0,0\n1,b,1,1\n2,b,1,1\n2,a,0,0\n1,c,5,5\n", ", line 6: wanted the nodes of a way in one "
         "run of rows, found a way in several runs"),
        ("way,node,x,y\n1,a,0,0\n1,b,east,1\n", ", line 3: wanted x as a number, found something else"),
        ("way,node,x,y\n1,a,0,0\n1,a,0,0\n", ": wanted ways of at least two nodes, found none"),
        ("way,node,x,y,oneway\n1,a,0,0,yes\n1,b,1,0,no\n", ", line 3: wanted one oneway for each way, found "
         "a second one"),
        ("way,node,x,y,oneway\n1,a,0,0,up\n1,b,1,0,up\n", ", line 2: wanted oneway as true or false, found something "
         "else"),
        ("way,node,x,y,class\n1,a,0,0,1\n1,b,1,0,1\n2,b,1,0,canal\n2,c,5,0,canal\n", ", line 4: wanted class as a "
         "whole number from 0 to 100, or a word such as residential, found something else"),
    ],
    ids=range(11),
)  # fmt: skip
def test_files_that_cannot_be_used(refused: Callable[..., str], content: str, problem: str) -> None:
    assert refused("town.csv", content, reader=read_network) == f"town.csv{problem}"
