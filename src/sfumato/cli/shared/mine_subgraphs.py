"""`sfumato mine subgraphs`: frequent patterns of one large graph, or of the mobility graph of a dataset."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sfumato.cli.shared.graph_input import load_graph
from sfumato.cli.shared.options import declared_options, input_options, names_of, side_paths
from sfumato.cli.shared.render import print_json, say, table
from sfumato.errors import OutputError, either

if TYPE_CHECKING:
    from sfumato.data.graphs.graph import Graph
    from sfumato.mining.subgraphs.grami import Subgraphs

__all__ = ["subgraphs_command"]

SHOWN = 20
FLAGS = ("exact", "ignore_edge_labels")
LISTS = {
    "only_labels": "Only patterns whose nodes all have one of these labels, separated by commas.",
    "without_labels": "No patterns with a node that has one of these labels, separated by commas.",
    "only_edges": "Only patterns whose edges all have one of these labels, separated by commas.",
    "without_edges": "No patterns with an edge that has one of these labels, separated by commas.",
}


def subgraphs_command() -> click.Command:
    """The command, with an option for each parameter of the miner."""
    from sfumato.mining.subgraphs.grami import FrequentSubgraphs

    assert FrequentSubgraphs.__doc__ is not None
    path = click.Path(path_type=Path)
    return click.Command(
        "subgraphs",
        callback=_run,
        help=f"{FrequentSubgraphs.__doc__.partition(chr(10))[0]}\n\n"
        "INPUT is a graph (.lg, or edges as .csv, .parquet, .txt), a file of trajectories, or a published directory of "
        "trajectories. The places of trajectories are the nodes, and consecutive visits are the edges.",
        params=[
            click.Argument(["input"], type=path),
            *_declared(FrequentSubgraphs),
            *(click.Option([f"--{name.replace('_', '-')}", name], help=text) for name, text in LISTS.items()),
            click.Option(
                ["--without-subgraphs"], type=path, help="No patterns that contain a pattern of this .lg file."
            ),
            click.Option(["--directed"], is_flag=True, help="The edges have directions."),
            click.Option(["--nodes"], type=path, help="For a list of edges: the file with the nodes, node,label."),
            click.Option(
                ["--weights-from"],
                type=click.Choice(["labels", "inverse"]),
                help="Use the label of an edge as its length, or 1 / label (for --metric weights).",
            ),
            click.Option(
                ["--kind"], type=click.Choice(["graph", "trajectories"]), help="The kind of data in the file."
            ),
            click.Option(
                ["--movers"],
                type=click.IntRange(min=1),
                help="For trajectories: the smallest number of persons who must share an edge [default: 1].",
            ),
            *input_options(("places", "taxonomy"), kinds=False),
            click.Option(
                ["--out"],
                type=path,
                multiple=True,
                help="Write all patterns: .lg, .json, .csv or .parquet; or draw them: .svg, .png, .pdf or .html. "
                "May be given several times.",
            ),
            click.Option(["--json", "as_json"], is_flag=True, help="Print JSON for machines."),
        ],
    )


def _declared(miner: Any) -> Iterator[click.Option]:
    """The declared options; a parameter that is false by default is a flag."""
    for option in declared_options(miner, "subgraphs"):
        if option.name in FLAGS:
            assert option.help is not None
            sentence = option.help.partition(" (true or false)")[0]
            yield click.Option(option.opts, is_flag=True, help=f"{sentence}.")
        else:
            yield option


def _run(
    *,
    input: Path,
    out: tuple[Path, ...],
    as_json: bool,
    directed: bool,
    nodes: Path | None,
    weights_from: str | None,
    kind: str | None,
    movers: int | None,
    without_subgraphs: Path | None,
    **options: Any,
) -> None:
    from sfumato.mining.subgraphs.files import read_patterns, subgraphs_json
    from sfumato.mining.subgraphs.grami import FrequentSubgraphs

    _require_writable(out, [input, nodes, without_subgraphs, *side_paths(options)])
    declared = {parameter.name for parameter in FrequentSubgraphs.parameters()}
    miner = FrequentSubgraphs.from_json({name: options.pop(name) for name in list(options) if name in declared})
    lists: dict[str, Any] = {name: names_of(text) for name in LISTS if (text := options.pop(name)) is not None}
    if without_subgraphs is not None:
        lists["without_subgraphs"] = read_patterns(without_subgraphs, directed=directed)
    if weights_from is not None and (miner.distance is None or miner.metric != "weights"):
        raise click.UsageError("--weights-from needs --metric weights and --distance; give both, or leave it out")
    graph = load_graph(input, kind, directed, nodes, movers, options)
    if weights_from is not None:
        graph = graph.weighted_by_labels(inverse=weights_from == "inverse")
    with _watched(not as_json) as advance:
        result = miner.mine(graph, progress=advance, **lists)
    for path in out:
        _write(result, path, f"Frequent subgraphs of {input.name}")
    facts = {
        "input": str(input),
        "kind": "graph",
        "nodes": len(graph),
        "edges": graph.n_edges,
        "directed": graph.directed,
        "self_loops": graph.self_loops,
        "duplicates": graph.duplicates,
    }
    if as_json:
        whole = subgraphs_json(result)
        if out:
            whole["out"] = [str(path) for path in out]
        print_json({**facts, "parameters": miner.to_json(), **whole})
    else:
        _show(result, graph, input, out)


def _require_writable(paths: tuple[Path, ...], inputs: list[Path | None]) -> None:
    from sfumato.io.files import suffix_of
    from sfumato.io.outputs import require_outputs
    from sfumato.mining.subgraphs.files import PATTERN_SUFFIXES

    for path in paths:
        if suffix_of(path) in PATTERN_SUFFIXES:
            continue
        from sfumato.experiments.reports.subgraph_sheet import SHEET_SUFFIXES, require_sheet

        if suffix_of(path) not in SHEET_SUFFIXES:
            raise OutputError(f"{path}: wanted a file that ends in {either((*PATTERN_SUFFIXES, *SHEET_SUFFIXES))}")
        require_sheet(path)
    require_outputs([("file of patterns", path) for path in paths], inputs=inputs)


def _write(result: Subgraphs, path: Path, title: str) -> None:
    from sfumato.io.files import suffix_of
    from sfumato.mining.subgraphs.files import PATTERN_SUFFIXES, write_subgraphs

    if suffix_of(path) in PATTERN_SUFFIXES:
        write_subgraphs(result, path)
    else:
        from sfumato.experiments.reports.subgraph_sheet import write_sheet

        write_sheet(result, path, title=title)


@contextmanager
def _watched(watch: bool) -> Iterator[Callable[[int, int, int], None] | None]:
    """The progress of the search, on stderr while a person is watching."""
    if not watch or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("reading", total=None)

        def advance(patterns: int, candidates: int, depth: int) -> None:
            shown.update(task, description=f"{patterns:,} patterns of {candidates:,} candidates, {depth} edges deep")

        yield advance


def _show(result: Subgraphs, graph: Graph, input: Path, out: tuple[Path, ...]) -> None:
    way = "directed" if graph.directed else "undirected"
    excluded = f"; excluded: {graph.kept_out}" if graph.kept_out else ""
    say(f"{input}: {len(graph):,} nodes, {graph.n_edges:,} {way} edges{excluded}")
    many = "pattern" if len(result) == 1 else "patterns"
    say(f"{len(result):,} {many} with a support of at least {result.threshold:,}")
    if not result.complete:
        say(f"Incomplete: {result.warning}")
    if len(result):
        frame = result.to_frame()
        head = "support" if result.exact else "support at least"
        rows = [(", ".join(nodes), ", ".join(edges), support) for nodes, edges, support in frame.head(SHOWN).rows()]
        table("", ("nodes", "edges", head), rows)
    if out:
        say(f"All patterns are in {' and '.join(str(path) for path in out)}.")
    elif len(result) > SHOWN:
        say(f"and {len(result) - SHOWN:,} more; --out FILE writes all patterns.")
