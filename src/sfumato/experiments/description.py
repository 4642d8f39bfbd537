"""What is in a dataset, a file or a published directory: kind, sizes, histograms, columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.errors import FileError
from sfumato.experiments.column_summaries import (
    ColumnSummary,
    HierarchyCoverage,
    coverage_of,
    hierarchies_of,
    summary_of,
)
from sfumato.html import card_html
from sfumato.io import read, read_graph
from sfumato.io.files import suffix_of
from sfumato.io.published import directory as published

if TYPE_CHECKING:
    import altair as alt

__all__ = ["ColumnSummary", "Description", "HierarchyCoverage", "PlaceDensity", "describe"]

_FIRST = ("kind", "records", "unit", "persons")
_CELLS = 48  # of the map of visits, in each direction


@dataclass(frozen=True, eq=False)
class PlaceDensity:
    """The number of visits, or of places where visits are unknown, in each cell of a grid over all places.

    counts : int64[rows, columns], the southern or lower row first.  low, high : x and y, or longitude and latitude, of
    the corners.
    """

    counts: npt.NDArray[np.int64]
    low: tuple[float, float]
    high: tuple[float, float]
    geographic: bool


@dataclass(frozen=True)
class Description:
    """What is in a dataset; the figures are private if the data are.

    figures : sizes and facts by name; None where something is not known.
    histograms : how many records, labels or nodes fall into each range, by the name of the histogram.
    columns : the columns of a table; None where the data are no table.
    hierarchies : the hierarchies of columns, or of locations or items.
    density : where the visits are, if there are coordinates.
    notes : how the data were read: which columns were guessed, what stands for a missing value.
    """

    figures: Mapping[str, int | float | str | None]
    histograms: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    columns: tuple[ColumnSummary, ...] | None = None
    hierarchies: tuple[HierarchyCoverage, ...] = ()
    density: PlaceDensity | None = field(default=None, compare=False)
    notes: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The kind of the data."""
        return str(self.figures["kind"])

    def to_json(self) -> dict[str, Any]:
        """The figures, as JSON values."""
        first = {name: value for name, value in self.figures.items() if name in _FIRST}
        columns = {} if self.columns is None else {"columns": [asdict(column) for column in self.columns]}
        bars = {name: dict(histogram) for name, histogram in self.histograms.items()}
        trees = {"hierarchies": [asdict(tree) for tree in self.hierarchies]} if self.hierarchies else {}
        notes = {"notes": [str(note) for note in self.notes]} if self.notes else {}
        return {**first, **columns, **self.figures, **bars, **trees, **notes}

    def to_polars(self) -> pl.DataFrame:
        """The histograms, a row for each bar."""
        rows = [(name, *bar) for name, histogram in self.histograms.items() for bar in histogram.items()]
        return pl.DataFrame(rows, schema={"histogram": pl.String, "range": pl.String, "count": pl.Int64}, orient="row")

    def to_pandas(self) -> Any:
        """The histograms, a row for each bar."""
        return self.to_polars().to_pandas()

    def columns_to_polars(self) -> pl.DataFrame:
        """The columns of a table, a row for each."""
        text, number = pl.String, pl.Int64
        schema = {"column": text, "type": text, "role": text, "distinct": number, "missing": number}
        rows = [{name: getattr(column, name) for name in schema} for column in self.columns or ()]
        return pl.DataFrame(rows, schema=schema)

    def chart(self) -> alt.TopLevelMixin:
        """One panel for each histogram and each column."""
        from sfumato.experiments.reports.charts import require_charts
        from sfumato.experiments.reports.description_page import draw_description

        require_charts()
        return draw_description(self)

    def write(self, path: str | Path, *, title: str = "Description") -> None:
        """Write a private page that opens offline (.html)."""
        from sfumato.experiments.reports.description_page import write_description

        write_description(self, path, title=title)

    def _repr_html_(self) -> str:
        rows = [(name.replace("_", " "), value) for name, value in self.figures.items()]
        rows += [
            (f"column {summary.column}", f"{summary.type}, {summary.role}, {summary.distinct:,} distinct")
            for summary in self.columns or ()
        ]
        return card_html(f"Description: {self.kind}", ("figure", "value"), rows, len(rows), self.notes)


def describe(
    source: Any, *, reader: Callable[[Path], Any] | None = None, notes: list[str] | None = None
) -> Description:
    """Describe a dataset, a release, a file or a published directory.

    reader : reads a file that is neither a graph (.lg) nor a published directory.  notes : where the reader collects
    sentences about how it read the file.

    >>> from sfumato import Transactions
    >>> found = describe(Transactions.from_lists([["ale"], ["ale", "tea"]]))
    >>> found.kind, found.figures["items"], found.histograms["records_by_length"]
    ('transactions', 3, {'1': 1, '2-3': 1})
    """
    notes = [] if notes is None else notes
    if isinstance(source, str | PathLike):
        source = _read(Path(source), reader or (lambda path: read(path, notes=notes)))
    return replace(_described(source), notes=tuple(notes))


def _described(source: Any) -> Description:
    data = source if hasattr(source, "kind") else source.data  # of a release
    if data.kind == "mixed":
        table, items = _table(data.table), _ragged(data.items)
        own = {name: value for name, value in items.figures.items() if name not in _FIRST}
        figures = {**table.figures, "kind": "mixed", **own}
        return Description(figures, items.histograms, table.columns, (*table.hierarchies, *items.hierarchies))
    if data.kind == "chunks":
        return _chunks(data)
    if data.kind == "graph":
        return _graph(data)
    return _table(data) if data.kind == "table" else _ragged(data)


def _read(path: Path, reader: Callable[[Path], Any]) -> Any:
    if suffix_of(path) == ".lg":
        return read_graph(path)
    if not (path / published.CERTIFICATE).is_file():
        return reader(path)
    release = published.read(path)
    if release.data is None:
        raise FileError(path, release.problems[-1])
    return release.data


def _head(data: Any) -> dict[str, Any]:
    return {
        "kind": data.kind,
        "records": len(data),
        "unit": data.unit,
        "persons": None if data.persons is None else len(data.persons),
    }


def _chunks(data: Any) -> Description:
    simple = data.sizes[~data.joint]
    chunks = np.bincount(data.chunk_clusters, minlength=len(data.sizes))[~data.joint]
    figures = {
        **_head(data),
        "clusters": len(simple),
        "joint_clusters": len(data.sizes) - len(simple),
        "subrecords": len(data.lengths),
        "distinct_items": len(data.names),
        "smallest_cluster": int(simple.min()) if len(simple) else None,
        "largest_cluster": int(simple.max()) if len(simple) else None,
    }
    histograms = {
        "clusters_by_record_chunks": {str(n): int(count) for n, count in enumerate(np.bincount(chunks))},
        "subrecords_by_length": {str(n): int(count) for n, count in enumerate(np.bincount(data.lengths)) if n},
    }
    return Description(figures, histograms)


def _graph(data: Any) -> Description:
    """Of a graph, read without directions: an .lg file does not say whether it has them."""
    held = np.bincount(data.labels, minlength=data.n_labels)
    figures = {
        "kind": data.kind,
        "nodes": len(data),
        "edges": data.n_edges,
        "node_labels": 0 if data.label_names == ("",) else data.n_labels,
        "edge_labels": 0 if data.edge_label_names == ("",) else data.n_edge_labels,
        "self_loops_kept_out": data.self_loops,
        "repeated_edges_kept_out": data.duplicates,
    }
    histograms = {
        "nodes_by_degree": _histogram(data.degrees),
        "labels_by_number_of_nodes": _histogram(held[held > 0]),
    }
    return Description(figures, histograms)


def _ragged(data: Any) -> Description:
    lengths = data.lengths
    counts = np.bincount(data.codes, minlength=len(data.names))
    record = data.record_of_element()
    held = np.unique(record * len(data.names) + data.codes) % max(1, len(data.names))
    supports = np.bincount(held, minlength=len(data.names))
    places = getattr(data, "places", None)
    figures = {
        **_head(data),
        f"{data.element}s": len(data.codes),
        f"distinct_{data.attribute}s": int(np.count_nonzero(counts)),
        "mean_length": round(float(lengths.mean()), 2) if len(lengths) else 0.0,
        "longest": int(lengths.max(initial=0)),
        "empty_records": int(np.count_nonzero(lengths == 0)),
        "generalized_labels": len(data.members),
    }
    if data.kind == "trajectories":
        figures["times"] = "known" if data.times is not None else "unknown"
        figures["places"] = (
            None if places is None else ("lat, lon" if places.geographic else "x, y" if places.located else "names")
        )
    if data.kind == "roads":
        del figures["generalized_labels"]
        figures |= _drives(data)
    histograms = {
        "records_by_length": _histogram(lengths),
        f"{data.attribute}s_by_number_of_records": _histogram(supports[supports > 0]),
    }
    tree = getattr(data, "taxonomy", None)
    trees = () if tree is None else (coverage_of(data.attribute, tree, [tree.leaf_of(name) for name in data.names]),)
    return Description(figures, histograms, hierarchies=trees, density=_density(data))


def _drives(data: Any) -> dict[str, Any]:
    network = data.network
    return {
        "times": "known" if data.times is not None else "unknown",
        "intervals": None if data.intervals is None else len(data.interval_names),
        "network_nodes": len(network),
        "network_roads": len(network.roads),
        "network_pieces": len(network.component_sizes),
        "roads_travelled": len(set(data.road.tolist())),
    }


def _histogram(values: Any) -> dict[str, int]:
    """How many values fall between powers of two."""
    if len(values) == 0:
        return {}
    edges = [0, 1] + [2**power for power in range(1, int(np.ceil(np.log2(max(2, int(values.max()) + 1)))) + 1)]
    counts, _ = np.histogram(values, bins=[*edges, np.inf])
    labels = [f"{low}" if high - low == 1 else f"{low}-{high - 1}" for low, high in pairwise(edges)]
    return {label: int(count) for label, count in zip(labels, counts, strict=False) if count}


def _table(data: Any) -> Description:
    columns = tuple(summary_of(data, name) for name in data.frame.columns)
    return Description(_head(data), columns=columns, hierarchies=hierarchies_of(data))


def _density(data: Any) -> PlaceDensity | None:
    """Where the visits of trajectories are; None without coordinates."""
    places = getattr(data, "places", None)
    if places is None or not places.located or data.members or not len(data.codes):
        return None
    coordinates = places.coordinates(data.names)[data.codes]
    low, high = coordinates.min(axis=0), coordinates.max(axis=0)
    margin = np.maximum((high - low) * 0.02, 1e-9)
    ranges = [(float(low[axis] - margin[axis]), float(high[axis] + margin[axis])) for axis in (1, 0)]
    counts, _, _ = np.histogram2d(coordinates[:, 1], coordinates[:, 0], bins=_CELLS, range=ranges)
    (bottom, top), (left, right) = ranges
    return PlaceDensity(counts.astype(np.int64), (left, bottom), (right, top), places.geographic)
