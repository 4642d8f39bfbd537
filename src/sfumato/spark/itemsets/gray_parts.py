"""Records of a cluster in Gray order, cut into the parts of local recoding as one machine cuts them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data.base import Ints
from sfumato.spark.positions import with_positions
from sfumato.spark.records import Records

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["in_gray_parts"]

_LAST = 2**31 - 1  # above every node


def in_gray_parts(records: Records, nodes: Ints, parts: int, k: int) -> Any:
    """The distinct records (of each person) with the columns `times` and `part`; see `Lra` on where a part ends.

    nodes : by code, the node of each item in the order of the hierarchy.
    """
    from pyspark.sql import functions as F  # noqa: N812

    kept = ["person"] if records.by_person else []
    keyed = records.frame.mapInArrow(*_with_keys(records, nodes))
    counted = keyed.groupBy("key", "codes", *kept).agg(F.count(F.lit(1)).alias("times"))
    rows = with_positions(counted, ["key", *kept], F.col("times"))
    starts = _Cutting(rows, records.by_person, k).starts(parts)

    def place(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            part = np.searchsorted(starts, batch.column("first").to_numpy(), side="right") - 1
            columns = {name: batch.column(name) for name in ("codes", "times", *kept)}
            yield pa.RecordBatch.from_pydict(columns | {"part": pa.array(part.astype(np.int32))})

    person = f", person {records.frame.schema['person'].dataType.simpleString()}" if kept else ""
    return rows.mapInArrow(place, "codes array<int>, times long" + person + ", part int")


def _with_keys(records: Records, nodes: Ints) -> tuple[Any, str]:
    """What adds the column `key` to records: numbers whose lexicographic order is the Gray order of the records."""
    kept = ["person"] if records.by_person else []

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            codes = batch.column("codes")
            columns = {"key": _gray_keys(codes, nodes), "codes": codes}
            yield pa.RecordBatch.from_pydict(columns | {name: batch.column(name) for name in kept})

    person = f", person {records.frame.schema['person'].dataType.simpleString()}" if kept else ""
    return work, "key array<int>, codes array<int>" + person


def _gray_keys(codes: pa.ListArray, nodes: Ints) -> pa.ListArray:
    """The nodes of each record, falling: as they are at even places, where they rise in Gray order, and negative at
    odd ones, where they fall; a record that ends comes first at an even place, and last at an odd one."""
    import pyarrow as pa

    lengths = np.diff(codes.offsets.to_numpy())
    record = np.repeat(np.arange(len(lengths)), lengths)
    letters = nodes[codes.flatten().to_numpy()]
    letters = letters[np.lexsort((-letters, record))]
    longer = lengths + lengths % 2
    offsets = np.concatenate(([0], np.cumsum(longer)))
    keys = np.full(offsets[-1], _LAST, dtype=np.int32)
    within = np.arange(len(letters)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    keys[offsets[record] + within] = np.where(within % 2 == 0, letters, -letters)
    return pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), pa.array(keys))


@dataclass(frozen=True)
class _Cutting:
    """Rows of records in order (`key`, `times`, `first`), which are cut where the key changes."""

    rows: Any
    by_person: bool
    k: int

    def starts(self, parts: int) -> Ints:
        """Where each part begins."""
        from pyspark.sql import functions as F  # noqa: N812

        without_items = F.when(F.size("key") == 0, F.col("times"))
        n, empty = (int(value or 0) for value in self.rows.agg(F.sum("times"), F.sum(without_items)).first())
        keys = self.rows.select("key", "first")
        if self.by_person:
            keys = self.rows.groupBy("key").agg(F.min("first").alias("first")).persist()
        wanted = max(1, -(-n // parts))
        starts, key = [0], None
        while (following := self._following(keys, starts[-1], key, wanted, empty)) is not None:
            starts.append(following[0])
            key = following[1]
        if len(starts) > 1 and not self._hides(key, n - max(starts[-1], empty)):
            starts.pop()  # the rest joins the last part
        return np.array(starts)

    def _following(self, keys: Any, begin: int, key: Any, wanted: int, empty: int) -> tuple[int, Any] | None:
        """Where the next part begins, and its key; None where this part is the last."""
        from pyspark.sql import functions as F  # noqa: N812

        least = begin + wanted if self.by_person else max(begin + wanted, max(begin, empty) + self.k)
        enough = F.col("first") >= least
        if self.by_person:
            last = self._key_with_enough_persons(key)
            if last is None:
                return None
            enough &= F.col("key") > _literal(last)
        found = keys.filter(enough).agg(F.min(F.struct("first", "key"))).first()[0]
        return None if found is None else (int(found["first"]), found["key"])

    def _key_with_enough_persons(self, key: Any) -> Any:
        """The key up to which k persons with an item have a record from this key on."""
        from pyspark.sql import functions as F  # noqa: N812

        firsts = self._hiding(key).groupBy("person").agg(F.min("key").alias("key"))
        found = firsts.orderBy("key").limit(self.k).collect()
        return found[-1]["key"] if len(found) == self.k else None

    def _hides(self, key: Any, records: int) -> bool:
        """Whether k persons, or records, have an item from this key on."""
        if not self.by_person:
            return records >= self.k
        return bool(self._hiding(key).select("person").distinct().limit(self.k).count() == self.k)

    def _hiding(self, key: Any) -> Any:
        from pyspark.sql import functions as F  # noqa: N812

        filled = self.rows.filter(F.size("key") > 0)
        return filled if key is None else filled.filter(F.col("key") >= _literal(key))


def _literal(key: Any) -> Any:
    from pyspark.sql import functions as F  # noqa: N812

    return F.lit(list(key)).cast("array<int>") if key else F.array().cast("array<int>")
