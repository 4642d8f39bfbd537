"""Chunks: records taken apart, so that nobody sees which of the parts belong together (disassociated transactions)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import frames
from sfumato.data.base import Dataset, Ints, Persons, frozen_array
from sfumato.data.queries import Query
from sfumato.data.ragged import encode
from sfumato.data.transactions import Transactions
from sfumato.errors import Bug, DataError

__all__ = ["Chunks"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Chunks(Dataset):
    """Clusters of records; of each, chunks of subrecords and a set of terms.

    A simple cluster holds `size` records.  A record chunk lists the parts of these records that lie in its terms, and
    leaves out the empty ones; a term chunk lists terms that somebody in the cluster has.  A joint cluster holds the
    records of its children, and its shared chunks list parts of all of them.  Which subrecords of different chunks
    belong to one record is not said.

    sizes : int64[clusters].  parents : int32[clusters], the joint cluster around each, -1 for none.
    chunk_clusters : int32[chunks].  chunk_offsets : int64[chunks + 1], over subrecords.
    offsets : int64[subrecords + 1], over codes.  codes : int32[total], rising in a subrecord.
    term_offsets : int64[clusters + 1].  term_codes : int32[...], rising in a cluster.
    names : distinct items in name order.  sensitive : those that were named sensitive.

    >>> pair = [["ale", "bread"], ["ale", "bread"], ["ale"]]
    >>> seen = Chunks.of([{"size": 3, "chunks": [pair, [["tea"], ["tea"]]], "terms": ["oil"]}])
    >>> seen
    <Chunks: 3 records in 1 cluster, 2 chunks of 5 subrecords, 4 distinct items>
    >>> seen.expected_count(Query(items=("ale", "tea")))
    2.0
    >>> seen.lower_bound(["ale", "bread"])
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
                raise Bug("Chunks: offsets do not fit what they divide")
        if len(self.term_offsets) != len(self.sizes) + 1 or len(self.parents) != len(self.sizes):
            raise Bug("Chunks: sizes, parents and term chunks are not of the same clusters")
        if len(self.chunk_clusters) != len(self.chunk_offsets) - 1:
            raise Bug("Chunks: a chunk has no cluster")
        for numbers, low, count in (
            (self.chunk_clusters, 0, len(self.sizes)),
            (self.parents, -1, len(self.sizes)),
            (self.codes, 0, len(self.names)),
            (self.term_codes, 0, len(self.names)),
        ):
            if len(numbers) and not low <= int(numbers.min()) <= int(numbers.max()) < count:
                raise Bug("Chunks: a number points to nothing")
        _ = self.depths  # a ring of parents is refused here

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
        chunks = [(at, chunk) for at, (cluster, _) in enumerate(flat) for chunk in cluster.get("chunks", ())]
        rows = [sorted({str(item) for item in row}) for _, chunk in chunks for row in chunk]
        terms = [sorted({str(item) for item in cluster.get("terms", ())}) for cluster, _ in flat]
        codes, names = encode(pl.Series([item for row in (*rows, *terms) for item in row], dtype=pl.String))
        n_codes = sum(map(len, rows))
        return cls(
            sizes=np.array([_size(cluster) for cluster, _ in flat], dtype=np.int64),
            parents=np.array([parent for _, parent in flat], dtype=np.int32),
            chunk_clusters=np.array([at for at, _ in chunks], dtype=np.int32),
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
        found = np.zeros(len(self.sizes), dtype=bool)
        found[self.parents[self.parents >= 0]] = True
        return found

    @cached_property
    def depths(self) -> Ints:
        """How many joint clusters lie around each cluster."""
        depths, around = np.zeros(len(self.sizes), dtype=np.int64), self.parents.astype(np.int64)
        while np.any(around >= 0):
            depths += around >= 0
            if int(depths.max()) > len(self.sizes):
                raise DataError("chunks: wanted joint clusters in a tree, found one inside itself")
            around = np.where(around >= 0, self.parents[around], -1)
        return depths

    @property
    def lengths(self) -> Ints:
        """How many items each subrecord has."""
        return np.diff(self.offsets)

    @cached_property
    def chunk_of_subrecord(self) -> Ints:
        """The chunk that each subrecord lies in."""
        return np.repeat(np.arange(len(self.chunk_clusters)), np.diff(self.chunk_offsets))

    def with_persons(self, persons: Persons | None) -> Self:
        if persons is not None:
            raise Bug("Chunks: nobody is behind a subrecord")
        return self

    def published(self) -> tuple[Self, Ints]:
        """Clusters, chunks and subrecords in the order of their content; which record was which cannot be said."""
        from sfumato.data.chunks.content_order import in_order

        ordered: Any = in_order(replace(self, sensitive=self.sensitive & set(self.names)))
        return ordered, np.arange(len(self))

    def chances(self, query: Query) -> npt.NDArray[np.float64]:
        """How likely each record holds the items of a query, cluster after cluster.

        A subrecord belongs to each record that may have it with equal probability, independently of other chunks; a
        term of a term chunk to one record of the cluster.
        """
        from sfumato.data.chunks.layout import layout_of
        from sfumato.data.chunks.probabilities import itemset_chances_of

        return np.repeat(itemset_chances_of(self, query.items), np.diff(layout_of(self).record_starts))

    def expected_count(self, query: Query) -> float:
        from sfumato.data.chunks.layout import layout_of
        from sfumato.data.chunks.probabilities import itemset_chances_of

        return float(itemset_chances_of(self, query.items) @ np.diff(layout_of(self).record_starts))

    def certain(self) -> Transactions:
        """What every possible original holds at least: each subrecord, and each term of a term chunk once."""
        lengths = np.concatenate((self.lengths, np.ones(len(self.term_codes), dtype=np.int64)))
        return Transactions(
            offsets=_starts(lengths), codes=np.concatenate((self.codes, self.term_codes)), names=self.names
        )

    def lower_bound(self, items: Iterable[str]) -> int:
        """How many records of any possible original hold these items at least."""
        wanted = tuple(dict.fromkeys(items))
        return int(self.certain().expected_count(Query(items=wanted))) if wanted else len(self)

    def reconstruct(self, n: int = 1, *, seed: int | None = None) -> list[Transactions]:
        """Possible originals, drawn at random.

        Subrecords are dealt to the records that may have them, each term of a term chunk to one record of its
        cluster; a record left empty then gets a term of the term chunk or, where there is none, a subrecord of a
        record that has several.
        """
        from sfumato.data.chunks.reconstruction import deal

        streams = np.random.SeedSequence(seed).spawn(n)
        return [deal(self, np.random.default_rng(stream)) for stream in streams]

    def averaged_counts(
        self, queries: Sequence[Query], n: int = 10, *, seed: int | None = None
    ) -> npt.NDArray[np.float64]:
        """The mean answer to each query over n reconstructions."""
        worlds = self.reconstruct(n, seed=seed)
        counts = np.array([[world.expected_count(query) for query in queries] for world in worlds])
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

    def to_pandas(self) -> Any:
        return frames.to_pandas(self.to_polars())

    def to_arrow(self) -> Any:
        return frames.to_arrow(self.to_polars())

    def to_nested(self) -> list[dict[str, Any]]:
        """The nested lists that `of` reads; for small data and tests."""
        made: list[dict[str, Any]] = []
        for cluster in range(len(self.sizes)):
            chunks = [
                [self._row(at) for at in range(*self.chunk_offsets[chunk : chunk + 2])]
                for chunk in np.flatnonzero(self.chunk_clusters == cluster)
            ]
            terms = self.term_codes[self.term_offsets[cluster] : self.term_offsets[cluster + 1]]
            made.append({"size": int(self.sizes[cluster]), "chunks": chunks})
            if self.joint[cluster]:
                made[-1]["children"] = []
            else:
                made[-1]["terms"] = [self.names[code] for code in terms]
        for cluster, parent in enumerate(self.parents):
            if parent >= 0:
                made[parent]["children"].append(made[cluster])
        return [one for one, parent in zip(made, self.parents, strict=True) if parent < 0]

    def _row(self, subrecord: int) -> list[str]:
        return [self.names[code] for code in self.codes[self.offsets[subrecord] : self.offsets[subrecord + 1]]]

    def with_used_names(self) -> Self:
        """Without the names that no chunk lists."""
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
    """Where the run of equal neighbours begins that each value lies in."""
    at = np.arange(len(values))
    begins = np.ones(len(values), dtype=bool)
    begins[1:] = values[1:] != values[:-1]
    return np.maximum.accumulate(np.where(begins, at, 0))
