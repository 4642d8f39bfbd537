"""Networks in GraphML: what is read, and what is refused with its line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sfumato.io import read_network

HEAD = """<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="graph" attr.name="crs" attr.type="string"/>
<key id="d1" for="node" attr.name="x" attr.type="string"/>
<key id="d2" for="node" attr.name="y" attr.type="string"/>
<key id="d3" for="edge" attr.name="oneway" attr.type="string"/>
<key id="d4" for="edge" attr.name="class" attr.type="int"/>
<key id="d5" for="edge" attr.name="geometry" attr.type="string"/>
"""
NODES = """<node id="a"><data key="d1">12.0</data><data key="d2"> 60 </data></node>
<node id="b"><data key="d1">12.001</data><data key="d2">60</data></node>
<node id="c"><data key="d1">12.001</data><data key="d2">60.001</data></node>
"""


def graph(edges: str, *, directed: bool = False, crs: str = "", nodes: str = NODES) -> str:
    default = "directed" if directed else "undirected"
    about = f'<data key="d0">{crs}</data>' if crs else ""
    return f'{HEAD}<graph edgedefault="{default}">{about}\n{nodes}{edges}\n</graph></graphml>\n'


def edge(ends: str, data: str = "", more: str = "") -> str:
    return f'<edge source="{ends[0]}" target="{ends[1]}"{more}>{data}</edge>'


@pytest.fixture
def network(tmp_path: Path) -> Callable[..., object]:
    def read(content: str) -> object:
        (tmp_path / "town.graphml").write_text(content)
        return read_network(tmp_path / "town.graphml")

    return read


def test_an_undirected_graph_on_a_plane(network: Callable[..., object]) -> None:
    town = network(
        graph(edge("ab", '<data key="d4">3</data>', ' id="e1"') + edge("cb", '<data key="d4">0</data>', ' id="e2"'))
    )
    assert town.to_frames()[0].rows() == [("a", 12.0, 60.0), ("b", 12.001, 60.0), ("c", 12.001, 60.001)]
    assert town.to_frames()[1].rows() == [("e1", "a", "b", 3), ("e2", "c", "b", 0)]
    assert town.geographic is False


def test_longitude_and_latitude(network: Callable[..., object]) -> None:
    town = network(graph(edge("ab"), crs="EPSG:4326"))
    assert town.geographic is True
    assert town.lengths.round(1).tolist() == [55.6]
    assert town.to_frames()[0].columns == ["node", "lat", "lon"]
    named = graph(edge("ab")).replace('attr.name="x"', 'attr.name="lon"').replace('attr.name="y"', 'attr.name="lat"')
    assert network(named).geographic is True


def test_both_directions_are_one_road_and_one_direction_is_a_one_way_road(network: Callable[..., object]) -> None:
    false, true = '<data key="d3">False</data>', '<data key="d3">True</data>'
    several = [edge("ab", false), edge("bc", true), edge("ba", false), edge("ca", false), edge("bc"), edge("ab")]
    town = network(graph("\n".join(several), directed=True))
    assert town.to_frames()[1].rows() == [
        ("1", "a", "b", False),
        ("2", "b", "c", True),
        ("3", "c", "a", False),
        ("4", "b", "c", True),
        ("5", "a", "b", True),
    ]


def test_both_directions_of_an_undirected_graph_are_one_road(network: Callable[..., object]) -> None:
    """Some tools list every street of an undirected graph from both ends."""
    bent = '<data key="d5">LINESTRING (12 60, 12.0005 60.001, 12.001 60)</data>'
    back = '<data key="d5">LINESTRING (12.001 60, 12.0005 60.001, 12 60)</data>'
    town = network(graph(edge("ab") + edge("bc") + edge("ba") + edge("ab", bent) + edge("cb") + edge("ba", back)))
    assert [row[1:3] for row in town.to_frames()[1].rows()] == [("a", "b"), ("b", "c"), ("a", "3:1"), ("3:1", "b")]
    assert town.oneway is None
    two = network(graph(edge("ab") + edge("ab") + edge("ba")))
    assert len(two.roads) == 2  # two streets side by side, one of them listed twice


def test_two_one_way_roads_stay_two(network: Callable[..., object]) -> None:
    true, north, south = '<data key="d3">True</data>', bent("0 0, 2 3, 4 0"), bent("4 0, 2 -3, 0 0")
    roundabout = network(graph(edge("ab", true + north) + edge("ba", true + south), directed=True))
    assert roundabout.points[3:].tolist() == [[2, 3], [2, -3]]
    assert roundabout.to_frames()[1].rows() == [
        ("1.1", "a", "1:1", True),
        ("1.2", "1:1", "b", True),
        ("2.1", "b", "2:1", True),
        ("2.2", "2:1", "a", True),
    ]
    straight = network(graph(edge("ab", true) + edge("ba", true), directed=True))
    assert straight.to_frames()[1].rows() == [("1", "a", "b", True), ("2", "b", "a", True)]
    # of several edges between two nodes, the one with the same bends is the other direction
    several = [edge("ab", north), edge("ab", south), edge("ba", bent("4 0, 2 3, 0 0")), edge("ba")]
    assert network(graph("".join(several), directed=True)).oneway.tolist() == [False, False, True, True, True]


def test_defaults_of_keys_and_directions_of_single_edges(network: Callable[..., object]) -> None:
    true, kept, turned = '<data key="d3">True</data>', ' directed="true"', ' directed="false"'
    default = 'attr.name="oneway" attr.type="string"><default>false</default></key>'
    several = graph(edge("ab", true) + edge("bc") + edge("ca", "", turned) + edge("ac", "", kept), directed=True)
    assert network(several.replace('attr.name="oneway" attr.type="string"/>', default)).oneway.tolist() == [
        True,
        False,
        False,
        True,
    ]
    assert network(graph(edge("ab") + edge("bc", "", turned), directed=True)).oneway.tolist() == [True, False]
    assert network(graph(edge("ab") + edge("bc", "", kept))).oneway.tolist() == [False, True]
    assert len(network(graph(edge("ab", "", kept) + edge("ba", "", kept) + edge("ba"))).roads) == 2
    classes = graph(edge("ab", '<data key="d4">3</data>') + edge("bc")).replace(
        'attr.name="class" attr.type="int"/>', 'attr.name="class" attr.type="int"><default> 7 </default></key>'
    )
    assert network(classes).classes.tolist() == [3, 7]


def test_ids_that_are_not_distinct_are_numbers(network: Callable[..., object]) -> None:
    assert network(graph(edge("ab", "", ' id="0"') + edge("bc", "", ' id="0"'))).roads.to_list() == ["1", "2"]


def bent(points: str) -> str:
    return f'<data key="d5">LINESTRING ({points})</data>'


def test_an_edge_with_bends_is_cut_into_straight_roads(network: Callable[..., object]) -> None:
    there, back = bent("12 60, 12.0005 60.1, 12.001 60"), bent("12.001 60, 12.0005 60.1, 12 60")
    ring = bent("12.001 60.001, 12.1 60, 12.2 60.2, 12.001 60.001")
    town = network(graph(edge("ab", there) + edge("ba", back) + edge("cc", ring) + edge("bc"), directed=True))
    assert town.nodes.to_list() == ["a", "b", "c", "1:1", "2:1", "2:2"]
    assert town.points[3:].tolist() == [[12.0005, 60.1], [12.1, 60.0], [12.2, 60.2]]
    assert town.to_frames()[1].rows() == [
        ("1.1", "a", "1:1", False),
        ("1.2", "1:1", "b", False),
        ("2.1", "c", "2:1", True),
        ("2.2", "2:1", "2:2", True),
        ("2.3", "2:2", "c", True),
        ("3", "b", "c", True),
    ]


BOMB = """<?xml version="1.0"?>
<!DOCTYPE bomb [<!ENTITY a "zelda"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<graphml><graph><node id="&b;"/></graph></graphml>
"""
OUTSIDE = """<?xml version="1.0"?>
<!DOCTYPE x [<!ENTITY passwords SYSTEM "file:///etc/passwd">]>
<graphml><graph><node id="&passwords;"/></graph></graphml>
"""
DOCTYPE = "line 2: wanted GraphML without a document type, found one; remove the line with DOCTYPE"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (BOMB, DOCTYPE),
        (OUTSIDE, DOCTYPE),
        ("", "the file is empty"),
        ("node,x,y\n", "line 1: wanted GraphML, found something else or a file that is cut off"),
        (graph(edge("ab"))[:-30], "line 13: wanted GraphML, found something else or a file that is cut off"),
        ("<graphml></graphml>", "wanted GraphML with a graph in it, found none"),
        ("<graphml><node/></graphml>", "line 1: wanted a graph around every node, found none"),
        ("<graphml><graph></graph><graph/></graphml>", "line 1: wanted one graph, found a second one"),
        (graph(edge("ab"), nodes=""), "wanted at least one node, found none"),
        (graph(""), "wanted at least one road, found none"),
        (graph(edge("ab"), nodes='<node id="a"/><node id="b"/>'), "line 10: wanted nodes with x and y, or lat and lon, "
         "found neither"),
        (graph(edge("ab") + "\n" + edge("az")), "line 14: wanted a known node in the column 'to', found "
         "an unknown node or nothing"),
        (graph(edge("ab", bent("12 60, north"))), "line 13: wanted a geometry as LINESTRING (x y, x y, ...), found "
         "something else"),
        (graph(edge("ab", bent("12 60, 12 north, 12 60"))), "line 13: wanted y as a number, found something else"),
        (graph(edge("aa")), "line 13: wanted a road between two nodes, found one from a node to itself"),
        (graph(edge("ab")).replace("12.001", "east", 1), "line 11: wanted x as a number, found something else"),
        (graph(edge("ab"), crs="epsg:4326").replace("60.001", "99", 1), "line 12: wanted lat as a number between -90 "
         "and 90, found something else"),
    ],
    ids=range(17),
)  # fmt: skip
def test_files_that_cannot_be_used(refused: Callable[..., str], content: str, problem: str) -> None:
    found = refused("town.graphml", content, reader=read_network)
    assert found == f"town.graphml{', ' if problem.startswith('line') else ': '}{problem}"
