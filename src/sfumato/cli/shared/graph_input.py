"""Reading a graph, or trajectories as their mobility graph, as the options say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.cli.shared.options import columns_of, load
from sfumato.errors import FileError

if TYPE_CHECKING:
    from sfumato.data.graphs.graph import Graph

__all__ = ["load_graph"]


def load_graph(
    input: Path, kind: str | None, directed: bool, nodes: Path | None, movers: int | None, said: dict[str, Any]
) -> Graph:
    """A graph as it is, or the mobility graph of trajectories."""
    from sfumato.io import read_graph
    from sfumato.io.published.directory import CERTIFICATE

    released = (input / CERTIFICATE).is_file()
    if not released and (kind or _kind(input, said)) == "graph":
        for side in ("places", "taxonomy", "person"):
            if said.get(side) is not None:
                raise FileError(input, f"a graph has no --{side}; leave it out, or say --kind trajectories")
        if movers is not None:
            raise FileError(input, "a graph has no --movers; leave it out, or say --kind trajectories")
        return read_graph(input, nodes=nodes, directed=directed, columns=columns_of(said["columns"]))
    if nodes is not None:
        raise FileError(input, "the nodes of trajectories are their places; leave --nodes out, or say --kind graph")
    from sfumato.mining.mobility import mobility_graph

    return mobility_graph(_trajectories(input, released, said), directed=directed, movers=movers or 1)


def _kind(input: Path, said: dict[str, Any]) -> str:
    """What a file holds, by its ending and its columns; lines of text are edges unless places are given."""
    from sfumato.io.files import suffix_of
    from sfumato.io.frames import column_names

    if suffix_of(input) in (".csv", ".parquet"):
        roles = said["columns"] or ""
        visits = {"trajectory", "location"} <= set(column_names(input)) or "location=" in roles
        return "trajectories" if visits else "graph"
    sides = any(said.get(side) is not None for side in ("places", "taxonomy", "person"))
    return "trajectories" if suffix_of(input) == ".spmf" or (suffix_of(input) == ".txt" and sides) else "graph"


def _trajectories(input: Path, released: bool, said: dict[str, Any]) -> Any:
    from dataclasses import replace

    from sfumato.io import read_places, read_taxonomy
    from sfumato.io.published import directory as published

    if not released:
        return load(input, said, "trajectories")
    data = published.read(input).require_data()
    if data.kind != "trajectories":
        raise FileError(input, f"wanted trajectories, found {data.kind}")
    sides: dict[str, Any] = {}
    if said["places"] is not None:
        sides["places"] = read_places(said["places"])
    if said["taxonomy"] is not None:
        sides["taxonomy"] = read_taxonomy(said["taxonomy"])
    return replace(data, **sides)
