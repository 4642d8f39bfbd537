"""Road trajectories on a cluster: the roads of each record in order, and its interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from sfumato.data import Network, RoadTrajectories, Trajectories
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.data.roads.intervals import in_natural_order
from sfumato.errors import DataError, MissingKnowledge, listed
from sfumato.spark.parquet import read_parquet
from sfumato.spark.records import ORDER, Records, batch_of, in_partitions, numbered_rows

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["RoadRecords"]

_BETWEEN = "\0"  # a road and the interval of its record
_REQUIRED = ("trajectory", "road", "direction")
_OPTIONAL = ("person", "time", "interval")
_FINE, _JUMP, _INTERVALS = range(3)


@dataclass(frozen=True, eq=False)
class RoadRecords(Records):
    """Road trajectories on a cluster; the frame has the column `interval` too, the number of each record's interval."""

    @classmethod
    def read(cls, spark: Any, path: str | Path, *, columns: Mapping[str, str] | None = None, **knowledge: Any) -> Self:
        """Read a directory of tidy Parquet files, or one such file; without times in the order of the rows."""
        return cls.of_frame(
            numbered_rows(spark, read_parquet(spark, path)), columns=columns, source=str(path), **knowledge
        )

    @classmethod
    def of_frame(  # type: ignore[override]
        cls,
        frame: Any,
        *,
        network: Network | None = None,
        columns: Mapping[str, str] | None = None,
        source: str = "the frame",
    ) -> Self:
        """Road trajectories of a tidy DataFrame: `trajectory`, `road`, `direction`, and optionally `person`, `time`,
        `interval`.  Roads are in the order of their times; columns : other names."""
        if network is None:
            raise MissingKnowledge("RoadTrajectories: needs a network, got none", remedy="give-network")
        tidy = _with_labels(frame, columns or {}, source)
        labelled = Records.of_frame(tidy, kind="trajectories", source=source)
        pairs = [name.partition(_BETWEEN)[::2] for name in labelled.side.names]
        roads = tuple(sorted({road for road, _ in pairs}))
        numbers, interval_names = in_natural_order(interval for _, interval in pairs)
        known = any(interval_names)
        side = RoadTrajectories(
            offsets=np.zeros(1, dtype=np.int64),
            codes=np.empty(0, dtype=np.int32),
            names=roads,
            network=network,
            intervals=np.empty(0, dtype=np.int32) if known else None,
            interval_names=interval_names if known else (),
        )
        position = {road: code for code, road in enumerate(roads)}
        road_of = np.array([position[road] for road, _ in pairs], dtype=np.int32)
        coded = _divided(labelled, road_of, numbers, side.heads, side.tails).persist()
        _refuse(coded, source)
        return cls(coded.drop("problem"), side)


def _with_labels(frame: Any, columns: Mapping[str, str], source: str) -> Any:
    """The frame as visits to labels that name a road, its direction and the interval."""
    from pyspark.sql import functions as F  # noqa: N812

    chosen = {role: columns.get(role, role) for role in (*_REQUIRED, *_OPTIONAL)}
    for role in (*_REQUIRED, *columns):
        if chosen.get(role, role) not in frame.columns:
            shown = [name for name in frame.columns if name not in ORDER]
            raise DataError(f"{source}: wanted the column {chosen.get(role, role)!r}, found {listed(shown)}")
    present = {role: F.col(f"`{name}`") for role, name in chosen.items() if name in frame.columns}
    texts = {role: present[role].cast("string") for role in ("road", "direction", "interval") if role in present}
    lacks = F.lit(False)
    for text in texts.values():
        lacks = lacks | text.isNull() | (text == "")
    lacking, others = frame.agg(F.count_if(lacks), F.count_if(~texts["direction"].isin("+", "-"))).first()
    if lacking:
        raise DataError(f"{source}: wanted a value in each of {listed(list(texts))}, found a missing one")
    if others:
        raise DataError(f"{source}: wanted direction as + or -, found something else")
    interval = texts.get("interval", F.lit(""))
    label = F.concat(texts["road"], texts["direction"], F.lit(_BETWEEN), interval)
    kept = [present[role].alias(role) for role in ("trajectory", "person", "time") if role in present]
    order = [name for name in ORDER if name in frame.columns]
    return frame.select(*kept, label.alias("location"), *order)


def _divided(labelled: Records, road_of: Ints, interval_of: Ints, heads: Ints, tails: Ints) -> Any:
    """The codes of the roads, the number of the interval, and what is wrong with a record."""
    by_person = labelled.by_person

    def work(data: Ragged) -> Iterator[pa.RecordBatch]:
        assert isinstance(data, Trajectories)
        if not len(data):
            return
        codes, intervals, record = road_of[data.codes], interval_of[data.codes], data.record_of_element()
        first = intervals[data.offsets[:-1]]
        problem = np.zeros(len(data), dtype=np.int32)
        same = record[1:] == record[:-1]
        problem[record[1:][same & (heads[codes[:-1]] != tails[codes[1:]])]] = _JUMP
        problem[record[intervals != first[record]]] = _INTERVALS
        batch = batch_of(codes, data.lengths, data.persons if by_person else None)
        for name, column in (("interval", first), ("problem", problem)):
            batch = batch.append_column(name, _int32(column))
        yield batch

    person = ", person string" if by_person else ""
    return in_partitions(labelled.frame, labelled.side, work, f"codes array<int>{person}, interval int, problem int")


def _int32(values: Ints) -> Any:
    import pyarrow as pa

    return pa.array(values.astype(np.int32))


def _refuse(coded: Any, source: str) -> None:
    from pyspark.sql import functions as F  # noqa: N812

    problem = coded.agg(F.max("problem")).first()[0]
    if problem == _JUMP:
        raise DataError(f"{source}: wanted a road that begins where the one before it ends, found a jump")
    if problem == _INTERVALS:
        raise DataError(f"{source}: wanted one interval for each trajectory, found a second one")
