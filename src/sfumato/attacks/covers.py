"""The cover problem: an attacker who knows one item of a person learns others that are always published with it.

S. Barakat, B. Al Bouna, M. Nassar, C. Guyeux, "On the evaluation of the privacy breach in disassociated set-valued
datasets", Proc. SECRYPT, 2016.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from sfumato.data import Chunks, Dataset
from sfumato.data.base import Ints
from sfumato.errors import DataError
from sfumato.kernels.verify.covers import covered_items
from sfumato.params import JsonObject
from sfumato.remedies import REMEDIES, Sentence

__all__ = ["Covers", "find_covers"]

_SCHEMA = {
    "cluster": pl.Int64,
    "chunk": pl.Int64,
    "item": pl.String,
    "support": pl.Int64,
    "covered_by": pl.String,
    "covers": pl.Int64,
}


@dataclass(frozen=True, eq=False)
class Covers:
    """The result of `find_covers`; rows : int64[items, 5], chunk, item, support, covering items, one of them."""

    data: Chunks
    rows: Ints

    def __repr__(self) -> str:
        return f"<Covers: {len(self.frame):,} of {len(self.rows):,} items in chunks are covered>"

    @property
    def frame(self) -> pl.DataFrame:
        """The covered items: cluster, chunk, item, support, covered_by (the first of its covers), covers (how many)."""
        rows = self.rows[self.rows[:, 3] > 0]
        clusters = self.data.chunk_clusters[rows[:, 0]].astype(np.int64)
        names = pl.Series(self.data.names, dtype=pl.String)
        columns = {
            "cluster": clusters + 1,
            "chunk": rows[:, 0] - np.searchsorted(self.data.chunk_clusters, clusters) + 1,
            "item": names.gather(rows[:, 1]),
            "support": rows[:, 2],
            "covered_by": names.gather(rows[:, 4]),
            "covers": rows[:, 3],
        }
        return pl.DataFrame(columns, schema=_SCHEMA)

    @property
    def share(self) -> float:
        """The share of items in record and shared chunks that are covered there."""
        return float(np.mean(self.rows[:, 3] > 0)) if len(self.rows) else 0.0

    @property
    def most(self) -> int:
        """How many further items one known item can reveal."""
        return int(self.rows[:, 3].max(initial=0))

    @property
    def sentences(self) -> list[str]:
        """The covered items, in sentences."""
        if len(self.frame) == 0:
            return ["No item is always published together with another item of its chunk."]
        return [
            f"{len(self.frame):,} of {len(self.rows):,} items in record and shared chunks ({self.share:.1%}) are "
            "covered: every subrecord of the chunk that holds the item holds another one, too.",
            f"An attacker who knows a covered item of a person in that cluster learns up to {self.most:,} more items, "
            "and so may know more than the m items that the promise assumes.",
            Sentence(f"{REMEDIES['safe-chunks']}.", "safe-chunks"),
        ]

    def to_json(self) -> JsonObject:
        return {
            "attack": "covers",
            "items": len(self.rows),
            "covered": len(self.frame),
            "share": self.share,
            "most_given_away": self.most,
            "examples": self.frame.sort("support", "item").head(10).to_dicts(),
        }


def find_covers(data: Dataset) -> Covers:
    """The items of published chunks that are never without another.

    In its chunk an item is covered if all subrecords that hold it hold another item as well.  The promise counts
    the records that m known items fit; it does not say that these records differ in what else they hold.

    >>> chunks = Chunks.of([{"size": 3, "chunks": [[["ale", "bread"], ["ale", "bread"], ["ale"]]], "terms": ["tea"]}])
    >>> find_covers(chunks).frame.select("item", "covered_by").rows()
    [('bread', 'ale')]
    """
    if not isinstance(data, Chunks):
        raise DataError(f"covers: fits chunks, got {getattr(data, 'kind', type(data).__name__)}")
    return Covers(data, covered_items(data.codes, data.offsets, data.chunk_offsets, max(1, len(data.names))))
