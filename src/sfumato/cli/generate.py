"""`sfumato generate`: synthetic data."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import click

from sfumato.catalogue import GENERATORS
from sfumato.cli.shared.help_lines import WholeLines
from sfumato.cli.shared.options import declared_options, network_files
from sfumato.cli.shared.render import print_json, say
from sfumato.errors import FileError, OutputError, ParameterError

__all__ = ["command"]


class _Generators(WholeLines):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(GENERATORS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        try:
            generator = GENERATORS.choose(name)
        except ParameterError as error:
            ctx.fail(str(error))
        return click.Command(
            name,
            callback=lambda **options: _run(generator, **options),
            help=generator.__doc__.partition("\n")[0],
            params=[
                *declared_options(generator, generator.name),
                click.Option(["--out"], type=click.Path(path_type=Path), required=True, help="The file to write."),
                *(_beside(what) for what in ("taxonomy", "places") if what in generator.writes),
                *_nodes_option(generator),
                *(_beside(what) for what in ("streets", "city", "truth") if what in generator.writes),
                click.Option(["--seed"], type=click.IntRange(min=0), help="The same seed repeats a run exactly."),
                click.Option(["--json", "as_json"], is_flag=True, help="Print JSON for machines."),
            ],
        )


@click.command("generate", cls=_Generators, options_metavar="", subcommand_metavar="WHAT [OPTIONS]")
def command() -> None:
    """Write synthetic data."""


_BESIDE = {
    "taxonomy": (["--taxonomy"], "Also write the taxonomy of the places: node,parent,sensitive."),
    "places": (["--places", "places_file"], "Also write the places: location, x, y, owner."),
    "streets": (["--streets"], "Also write the road network: a new directory with nodes.csv and roads.csv."),
    "city": (["--city"], "Also write what is known of the city, for a knowledge base: a new directory."),
    "truth": (["--truth"], "Also write the place of each post and the home of each person: a new, private directory."),
}


def _beside(what: str) -> click.Option:
    """The option for a file that is written in addition to the records."""
    names, sentence = _BESIDE[what]
    return click.Option(names, type=click.Path(path_type=Path), help=sentence)


def _nodes_option(generator: Any) -> list[click.Option]:
    """The option for a file of nodes, if the generator makes a graph."""
    kind = click.Path(path_type=Path)
    sentence = "Also write the nodes: node, label; for a graph whose edges go to a .csv or .parquet file."
    return [click.Option(["--node-file"], type=kind, help=sentence)] if generator.makes_graph else []


def _run(
    declared: Any,
    *,
    out: Path,
    seed: int | None,
    as_json: bool,
    taxonomy: Path | None = None,
    places_file: Path | None = None,
    streets: Path | None = None,
    **options: Any,
) -> None:
    from sfumato.data.positions import Positions
    from sfumato.io import write, write_network, write_places, write_taxonomy
    from sfumato.io.files import suffix_of
    from sfumato.io.outputs import require_fresh, require_outputs
    from sfumato.io.positions import write_positions

    if declared.makes_graph:
        _run_graph(declared, out, seed, as_json, options)
        return
    if declared.makes_posts:
        _run_posts(declared, out, seed, as_json, options)
        return
    name = declared.name
    generator = declared.from_json(options)
    files = [("dataset", out), ("taxonomy", taxonomy), ("file of places", places_file)]
    require_outputs(files, inputs=network_files(options.get("network")))
    if places_file is None and options.get("owners") is not None:
        raise ParameterError(f"generate {name}: owners are written to a file of places; name it (--places FILE)")
    if streets is not None:
        require_fresh(streets)
    elif options.get("network") is None and generator.on_roads:
        raise ParameterError(f"generate {name}: roads need their network; name a directory for it (--streets DIR)")
    if streets is not None and seed is None:
        seed = secrets.randbits(32)  # the same streets a second time
    data = generator.make(seed=seed)
    if places_file is not None and not hasattr(data, "places"):
        raise ParameterError(f"generate {name}: roads have no places; leave --places out, or --output roads")
    if places_file is not None and isinstance(data, Positions):
        raise ParameterError(f"generate {name}: positions have no places; leave --places out, or --output positions")
    if isinstance(data, Positions):
        if suffix_of(out) not in (".csv", ".parquet"):
            raise FileError(
                out,
                f"wanted a file that ends in .csv or .parquet for positions, found {suffix_of(out) or 'no ending'!r}",
            )
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


def _run_graph(declared: Any, out: Path, seed: int | None, as_json: bool, options: dict[str, Any]) -> None:
    from sfumato.io import write_graph
    from sfumato.io.files import suffix_of
    from sfumato.io.outputs import require_outputs

    node_file = options.pop("node_file")
    generator = declared.from_json(options)
    lists = suffix_of(out) in (".csv", ".parquet")
    if not lists and suffix_of(out) != ".lg":
        raise OutputError(f"{out}: wanted a file that ends in .lg, .csv or .parquet")
    if node_file is None and lists and generator.labelled:
        raise OutputError(
            f"{out}: the labels of the nodes need a separate file; name it (--node-file FILE), or write .lg"
        )
    if node_file is not None and not lists:
        raise OutputError(f"{out}: an .lg file contains its nodes; leave --node-file out")
    require_outputs([("graph", out), ("file of nodes", node_file)])
    graph = generator.make(seed=seed)
    write_graph(graph, out, nodes=node_file)
    if as_json:
        facts = {"out": str(out), "kind": "graph", "nodes": len(graph), "edges": graph.n_edges}
        print_json({**facts, "parameters": generator.to_json(), "seed": seed})
    else:
        way = "directed" if graph.directed else "undirected"
        say(f"{len(graph):,} nodes with {graph.n_edges:,} {way} edges in {out}")


def _run_posts(declared: Any, out: Path, seed: int | None, as_json: bool, options: dict[str, Any]) -> None:
    from sfumato.io.files import suffix_of
    from sfumato.io.frames import write_frame
    from sfumato.io.outputs import require_fresh, require_outputs

    city, truth = options.pop("city"), options.pop("truth")
    generator = declared.from_json(options)
    if suffix_of(out) not in (".csv", ".parquet"):
        raise OutputError(f"{out}: wanted a file that ends in .csv or .parquet for posts")
    require_outputs([("dataset", out)])
    for directory in (city, truth):
        if directory is not None:
            require_fresh(directory)
    if city is not None and truth is not None and truth.resolve().is_relative_to(city.resolve()):
        raise OutputError(f"{truth}: the truth is private and must not be in the directory of the city; move it")
    posts = generator.make(seed=seed)
    write_frame(posts.posts, out)
    if city is not None:
        posts.write_city(city)
    if truth is not None:
        posts.write_truth(truth)
    people = posts.posts["person"].n_unique()
    if as_json:
        facts = {"out": str(out), "kind": "posts", "records": len(posts), "people": people}
        print_json({**facts, "parameters": generator.to_json(), "seed": seed})
    else:
        say(f"{len(posts):,} posts of {people:,} people in {out}")


_RECORDS = {"mixed": "mixed records", "positions": "tracks", "roads": "road trajectories"}


def _contents(data: Any) -> tuple[str, str, int]:
    """The kind of data, the name of its elements, and their number."""
    from sfumato.data import Mixed
    from sfumato.data.positions import Positions

    if isinstance(data, Positions):
        return "positions", "positions", len(data.times)
    sets = data.items if isinstance(data, Mixed) else data
    return data.kind, f"{sets.element}s", len(sets.codes)
