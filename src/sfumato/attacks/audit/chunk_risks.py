"""The audit of disassociated data: covered items, clusters, and the support of known items inside a chunk."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from sfumato.attacks.audit.items_in_classes import KnownItems, risks_in_classes
from sfumato.attacks.audit.table_audit import TableAudit
from sfumato.attacks.covers import Covers, find_covers
from sfumato.data import Chunks
from sfumato.data.base import Ints, Progress
from sfumato.params import JsonObject

__all__ = ["ChunkRisks", "audit_chunks"]


@dataclass(frozen=True, eq=False)
class ChunkRisks:
    """What published chunks allow; a unit is a subrecord, because records are not published.

    covers : items that reveal others.  known_items : for 1, 2, ... items that lie in one chunk, how many subrecords of
    this chunk contain them, for the worst choice.
    """

    audit: TableAudit
    data: Chunks
    covers: Covers
    known_items: tuple[KnownItems, ...]

    @property
    def cluster_sizes(self) -> Ints:
        """How many records each simple cluster has."""
        return self.data.sizes[~self.data.joint]

    @property
    def frame(self) -> pl.DataFrame:
        """One row for each number of known items: known, subrecords, unique, above, smallest, mean_risk, exact."""
        schema = {"known": pl.Int64, "subrecords": pl.Int64, "unique": pl.Int64, "above": pl.Int64}
        rows = [tuple(part.to_json().values()) for part in self.known_items]
        floats = {"smallest": pl.Int64, "mean_risk": pl.Float64, "exact": pl.Boolean}
        return pl.DataFrame(rows, schema={**schema, **floats}, orient="row")

    @property
    def sentences(self) -> list[str]:
        """The figures and how to read them."""
        sizes = self.cluster_sizes
        n_terms = len(np.unique(self.data.term_codes))
        about = []
        if len(sizes):
            low, high = int(sizes.min()), int(sizes.max())
            each = f"{low:,}" if low == high else f"{low:,} to {high:,}"
            clusters = f"{len(sizes):,} cluster{'' if len(sizes) == 1 else 's'} of {each} records"
            about.append(
                f"The {len(self.data):,} records are in {clusters}. "
                "Which subrecords belong to one record is not published."
            )
        if n_terms:
            about.append(
                f"{n_terms:,} items are in term chunks, without a count: a person who has one is among all records of "
                "a cluster that lists it."
            )
        return [
            *self.covers.sentences,
            *about,
            "The anonymity set of known items of one chunk is the subrecords of this chunk that contain them. Items of "
            "several chunks are not combined here; sfumato verify checks what the release promises about them.",
        ]

    def to_json(self) -> JsonObject:
        sizes = self.cluster_sizes
        return {
            **self.covers.to_json(),
            "kind": "chunks",
            "records": len(self.data),
            "clusters": len(sizes),
            "smallest_cluster": int(sizes.min()) if len(sizes) else None,
            "largest_cluster": int(sizes.max()) if len(sizes) else None,
            "threshold": self.audit.threshold,
            "known": [part.to_json() for part in self.known_items],
        }


def audit_chunks(
    data: Chunks,
    audit: TableAudit,
    *,
    known: int = 2,
    budget: int = 200_000_000,
    seed: int | None = None,
    progress: Progress | None = None,
) -> ChunkRisks:
    """Audit published chunks for an attacker who knows up to `known` items that lie in one chunk.

    audit : its threshold says which risks are too high.

    >>> chunks = Chunks.of([{"size": 3, "chunks": [[["ale", "bread"], ["ale", "bread"], ["ale"]]], "terms": ["tea"]}])
    >>> audit_chunks(chunks, TableAudit(threshold=0.4)).frame.select("known", "above", "smallest").rows()
    [(1, 2, 2), (2, 2, 2)]
    """
    chunk = data.chunk_of_subrecord
    in_chunk = np.bincount(chunk, minlength=len(data.chunk_clusters))
    curve = risks_in_classes(
        chunk,
        data.codes,
        data.offsets,
        np.arange(len(chunk), dtype=np.int32),
        in_chunk[chunk],
        known=known,
        largest_at_risk=audit.largest_at_risk,
        budget=budget,
        seed=seed,
        progress=progress,
    )
    return ChunkRisks(audit, data, find_covers(data), tuple(curve[1:]))
