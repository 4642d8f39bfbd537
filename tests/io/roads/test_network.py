"""Networks in files: both forms, and what is wrong with them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from sfumato.errors import FileError, OutputError
from sfumato.io import read_network, write_network

NODES = "2\t0\t0\t*\n1\t3\t4\t*\n7\t3\t0\t*\n"
EDGES = "901\t2\t1\t3\t*\n900\t1\t7\t0\tHigh Street\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "townGen_node.txt").write_text(NODES)
    (tmp_path / "townGen_edge.txt").write_text(EDGES)
    return tmp_path


@pytest.mark.parametrize("name", ["", "townGen_node.txt", "townGen_edge.txt"])
def test_the_text_form_from_the_directory_or_either_file(folder: Path, name: str) -> None:
    network = read_network(folder / name)
    assert network.nodes.to_list() == ["2", "1", "7"]
    assert network.roads.to_list() == ["901", "900"]
    assert network.ends.tolist() == [[0, 1], [1, 2]]
    assert network.classes.tolist() == [3, 0]
    assert network.lengths.tolist() == [5.0, 4.0]


def test_roads_without_a_class(folder: Path) -> None:
    (folder / "townGen_edge.txt").write_text("901 2 1\r\n900 1 7\r\n")
    assert read_network(folder).classes is None


def test_the_csv_form_comes_back(folder: Path, tmp_path: Path) -> None:
    network = read_network(folder)
    write_network(network, tmp_path / "town")
    assert (tmp_path / "town" / "nodes.csv").read_text() == "node,x,y\n2,0.0,0.0\n1,3.0,4.0\n7,3.0,0.0\n"
    assert (tmp_path / "town" / "roads.csv").read_text() == "road,from,to,class\n901,2,1,3\n900,1,7,0\n"
    for path in (tmp_path / "town", tmp_path / "town" / "nodes.csv", tmp_path / "town" / "roads.csv"):
        again = read_network(path)
        assert all(one.equals(other) for one, other in zip(again.to_frames(), network.to_frames(), strict=True))
    with pytest.raises(OutputError, match="exists already"):
        write_network(network, tmp_path / "town")


def test_names_with_leading_zeros_stay_names(tmp_path: Path) -> None:
    (tmp_path / "nodes.csv").write_text("node,x,y\n007,0,0\n7,1,0\n")
    (tmp_path / "roads.csv").write_text("road,from,to\n01,007,7\n")
    network = read_network(tmp_path)
    assert network.nodes.to_list() == ["007", "7"]
    assert network.ends.tolist() == [[0, 1]]


@pytest.mark.parametrize("zipped", [("nodes.csv", "roads.csv"), ("roads.csv",)])
def test_zipped_files_in_a_folder(tmp_path: Path, zipped: tuple[str, ...]) -> None:
    for name, text in (("nodes.csv", "node,x,y\na,0,0\nb,1,0\n"), ("roads.csv", "road,from,to\nr,a,b\n")):
        if name in zipped:
            (tmp_path / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
        else:
            (tmp_path / name).write_text(text)
    assert read_network(tmp_path).roads.to_list() == ["r"]
    if len(zipped) == 2:
        assert read_network(tmp_path / "roads.csv.gz").roads.to_list() == ["r"]
        (tmp_path / "nodes.csv.gz").unlink()
        with pytest.raises(FileError, match=r"nodes\.csv: no such file"):
            read_network(tmp_path)


CUT_OFF = "wanted road from to, found fewer fields (is the file cut off?)"
UNKNOWN = "wanted a known node in the column 'to', found an unknown node or nothing"
OTHERS = "wanted nodes.csv and roads.csv, or one *node*.txt and one *edge*.txt, found another set of files"


@pytest.mark.parametrize(
    ("file", "content", "problem"),
    [
        ("townGen_edge.txt", "", "townGen_edge.txt: the file is empty"),
        ("townGen_edge.txt", "1 2 1 3 *\n2 1\n", f"townGen_edge.txt, line 2: {CUT_OFF}"),
        ("townGen_edge.txt", "1 2 1 3 *\n2 1 99 3 *\n", f"townGen_edge.txt, line 2: {UNKNOWN}"),
        (
            "townGen_node.txt",
            "2 0 0\n1 north 4\n",
            "townGen_node.txt, line 2: wanted x as a number, found something else",
        ),
        (
            "townGen_node.txt",
            "2 0 0\n2 1 4\n",
            "townGen_node.txt, line 2: wanted every node once, found this node for the second time",
        ),
        ("nodes.csv", "node,x,y\n1,0,0\n", "roads.csv: no such file"),
        ("other_node.txt", NODES, f": {OTHERS}"),
    ],
)
def test_files_that_cannot_be_used(folder: Path, file: str, content: str, problem: str) -> None:
    (folder / file).write_text(content)
    with pytest.raises(FileError) as refused:
        read_network(folder)
    assert str(refused.value).removeprefix(str(folder)).lstrip("/") == problem


def test_paths_that_lead_nowhere(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no such file or directory"):
        read_network(tmp_path / "nowhere")
    (tmp_path / "map.txt").write_text(NODES)
    with pytest.raises(FileError, match="wanted a name with 'nodes' and 'roads', or 'node' and 'edge', in it"):
        read_network(tmp_path / "map.txt")
