"""Disassociation: publish who has what in parts that cannot be put together (Terrovitis et al., 2012)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.data import Chunks, Transactions
from sfumato.kernels.items.verpart import SUPPRESSED
from sfumato.methods.base import Method, Outcome, Run, require_units
from sfumato.methods.transactions.assembling import (
    NumberedChunks,
    assemble,
    joined_chunks,
    stands_alone,
    with_empty_cluster,
    with_empty_records,
)
from sfumato.methods.transactions.horpart import horpart
from sfumato.methods.transactions.refine import Joints, refine
from sfumato.methods.transactions.verpart import verpart
from sfumato.params import param
from sfumato.privacy import ReconstructionAnonymity

__all__ = ["Disassociate", "sensitive_codes"]


@dataclass(frozen=True, kw_only=True)
class Disassociate(Method[Chunks]):
    """Publish all items as they are, but hide which rare ones belong to the same record.

    Similar records form clusters.  In each cluster, items that many records have together stay together, in record
    chunks; items that are rare there are listed once, in a term chunk.  Clusters may share chunks of items that are
    rare in each of them and not in all.  Nothing is generalized, and without `safe` nothing is suppressed.

    Notes
    -----
    Algorithms HORPART, VERPART and REFINE of [1]_.  Every cluster has at least k records: where HORPART would make
    a smaller part, both parts stay together, and where no term splits, the part is cut by size.  A cluster has at most
    `max_cluster_size` records, or 2k, which is what cutting by size needs.  Lemma 2 is enforced at the end of VERPART
    and asked again of every simple cluster before a join.  Ties go to the earlier name; clusters and chunks depend on
    the content of the records alone.

    Property 1 alone does not keep the guarantee: see `ReconstructionAnonymity`.  A shared chunk with items that are
    listed further down, too, is made only where there is room for k more.

    Sensitive items that the data name never split a cluster and never leave the term chunks [1]_, Section 5.

    Where persons are known, the records of a person are published as one, the union of their items: a record is all
    that is known of a person, as in the paper, and k records are k persons.

    `safe` repairs the cover problem [2]_, [3]_, read as follows: an item is covered if all subrecords of its chunk
    that hold it hold another item as well.  Single occurrences are suppressed where that keeps the chunk
    k^m-anonymous (partial suppression); otherwise the two items go to different chunks.

    With `partition`, HORPART first makes parts of at most so many records, and the rest is done in each part by itself:
    clusters of different parts share no chunk.  So it is done on Apache Spark, with the same result.

    Near O(n) time in practice; clusters are worked on in parallel, with the same result for any number of threads.

    References
    ----------
    .. [1] M. Terrovitis, J. Liagouris, N. Mamoulis, S. Skiadopoulos, "Privacy preservation by disassociation",
       PVLDB 5(10), 2012.
    .. [2] S. Barakat, B. Al Bouna, M. Nassar, C. Guyeux, "On the evaluation of the privacy breach in disassociated
       set-valued datasets", Proc. SECRYPT, 2016.
    .. [3] N. Awad, B. Al Bouna, J.-F. Couchot, L. Philippe, "Safe disassociation of set-valued datasets", Journal of
       Intelligent Information Systems 53, 2019.

    Examples
    --------
    >>> baskets = Transactions.from_lists(["ab", "ab", "abx", "cd", "cdy", "cd"])
    >>> release = Disassociate(k=2, m=2, max_cluster_size=4).anonymize(baskets)
    >>> for cluster in release.data.to_nested():
    ...     print(cluster["size"], cluster["chunks"], cluster["terms"])
    3 [[['a', 'b'], ['a', 'b'], ['a', 'b']]] ['x']
    3 [[['c', 'd'], ['c', 'd'], ['c', 'd']]] ['y']
    """

    name: ClassVar[str] = "disassociate"
    title: ClassVar[str] = "disassociation"
    kind: ClassVar[str] = "transactions"
    paper: ClassVar[str] = "Terrovitis et al., PVLDB 5(10), 2012"
    promises: ClassVar[tuple[str, ...]] = ("reconstruction",)
    publishes: ClassVar[str] = "chunks"
    traces: ClassVar[bool] = False
    takes: ClassVar[tuple[str, ...]] = ("sensitive",)

    k: int = param(at_least=2, help="how many records must be possible for any m items; the paper's k")
    m: int = param(at_least=1, help="how many items an attacker may know; the paper's m")
    max_cluster_size: int = param(
        50, at_least=2, grid=(25, 50, 100), help="largest number of records in a cluster; 2k (or 2l) where that is more"
    )
    refine: bool = param(True, grid=(True, False), help="whether clusters may share chunks")
    l: int = param(1, at_least=1, help="smallest number of records in a cluster with a sensitive item")  # noqa: E741
    safe: bool = param(
        False, help="whether to prevent that an item is always published with another one (cover problem)"
    )
    partition: int | None = param(
        None,
        at_least=2,
        help="largest number of records that may share chunks; a dataset with more is first split into parts",
    )
    empty: str = param("drop", choices=("drop", "keep"), help="what happens to records without items")

    @property
    def _smallest(self) -> int:
        return max(self.k, self.l)

    @property
    def guarantees(self) -> tuple[ReconstructionAnonymity, ...]:
        return (ReconstructionAnonymity(k=self.k, m=self.m, l=self.l),)

    def transform(self, data: Transactions, run: Run) -> Outcome[Chunks]:
        require_units(self, self._smallest, data)
        whole, counts = _one_record_each(data)
        n_empty = int(np.count_nonzero(whole.lengths == 0))
        filled = whole.take(np.flatnonzero(whole.lengths > 0)) if n_empty else whole
        kept = n_empty if self.empty == "keep" else 0
        parts = self._parts(filled, run)
        chunks, suppressed = zip(
            *(self.chunks_of(part, run, kept if part is parts[-1] else 0) for part in parts), strict=True
        )
        counts |= {"suppressed_records": n_empty - kept}
        if self.safe:
            counts |= {"suppressed_items": sum(suppressed)}
        return Outcome(replace(joined_chunks(chunks), sensitive=data.sensitive), None, counts)

    @property
    def largest_cluster(self) -> int:
        """The largest number of records in a cluster."""
        return max(self.max_cluster_size, 2 * self._smallest)

    def _parts(self, data: Transactions, run: Run) -> list[Transactions]:
        """The parts of the records that are divided and refined each by itself."""
        if self.partition is None or len(data) <= self.partition:
            return [data]
        with run.phase("partitioning"):
            largest = max(self.partition, self.largest_cluster)
            parts = horpart(data, smallest=self._smallest, largest=largest, skipped=sensitive_codes(data))
            return [parts.data.take(np.arange(*bounds)) for bounds in pairwise(parts.starts.tolist())]

    def chunks_of(self, data: Transactions, run: Run, n_empty: int = 0) -> tuple[Chunks, int]:
        """The chunks of records that are refined together, and how many occurrences of items were suppressed.

        n_empty : how many empty records belong to them.
        """
        skipped = sensitive_codes(data)
        with run.phase("horizontal partitioning"):
            clusters = horpart(data, smallest=self._smallest, largest=self.largest_cluster, skipped=skipped)
            if 0 < n_empty < self._smallest:
                clusters = with_empty_records(clusters, n_empty)
        with run.phase("vertical partitioning"):
            parts = verpart(clusters, k=self.k, m=self.m, skipped=skipped, safe=self.safe)
            numbered = NumberedChunks.of(clusters, parts)
        joints = Joints([-1] * len(clusters), np.full(len(parts), -1, dtype=np.int32))
        if self.refine:
            with run.phase("refining"):
                alone = stands_alone(clusters, numbered, self.k, self.m)
                joints = refine(clusters, parts, alone, k=self.k, m=self.m, skipped=skipped, safe=self.safe, run=run)
        with run.phase("assembling"):
            chunks = assemble(clusters, parts, numbered, joints)
            if n_empty >= self._smallest:
                chunks = with_empty_cluster(chunks, n_empty)
        return chunks, int(np.count_nonzero(parts == SUPPRESSED))


def sensitive_codes(data: Transactions) -> npt.NDArray[np.bool_]:
    """By code, whether an item is sensitive: such items never split records."""
    return np.array([name in data.sensitive for name in data.names], dtype=bool)


def _one_record_each(data: Transactions) -> tuple[Transactions, dict[str, int]]:
    """All that is known of a person as one record."""
    if data.persons is None:
        return data, {}
    n = max(1, len(data.names))
    _, person = np.unique(data.persons.codes, return_inverse=True)
    keys = np.unique(person[data.record_of_element()].astype(np.int64) * n + data.codes)
    lengths = np.bincount(keys // n, minlength=int(person.max(initial=-1)) + 1)
    whole = replace(data, offsets=np.concatenate(([0], np.cumsum(lengths))), codes=keys % n, ids=None, persons=None)
    return whole, {"merged_records": len(data) - len(whole)}
