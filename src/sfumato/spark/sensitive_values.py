"""l-diversity and t-closeness on a cluster: the sensitive values of each equivalence class, counted and then judged.

The distinct sensitive values are collected on the driver, as names are; rows are not.  What one machine computes from
the counts of a class, the partitions compute by the same code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from sfumato.errors import DataError, MissingKnowledge
from sfumato.params import JsonObject, exact
from sfumato.privacy.base import CheckedFrom, Verdict
from sfumato.privacy.checks.persons_and_records import worse_of
from sfumato.privacy.l_diversity import LDiversity, effective_values, matched_values
from sfumato.privacy.t_closeness import TCloseness
from sfumato.spark.tables import Rows

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["check_l_diversity", "check_t_closeness"]

_WITNESSES = 5
_NUMBERS = ("byte", "short", "integer", "long", "float", "double")
_SAFE = 1 << 62  # whole numbers below it can be added in 64 bits
Figures = tuple[Any, ...]


def check_l_diversity(model: LDiversity, rows: Rows) -> Verdict:
    """The verdict of `LDiversity.check`."""

    def worst(measured: JsonObject) -> float:
        return -float(measured["smallest_diversity"])

    if model.variant == "distinct":  # as many values in rows as in persons, or more
        return _checked(model.name, rows, _diversity(model), "smallest_diversity", worst, ratio=False)
    return _checked(model.name, rows, _diversity(model), "smallest_diversity", worst)


def check_t_closeness(model: TCloseness, rows: Rows) -> Verdict:
    """The verdict of `TCloseness.check`."""
    if model.distance == "ordered":
        for name in rows.sensitive:
            if rows.type_of(name) not in _NUMBERS:
                raise DataError(
                    f"t-closeness: the ordered distance needs numbers, the column {name!r} holds other values",
                    remedy="equal-distance",
                )
    return _checked(
        model.name, rows, _closeness(model), "largest_distance", lambda measured: float(measured["largest_distance"])
    )


def _checked(
    who: str,
    rows: Rows,
    counted: Callable[[Rows, CheckedFrom], Verdict],
    figure: str,
    worst: Callable[[JsonObject], float],
    *,
    ratio: bool = True,
) -> Verdict:
    """A verdict that must hold in rows and, where persons are known and have several rows, in persons."""
    from pyspark.sql import functions as F  # noqa: N812

    if not rows.sensitive:
        raise MissingKnowledge(f"{who}: needs a sensitive column, these data name none", remedy="name-sensitive")
    source: CheckedFrom = "original" if rows.by_person else "files"
    units = F.count_distinct(F.col(f"`{rows.person}`")) if rows.by_person else F.count(F.lit(1))
    n_rows, n_units = rows.frame.agg(F.count(F.lit(1)), units).first()
    if n_rows == 0:
        return Verdict(True, source, {"unit": rows.unit, "groups": 0, figure: None})
    verdict = counted(rows, source)
    if not ratio or n_units == n_rows:
        return verdict
    by_row = counted(replace(rows, person=None), source)
    return worse_of(verdict, by_row, ratios=(figure, "violating_groups"), worst=worst)


@dataclass(frozen=True)
class _Classes:
    """The equivalence classes of a table and one sensitive column.

    frame : a row for each class and value that come together: `key0`, `key1`, ..., `code` (the rank of the value) and,
    where persons are known, `person`.  names : the quasi-identifiers.  n_values : how many values occur.
    """

    frame: Any
    names: tuple[str, ...]
    by_person: bool
    n_values: int

    @classmethod
    def of(cls, rows: Rows, column: str) -> Self:
        from pyspark.sql import functions as F  # noqa: N812
        from pyspark.sql.types import IntegerType, StructField, StructType

        names = tuple(name for name in rows.quasi_identifiers if name != column)
        keys = [rows.column(name).alias(f"key{place}") for place, name in enumerate(names)]
        persons = [F.col(f"`{rows.person}`").alias("person")] if rows.by_person else []
        cells = rows.frame.select(*keys, rows.column(column).alias("value"), *persons)
        values = sorted((row[0] for row in cells.select("value").distinct().collect()), key=_nulls_first)
        schema = StructType(
            [StructField("ranked", cells.schema["value"].dataType), StructField("code", IntegerType(), nullable=False)]
        )
        ranked = rows.frame.sparkSession.createDataFrame(list(zip(values, range(len(values)), strict=True)), schema)
        coded = cells.join(F.broadcast(ranked), F.col("value").eqNullSafe(F.col("ranked"))).drop("value", "ranked")
        return cls(coded, names, rows.by_person, len(values))

    @property
    def keys(self) -> list[str]:
        return [f"key{place}" for place in range(len(self.names))]

    def units(self) -> Any:
        """How many persons, or else rows, a group of `frame` has."""
        from pyspark.sql import functions as F  # noqa: N812

        return F.count_distinct("person") if self.by_person else F.count(F.lit(1))

    def counts(self) -> Any:
        """A row for each class: its keys, and in `counts` the rank and the number of units of each value, by rank."""
        from pyspark.sql import functions as F  # noqa: N812

        pairs = self.frame.groupBy(*self.keys, "code").agg(self.units().alias("units"))
        return self._lists(pairs, F.struct("code", "units"), "counts")

    def holders(self) -> Any:
        """A row for each class: its keys, and in `holders` the rank of each value with persons who have it.

        Of each value, at most as many persons are listed as there are values: the other values take fewer of them, so
        that one is left.
        """
        from pyspark.sql import Window
        from pyspark.sql import functions as F  # noqa: N812

        within = Window.partitionBy(*self.keys, "code").orderBy("person")
        pairs = self.frame.distinct().withColumn("place", F.row_number().over(within))
        pairs = pairs.filter(F.col("place") <= self.n_values)
        return self._lists(pairs, F.struct("code", "person"), "holders")

    def _lists(self, pairs: Any, entry: Any, name: str) -> Any:
        from pyspark.sql import functions as F  # noqa: N812

        lists = pairs.groupBy(*self.keys).agg(F.array_sort(F.collect_list(entry)).alias(name))
        return lists.filter(F.size(name) > 0)  # without keys, there is a class even if there are no rows

    def totals(self) -> npt.NDArray[np.int64]:
        """How many units of the whole table have each value."""
        counted = self.frame.groupBy("code").agg(self.units().alias("units")).collect()
        totals = np.zeros(self.n_values, dtype=np.int64)
        for row in counted:
            totals[row["code"]] = row["units"]
        return totals

    def label(self, row: Any) -> JsonObject:
        return {name: row[f"key{place}"] for place, name in enumerate(self.names)}


def _nulls_first(value: Any) -> Any:
    if value is None:
        return (0,)
    return (1, value.encode() if isinstance(value, str) else value)


def _with_figures(
    lists: Any, keys: list[str], judge: Callable[[list[Any]], Iterable[Figures]], figures: dict[str, str]
) -> Any:
    """The classes with what a function makes of their lists; figures : the names and the types of the figures."""
    from pyspark.sql.types import StructType

    listed = next(name for name in lists.columns if name not in keys)

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            found = list(judge(batch.column(listed).to_pylist()))
            columns = {name: batch.column(name) for name in keys}
            columns |= {name: pa.array([row[place] for row in found]) for place, name in enumerate(figures)}
            yield pa.RecordBatch.from_pydict(columns)

    schema = StructType([lists.schema[name] for name in keys])
    for name, kind in figures.items():
        schema = schema.add(name, kind)
    return lists.mapInArrow(work, schema)


def _diversity(model: LDiversity) -> Callable[[Rows, CheckedFrom], Verdict]:
    needed, entropy = model.l, model.variant == "entropy"

    def judge_entropy(lists: list[Any]) -> Iterator[Figures]:
        for counts in lists:
            effective, enough = effective_values([entry["units"] for entry in counts], needed)
            yield effective, not enough

    def judge_holders(lists: list[Any]) -> Iterator[Figures]:
        for holders in lists:
            codes, persons = [entry["code"] for entry in holders], [entry["person"] for entry in holders]
            several = len(set(persons)) < len(persons)
            diversity = matched_values(codes, persons) if several else len(set(codes))
            yield float(diversity), diversity < needed

    def judge_values(lists: list[Any]) -> Iterator[Figures]:
        for counts in lists:
            yield float(len(counts)), len(counts) < needed

    def shown(value: float) -> Any:
        return round(value, 6) if entropy else int(value)

    def counted(rows: Rows, source: CheckedFrom) -> Verdict:
        from pyspark.sql import functions as F  # noqa: N812

        smallest, n_violating, n_groups, violating = [], 0, 0, []
        for column in rows.sensitive:
            classes = _Classes.of(rows, column)
            keys = classes.keys
            matching = rows.by_person and not entropy
            judge = judge_holders if matching else judge_entropy if entropy else judge_values
            lists = classes.holders() if matching else classes.counts()
            table = _with_figures(lists, keys, judge, {"diversity": "double", "bad": "boolean"}).persist()
            try:
                groups, least, bad = table.agg(F.count(F.lit(1)), F.min("diversity"), F.count_if("bad")).first()
                n_groups, n_violating = max(n_groups, groups), n_violating + bad
                smallest.append(least)
                worst = table.filter("bad").orderBy("diversity", *keys).limit(_WITNESSES).collect() if bad else []
                several = len(rows.sensitive) > 1
                places = _places(table.filter("bad"), keys, worst) if several else range(len(worst))
            finally:
                table.unpersist()
            for place, row in zip(places, worst, strict=True):
                violating.append((row["diversity"], place, column, classes.label(row)))
        measured = {
            "unit": rows.unit,
            "groups": n_groups,
            "smallest_diversity": shown(min(smallest)),
            "violating_groups": n_violating,
        }
        violating.sort(key=lambda entry: entry[:3])
        witnesses = tuple(
            {"values": label, "column": column, "diversity": shown(diversity)}
            for diversity, _, column, label in violating[:_WITNESSES]
        )
        return Verdict(n_violating == 0, source, measured, witnesses)

    return counted


def _places(table: Any, keys: list[str], chosen: list[Any]) -> list[int]:
    """How many classes of a table come before each of the chosen ones, in the order of their keys."""
    from pyspark.sql import functions as F  # noqa: N812

    if not chosen or not keys:
        return [0] * len(chosen)
    before = []
    for row in chosen:
        comes_first = F.lit(False)
        for key in reversed(keys):
            column, value = F.col(key), row[key]
            less = F.lit(False) if value is None else column.isNull() | F.coalesce(column < F.lit(value), F.lit(False))
            comes_first = less | (column.eqNullSafe(F.lit(value)) & comes_first)
        before.append(F.count_if(comes_first))
    return [int(count) for count in table.agg(*before).first()]


def _closeness(model: TCloseness) -> Callable[[Rows, CheckedFrom], Verdict]:
    limit = exact(model.t)
    distance_of = _equal if model.distance == "equal" else _ordered

    def counted(rows: Rows, source: CheckedFrom) -> Verdict:
        from pyspark.sql import functions as F  # noqa: N812

        n_groups, n_violating, largest = 0, 0, Fraction(0)
        violating: list[tuple[Fraction, str, JsonObject]] = []
        for column in rows.sensitive:
            classes = _Classes.of(rows, column)
            keys, totals = classes.keys, classes.totals()

            def judge(lists: list[Any], totals: Any = totals) -> Iterator[Figures]:
                for counts in lists:
                    codes = np.array([entry["code"] for entry in counts])
                    sizes = np.array([entry["units"] for entry in counts], dtype=np.int64)
                    above, below = distance_of(codes, sizes, totals)
                    yield above / below, Fraction(above, below) > limit, str(above), str(below)

            figures = {"share": "double", "bad": "boolean", "above": "string", "below": "string"}
            table = _with_figures(classes.counts(), keys, judge, figures).persist()
            try:
                groups, bad = table.agg(F.count(F.lit(1)), F.count_if("bad")).first()
                ranked = table.orderBy(F.desc("share"), *keys)
                farthest = ranked.first()
                worst = ranked.filter("bad").limit(_WITNESSES).collect() if bad else []
            finally:
                table.unpersist()
            n_groups, n_violating = max(n_groups, groups), n_violating + bad
            largest = max(largest, _fraction(farthest))
            violating += [(_fraction(row), column, classes.label(row)) for row in worst]
        measured = {
            "unit": rows.unit,
            "groups": n_groups,
            "largest_distance": round(float(largest), 6),
            "violating_groups": n_violating,
        }
        violating.sort(key=lambda entry: -entry[0])
        witnesses = tuple(
            {"values": label, "column": column, "distance": round(float(distance), 6)}
            for distance, column, label in violating[:_WITNESSES]
        )
        return Verdict(n_violating == 0, source, measured, witnesses)

    return counted


def _fraction(row: Any) -> Fraction:
    return Fraction(int(row["above"]), int(row["below"]))


def _equal(codes: Any, sizes: Any, totals: Any) -> tuple[int, int]:
    """Half the sum of |a/n - b/N| over all values: (sum of |a N - b n|) / (2 n N)."""
    n, total = int(sizes.sum()), int(totals.sum())
    sizes, expected = _wide(sizes, n * total), _wide(totals[codes], n * total) * n
    present = np.abs(sizes * total - expected) - expected  # the others add b n each
    return int(present.sum()) + n * total, 2 * n * total


def _ordered(codes: Any, sizes: Any, totals: Any) -> tuple[int, int]:
    """The sum over ranks of |A/n - B/N|, cumulated, over the number of steps from the first value to the last."""
    n, total, steps = int(sizes.sum()), int(totals.sum()), max(1, len(totals) - 1)
    here = np.zeros(len(totals), dtype=np.int64)
    here[codes] = sizes
    largest = n * total * (steps + 1)
    above = np.abs(_wide(np.cumsum(here), largest) * total - _wide(np.cumsum(totals), largest) * n).sum()
    return int(above), n * total * steps


def _wide(numbers: Any, largest: int) -> Any:
    """Whole numbers of 64 bits where all sums fit into them, otherwise of any size."""
    return numbers if 4 * largest < _SAFE else numbers.astype(object)
