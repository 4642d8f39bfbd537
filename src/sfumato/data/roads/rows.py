"""Rows of road trajectories on their way in: what each must be, and where a record has to be split."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Ints
from sfumato.data.frames import Source, refuse_missing
from sfumato.data.roads.network import Network

__all__ = ["DirectedRows", "directed_roads", "interval_of_record", "pieces_at", "refuse_backward_times"]


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
    """Refuses a direction that is neither + nor -, and a road that the network does not have, with its line."""
    signs = tidy["direction"].cast(pl.String)
    strange = ~signs.is_in(["+", "-"])
    if strange.any():
        raise source.error("wanted direction as + or -, found something else", row=strange.arg_max())
    roads = network.rows_of_roads(tidy["road"])
    unknown = roads < 0
    if unknown.any():
        problem = f"wanted a road of the network, found another ({int(unknown.sum()):,} rows with such roads)"
        raise source.error(problem, row=int(unknown.argmax()))
    forward = (signs == "+").to_numpy()
    ends = network.ends[roads]
    return DirectedRows(
        (tidy["road"] + signs).rename("road"),
        np.where(forward, ends[:, 0], ends[:, 1]),
        np.where(forward, ends[:, 1], ends[:, 0]),
    )


def refuse_backward_times(times: npt.NDArray[np.float64], offsets: Ints, order: Ints, source: Source) -> None:
    """Roads are in the order of travel, so that a time that falls is a mistake in one or the other."""
    falls = np.diff(times) < 0
    falls[offsets[1:-1] - 1] = False
    if falls.any():
        row = int(order[int(falls.argmax()) + 1])
        raise source.error("wanted times that do not fall within a trajectory, found one before the last", row=row)


def interval_of_record(column: pl.Series, record: Ints, source: Source) -> pl.Series:
    """The one interval that each record lies in."""
    refuse_missing(column, "interval", source)
    column = column.cast(pl.String)
    first = np.empty(int(record.max()) + 1, dtype=np.int64)
    first[record[::-1]] = np.arange(len(record))[::-1]
    firsts = column.gather(first)
    strange = column != firsts.gather(record)
    if strange.any():
        raise source.error("wanted one interval for each trajectory, found another", row=strange.arg_max())
    return firsts


def pieces_at(
    jumps: Ints, offsets: Ints, order: Ints, key: pl.Series, source: Source, *, split: bool
) -> tuple[Ints, Ints, pl.Series]:
    """Offsets, the record that each piece comes from, and the ids of the pieces, where records are split at jumps."""
    if len(jumps) and not split:
        raise source.error(
            "wanted a road that begins where the one before it ends, found a jump; "
            "split_jumps=True (--split-jumps) begins a new trajectory there",
            row=int(order[jumps[0]]),
        )
    cut = np.union1d(offsets, jumps)
    parent = np.searchsorted(offsets, cut[:-1], side="right") - 1
    ids = key.gather(order[offsets[:-1]]).cast(pl.String)
    if len(jumps):
        number = np.arange(len(parent)) - np.searchsorted(parent, parent) + 1
        several = np.bincount(parent)[parent] > 1
        tail = [f"/{at}" if more else "" for at, more in zip(number, several, strict=True)]
        ids = ids.gather(parent) + pl.Series(tail, dtype=pl.String)
        if ids.n_unique() < len(ids):  # a trajectory is called as the piece of another one
            ids = pl.Series(np.arange(1, len(ids) + 1)).cast(pl.String)
    return cut, parent, ids.rename("trajectory")
