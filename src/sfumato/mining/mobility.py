"""The mobility graph of a dataset: places labelled by category, joined where a trajectory goes between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from sfumato.data.base import Ints
from sfumato.data.graphs.arcs import NodeLabels
from sfumato.data.graphs.graph import Graph
from sfumato.data.ragged import encode
from sfumato.data.trajectories import Trajectories
from sfumato.errors import DataError

__all__ = ["categories_of", "mobility_graph"]


def mobility_graph(
    data: Trajectories,
    categories: Mapping[str, str] | None = None,
    *,
    directed: bool = True,
    movers: int = 1,
) -> Graph:
    """A node for each visited location, and an edge from one to another where visits to them follow each other.

    categories : the categories of locations; if not given, those of `categories_of`.  A published label of several
        locations has their category if all have the same one, and none otherwise, so that it occurs in no pattern.
        Without any category all nodes have the same label.
    movers : the smallest number of persons (records where persons are unknown) who go that way.

    >>> from sfumato.data import Places
    >>> places = Places.from_frame({"location": ["a", "b", "c"], "category": ["bar", "shop", "bar"]})
    >>> walks = Trajectories.from_lists([["a", "b", "c"], ["a", "a", "b"], ["c", "b"]], places=places)
    >>> graph = mobility_graph(walks)
    >>> graph, graph.to_frames()[1].rows()
    (<Graph: 3 nodes, 3 edges, directed, 2 node labels>, [('a', 'b'), ('b', 'c'), ('c', 'b')])
    """
    if len(data.codes) == 0:
        raise DataError("mobility graph: wanted at least one visit, found none")
    data = data.with_used_names()
    categories = categories_of(data) if categories is None else categories
    labels = [_category(data.members.get(name, (name,)), categories) for name in data.names]
    start, end = _moves(data, directed, movers)
    no_labels = np.zeros(len(start), dtype=np.int32)
    return Graph.of_arrays(
        pl.Series("node", data.names, dtype=pl.String),
        _labels(labels if categories else [""] * len(labels)),
        (start, end),
        (no_labels, ("",)),
        None,
        directed=directed,
    )


def categories_of(data: Trajectories) -> dict[str, str]:
    """The category of each location, and of each member of a published label, from the places or, without categories
    there, the parent in the taxonomy.
    """
    members = [member for name in data.names for member in data.members.get(name, (name,))]
    if data.places is not None and "category" in data.places.frame.columns:
        return {name: str(value) for name, value in data.places.facts(dict.fromkeys(members), "category").items()}
    if data.taxonomy is None:
        return {}
    tree = data.taxonomy
    parents = {name: tree.parent(tree.leaf_of(name)) for name in members if tree.leaf_of(name) in tree}
    return {name: parent for name, parent in parents.items() if parent is not None}


def _category(members: tuple[str, ...], categories: Mapping[str, str]) -> str | None:
    """The category that all members have, or None."""
    common = {categories.get(member) for member in members}
    return common.pop() if len(common) == 1 else None


def _labels(labels: Sequence[str | None]) -> NodeLabels:
    present = pl.Series([label for label in labels if label is not None], dtype=pl.String)
    codes, names = encode(present)
    return NodeLabels(np.concatenate(([0], np.cumsum([label is not None for label in labels]))), codes, names)


def _moves(data: Trajectories, directed: bool, movers: int) -> tuple[Ints, Ints]:
    """The pairs of different locations that enough persons went between, each once."""
    record = data.record_of_element()
    follows = (record[1:] == record[:-1]) & (data.codes[1:] != data.codes[:-1])
    start, end = data.codes[:-1][follows].astype(np.int64), data.codes[1:][follows].astype(np.int64)
    if not directed:
        start, end = np.minimum(start, end), np.maximum(start, end)
    width = len(data.names)
    units = data.units[record[:-1][follows]]
    pairs = pl.DataFrame({"pair": start * width + end, "unit": units}).unique()
    frequent = pairs.group_by("pair").len().filter(pl.col("len") >= movers)["pair"].sort().to_numpy()
    return frequent // width, frequent % width
