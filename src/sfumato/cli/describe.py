"""`sfumato describe`: what is in a file."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import click

from sfumato.cli.shared.options import input_options, json_option, load, with_options
from sfumato.cli.shared.render import bars, print_json, say, table

__all__ = ["command"]


@with_options(input_options())
@click.command("describe")
@click.argument("input", type=click.Path(path_type=Path))
@json_option
def command(input: Path, as_json: bool, **said: Any) -> None:
    """Show what is in INPUT (a file or a published directory): kind, sizes, histograms.

    The figures are about the data as they are: private, if the data are.
    """
    from sfumato.io import read_graph
    from sfumato.io.files import suffix_of
    from sfumato.io.published import directory as published

    if suffix_of(input) == ".lg":
        data: Any = read_graph(input)
    else:
        data = _released(input) if (input / published.CERTIFICATE).is_file() else load(input, said)
    facts = describe(data)
    if as_json:
        print_json(facts)
        return
    figures = [(name, value) for name, value in facts.items() if not isinstance(value, list | dict)]
    table(str(input), ("what", "value"), [(name.replace("_", " "), _shown(value)) for name, value in figures])
    for name, histogram in facts.items():
        if isinstance(histogram, dict):
            bars(name.replace("_", " "), list(histogram.items()))
            say()
    if "columns" in facts:
        table(
            "columns", ("column", "type", "role", "distinct", "missing"), [tuple(c.values()) for c in facts["columns"]]
        )


def _released(folder: Path) -> Any:
    """The data of a published directory."""
    from sfumato.io.published import directory as published

    return published.read(folder).require_data()


def _shown(value: Any) -> str:
    if value is None:
        return "unknown"
    return f"{value:,}" if isinstance(value, int) else str(value)


def describe(data: Any) -> dict[str, Any]:
    """The figures, as JSON values."""
    if data.kind == "mixed":
        items = {name: value for name, value in _ragged(data.items).items() if name not in ("kind", "unit", "persons")}
        return {**_table(data.table), "kind": "mixed", **items}
    if data.kind == "chunks":
        return _chunks(data)
    if data.kind == "graph":
        return _graph(data)
    return _table(data) if data.kind == "table" else _ragged(data)


def _head(data: Any) -> dict[str, Any]:
    return {
        "kind": data.kind,
        "records": len(data),
        "unit": data.unit,
        "persons": None if data.persons is None else len(data.persons),
    }


def _chunks(data: Any) -> dict[str, Any]:
    import numpy as np

    simple = data.sizes[~data.joint]
    chunks = np.bincount(data.chunk_clusters, minlength=len(data.sizes))[~data.joint]
    return {
        **_head(data),
        "clusters": len(simple),
        "joint_clusters": len(data.sizes) - len(simple),
        "subrecords": len(data.lengths),
        "distinct_items": len(data.names),
        "smallest_cluster": int(simple.min()) if len(simple) else None,
        "largest_cluster": int(simple.max()) if len(simple) else None,
        "clusters_by_record_chunks": {str(n): int(count) for n, count in enumerate(np.bincount(chunks))},
        "subrecords_by_length": {str(n): int(count) for n, count in enumerate(np.bincount(data.lengths)) if n},
    }


def _graph(data: Any) -> dict[str, Any]:
    """Of a graph, read without directions: an .lg file does not say whether it has them."""
    import numpy as np

    held = np.bincount(data.labels, minlength=data.n_labels)
    return {
        "kind": data.kind,
        "nodes": len(data),
        "edges": data.n_edges,
        "node_labels": 0 if data.label_names == ("",) else data.n_labels,
        "edge_labels": 0 if data.edge_label_names == ("",) else data.n_edge_labels,
        "self_loops_kept_out": data.self_loops,
        "repeated_edges_kept_out": data.duplicates,
        "nodes_by_degree": _histogram(data.degrees),
        "labels_by_number_of_nodes": _histogram(held[held > 0]),
    }


def _ragged(data: Any) -> dict[str, Any]:
    import numpy as np

    lengths = data.lengths
    counts = np.bincount(data.codes, minlength=len(data.names))
    record = data.record_of_element()
    held = np.unique(record * len(data.names) + data.codes) % max(1, len(data.names))
    supports = np.bincount(held, minlength=len(data.names))
    places = getattr(data, "places", None)
    facts = {
        **_head(data),
        f"{data.element}s": len(data.codes),
        f"distinct_{data.attribute}s": int(np.count_nonzero(counts)),
        "mean_length": round(float(lengths.mean()), 2) if len(lengths) else 0.0,
        "longest": int(lengths.max(initial=0)),
        "empty_records": int(np.count_nonzero(lengths == 0)),
        "generalized_labels": len(data.members),
    }
    if data.kind == "trajectories":
        facts["times"] = "known" if data.times is not None else "unknown"
        facts["places"] = (
            None if places is None else ("lat, lon" if places.geographic else "x, y" if places.located else "names")
        )
    if data.kind == "roads":
        del facts["generalized_labels"]
        facts |= _drives(data)
    facts["records_by_length"] = _histogram(lengths)
    facts[f"{data.attribute}s_by_number_of_records"] = _histogram(supports[supports > 0])
    return facts


def _drives(data: Any) -> dict[str, Any]:
    network = data.network
    return {
        "times": "known" if data.times is not None else "unknown",
        "intervals": None if data.intervals is None else len(data.interval_names),
        "network_nodes": len(network),
        "network_roads": len(network.roads),
        "network_pieces": len(network.pieces),
        "roads_travelled": len(set(data.road.tolist())),
    }


def _histogram(values: Any) -> dict[str, int]:
    """How many values fall between powers of two."""
    import numpy as np

    if len(values) == 0:
        return {}
    edges = [0, 1] + [2**power for power in range(1, int(np.ceil(np.log2(max(2, int(values.max()) + 1)))) + 1)]
    counts, _ = np.histogram(values, bins=[*edges, np.inf])
    labels = [f"{low}" if high - low == 1 else f"{low}-{high - 1}" for low, high in pairwise(edges)]
    return {label: int(count) for label, count in zip(labels, counts, strict=False) if count}


def _table(data: Any) -> dict[str, Any]:
    columns = [
        {
            "column": name,
            "type": str(data[name].dtype),
            "role": data.role(name),
            "distinct": data[name].n_unique(),
            "missing": data[name].null_count(),
        }
        for name in data.frame.columns
    ]
    return {**_head(data), "columns": columns}
