"""Tables on a cluster, and the equivalence classes of their rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from sfumato.errors import DataError, listed
from sfumato.privacy.base import CheckedFrom, Verdict
from sfumato.privacy.k_anonymity import KAnonymity
from sfumato.spark.parquet import read_parquet
from sfumato.spark.records import IDENTIFIERS

__all__ = ["Rows", "check_k_anonymity"]

_WITNESSES = 5
_TYPES = ("string", "boolean", "byte", "short", "integer", "long", "float", "double")
_FLOATS = ("float", "double")


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a table on a cluster.

    quasi_identifiers : columns that an attacker may know.  person : the column of persons, if there is one.
    sensitive : columns that an attacker must not infer.
    """

    frame: Any
    quasi_identifiers: tuple[str, ...]
    person: str | None = None
    sensitive: tuple[str, ...] = ()
    kind: str = "table"

    @classmethod
    def read(
        cls,
        spark: Any,
        path: str | Path,
        *,
        quasi_identifiers: Sequence[str] = (),
        person: str | None = None,
        sensitive: Sequence[str] = (),
    ) -> Self:
        """Read a directory of Parquet files, or one such file.

        Without a list, all columns except the sensitive ones are quasi-identifiers.
        """
        roles: Any = {"quasi_identifiers": quasi_identifiers, "person": person, "sensitive": sensitive}
        return cls.of_frame(read_parquet(spark, path), source=str(path), **roles)

    @classmethod
    def of_frame(
        cls,
        frame: Any,
        *,
        quasi_identifiers: Sequence[str] = (),
        person: str | None = None,
        sensitive: Sequence[str] = (),
        source: str = "the frame",
    ) -> Self:
        """The rows of a DataFrame with texts and numbers."""
        from pyspark.sql import functions as F  # noqa: N812

        roles = (*quasi_identifiers, *sensitive, *(() if person is None else (person,)))
        for name in roles:
            if name not in frame.columns:
                raise DataError(f"{source}: wanted the column {name!r}, found {listed(frame.columns)}")
            if roles.count(name) > 1:
                raise DataError(f"{source}: wanted one role for a column, found {name!r} in two")
        if any("`" in name for name in frame.columns):
            raise DataError(f"{source}: wanted column names without the sign `, found one with it; rename the column")
        known = tuple(quasi_identifiers) or tuple(
            name for name in frame.columns if name != person and name not in sensitive
        )
        for name in (*known, *sensitive):
            kind = frame.schema[name].dataType.typeName()
            if kind not in _TYPES:
                raise DataError(f"{source}: wanted texts or numbers in the column {name!r}, found {kind}")
        if person is not None:
            kind = frame.schema[person].dataType.typeName()
            if kind not in IDENTIFIERS:
                raise DataError(f"{source}: wanted texts or whole numbers in the column {person!r}, found {kind}")
            name = F.col(f"`{person}`").cast("string")
            if frame.filter(name.isNull() | (name == "")).limit(1).count():
                raise DataError(f"{source}: wanted a person for every row, found a row without one")
        return cls(frame, known, person, tuple(sensitive))

    @property
    def by_person(self) -> bool:
        """Whether the persons of the rows are known."""
        return self.person is not None

    @property
    def unit(self) -> str:
        """What support counts: 'person' where persons are known, otherwise 'record'."""
        return "person" if self.by_person else "record"

    def keys(self) -> list[Any]:
        """The quasi-identifiers, with one spelling for equal values."""
        return [self.column(name).alias(name) for name in self.quasi_identifiers]

    def column(self, name: str) -> Any:
        """A column with one spelling for equal values: missing ones are null, and -0.0 is 0.0."""
        from pyspark.sql import functions as F  # noqa: N812

        column, kind = F.col(f"`{name}`"), self.type_of(name)
        if kind in _FLOATS:
            return F.when(column == 0, F.lit(0.0).cast(kind)).when(~F.isnan(column), column)
        return F.when(column != "", column) if kind == "string" else column

    def type_of(self, name: str) -> str:
        """The type of a column, in the words of Spark."""
        return str(self.frame.schema[name].dataType.typeName())


def check_k_anonymity(model: KAnonymity, rows: Rows) -> Verdict:
    """The verdict of `KAnonymity.check`: classes are counted in partitions and added up."""
    from pyspark.sql import functions as F  # noqa: N812

    source: CheckedFrom = "original" if rows.by_person else "files"
    support = F.count_distinct(F.col(f"`{rows.person}`")) if rows.by_person else F.count(F.lit(1))
    classes = rows.frame.groupBy(*rows.keys()).agg(support.alias("\0support")).persist()
    try:
        small = F.col("\0support") < model.k
        groups, smallest, violating = classes.agg(F.count(F.lit(1)), F.min("\0support"), F.count_if(small)).first()
        if smallest is None:
            return Verdict(True, source, {"unit": rows.unit, "groups": 0, "smallest_group": None})
        names = [F.col(f"`{name}`") for name in rows.quasi_identifiers]
        rarest = classes.filter(small).orderBy("\0support", *names).limit(_WITNESSES).collect()
    finally:
        classes.unpersist()
    measured = {
        "unit": rows.unit,
        "groups": int(groups),
        "smallest_group": int(smallest),
        "violating_groups": int(violating),
    }
    witnesses = tuple(
        {"values": {name: row[name] for name in rows.quasi_identifiers}, "support": int(row["\0support"])}
        for row in rarest
    )
    return Verdict(violating == 0, source, measured, witnesses)
