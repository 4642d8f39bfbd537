"""`sfumato generate`: synthetic data."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import click

from sfumato.cli.shared.options import declared_options, network_files
from sfumato.cli.shared.render import print_json, say
from sfumato.errors import FileError, OutputError, ParameterError, did_you_mean

__all__ = ["command"]

GENERATORS = ("city", "roads", "checkins", "semantic", "baskets", "mixed", "graph")


class _Generators(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(GENERATORS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in GENERATORS:
            ctx.fail(f"no generator is called {name!r}; {did_you_mean(name, GENERATORS)}")
        generator = _generator(name)
        return click.Command(
            name,
            callback=lambda **said: _run(name, **said),
            help=generator.__doc__.partition("\n")[0],
            params=[
                *declared_options(generator, name),
                click.Option(["--out"], type=click.Path(path_type=Path), required=True, help="The file to write."),
                *_taxonomy_option(name),
                *_places_option(name),
                *_nodes_option(name),
                *_streets_option(name),
                click.Option(["--seed"], type=click.IntRange(min=0), help="Repeat a run exactly."),
                click.Option(["--json", "as_json"], is_flag=True, help="Print JSON for machines."),
            ],
        )


@click.command("generate", cls=_Generators, options_metavar="", subcommand_metavar="WHAT [OPTIONS]")
def command() -> None:
    """Write synthetic data with the shape of real ones."""


def _generator(name: str) -> Any:
    import sfumato.generate

    return getattr(sfumato.generate, name.capitalize())


def _taxonomy_option(name: str) -> list[click.Option]:
    """Where the places have a taxonomy, a file for it."""
    kind = click.Path(path_type=Path)
    sentence = "Also write the taxonomy of the places: node,parent,sensitive."
    return [click.Option(["--taxonomy"], type=kind, help=sentence)] if name == "semantic" else []


def _places_option(name: str) -> list[click.Option]:
    """Where the places can have owners, a file for them."""
    kind = click.Path(path_type=Path)
    sentence = "Also write the places: location, x, y, owner."
    return [click.Option(["--places", "places_file"], type=kind, help=sentence)] if name in ("city", "checkins") else []


def _streets_option(name: str) -> list[click.Option]:
    """Where somebody drives on roads, a directory for them."""
    kind = click.Path(path_type=Path)
    sentence = "Also write the road network: a new directory with nodes.csv and roads.csv."
    return [click.Option(["--streets"], type=kind, help=sentence)] if name in ("city", "roads") else []


def _nodes_option(name: str) -> list[click.Option]:
    """Where a list of edges has no room for the labels of the nodes, a file for them."""
    kind = click.Path(path_type=Path)
    sentence = "Also write the nodes: node, label; for a graph whose edges go to a .csv or .parquet file."
    return [click.Option(["--node-file"], type=kind, help=sentence)] if name == "graph" else []


def _run(
    name: str,
    *,
    out: Path,
    seed: int | None,
    as_json: bool,
    taxonomy: Path | None = None,
    places_file: Path | None = None,
    streets: Path | None = None,
    **said: Any,
) -> None:
    from sfumato.data.positions import Positions
    from sfumato.io import write, write_network, write_places, write_taxonomy
    from sfumato.io.files import suffix_of
    from sfumato.io.outputs import require_fresh, require_outputs
    from sfumato.io.positions import write_positions

    if name == "graph":
        _run_graph(out, seed, as_json, said)
        return
    generator = _generator(name).from_json(said)
    files = [("dataset", out), ("taxonomy", taxonomy), ("file of places", places_file)]
    require_outputs(files, inputs=network_files(said.get("network")))
    if places_file is None and said.get("owners") is not None:
        raise ParameterError(f"generate {name}: owners are written to a file of places; say which (--places FILE)")
    if streets is not None:
        require_fresh(streets)
    elif said.get("network") is None and (name == "roads" or said.get("output") == "roads"):
        raise ParameterError(f"generate {name}: roads need their network; say where to write it (--streets DIR)")
    if streets is not None and seed is None:
        seed = secrets.randbits(32)  # the same streets a second time
    data = generator.make(seed=seed)
    if places_file is not None and not hasattr(data, "places"):
        raise ParameterError(f"generate {name}: roads have no places; leave --places out, or --output roads")
    if places_file is not None and isinstance(data, Positions):
        raise ParameterError(f"generate {name}: positions have no places; leave --places out, or --output positions")
    if isinstance(data, Positions):
        if suffix_of(out) not in (".csv", ".parquet"):
            raise FileError(out, f"positions cannot be written to a file that ends in {suffix_of(out) or 'nothing'!r}")
        write_positions(data, out)
    else:
        write(data, out)
    if streets is not None:
        write_network(generator.streets(seed=seed), streets)
    if taxonomy is not None:
        write_taxonomy(data.taxonomy, taxonomy)
    if places_file is not None:
        write_places(data.places, places_file)
    kind, elements, count = _contents(data)
    if as_json:
        facts = {"out": str(out), "kind": kind, "records": len(data), elements: count}
        print_json({**facts, "parameters": generator.to_json(), "seed": seed})
    else:
        say(f"{len(data):,} {_RECORDS.get(kind, kind)} with {count:,} {elements} in {out}")


def _run_graph(out: Path, seed: int | None, as_json: bool, said: dict[str, Any]) -> None:
    from sfumato.io import write_graph
    from sfumato.io.files import suffix_of
    from sfumato.io.outputs import require_outputs

    node_file = said.pop("node_file")
    generator = _generator("graph").from_json(said)
    lists = suffix_of(out) in (".csv", ".parquet")
    if not lists and suffix_of(out) != ".lg":
        raise OutputError(f"{out}: wanted a file that ends in .lg, .csv or .parquet")
    if node_file is None and lists and generator.shape.labels:
        raise OutputError(f"{out}: the labels of the nodes need a file of their own (--node-file FILE); or write .lg")
    if node_file is not None and not lists:
        raise OutputError(f"{out}: an .lg file holds its nodes itself; leave --node-file out")
    require_outputs([("graph", out), ("file of nodes", node_file)])
    graph = generator.make(seed=seed)
    write_graph(graph, out, nodes=node_file)
    if as_json:
        facts = {"out": str(out), "kind": "graph", "nodes": len(graph), "edges": graph.n_edges}
        print_json({**facts, "parameters": generator.to_json(), "seed": seed})
    else:
        way = "directed" if graph.directed else "undirected"
        say(f"{len(graph):,} nodes with {graph.n_edges:,} {way} edges in {out}")


_RECORDS = {"mixed": "mixed records", "positions": "tracks", "roads": "road trajectories"}


def _contents(data: Any) -> tuple[str, str, int]:
    """The kind of data, what its records are made of, and how many of these there are."""
    from sfumato.data import Mixed
    from sfumato.data.positions import Positions

    if isinstance(data, Positions):
        return "positions", "positions", len(data.times)
    sets = data.items if isinstance(data, Mixed) else data
    return data.kind, f"{sets.element}s", len(sets.codes)
