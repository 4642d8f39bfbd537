"""Trajectories and transactions on a cluster: a DataFrame of codes, and what is known besides the records.

Names are collected on the driver, and records are not: a dataset may have far more records than one machine can hold,
and as many different locations or items as fit the memory of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import polars as pl

from sfumato.data import Persons, Trajectories, Transactions
from sfumato.data.ragged import Ragged
from sfumato.errors import DataError, listed
from sfumato.spark.parquet import read_parquet

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["IDENTIFIERS", "ORDER", "Records", "batch_of", "dataset_of", "in_partitions", "numbered_rows"]

ORDER = ("\0file", "\0row")
"""The columns of a frame that say where its rows stood in their files."""
IDENTIFIERS = ("string", "byte", "short", "integer", "long")
"""The types of names, of records and of persons; equal decimal numbers may have two spellings, as 0.0 and -0.0."""
_NUMBERS = ("byte", "short", "integer", "long", "float", "double", "decimal")
_STAMPS = ("timestamp", "timestamp_ntz", "date")
_SHAPES: dict[str, type[Trajectories] | type[Transactions]] = {
    "trajectories": Trajectories,
    "transactions": Transactions,
}


@dataclass(frozen=True, eq=False)
class Records:
    """Records on a cluster.

    frame : a DataFrame with the column `codes` (the labels of a record, in order) and, where persons are known,
    `person`; all records of a person are in one partition.
    side : the same dataset without records: names, members and side knowledge.
    """

    frame: Any
    side: Ragged

    @classmethod
    def read(
        cls,
        spark: Any,
        path: str | Path,
        *,
        kind: str,
        columns: Mapping[str, str] | None = None,
        **knowledge: Any,
    ) -> Self:
        """Read a directory of tidy Parquet files, or one such file.

        Rows are in the order of the names of the files and, in a file, as they stand there.
        columns, knowledge : see `of_frame`.
        """
        ordered = numbered_rows(spark, read_parquet(spark, path))
        return cls.of_frame(ordered, kind=kind, columns=columns, source=str(path), **knowledge)

    @classmethod
    def of_frame(
        cls,
        frame: Any,
        *,
        kind: str,
        columns: Mapping[str, str] | None = None,
        source: str = "the frame",
        **knowledge: Any,
    ) -> Self:
        """Records of a tidy DataFrame: `trajectory`, `location`, `time` and optionally `person`, or `record`, `item`.

        columns : other names, such as ``{"location": "poi"}``.  knowledge : `places`, `taxonomy`, ... as the dataset of
        this kind has them.  Visits are sorted by time; a DataFrame has no other order.
        """
        from pyspark.sql import functions as F  # noqa: N812

        if kind not in _SHAPES:
            raise DataError(f"spark: wanted trajectories or transactions, got {kind}")
        shape = _SHAPES[kind]
        has_order = ORDER[0] in frame.columns
        tidy, by_person = _tidy(frame, shape, columns or {}, source)
        if kind == "trajectories" and "time" not in tidy.columns and not has_order:
            raise DataError(f"{source}: wanted a column 'time', found none; rows of a DataFrame have no order")
        names = _names(tidy, shape.attribute, source)
        coded = _coded(tidy, names, shape.attribute)
        order = [name for name in ("time", *ORDER) if name in coded.columns] if kind == "trajectories" else []
        elements = F.collect_list(F.struct(*order, "code"))
        persons = [F.min("person").alias("person"), F.max("person").alias("\0other")] if by_person else []
        grouped = coded.groupBy(shape.record).agg(F.array_sort(elements).alias("elements"), *persons)
        codes = F.transform("elements", lambda element: element["code"])
        codes = F.array_distinct(codes) if kind == "transactions" else codes
        kept = ["person", "\0other"] if by_person else []
        records = grouped.select(codes.alias("codes"), *kept)
        if by_person:
            records = records.repartition("person")
        records = records.persist()
        if by_person and records.filter(F.col("person") != F.col("\0other")).limit(1).count():
            raise DataError(f"{source}: wanted one person for each {shape.record}, found a second person")
        none = np.empty(0, dtype=np.int32)
        side = shape(offsets=np.zeros(1, dtype=np.int64), codes=none, names=names, **knowledge)
        return cls(records.select("codes", *kept[:1]), side)

    @property
    def kind(self) -> str:
        """The kind of the data."""
        return self.side.kind

    @property
    def by_person(self) -> bool:
        """Whether the persons of the records are known."""
        return "person" in self.frame.columns

    @property
    def unit(self) -> str:
        """What support counts: 'person' where persons are known, otherwise 'record'."""
        return "person" if self.by_person else "record"

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The number of records, of elements, the length of the longest record, and the number of units.

        most_records : the largest number of records of a unit.
        """
        from pyspark.sql import functions as F  # noqa: N812

        length = F.size("codes")
        units = self.frame.select(
            F.lit(1).alias("records"), length.alias("elements"), length.alias("longest"), *self._person
        )
        if self.by_person:
            sums = (F.sum(name).alias(name) for name in ("records", "elements"))
            units = units.groupBy("person").agg(*sums, F.max("longest").alias("longest"))
        filled, most = F.count_if(F.col("longest") > 0), F.max("records")
        row = units.agg(F.sum("records"), F.sum("elements"), F.max("longest"), F.count(F.lit(1)), filled, most).first()
        names = ("records", "elements", "longest", "units", "units_with_elements", "most_records")
        return {name: int(value or 0) for name, value in zip(names, row, strict=True)}

    def with_frame(self, frame: Any, side: Ragged | None = None) -> Self:
        """Other records with the same knowledge, or another."""
        return replace(self, frame=frame, side=self.side if side is None else side)

    def recoded(self, code_of: Any, side: Ragged, longest: int | None = None) -> Self:
        """The records under other labels.

        code_of : int[names], the new code of each old one, -1 for a label that is left out.  longest : how many
        elements of each record stay.
        """
        from pyspark.sql import functions as F  # noqa: N812

        before = self.side

        def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            import pyarrow as pa

            for batch in batches:
                data = dataset_of([batch.select(["codes"])], before)
                codes = code_of[data.codes]
                kept = codes >= 0
                record = data.record_of_element()[kept]
                codes, lengths = codes[kept], np.bincount(record, minlength=len(data))
                if longest is not None:
                    place = np.arange(len(codes)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
                    codes, lengths = codes[place < longest], np.minimum(lengths, longest)
                columns = {name: batch.column(name) for name in batch.schema.names}
                yield pa.RecordBatch.from_pydict(columns | {"codes": batch_of(codes, lengths, None).column("codes")})

        persons = [F.col(name).cast("string").alias(name) for name in self._person]
        schema = "codes array<int>" + "".join(f", {name} string" for name in self._person)
        return self.with_frame(self.frame.select("codes", *persons).mapInArrow(work, schema), side)

    @property
    def _person(self) -> list[str]:
        """The column of persons, where they are known."""
        return ["person"] if self.by_person else []

    def collect(self) -> Ragged:
        """All records on the driver, as a dataset of one machine."""
        return dataset_of(self.frame.toArrow().to_batches(), self.side)


def numbered_rows(spark: Any, frame: Any) -> Any:
    """The rows of Parquet files with the number of their file, in the order of names, and their place in it."""
    from pyspark.sql import functions as F  # noqa: N812

    files = sorted(row[0] for row in frame.select("_metadata.file_path").distinct().collect())
    numbers = spark.createDataFrame(list(zip(files, range(len(files)), strict=True)), "path string, file int")
    ordered = frame.select("*", F.col("_metadata.file_path").alias("\0path"), F.col("_metadata.row_index"))
    return ordered.withColumnRenamed("row_index", ORDER[1]).join(
        F.broadcast(numbers.withColumnRenamed("file", ORDER[0]).withColumnRenamed("path", "\0path")), "\0path"
    )


def in_partitions(frame: Any, side: Ragged, work: Callable[[Any], Iterable[Any]], schema: str) -> Any:
    """A DataFrame of what some work makes of each partition, which it gets as a dataset of one machine."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from work(dataset_of(batches, side))

    return frame.mapInArrow(run, schema)


def dataset_of(batches: Iterable[pa.RecordBatch], side: Ragged) -> Ragged:
    """Batches of records as a dataset of one machine."""
    lengths, codes, persons = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int32)], []
    for batch in batches:
        column = batch.column("codes")
        lengths.append(np.diff(column.offsets.to_numpy()))
        codes.append(column.flatten().to_numpy())
        if "person" in batch.schema.names:
            persons.append(pl.Series("person", batch.column("person")))
    known = Persons.of(pl.concat(persons)) if persons else None
    offsets = np.concatenate(([0], np.cumsum(np.concatenate(lengths)))).astype(np.int64)
    return replace(side, offsets=offsets, codes=np.concatenate(codes), persons=known)


def batch_of(codes: Any, lengths: Any, persons: Persons | None) -> pa.RecordBatch:
    """Records as a batch with the columns `codes` and, where persons are known, `person`."""
    import pyarrow as pa

    offsets = pa.array(np.concatenate(([0], np.cumsum(lengths))).astype(np.int64), pa.int32())  # refuses 2^31 codes
    columns = {"codes": pa.ListArray.from_arrays(offsets, pa.array(codes.astype(np.int32)))}
    if persons is not None:
        columns["person"] = pa.array(persons.names.cast(pl.String).gather(persons.codes).to_list(), pa.string())
    return pa.RecordBatch.from_pydict(columns)


def _tidy(frame: Any, shape: type[Ragged], columns: Mapping[str, str], source: str) -> tuple[Any, bool]:
    """The columns of the format under their names, and whether there is one of persons."""
    from pyspark.sql import functions as F  # noqa: N812

    required = (shape.record, shape.attribute)
    optional = ("person", "time") if shape is Trajectories else ("person",)
    chosen = {role: columns.get(role, role) for role in (*required, *optional)}
    missing = [
        column for role, column in chosen.items() if column not in frame.columns and role in (*required, *columns)
    ]
    if missing:
        shown = [name for name in frame.columns if not name.startswith("\0")]
        raise DataError(f"{source}: wanted the column {missing[0]!r}, found {listed(shown)}")
    present = {role: column for role, column in chosen.items() if column in frame.columns}
    for role in present.keys() - {"time"}:
        kind = frame.schema[present[role]].dataType.typeName()
        if kind not in IDENTIFIERS:
            raise DataError(f"{source}: wanted texts or whole numbers in the column {present[role]!r}, found {kind}")
    selected = [F.col(f"`{column}`").alias(role) for role, column in present.items() if role != "time"]
    if "time" in present:
        kind = frame.schema[present["time"]].dataType.typeName()
        if kind == "string":
            raise DataError(f"{source}: wanted times as numbers or time stamps, found texts; convert them first")
        if kind not in (*_NUMBERS, *_STAMPS):
            raise DataError(f"{source}: wanted times as numbers or time stamps, found {kind}")
        selected.append(F.col(f"`{present['time']}`").alias("time"))
    order = [name for name in ORDER if name in frame.columns]
    return frame.select(*selected, *order), "person" in present


def _names(tidy: Any, attribute: str, source: str) -> tuple[str, ...]:
    """The distinct labels in name order; refuses missing values."""
    from pyspark.sql import functions as F  # noqa: N812

    checked = [name for name in tidy.columns if name not in ORDER]
    lacks = F.lit(False)
    for name in checked:
        lacks = lacks | F.col(name).isNull() | (F.col(name).cast("string") == "")
    rows = tidy.select(F.col(attribute).cast("string").alias("name"), lacks.alias("lacks")).distinct().collect()
    if any(row["lacks"] for row in rows):
        raise DataError(f"{source}: wanted a value in each of {listed(checked)}, found a missing one")
    if "time" in tidy.columns:
        number = tidy.schema["time"].dataType.typeName() not in _STAMPS
        seconds = F.col("time").cast("double")  # NaN is above all numbers there
        if number and tidy.filter((seconds < 0) | (seconds >= float("inf"))).limit(1).count():
            raise DataError(f"{source}: wanted a time of 0 or later, found a negative or unreadable one")
    return tuple(sorted(row["name"] for row in rows))


def _coded(tidy: Any, names: tuple[str, ...], attribute: str) -> Any:
    """The rows with the code of each label."""
    from pyspark.sql import functions as F  # noqa: N812

    spark = tidy.sparkSession
    pairs = spark.createDataFrame(list(zip(names, range(len(names)), strict=True)), f"`{attribute}` string, code int")
    texts = tidy.withColumn(attribute, F.col(attribute).cast("string"))
    return texts.join(F.broadcast(pairs), attribute).drop(attribute)
