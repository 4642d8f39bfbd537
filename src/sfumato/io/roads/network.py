"""Reading and writing road networks: two CSV files, the two text files of Brinkhoff's maps, GraphML, or ways."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from sfumato.data.frames import Source
from sfumato.data.roads.network import Network
from sfumato.errors import FileError
from sfumato.io.atomic_writes import fresh_directory
from sfumato.io.files import read_lined_text, suffix_of
from sfumato.io.frames import column_names, read_csv
from sfumato.io.roads.graphml import read_graphml
from sfumato.io.roads.street_ways import read_ways

__all__ = ["read_network", "write_network"]

# one word of the name distinguishes the two files of a pair
_PAIRS = (("nodes", "roads"), ("node", "edge"))
_TEXTS = ("node", "road", "from", "to", "oneway")


def read_network(path: str | Path) -> Network:
    """A directory with ``nodes.csv`` (`node, x, y` or `node, lat, lon`) and ``roads.csv`` (`road, from, to`, optionally
    `class` and `oneway`), each possibly as ``.gz``, or with one ``*node*.txt`` (lines ``id x y``) and one
    ``*edge*.txt`` (lines ``id from to class name``); or one of the files; or a ``.graphml`` file; or a ``.csv`` file of
    ways (`way, node` and `x, y` or `lat, lon`).
    """
    if suffix_of(path) == ".graphml":
        return read_graphml(path)
    if suffix_of(path) == ".csv" and Path(path).is_file() and "way" in column_names(path):
        return read_ways(path)
    nodes, roads = _pair(Path(path))
    if suffix_of(nodes) == ".csv":
        node_frame, node_source = read_csv(nodes, texts=_TEXTS)
        road_frame, road_source = read_csv(roads, texts=_TEXTS)
    else:
        node_frame, node_source = _lines(nodes, ("node", "x", "y"), required=3)
        road_frame, road_source = _lines(roads, ("road", "from", "to", "class"), required=3)
    return Network.from_frames(node_frame, road_frame, node_source=node_source, road_source=road_source)


def write_network(network: Network, out: str | Path) -> None:
    """Write a new directory with ``nodes.csv`` and ``roads.csv``, completely or not at all."""
    with fresh_directory(out) as folder:
        for frame, name in zip(network.to_frames(), ("nodes.csv", "roads.csv"), strict=True):
            frame.write_csv(folder / name)


def _pair(path: Path) -> tuple[Path, Path]:
    """The file of nodes and the file of roads."""
    if path.is_dir():
        nodes_file, roads_file = _zipped_or_not(path / "nodes.csv"), _zipped_or_not(path / "roads.csv")
        if nodes_file.exists() or roads_file.exists():
            return nodes_file, roads_file
        candidates = [sorted(path.glob(f"*{word}*.txt")) for word in _PAIRS[1]]
        if all(len(files) == 1 for files in candidates):
            return candidates[0][0], candidates[1][0]
        raise FileError(
            path, "wanted nodes.csv and roads.csv, or one *node*.txt and one *edge*.txt, found another set of files"
        )
    if not path.exists():
        raise FileError(path, "no such file or directory")
    for nodes, roads in _PAIRS:
        for word, partner in ((nodes, roads), (roads, nodes)):
            head, match, tail = path.name.rpartition(word)
            if match:
                counterpart = path.with_name(f"{head}{partner}{tail}")
                return (path, counterpart) if word == nodes else (counterpart, path)
    raise FileError(path, "wanted a name with 'nodes' and 'roads', or 'node' and 'edge', in it, found neither")


def _zipped_or_not(path: Path) -> Path:
    zipped = path.with_name(f"{path.name}.gz")
    return zipped if zipped.exists() and not path.exists() else path


def _lines(path: Path, columns: tuple[str, ...], *, required: int) -> tuple[pl.DataFrame, Source]:
    """The fields of each line, separated by blanks; further fields, such as a road's name, are ignored."""
    text = read_lined_text(path).rstrip("\n")
    source = Source(str(path), file=True, first_line=1)
    fields = pl.Series([text]).str.split("\n").explode().str.extract_all(r"\S+")
    short = fields.list.len() < required
    if short.any():
        raise source.error(
            f"wanted {' '.join(columns[:required])}, found fewer fields (is the file cut off?)", short.arg_max()
        )
    has_all = fields.list.len().min() >= len(columns)  # type: ignore[operator]
    selected = columns if has_all else columns[:required]
    return pl.DataFrame({name: fields.list.get(position) for position, name in enumerate(selected)}), source
