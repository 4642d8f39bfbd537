"""Published places or items that can be read as a private record with things suppressed, and the best of them."""

from __future__ import annotations

import numpy as np

from sfumato.attacks.view.published_view import LabelView
from sfumato.data.base import Ints, frozen_array
from sfumato.data.ragged import Ragged, row_order
from sfumato.kernels.verify.record_linkage import Contents, Meanings, best_fits, fit_scores

__all__ = ["Fits", "distinct_records"]


class Fits:
    """How well the records of a release fit private records.

    The score of a fit is how much it explains: of a sequence the number of visits, of a set the number of items.

    >>> from sfumato import Trajectories
    >>> walks = Trajectories.from_lists([["a", "b", "c"], ["b", "c"]])
    >>> release = Trajectories.from_lists([["a", "b"], ["b"], ["b"], ["c", "b"]])
    >>> Fits(walks, LabelView(release, walks.names)).best().tolist()
    [[2, 1], [1, 2]]
    """

    def __init__(self, original: Ragged, seen: LabelView) -> None:
        self._private, self._private_of = distinct_records(original)
        self._contents, self.content_of = distinct_records(seen.data)
        self._ordered = original.kind == "trajectories"
        self._n_labels = max(1, len(seen.data.names))
        self._seen = seen
        self._sizes = np.bincount(self.content_of, minlength=len(self._contents)).astype(np.int64)
        self._labels = Meanings(
            frozen_array(seen.leaf_starts, np.int64),
            frozen_array(seen.leaf_labels, np.int64),
            frozen_array(seen.starts, np.int64),
            frozen_array(seen.members, np.int32),
        )

    def best(self) -> Ints:
        """int64[private records, 2]: the best score (-1 for none), and how many published records have it."""
        filed_starts, filed = self._by_rarest_label()
        best = best_fits(
            Contents(self._private.codes, self._private.offsets),
            self._ordered,
            self._labels,
            Contents(self._contents.codes, self._contents.offsets),
            self._sizes,
            filed_starts,
            filed,
            self._n_labels,
        )
        return np.asarray(best[self._private_of])

    def scores(self, records: Ints, published: Ints) -> Ints:
        """The score of single pairs of a private and a published record; -1 where they do not fit."""
        return np.asarray(
            fit_scores(
                self._private_of[records].astype(np.int64),
                self.content_of[published].astype(np.int64),
                Contents(self._private.codes, self._private.offsets),
                self._ordered,
                self._labels,
                Contents(self._contents.codes, self._contents.offsets),
                self._n_labels,
            )
        )

    def _by_rarest_label(self) -> tuple[Ints, Ints]:
        """The contents under their rarest label, longest first."""
        contents = self._contents
        common = np.bincount(contents.codes, minlength=self._n_labels)
        owner = contents.record_of_element()
        order = np.lexsort((contents.codes, common[contents.codes], owner))
        filled = np.flatnonzero(contents.lengths > 0)
        rarest = contents.codes[order[contents.offsets[:-1][filled]]]
        by_label = np.lexsort((-contents.lengths[filled], rarest))
        starts = np.searchsorted(rarest[by_label], np.arange(self._n_labels + 1))
        return starts.astype(np.int64), filled[by_label].astype(np.int64)


def distinct_records(data: Ragged) -> tuple[Ragged, Ints]:
    """The different records, and which of them each record is.

    >>> from sfumato import Trajectories
    >>> different, which = distinct_records(Trajectories.from_lists([["b"], ["a"], ["b"]]))
    >>> different.to_lists(), which.tolist()
    ([['a'], ['b']], [1, 0, 1])
    """
    order = row_order(data.offsets, data.codes)
    ordered = data.take(order)
    new = ordered.run_starts()
    which = np.empty(len(data), dtype=np.int64)
    which[order] = np.cumsum(new) - 1
    return ordered.take(np.flatnonzero(new)), which
