"""Reading a graph, or the mobility graph of trajectories, by the options of a command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.cli.shared.options import columns_of, load
from sfumato.errors import FileError

if TYPE_CHECKING:
    from sfumato.data.graphs.graph import Graph

__all__ = ["load_graph"]


def load_graph(
    input: Path, kind: str | None, directed: bool, nodes: Path | None, movers: int | None, options: dict[str, Any]
) -> Graph:
    """The graph in a file, or the mobility graph of its trajectories."""
    from sfumato.io import read_graph
    from sfumato.io.outputs import CERTIFICATE

    released = (input / CERTIFICATE).is_file()
    if not released and (kind or _kind(input, options)) == "graph":
        for side in ("places", "taxonomy", "person"):
            if options.get(side) is not None:
                raise FileError(input, f"--{side} does not apply to a graph; leave it out, or add --kind trajectories")
        if movers is not None:
            raise FileError(input, "--movers does not apply to a graph; leave it out, or add --kind trajectories")
        return read_graph(input, nodes=nodes, directed=directed, columns=columns_of(options["columns"]))
    if nodes is not None:
        raise FileError(input, "--nodes does not apply to trajectories; leave it out, or add --kind graph")
    from sfumato.mining.mobility import mobility_graph

    return mobility_graph(_trajectories(input, released, options), directed=directed, movers=movers or 1)


def _kind(input: Path, options: dict[str, Any]) -> str:
    """What a file holds, by its ending and its columns; lines of text are edges unless places are given."""
    from sfumato.io.files import suffix_of
    from sfumato.io.frames import column_names

    if suffix_of(input) in (".csv", ".parquet"):
        roles = options["columns"] or ""
        visits = {"trajectory", "location"} <= set(column_names(input)) or "location=" in roles
        return "trajectories" if visits else "graph"
    sides = any(options.get(side) is not None for side in ("places", "taxonomy", "person"))
    return "trajectories" if suffix_of(input) == ".spmf" or (suffix_of(input) == ".txt" and sides) else "graph"


def _trajectories(input: Path, released: bool, options: dict[str, Any]) -> Any:
    from dataclasses import replace

    from sfumato.io import read_places, read_taxonomy
    from sfumato.io.published import directory as published

    if not released:
        return load(input, options, "trajectories")
    data = published.read(input).require_data()
    if data.kind != "trajectories":
        raise FileError(input, f"wanted trajectories, found {data.kind}")
    sides: dict[str, Any] = {}
    if options["places"] is not None:
        sides["places"] = read_places(options["places"])
    if options["taxonomy"] is not None:
        sides["taxonomy"] = read_taxonomy(options["taxonomy"])
    return replace(data, **sides)
