"""Checks of incoming rows of road trajectories, and splitting records at jumps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Ints
from sfumato.data.frames import Source, refuse_missing
from sfumato.data.roads.network import Network
from sfumato.remedies import with_remedy

__all__ = ["DirectedRows", "directed_roads", "interval_of_record", "refuse_backward_times", "split_at_jumps"]


@dataclass(frozen=True)
class DirectedRows:
    """The directed road of each row, and the nodes where it begins and ends."""

    labels: pl.Series
    tails: Ints
    heads: Ints

    def jumps(self, order: Ints, offsets: Ints) -> Ints:
        """The positions, record by record, whose road does not begin where the one before it ends."""
        broken = self.heads[order[:-1]] != self.tails[order[1:]]
        broken[offsets[1:-1] - 1] = False
        return np.flatnonzero(broken) + 1


def directed_roads(tidy: pl.DataFrame, network: Network, source: Source) -> DirectedRows:
    """The directed road of each row; refuses a direction other than + or -, and a road that the network lacks."""
    signs = tidy["direction"].cast(pl.String)
    invalid = ~signs.is_in(["+", "-"])
    if invalid.any():
        raise source.error("wanted direction as + or -, found something else", row=invalid.arg_max())
    roads = network.rows_of_roads(tidy["road"])
    unknown = roads < 0
    if unknown.any():
        problem = f"wanted a road of the network, found another; rows with such roads: {int(unknown.sum()):,}"
        raise source.error(problem, row=int(unknown.argmax()))
    forward = (signs == "+").to_numpy()
    ends = network.ends[roads]
    return DirectedRows(
        (tidy["road"] + signs).rename("road"),
        np.where(forward, ends[:, 0], ends[:, 1]),
        np.where(forward, ends[:, 1], ends[:, 0]),
    )


def refuse_backward_times(times: npt.NDArray[np.float64], offsets: Ints, order: Ints, source: Source) -> None:
    """Refuse a time that falls within a trajectory: roads are in the order of travel."""
    falls = np.diff(times) < 0
    falls[offsets[1:-1] - 1] = False
    if falls.any():
        row = int(order[int(falls.argmax()) + 1])
        raise source.error(
            "wanted times that do not fall within a trajectory, found a time before the previous one", row=row
        )


def interval_of_record(column: pl.Series, record: Ints, source: Source) -> pl.Series:
    """The interval of each record; refuses a record with two intervals."""
    refuse_missing(column, "interval", source)
    column = column.cast(pl.String)
    first_row = np.empty(int(record.max()) + 1, dtype=np.int64)
    first_row[record[::-1]] = np.arange(len(record))[::-1]
    first_interval = column.gather(first_row)
    differs = column != first_interval.gather(record)
    if differs.any():
        raise source.error("wanted one interval for each trajectory, found a second one", row=differs.arg_max())
    return first_interval


def split_at_jumps(
    jumps: Ints, offsets: Ints, order: Ints, key: pl.Series, source: Source, *, split: bool
) -> tuple[Ints, Ints, pl.Series]:
    """Split records at jumps: the new offsets, the original record of each part, and the ids of the parts."""
    if len(jumps) and not split:
        raise source.error(
            with_remedy("wanted a road that begins where the one before it ends, found a jump", "split-jumps"),
            row=int(order[jumps[0]]),
        )
    part_offsets = np.union1d(offsets, jumps)
    parent = np.searchsorted(offsets, part_offsets[:-1], side="right") - 1
    ids = key.gather(order[offsets[:-1]]).cast(pl.String)
    if len(jumps):
        number = np.arange(len(parent)) - np.searchsorted(parent, parent) + 1
        several = np.bincount(parent)[parent] > 1
        suffixes = [f"/{part}" if is_split else "" for part, is_split in zip(number, several, strict=True)]
        ids = ids.gather(parent) + pl.Series(suffixes, dtype=pl.String)
        if ids.n_unique() < len(ids):  # the id of a part is the id of another trajectory
            ids = pl.Series(np.arange(1, len(ids) + 1)).cast(pl.String)
    return part_offsets, parent, ids.rename("trajectory")
