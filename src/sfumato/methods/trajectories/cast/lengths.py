"""CAST by length: the longest sequences are grouped first, and what is left over is cut to the next length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.kernels.recoding.taxonomy_groups import nearest_cost
from sfumato.methods.base import Run
from sfumato.methods.trajectories.cast.grouping import Pool, grouped
from sfumato.methods.trajectories.cast.taxonomy_arrays import Tree

__all__ = ["Group", "group_lengths"]

Sequence = tuple[int, ...]


@dataclass(frozen=True)
class Group:
    """Records published alike: the common labels, and which quasi-identifiers of each record they stand for."""

    records: list[int]
    labels: list[int]
    positions: list[tuple[int, ...]]


@dataclass(frozen=True, order=True)
class _Entry:
    sequence: Sequence
    record: int
    positions: tuple[int, ...]


def group_lengths(
    sequences: list[Sequence], units: Ints, size: int, tree: Tree, run: Run
) -> tuple[list[Group], list[int]]:
    """Group all sequences, the longest first; what is left over loses a place and joins the next length.

    sequences : the quasi-identifiers of each record, as nodes; records are in the order of their content.
    units : the person of each.  Returns the groups, and the records that are left at the end.
    """
    by_length: dict[int, list[_Entry]] = {}
    for record, sequence in enumerate(sequences):
        if sequence:
            by_length.setdefault(len(sequence), []).append(_Entry(sequence, record, tuple(range(len(sequence)))))
    support = _supports(sequences, units, len(tree.names))
    groups: list[Group] = []
    waiting: list[_Entry] = []
    total, done = sum(map(len, by_length.values())), 0
    for length in range(max(by_length, default=0), 0, -1):
        entries = sorted([*by_length.get(length, []), *waiting])
        if not entries:
            continue
        rows = np.array([entry.sequence for entry in entries], dtype=np.int32)
        records = np.array([entry.record for entry in entries])
        positions_of_groups, left = grouped(Pool(records, rows, units[records]), size, tree)
        for members in positions_of_groups:
            positions = [entries[member].positions for member in members]
            groups.append(Group(records[members].tolist(), tree.labels(rows[members]), positions))
        done += size * len(positions_of_groups)
        run.advance(done, total)
        next_rows = sorted({entry.sequence for entry in by_length.get(length - 1, [])})
        waiting = [entries[member] for member in left]
        if length > 1:
            waiting = _cut(waiting, np.array(next_rows, dtype=np.int32).reshape(-1, length - 1), support, tree)
    return groups, sorted(entry.record for entry in waiting)


def _supports(sequences: list[Sequence], units: Ints, nodes: int) -> Ints:
    """How many units visit each node."""
    pairs = {(unit, node) for unit, sequence in zip(units.tolist(), sequences, strict=True) for node in sequence}
    return np.bincount(np.array([node for _, node in pairs], dtype=np.int64), minlength=nodes)


def _cut(entries: list[_Entry], rows: npt.NDArray[np.int32], support: Ints, tree: Tree) -> list[_Entry]:
    """Each sequence without the place whose loss costs least.

    The cost of a loss is that of joining what remains with the nearest sequence of the next length; ties go to the
    place that fewer visit, then to the earlier name, then to the earlier visit.
    """
    chosen: dict[Sequence, int] = {}
    shorter = []
    for entry in entries:
        sequence = entry.sequence
        if sequence not in chosen:
            rests = [sequence[:position] + sequence[position + 1 :] for position in range(len(sequence))]
            costs = {rest: nearest_cost(np.array(rest, dtype=np.int32), rows, tree.arrays) for rest in set(rests)}
            chosen[sequence] = min(
                range(len(sequence)),
                key=lambda position, sequence=sequence, rests=rests, costs=costs: (  # type: ignore[misc]
                    costs[rests[position]],
                    support[sequence[position]],
                    tree.names[sequence[position]],
                    position,
                ),
            )
        position = chosen[sequence]
        shorter.append(
            _Entry(
                sequence[:position] + sequence[position + 1 :],
                entry.record,
                entry.positions[:position] + entry.positions[position + 1 :],
            )
        )
    return shorter
