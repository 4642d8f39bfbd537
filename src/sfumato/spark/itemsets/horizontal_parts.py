"""HORPART on a cluster: which term splits a part is decided on the driver, by counts that the cluster makes.

A round counts, of every part that is still too large, how many records with which of a few leading terms have each
term.  Such counts settle several splits, one after the other, as long as one of these terms comes next.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.spark.itemsets.part_tree import PartTree
from sfumato.spark.positions import with_positions

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["PartRules", "horizontal_parts"]

_MOST_LEADING = 8  # terms by which records are counted together
_MOST_COUNTS = 1 << 23  # that the driver takes in a round
_SIZE = -1  # stands for the term where a row counts records

Truths = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class PartRules:
    """What `horpart` is asked: the sizes of parts, and by code the terms that never split."""

    smallest: int
    largest: int
    skipped: Truths


@dataclass(frozen=True)
class _Open:
    """A part that is still too large: the terms that may split it, and those of them that are counted together."""

    node: int
    candidates: Truths
    leading: tuple[int, ...]


def horizontal_parts(distinct: Any, side: Ragged, rules: PartRules) -> tuple[Any, int]:
    """The distinct records with the column `part`, from 0 in the order of `horpart`; and the number of parts.

    distinct : the columns `codes` and `times`, how many records have this content; a record may be in two parts then.
    """
    tree = PartTree()
    every = _Open(0, ~rules.skipped, ())
    waiting = [every]
    while waiting:
        batch, waiting = waiting[: _at_once(side)], waiting[_at_once(side) :]
        batch = [_with_leading(part, batch, side) for part in batch]
        counts = _counted(distinct, side, tree, batch)
        for number, part in enumerate(batch):
            waiting += _split(tree, part, *_table(counts, number, len(side.names)), rules)
    return _numbered(distinct, side, tree, rules.largest)


def _at_once(side: Ragged) -> int:
    return max(1, _MOST_COUNTS // (2 * (len(side.names) + 1)))


def _with_leading(part: _Open, batch: list[_Open], side: Ragged) -> _Open:
    """The part with as many leading terms as the driver can take the counts of."""
    room = _MOST_COUNTS // (len(batch) * (len(side.names) + 1))
    most = min(_MOST_LEADING, max(1, room.bit_length() - 1))
    return _Open(part.node, part.candidates, part.leading[:most])


def _counted(distinct: Any, side: Ragged, tree: PartTree, batch: list[_Open]) -> tuple[Ints, Ints, Ints, Ints]:
    """How many records there are of each part, set of its leading terms, and further term: in columns."""
    from pyspark.sql import functions as F  # noqa: N812

    schema = "part int, leading int, term int, records long"
    work = partial(_counts_of_batches, side=side, tree=tree, batch=batch)
    counted = distinct.mapInArrow(work, schema).groupBy("part", "leading", "term").agg(F.sum("records").alias("n"))
    table = counted.toArrow()
    part, leading, term, n = (table.column(name).to_numpy().astype(np.int64) for name in table.column_names)
    return part, leading, term, n


def _counts_of_batches(
    batches: Iterator[pa.RecordBatch], side: Ragged, tree: PartTree, batch: list[_Open]
) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    from sfumato.spark.records import dataset_of

    number_of = {part.node: number for number, part in enumerate(batch)}
    for rows in batches:
        data, times = dataset_of([rows], side), rows.column("times").to_numpy()
        nodes = tree.nodes_of(data)
        for node in np.unique(nodes).tolist():
            if node not in number_of:
                continue
            part = batch[number_of[node]]
            records = np.flatnonzero(nodes == node)
            here, weights = data.take(records), times[records]
            record = here.record_of_element()
            leading = np.zeros(len(here), dtype=np.int64)
            for bit, term in enumerate(part.leading):
                leading[record[here.codes == term]] |= 1 << bit
            kept = part.candidates[here.codes]
            width = len(side.names) + 1
            keys = np.concatenate((leading * width, leading[record[kept]] * width + here.codes[kept] + 1))
            sums = np.concatenate((weights, weights[record[kept]]))
            found, place = np.unique(keys, return_inverse=True)
            columns = {
                "part": pa.array(np.full(len(found), number_of[node], dtype=np.int32)),
                "leading": pa.array((found // width).astype(np.int32)),
                "term": pa.array((found % width + _SIZE).astype(np.int32)),
                "records": pa.array(np.bincount(place, sums, len(found)).astype(np.int64)),
            }
            yield pa.RecordBatch.from_pydict(columns)


def _table(counts: tuple[Ints, Ints, Ints, Ints], number: int, n_names: int) -> tuple[Ints, Ints, Ints]:
    """Of one part: the sets of leading terms that occur, their numbers of records, and those with each term."""
    mine = np.flatnonzero(counts[0] == number)
    leading, row = np.unique(counts[1][mine], return_inverse=True)
    term, records = counts[2][mine], counts[3][mine]
    sizes = np.zeros(len(leading), dtype=np.int64)
    table = np.zeros((len(leading), n_names), dtype=np.int64)
    whole = term == _SIZE
    sizes[row[whole]] = records[whole]
    table[row[~whole], term[~whole]] = records[~whole]
    return leading, sizes, table


def _split(tree: PartTree, part: _Open, leading: Ints, sizes: Ints, table: Ints, rules: PartRules) -> list[_Open]:
    """Split a part as far as its counts say how; returns the parts that need more counts."""
    left, stack = [], [(part.node, np.arange(len(leading)))]
    bit_of = {term: bit for bit, term in enumerate(part.leading)}
    while stack:
        node, rows = stack.pop()
        size, counts = int(sizes[rows].sum()), table[rows].sum(axis=0)
        # terms of nearly all records leave too few for the other side, here and in every part of this part
        may = part.candidates & (counts >= rules.smallest) & (size - counts >= rules.smallest)
        if size <= rules.largest or not may.any():
            tree.sizes[node] = size
            continue
        ranked = np.argsort(np.where(may, -counts, 0), kind="stable")  # of equal counts, the earlier name
        term = int(ranked[0])
        if term not in bit_of:
            left.append(_Open(node, may, tuple(ranked[: min(_MOST_LEADING, int(may.sum()))].tolist())))
            continue
        having = leading[rows] >> bit_of[term] & 1 == 1
        with_term, without = tree.split(node, term)
        stack += [(with_term, rows[having]), (without, rows[~having])]
    return left


def _numbered(distinct: Any, side: Ragged, tree: PartTree, largest: int) -> tuple[Any, int]:
    """The records with their part; parts that no term splits are cut by size, in the order of the records."""
    from pyspark.sql import functions as F  # noqa: N812
    from pyspark.sql.types import IntegerType, StructType

    nodes = tree.parts()
    pieces = {node: -(-tree.sizes[node] // largest) for node in nodes}
    first_part = dict(zip(nodes, np.cumsum([0, *(pieces[node] for node in nodes)]).tolist(), strict=False))
    cut = [node for node in nodes if pieces[node] > 1]

    def find(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        from sfumato.spark.records import dataset_of

        for rows in batches:
            ends_in, row = np.unique(tree.nodes_of(dataset_of([rows], side)), return_inverse=True)
            parts = np.array([first_part[node] for node in ends_in.tolist()], dtype=np.int32)[row]
            columns = {name: rows.column(name) for name in ("codes", "times")}
            yield pa.RecordBatch.from_pydict(columns | {"part": pa.array(parts)})

    schema = StructType(list(distinct.schema.fields)).add("part", IntegerType())
    placed = distinct.select("codes", "times").mapInArrow(find, schema)
    if not cut:
        return placed, sum(pieces.values())
    placed = placed.persist()
    is_cut = F.col("part").isin([first_part[node] for node in cut])
    in_order = with_positions(placed.filter(is_cut), ["part", "codes"], F.col("times"))
    starts, parts = _pieces([(tree.sizes[node], pieces[node], first_part[node]) for node in cut])
    in_pieces = in_order.mapInArrow(partial(_in_pieces, starts=starts, parts=parts), schema)
    return placed.filter(~is_cut).union(in_pieces), sum(pieces.values())


def _pieces(cut: list[tuple[int, int, int]]) -> tuple[Ints, Ints]:
    """Where each piece begins among the records of all parts that are cut, and the number of its part."""
    starts: list[int] = []
    parts: list[int] = []
    before = 0
    for size, pieces, first in cut:
        starts += [before + size * piece // pieces for piece in range(pieces)]
        parts += range(first, first + pieces)
        before += size
    return np.array([*starts, before]), np.array(parts)


def _in_pieces(batches: Iterator[pa.RecordBatch], starts: Ints, parts: Ints) -> Iterator[pa.RecordBatch]:
    """Equal records divided among the pieces that they lie in."""
    import pyarrow as pa

    for rows in batches:
        first = rows.column("first").to_numpy()
        end = first + rows.column("times").to_numpy()
        low = np.searchsorted(starts, first, side="right") - 1
        lengths = np.searchsorted(starts, end, side="left") - low
        row = np.repeat(np.arange(len(first)), lengths)
        piece = low[row] + np.arange(len(row)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        times = np.minimum(end[row], starts[piece + 1]) - np.maximum(first[row], starts[piece])
        columns = {"codes": rows.column("codes").take(pa.array(row)), "times": pa.array(times)}
        yield pa.RecordBatch.from_pydict(columns | {"part": pa.array(parts[piece].astype(np.int32))})
