"""Tables recoded on a cluster: distinct rows are counted there, the driver chooses the labels, and rows are recoded.

The driver holds distinct combinations of quasi-identifiers with the number of their rows, together with sensitive
values, classes and persons as far as the promise speaks of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any, Self

import numpy as np
import polars as pl

from sfumato.data import Persons, Table, Taxonomy
from sfumato.data.base import Ints
from sfumato.data.tables.content_order import content_order
from sfumato.data.tables.encoding import Coding, texts_of
from sfumato.errors import DataError, Infeasible, MissingKnowledge
from sfumato.methods.base import Run
from sfumato.methods.relational.base import GlobalRecoding
from sfumato.spark.parquet import read_parquet
from sfumato.spark.tables import Rows

__all__ = ["TableRows", "recode_table"]

_TIMES = "\x01times"
_TYPES = ("string", "boolean", "byte", "short", "integer", "long", "float", "double")
_FLOATS = ("float", "double")
_WHOLE = 2.0**53  # above it, not every whole number is a decimal number


@dataclass(frozen=True, eq=False)
class TableRows(Rows):
    """The rows of a table on a cluster, with one spelling for equal values.

    side : the same table without rows: its columns, roles, hierarchies and the members of its labels.
    """

    side: Table = None  # type: ignore[assignment]

    @classmethod
    def read(cls, spark: Any, path: str | Path, **roles: Any) -> Self:
        """Read a directory of Parquet files, or one such file; roles : see `of_frame`."""
        return cls.of_frame(read_parquet(spark, path), source=str(path), **roles)

    @classmethod
    def of_frame(
        cls,
        frame: Any,
        *,
        quasi_identifiers: Sequence[str] = (),
        sensitive: Sequence[str] = (),
        person: str | None = None,
        hierarchies: Mapping[str, Taxonomy] | None = None,
        source: str = "the frame",
    ) -> Self:
        """The rows of a DataFrame with texts and numbers; without a list, all columns but the sensitive ones are
        quasi-identifiers."""
        for name in frame.columns:
            kind = frame.schema[name].dataType.typeName()
            if kind not in _TYPES:
                raise DataError(f"{source}: wanted texts or numbers in the column {name!r}, found {kind}")
        columns = [name for name in frame.columns if name != person]
        checked = Rows.of_frame(frame, quasi_identifiers=columns, person=person, source=source)
        empty = pl.DataFrame(frame.select(*map(_column, columns)).limit(0).toArrow())
        side = Table(empty, tuple(quasi_identifiers), tuple(sensitive), hierarchies or {})
        spelled = frame.select(*checked.keys(), *([] if person is None else [_column(person)]))
        return cls(spelled, side.quasi_identifiers, person=person, sensitive=side.sensitive, side=side)

    def with_frame(self, frame: Any, side: Table | None = None) -> Self:
        """Other rows with the same roles."""
        return replace(self, frame=frame, side=self.side if side is None else side)

    @property
    def columns(self) -> list[str]:
        """The columns that are published."""
        return list(self.side.frame.columns)


def recode_table(method: GlobalRecoding, rows: TableRows, run: Run, most_rows: int) -> tuple[TableRows, dict[str, int]]:
    """The output of one machine: labels chosen on the driver by its code, rows recoded on the cluster."""
    _require(method, rows)
    table, times = _distinct(method, rows, most_rows)
    coding = Coding.of(table, quantiles=method.intervals == "quantiles", times=times)
    outcome = method.recode(coding, run)  # type: ignore[attr-defined]
    known = table.quasi_identifiers
    kept = table.frame[np.asarray(outcome.origin)]
    labels = outcome.data.frame.select(pl.col(name).alias(f"\x01label{n}") for n, name in enumerate(known))
    pairs = kept.select(pl.col(name).alias(f"\x01value{n}") for n, name in enumerate(known)).hstack(labels).unique()
    frame = _recoded(rows, pairs)
    side = rows.side.frame.with_columns(outcome.data.frame.select(known).clear())
    published = Table(side, rows.quasi_identifiers, rows.sensitive, members=outcome.data.members)
    return _with_whole_numbers(rows.with_frame(frame, published)), dict(outcome.counts)


def _column(name: str) -> Any:
    from pyspark.sql import functions as F  # noqa: N812

    return F.col(f"`{name}`")


def _require(method: GlobalRecoding, rows: TableRows) -> None:
    """The refusals of one machine: too few persons or rows, no sensitive column, a column that is a key."""
    from pyspark.sql import functions as F  # noqa: N812

    unit = None if rows.person is None else _column(rows.person)
    present = int(rows.frame.agg(F.count(F.lit(1)) if unit is None else F.count_distinct(unit)).first()[0])
    what = "rows" if unit is None else "persons"
    if present < method.k:
        raise Infeasible(f"{method.name}: k={method.k} needs at least {method.k} {what}, these data have {present}")
    if (method.l > 1 or method.t < 1) and not rows.sensitive:
        raise MissingKnowledge(
            f"{method.name}: l and t are about sensitive columns, these data name none", remedy="name-sensitive"
        )
    for name in rows.columns:
        if method.allow_keys or name in rows.quasi_identifiers:
            continue
        known = rows.frame.filter(_column(name).isNotNull())
        units = F.count(F.lit(1)) if unit is None else F.count_distinct(unit)
        most = known.groupBy(_column(name)).agg(units.alias("units")).agg(F.max("units")).first()[0]
        if most == 1 and int(known.agg(units).first()[0]) > 1:
            raise Infeasible(
                f"{method.name}: no two {what} share a value of the column {name!r}, so it would identify every row",
                remedy="allow-keys",
            )


def _distinct(method: GlobalRecoding, rows: TableRows, most_rows: int) -> tuple[Table, Ints]:
    """The distinct rows as far as the method looks at them, and how often each occurs."""
    from pyspark.sql import functions as F  # noqa: N812

    sensitive = rows.sensitive if method.l > 1 or method.t < 1 else ()
    column = getattr(method, "class_column", None)
    others = [column] if column in rows.columns and column not in (*rows.quasi_identifiers, *sensitive) else []
    names = [*rows.quasi_identifiers, *sensitive, *others]
    person = None
    if rows.person is not None:
        most = rows.frame.groupBy(_column(rows.person)).count().agg(F.max("count")).first()[0]
        person = rows.person if most is not None and int(most) > 1 else None  # a row each: persons are rows
    keys = [*names, *([] if person is None else [person])]
    counted = rows.frame.groupBy(*map(_column, keys)).agg(F.count(F.lit(1)).alias(_TIMES)).persist()
    try:
        found = counted.count()
        if found > most_rows:
            raise Infeasible(
                f"{method.name}: on Spark it takes at most {most_rows:,} distinct combinations of quasi-identifiers "
                f"and what the promise counts with them, these data have {found:,}; raise most_elements if the driver "
                "has the memory for them"
            )
        frame = pl.DataFrame(counted.toArrow())
    finally:
        counted.unpersist()
    frame = frame[content_order(frame)]
    persons = None if person is None else Persons.of(frame[person])
    trees = {name: tree for name, tree in rows.side.hierarchies.items() if name in names}
    _require_leaves(frame, trees)
    table = Table(frame.select(names), rows.quasi_identifiers, sensitive, trees, persons)
    return table, frame[_TIMES].to_numpy().astype(np.int64)


def _require_leaves(frame: pl.DataFrame, trees: Mapping[str, Taxonomy]) -> None:
    """Refuse values that a hierarchy lacks."""
    for name, tree in trees.items():
        values = texts_of(frame[name]).drop_nulls().unique().to_list()
        lacking = sum(value not in tree or not tree.is_leaf(value) for value in values)
        if lacking:
            count = "1 value that occurs" if lacking == 1 else f"{lacking} values that occur"
            raise DataError(f"the table: the hierarchy of {name!r} lacks {count} in the data")


def _recoded(rows: TableRows, pairs: pl.DataFrame) -> Any:
    """The rows under their labels; rows whose quasi-identifiers have none are left out.

    pairs : the quasi-identifiers `value0`, `value1`, ... and their labels `label0`, `label1`, ...
    """
    from pyspark.sql import functions as F  # noqa: N812

    number = {name: n for n, name in enumerate(rows.quasi_identifiers)}
    labels = rows.frame.sparkSession.createDataFrame(pairs.to_arrow(compat_level=pl.CompatLevel.oldest()))
    equal = [_column(name).eqNullSafe(F.col(f"\x01value{n}")) for name, n in number.items()]
    joined = rows.frame.join(labels, reduce(lambda left, right: left & right, equal))
    chosen = [
        (F.col(f"\x01label{number[name]}") if name in number else _column(name)).alias(name) for name in rows.columns
    ]
    return joined.select(*chosen, *([] if rows.person is None else [_column(rows.person)]))


def _with_whole_numbers(rows: TableRows) -> TableRows:
    """Columns of decimal numbers without a fraction as whole numbers, as one machine publishes them."""
    from pyspark.sql import functions as F  # noqa: N812

    floats = [name for name in rows.columns if rows.frame.schema[name].dataType.typeName() in _FLOATS]
    if not floats:
        return rows
    whole = [F.min((_column(name) % 1 == 0) & (F.abs(_column(name)) <= _WHOLE)) for name in floats]
    flags = rows.frame.agg(*whole).first()
    chosen = {name for name, flag in zip(floats, flags, strict=True) if flag}
    columns = [_column(name).cast("long").alias(name) if name in chosen else _column(name) for name in rows.columns]
    person = [] if rows.person is None else [_column(rows.person)]
    side = replace(rows.side, frame=rows.side.frame.cast(dict.fromkeys(chosen, pl.Int64)))
    return rows.with_frame(rows.frame.select(*columns, *person), side)
