"""Chunks: disassociated transactions, which hide which parts of a record belong together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Dataset, Ints, Persons, frozen_array
from sfumato.data.queries import Query, require_estimate
from sfumato.data.ragged import encode, run_starts
from sfumato.data.transactions import Transactions
from sfumato.errors import Bug, DataError
from sfumato.params import JsonObject

__all__ = ["Chunks"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Chunks(Dataset):
    """Clusters of records; of each, chunks of subrecords and a set of terms.

    A simple cluster holds `size` records.  A record chunk lists the parts of these records that lie in its terms, and
    leaves out the empty ones; a term chunk lists terms that at least one record of the cluster has.  A joint cluster
    holds the records of its children, and its shared chunks list parts of all of them.  Which subrecords of different
    chunks belong to one record is not published.

    sizes : int64[clusters].  parents : int32[clusters], the joint cluster around each, -1 for none.
    chunk_clusters : int32[chunks].  chunk_offsets : int64[chunks + 1], over subrecords.
    offsets : int64[subrecords + 1], over codes.  codes : int32[total], rising in a subrecord.
    term_offsets : int64[clusters + 1].  term_codes : int32[...], rising in a cluster.
    names : distinct items in name order.  sensitive : those that were named sensitive.

    >>> pair = [["ale", "bread"], ["ale", "bread"], ["ale"]]
    >>> published = Chunks.of([{"size": 3, "chunks": [pair, [["tea"], ["tea"]]], "terms": ["oil"]}])
    >>> published
    <Chunks: 3 records in 1 cluster, 2 chunks of 5 subrecords, 4 distinct items>
    >>> published.expected_count(Query(items=("ale", "tea")))
    2.0
    >>> published.lower_bound(["ale", "bread"])
    2
    """

    kind: ClassVar[str] = "chunks"
    element: ClassVar[str] = "item"
    attribute: ClassVar[str] = "item"
    record: ClassVar[str] = "record"

    sizes: Ints
    parents: Ints
    chunk_clusters: Ints
    chunk_offsets: Ints
    offsets: Ints
    codes: Ints
    term_offsets: Ints
    term_codes: Ints
    names: tuple[str, ...]
    sensitive: frozenset[str] = frozenset()
    persons: Persons | None = None

    def __post_init__(self) -> None:
        for name, dtype in _ARRAYS.items():
            object.__setattr__(self, name, frozen_array(getattr(self, name), dtype))
        for starts, length in (
            (self.chunk_offsets, len(self.offsets) - 1),
            (self.offsets, len(self.codes)),
            (self.term_offsets, len(self.term_codes)),
        ):
            if len(starts) == 0 or starts[0] != 0 or starts[-1] != length or np.any(np.diff(starts) < 0):
                raise Bug("Chunks: offsets do not match what they divide")
        if len(self.term_offsets) != len(self.sizes) + 1 or len(self.parents) != len(self.sizes):
            raise Bug("Chunks: sizes, parents and term chunks have different numbers of clusters")
        if len(self.chunk_clusters) != len(self.chunk_offsets) - 1:
            raise Bug("Chunks: a chunk has no cluster")
        for numbers, low, count in (
            (self.chunk_clusters, 0, len(self.sizes)),
            (self.parents, -1, len(self.sizes)),
            (self.codes, 0, len(self.names)),
            (self.term_codes, 0, len(self.names)),
        ):
            if len(numbers) and not low <= int(numbers.min()) <= int(numbers.max()) < count:
                raise Bug("Chunks: a number is out of range")
        _ = self.depths  # refuses a cycle of parents

    @classmethod
    def of(cls, clusters: Iterable[Mapping[str, Any]], *, sensitive: Iterable[str] = ()) -> Self:
        """From nested lists, for small data: `size`, `chunks` and `terms`; a joint cluster has `children`."""
        flat: list[tuple[Mapping[str, Any], int]] = []

        def enter(cluster: Mapping[str, Any], parent: int) -> None:
            flat.append((cluster, parent))
            number = len(flat) - 1
            for child in cluster.get("children", ()):
                enter(child, number)

        for cluster in clusters:
            enter(cluster, -1)
        chunks = [(index, chunk) for index, (cluster, _) in enumerate(flat) for chunk in cluster.get("chunks", ())]
        rows = [sorted({str(item) for item in row}) for _, chunk in chunks for row in chunk]
        terms = [sorted({str(item) for item in cluster.get("terms", ())}) for cluster, _ in flat]
        codes, names = encode(pl.Series([item for row in (*rows, *terms) for item in row], dtype=pl.String))
        n_codes = sum(map(len, rows))
        return cls(
            sizes=np.array([_size(cluster) for cluster, _ in flat], dtype=np.int64),
            parents=np.array([parent for _, parent in flat], dtype=np.int32),
            chunk_clusters=np.array([index for index, _ in chunks], dtype=np.int32),
            chunk_offsets=_starts([len(chunk) for _, chunk in chunks]),
            offsets=_starts([len(row) for row in rows]),
            codes=codes[:n_codes],
            term_offsets=_starts([len(row) for row in terms]),
            term_codes=codes[n_codes:],
            names=names,
            sensitive=frozenset(sensitive),
        )

    def __len__(self) -> int:
        return int(self.sizes[~self.joint].sum())

    def __repr__(self) -> str:
        clusters = f"{len(self.sizes):,} cluster{'' if len(self.sizes) == 1 else 's'}"
        return (
            f"<Chunks: {len(self):,} records in {clusters}, {len(self.chunk_clusters):,} chunks of "
            f"{len(self.offsets) - 1:,} subrecords, {len(self.names):,} distinct items>"
        )

    @cached_property
    def joint(self) -> npt.NDArray[np.bool_]:
        """Which clusters are joint: the parents of others."""
        joint = np.zeros(len(self.sizes), dtype=bool)
        joint[self.parents[self.parents >= 0]] = True
        return joint

    @cached_property
    def depths(self) -> Ints:
        """The number of joint clusters that contain each cluster."""
        depths, ancestors = np.zeros(len(self.sizes), dtype=np.int64), self.parents.astype(np.int64)
        while np.any(ancestors >= 0):
            depths += ancestors >= 0
            if int(depths.max()) > len(self.sizes):
                raise DataError("chunks: wanted joint clusters in a tree, found a cluster inside itself")
            ancestors = np.where(ancestors >= 0, self.parents[ancestors], -1)
        return depths

    @property
    def lengths(self) -> Ints:
        """The number of items of each subrecord."""
        return np.diff(self.offsets)

    @cached_property
    def chunk_of_subrecord(self) -> Ints:
        """The chunk that each subrecord lies in."""
        return np.repeat(np.arange(len(self.chunk_clusters)), np.diff(self.chunk_offsets))

    @cached_property
    def run_starts(self) -> npt.NDArray[np.bool_]:
        """Whether each subrecord differs from the one before it, or lies in another chunk."""
        starts = run_starts(self.offsets, self.codes)
        starts[self.chunk_offsets[:-1][np.diff(self.chunk_offsets) > 0]] = True
        return starts

    def with_persons(self, persons: Persons | None) -> Self:
        if persons is not None:
            raise Bug("Chunks: a subrecord has no person")
        return self

    def published(self) -> tuple[Self, Ints]:
        """Clusters, chunks and subrecords in the order of their content; the original record of each is not known."""
        from sfumato.data.chunks.content_order import in_order

        ordered: Any = in_order(replace(self, sensitive=self.sensitive & set(self.names)))
        return ordered, np.arange(len(self))

    def chances(self, query: Query, estimate: str = "share") -> npt.NDArray[np.float64]:
        """The probability that each record holds the items of a query, cluster by cluster.

        A subrecord belongs with equal probability to each record that may have it, independently of other chunks; a
        term of a term chunk belongs to one record of the cluster.
        """
        from sfumato.data.chunks.layout import layout_of
        from sfumato.data.chunks.probabilities import itemset_chances_of

        require_estimate(estimate)
        return np.repeat(itemset_chances_of(self, query.items), np.diff(layout_of(self).record_starts))

    def expected_count(self, query: Query, estimate: str = "share") -> float:
        from sfumato.data.chunks.layout import layout_of
        from sfumato.data.chunks.probabilities import itemset_chances_of

        require_estimate(estimate)
        return float(itemset_chances_of(self, query.items) @ np.diff(layout_of(self).record_starts))

    def certain(self) -> Transactions:
        """The itemsets that every possible original contains: each subrecord, and each term of a term chunk once."""
        lengths = np.concatenate((self.lengths, np.ones(len(self.term_codes), dtype=np.int64)))
        return Transactions(
            offsets=_starts(lengths), codes=np.concatenate((self.codes, self.term_codes)), names=self.names
        )

    def lower_bound(self, items: Iterable[str]) -> int:
        """The smallest support of these items in any possible original."""
        distinct_items = tuple(dict.fromkeys(items))
        return int(self.certain().expected_count(Query(items=distinct_items))) if distinct_items else len(self)

    def reconstruct(self, n: int = 1, *, seed: int | None = None) -> list[Transactions]:
        """Possible originals, drawn at random.

        Subrecords are assigned to the records that may have them, each term of a term chunk to one record of its
        cluster; a record left empty then gets a term of the term chunk or, where none exists, a subrecord of a
        record that has several.
        """
        from sfumato.data.chunks.reconstruction import draw_original

        streams = np.random.SeedSequence(seed).spawn(n)
        return [draw_original(self, np.random.default_rng(stream)) for stream in streams]

    def averaged_counts(
        self, queries: Sequence[Query], n: int = 10, *, seed: int | None = None
    ) -> npt.NDArray[np.float64]:
        """The mean answer to each query over n reconstructions."""
        originals = self.reconstruct(n, seed=seed)
        counts = np.array([[original.expected_count(query) for query in queries] for original in originals])
        return np.asarray(counts.mean(axis=0))

    def to_polars(self) -> pl.DataFrame:
        """The file chunks.csv: cluster, chunk, kind, subrecord, item; a term chunk has no subrecords."""
        chunk = self.chunk_of_subrecord
        within = np.arange(len(self.chunk_clusters)) - _first_of_run(self.chunk_clusters)
        number = np.arange(len(self.offsets) - 1) - self.chunk_offsets[chunk]
        of_item = np.repeat(np.arange(len(self.offsets) - 1), self.lengths)
        items = pl.Series(self.names, dtype=pl.String)
        kinds = np.where(self.joint[self.chunk_clusters], "shared", "record")
        listed = pl.DataFrame(
            {
                "cluster": self.chunk_clusters[chunk][of_item].astype(np.int64) + 1,
                "chunk": within[chunk][of_item].astype(np.int64) + 1,
                "kind": pl.Series(kinds[chunk][of_item].tolist(), dtype=pl.String),
                "subrecord": pl.Series(number[of_item] + 1, dtype=pl.Int64),
                "item": items.gather(self.codes),
            }
        )
        chunks_of = np.bincount(self.chunk_clusters, minlength=len(self.sizes))
        cluster = np.repeat(np.arange(len(self.sizes)), np.diff(self.term_offsets))
        terms = pl.DataFrame(
            {
                "cluster": cluster.astype(np.int64) + 1,
                "chunk": chunks_of[cluster].astype(np.int64) + 1,
                "kind": pl.Series(["term"] * len(cluster), dtype=pl.String),
                "subrecord": pl.Series([None] * len(cluster), dtype=pl.Int64),
                "item": items.gather(self.term_codes),
            }
        )
        return pl.concat((listed, terms)).sort("cluster", maintain_order=True)

    def clusters_to_polars(self) -> pl.DataFrame:
        """The file clusters.csv: cluster, size, parent."""
        parents = pl.Series(self.parents.astype(np.int64) + 1, dtype=pl.Int64)
        return pl.DataFrame(
            {
                "cluster": np.arange(1, len(self.sizes) + 1),
                "size": self.sizes,
                "parent": parents.replace(0, None),
            }
        )

    def to_nested(self) -> list[JsonObject]:
        """The nested lists that `of` reads; for small data and tests."""
        nested: list[JsonObject] = []
        for cluster in range(len(self.sizes)):
            chunks = [
                [self._row(subrecord) for subrecord in range(*self.chunk_offsets[chunk : chunk + 2])]
                for chunk in np.flatnonzero(self.chunk_clusters == cluster)
            ]
            terms = self.term_codes[self.term_offsets[cluster] : self.term_offsets[cluster + 1]]
            nested.append({"size": int(self.sizes[cluster]), "chunks": chunks})
            if self.joint[cluster]:
                nested[-1]["children"] = []
            else:
                nested[-1]["terms"] = [self.names[code] for code in terms]
        for cluster, parent in enumerate(self.parents):
            if parent >= 0:
                nested[parent]["children"].append(nested[cluster])
        return [entry for entry, parent in zip(nested, self.parents, strict=True) if parent < 0]

    def _row(self, subrecord: int) -> list[str]:
        return [self.names[code] for code in self.codes[self.offsets[subrecord] : self.offsets[subrecord + 1]]]

    def with_used_names(self) -> Self:
        """The same chunks without the names that no chunk lists."""
        used = np.zeros(len(self.names), dtype=bool)
        used[self.codes] = True
        used[self.term_codes] = True
        renumbered = (np.cumsum(used) - 1).astype(np.int32)
        return replace(
            self,
            codes=renumbered[self.codes],
            term_codes=renumbered[self.term_codes],
            names=tuple(name for name, keep in zip(self.names, used, strict=True) if keep),
        )


_ARRAYS = {
    "sizes": np.int64,
    "parents": np.int32,
    "chunk_clusters": np.int32,
    "chunk_offsets": np.int64,
    "offsets": np.int64,
    "codes": np.int32,
    "term_offsets": np.int64,
    "term_codes": np.int32,
}


def _size(cluster: Mapping[str, Any]) -> int:
    return int(cluster["size"]) if "size" in cluster else sum(map(_size, cluster["children"]))


def _starts(lengths: Any) -> Ints:
    return np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)


def _first_of_run(values: Ints) -> Ints:
    """The start of the run of equal neighbours that each value lies in."""
    position = np.arange(len(values))
    is_first = np.ones(len(values), dtype=bool)
    is_first[1:] = values[1:] != values[:-1]
    return np.maximum.accumulate(np.where(is_first, position, 0))
