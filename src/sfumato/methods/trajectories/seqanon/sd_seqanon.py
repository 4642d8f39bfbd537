"""SD-SEQANON: merge locations that are close to each other in space and in meaning (Poulis et al., 2014)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints
from sfumato.kernels.recoding.common_ancestors import leaves_in_common
from sfumato.methods.trajectories.seqanon.merged_labels import MergedLabels
from sfumato.methods.trajectories.seqanon.seqanon import MergeNearest, SeqAnon
from sfumato.methods.trajectories.seqanon.suppression import Suppression

__all__ = ["SdSeqAnon"]


@dataclass(frozen=True, kw_only=True)
class SdSeqAnon(SeqAnon):
    """Publish trajectories in which any m visits of a person are shared by k, merging places of a kind.

    The promise and the procedure are those of SEQANON.  The partner of a rare location is the one with the smallest
    product of distance and semantic dissimilarity, so that a café is rather published together with a café
    a little farther away than with the hospital next door.

    Notes
    -----
    Algorithm SD-SEQANON of [1]_.  The semantic dissimilarity SD of a generalized location (Definition 7) is the
    share of all leaves of the taxonomy, visited or not, that lie under the closest common ancestor of its members.
    Distance, ties, and what happens where merging cannot help, are as in SEQANON.  Locations at the same point have a
    product of 0 for any meaning.  A time slot ``a@14`` is found in the taxonomy under its own name or under ``a``.

    References
    ----------
    .. [1] G. Poulis, S. Skiadopoulos, G. Loukides, A. Gkoulalas-Divanis, "Apriori-based algorithms for
       k^m-anonymizing trajectory data", Transactions on Data Privacy 7(2), 2014.

    Examples
    --------
    >>> from sfumato.data import Taxonomy, Trajectories
    >>> walks = Trajectories.from_lists(
    ...     [["bistro"], ["clinic"], ["clinic"], ["diner"]],
    ...     places={"bistro": (0, 0), "clinic": (1, 0), "diner": (1.2, 0)},
    ...     taxonomy=Taxonomy({"any": None, "food": "any", "bistro": "food", "diner": "food", "clinic": "any"}),
    ... )
    >>> SeqAnon(k=2, m=1).anonymize(walks).data.members
    {'g1': ('bistro', 'clinic', 'diner')}
    >>> release = SdSeqAnon(k=2, m=1).anonymize(walks)
    >>> release.data.members
    {'g1': ('bistro', 'diner')}
    >>> release.holds
    True
    """

    name: ClassVar[str] = "sd-seqanon"
    title: ClassVar[str] = "SD-SEQANON"
    needs: ClassVar[tuple[str, ...]] = ("places", "taxonomy")

    def widening(self, labels: MergedLabels, rule: Suppression) -> MergeNearest:
        return _MergeAlike(rule, labels)


class _MergeAlike(MergeNearest):
    """Merges a label with the one at the smallest distance times dissimilarity.

    It keeps which range of the taxonomy's leaves each label spans.
    """

    def __init__(self, rule: Suppression, labels: MergedLabels) -> None:
        super().__init__(rule)
        names, taxonomy = labels.side.names, labels.side.taxonomy
        assert taxonomy is not None
        self._leaves = {int(code): taxonomy.leaf_of(names[code]) for code in np.sort(labels.active)}
        taxonomy.require(self._leaves.values(), "location")
        self._taxonomy = taxonomy
        self._low = np.zeros(len(names), dtype=np.int64)
        self._high = np.zeros(len(names), dtype=np.int64)
        for code, leaf in self._leaves.items():
            self._low[code], self._high[code] = taxonomy.span(leaf)

    def factor(self, labels: MergedLabels, label: int) -> npt.NDArray[np.float64]:
        """SD of the union of a label with each active one."""
        return self._dissimilarities(label, labels.active)

    def merge(self, labels: MergedLabels, label: int, partner: int) -> None:
        labels.merge(label, partner)
        for left, right in ((label, partner), (partner, label)):  # one of the two is no longer looked at
            self._low[left] = min(self._low[left], self._low[right])
            self._high[left] = max(self._high[left], self._high[right])

    def weights(self, labels: MergedLabels) -> npt.NDArray[np.float64]:
        """SD of each active label."""
        weights = np.ones(len(self._low))
        for label in labels.active:
            weights[label] = self._dissimilarities(int(label), np.array([label]))[0]
        return weights

    def _dissimilarities(self, label: int, others: Ints) -> npt.NDArray[np.float64]:
        leaf = self._leaves[label]
        spans = [self._taxonomy.span(node) for node in (leaf, *self._taxonomy.ancestors(leaf))]
        firsts, ends = np.array(spans, dtype=np.int64).T.copy()
        common = leaves_in_common(label, others, self._low, self._high, firsts, ends)
        return np.asarray(common / len(self._taxonomy.leaves))
