"""Graphs in files: .lg, lists of edges, and what is wrong with them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from sfumato.data import Graph
from sfumato.errors import DataError, FileError, OutputError
from sfumato.io import read_graph, read_graphs, write_graph
from twins.subgraphs import Plain, random_graphs

LG = """t # 1
# a town
v 0 bar
v 1 "ice cream"
v 1 shop

v 2
e 0 1 5
e 1 0 7
e 1 2
"""


MORE = (
    'found more fields; put a label with blanks into quotation marks ("ice cream"), '
    "and a second label on a line of its own"
)
ODD = "wanted quotation marks in pairs around a name, found one without its partner"


def lg(tmp_path: Path, text: str) -> Path:
    (tmp_path / "g.lg").write_text(text)
    return tmp_path / "g.lg"


def test_an_lg_file(tmp_path: Path) -> None:
    graph = read_graph(lg(tmp_path, LG))
    assert graph.nodes.to_list() == ["0", "1", "2"]
    assert Plain.of(graph).labels == (frozenset({"bar"}), frozenset({"ice cream", "shop"}), frozenset())
    assert {edge for edge in Plain.of(graph).edges if edge[0] < edge[1]} == {(0, 1, "5"), (0, 1, "7"), (1, 2, "")}
    directed = read_graph(lg(tmp_path, LG.replace("\n", "\r\n")), directed=True)
    assert Plain.of(directed).edges == {(0, 1, "5"), (1, 0, "7"), (1, 2, "")}


def test_zipped(tmp_path: Path) -> None:
    (tmp_path / "g.lg.gz").write_bytes(gzip.compress(LG.encode()))
    assert read_graph(tmp_path / "g.lg.gz").n_edges == 3


@pytest.mark.parametrize("graph", random_graphs(4, seed=3), ids=repr)
@pytest.mark.parametrize("names", [("g.lg", None), ("g.csv.gz", "n.csv"), ("g.parquet", "n.parquet")])
def test_what_is_written_is_read_again(graph: Graph, names: tuple[str, str | None], tmp_path: Path) -> None:
    nodes = None if names[1] is None else tmp_path / names[1]
    write_graph(graph, tmp_path / names[0], nodes=nodes)
    again = read_graph(tmp_path / names[0], nodes=nodes, directed=graph.directed)
    assert Plain.of(again) == Plain.of(graph)
    assert again.nodes.to_list() == graph.nodes.to_list()


def test_strange_names_come_back(tmp_path: Path) -> None:
    labels = {"a b": ['5" pipe', "#"], '"q"': ["é ü", "%"], "plain": "tab\there"}
    graph = Graph.from_edges([("a b", '"q"', 'say "so"'), ("plain", "a b", " x ")], labels)
    write_graph(graph, tmp_path / "g.lg")
    again = read_graph(tmp_path / "g.lg")
    assert Plain.of(again) == Plain.of(graph)
    assert again.nodes.to_list() == ["a b", '"q"', "plain"]


def test_several_graphs(tmp_path: Path) -> None:
    path = lg(tmp_path, "t # 1\nv 0 a\nv 1 b\ne 0 1 x\nt # 2 * 7\nv 0 c\nv 1 c\ne 0 1 y\n")
    first, second = read_graphs(path)
    assert (first.label_names, second.label_names, second.edge_label_names) == (("a", "b"), ("c",), ("y",))
    with pytest.raises(FileError) as refused:
        read_graph(path)
    assert str(refused.value) == f"{path}, line 5: wanted one graph, found 2; keep the lines of one graph"


def test_lists_of_edges(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("source,to,label,weight,more\n007,b,x,2,z\nb,c,y,1.5,z\n")
    (tmp_path / "n.csv").write_text("node,label\n007,spy\nb,bar\nc,\nb,club\n")
    columns = {"from": "source"}
    graph = read_graph(tmp_path / "e.csv", columns=columns)
    assert (graph.nodes.to_list(), graph.label_names) == (["007", "b", "c"], ("",))
    assert graph.out.weights.tolist() == [2, 2, 1.5, 1.5]
    labelled = read_graph(tmp_path / "e.csv", nodes=tmp_path / "n.csv", columns=columns, directed=True)
    assert Plain.of(labelled).labels == (frozenset({"spy"}), frozenset({"bar", "club"}), frozenset())
    (tmp_path / "e.txt").write_text('# ends\n007 b x\nb  "old town"\n')
    lines = read_graph(tmp_path / "e.txt")
    assert (lines.nodes.to_list(), lines.edge_label_names) == (["007", "b", "old town"], ("", "x"))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", ": the file is empty"),
        ("# nothing\n", ": wanted at least one node (v NODE LABEL), found none"),
        ("t # 1\n", ": wanted at least one node (v NODE LABEL), found none"),
        ("v 0 a\nv 1 b\ne 0 2 x\n", ", line 3: wanted an edge between nodes of the graph, found an unknown node"),
        ("v 0 ice cream\n", ", line 1: wanted v NODE LABEL, " + MORE),
        ("v 0 a\nv 1 b\ne 0 1 x y\n", ", line 3: wanted e FROM TO LABEL, " + MORE),
        ("v 0 a\nv\n", ", line 2: wanted v NODE LABEL, found fewer fields (is the file cut off?)"),
        ("v 0 a\nv 1 a\n\ne 0\n", ", line 4: wanted e FROM TO LABEL, found fewer fields (is the file cut off?)"),
        ("v 0 a\nx 1 a\n", ", line 2: wanted t # NUMBER, v NODE LABEL, e FROM TO LABEL, found another kind of line"),
        ('v 0 "a\n', ", line 1: " + ODD),
        ('v 0 a\nv 1 a\ne 0 1 "\n', ", line 3: " + ODD),
        ('v "" a\n', ", line 1: wanted a node, found nothing (is the file cut off?)"),
    ],
)
def test_broken_lg_files(tmp_path: Path, text: str, problem: str) -> None:
    path = lg(tmp_path, text)
    with pytest.raises(FileError) as refused:
        read_graph(path)
    assert str(refused.value) == f"{path}{problem}"


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("e.csv", "from,to\na,b\na,c\n", ", line 3: wanted an edge between nodes of the graph, found an unknown node"),
        ("e.csv", "from,to\na,b\nb,\n", ", line 3: wanted a to, found nothing (is the file cut off?)"),
        ("e.csv", "from,to\na,b\nb\n", ", line 3: wanted a to, found nothing (is the file cut off?)"),
        (
            "e.csv",
            "a,b\n1,2\n",
            ": wanted the columns from, to, found a, b; say which column is which, such as from=a,to=b",
        ),
        (
            "e.csv",
            "label,to,x\n1,2,3\n",
            ": wanted the columns from, to, found label, to, x; say which column is which, such as from=x",
        ),
        ("e.csv", "a\n1\n", ": wanted the columns from, to, found a"),
        ("e.csv", "from,to,weight\na,b,x\n", ", line 2: wanted weight as a number of at least 0, found something else"),
        ("e.txt", "a b\nb\n", ", line 2: wanted FROM TO LABEL, found fewer fields (is the file cut off?)"),
        ("e.doc", "a b\n", ": wanted a graph that ends in .lg, .csv, .parquet, .txt, .edges, found '.doc'"),
    ],
)
def test_broken_lists_of_edges(tmp_path: Path, name: str, text: str, problem: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    (tmp_path / "n.csv").write_text("node,label\na,x\nb,y\n")
    with pytest.raises(FileError) as refused:
        read_graph(path, nodes=tmp_path / "n.csv")
    assert str(refused.value) == f"{path}{problem}"


def test_columns_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("source,target\na,b\n")
    with pytest.raises(FileError, match="wanted a known column role, found 'form'; did you mean 'from'"):
        read_graph(tmp_path / "e.csv", columns={"form": "source"})
    with pytest.raises(FileError, match="wanted a column 'sauce' for from, found none; did you mean 'source'"):
        read_graph(tmp_path / "e.csv", columns={"from": "sauce"})


def test_what_does_not_fit_is_not_written(tmp_path: Path) -> None:
    labelled = Graph.from_edges([("a", "b")], {"a": "x", "b": "y"})
    weighted = Graph.from_frames(None, {"from": ["a"], "to": ["b"], "weight": [1]})
    broken = Graph.from_edges([("a", "b\nc")])
    with pytest.raises(DataError, match="wanted a second file for the labels of the nodes"):
        write_graph(labelled, tmp_path / "e.csv")
    with pytest.raises(DataError, match=r"wanted a graph without weights for an \.lg file"):
        write_graph(weighted, tmp_path / "g.lg")
    with pytest.raises(DataError, match="wanted names without line breaks"):
        write_graph(broken, tmp_path / "g.lg")
    with pytest.raises(OutputError, match=r"wanted a file that ends in \.lg, \.csv or \.parquet"):
        write_graph(labelled, tmp_path / "g.doc")
    with pytest.raises(FileError, match=r"wanted no file of nodes with an \.lg file, which holds its nodes"):
        read_graph(lg(tmp_path, LG), nodes=tmp_path / "n.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["g.lg"]
