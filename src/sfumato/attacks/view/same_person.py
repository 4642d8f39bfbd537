"""Compatible records of two releases: those that can be of the same person, as far as they can be compared."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polars as pl

from sfumato.attacks.view.published_view import LabelView, PublishedView
from sfumato.attacks.view.setting import Exposed
from sfumato.data import Chunks, Dataset, Mixed, Table
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.data.tables.encoding import texts_of
from sfumato.kernels.verify.compatibility import LabelledRecords, compatible, reads_as

__all__ = ["SHORTENED", "UNKNOWN", "WHOLE", "CompatibleRecords", "kept_of", "table_of"]

WHOLE = "whole"  # every published record is all of a private one; some may be missing
SHORTENED = "shortened"  # something was suppressed inside records, and nothing split or added
UNKNOWN = "unknown"

_PAIRS = 250_000  # pairs of records that may be compared for one choice of knowledge; a larger set is not reduced
_BOTH_WHOLE, _FIRST_SHORTENED, _SECOND_SHORTENED = 0, 1, 2


def kept_of(original: Any, exposed: Exposed, seen: PublishedView) -> str:
    """What a release kept of the records that it publishes.

    >>> from sfumato import Trajectories
    >>> from sfumato.attacks.view.setting import AttackSetting
    >>> walks = Trajectories.from_lists(["ab", "ac", "b"])
    >>> seen = [Exposed(Trajectories.from_lists(rows), np.array([0, 1])) for rows in (["ab", "ac"], ["ab", "c"], ["b", "ca"])]
    >>> [kept_of(walks, one, AttackSetting.of(walks, one).seen) for one in seen]
    ['whole', 'shortened', 'unknown']
    """  # noqa: E501
    if seen.kept is not None:
        return seen.kept
    if isinstance(exposed.data, Chunks):
        return UNKNOWN
    if seen.labels is None:
        return WHOLE  # rows are published or not
    private = original.items if isinstance(original, Mixed) else original
    behind = exposed.correspondence
    if behind is None:
        return WHOLE if seen.whole or _are_images(seen.labels, private) else UNKNOWN
    empty = (behind < 0) & (seen.labels.data.lengths == 0)  # it is not known whose they were
    emptied = np.count_nonzero(empty) > np.count_nonzero(private.lengths == 0)
    records = np.flatnonzero(~empty)
    behind = behind[records]
    if np.any(behind < 0) or len(np.unique(behind)) < len(behind):
        return UNKNOWN
    source = LabelView(private, private.names)
    whole, within = reads_as(
        records.astype(np.int64),
        behind.astype(np.int64),
        private.kind == "trajectories",
        _arrays(seen.labels),
        _arrays(source),
    )
    return WHOLE if np.all(whole) and not emptied else SHORTENED if np.all(within) else UNKNOWN


def _are_images(labels: LabelView, private: Ragged) -> bool:
    """Whether the published records are some of the private ones, each read through the labels as a whole."""
    image = labels.image
    if image is None or len(labels.data) > len(private):
        return False
    ordered = private.kind == "trajectories"

    def records(codes: Ints, offsets: Ints) -> Counter[bytes]:
        parts = (codes[a:b].astype(np.int64) for a, b in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True))
        return Counter((part if ordered else np.unique(part)).tobytes() for part in parts)

    return records(labels.data.codes, labels.data.offsets) <= records(image[private.codes], private.offsets)


def _arrays(labels: LabelView) -> LabelledRecords:
    return LabelledRecords(labels.data.codes, labels.data.offsets, labels.starts, labels.members)


class CompatibleRecords:
    """Which fitting records of two releases can be of the same person.

    why : why their places or items cannot be compared, empty where they can (or where there are none).
    columns : whether other columns than quasi-identifiers are compared.
    choices, skipped : how often records were to be compared, and how often they were too many.
    """

    def __init__(self, first: PublishedView, second: PublishedView, kept: tuple[str, str]) -> None:
        self.first, self.second = first, second
        self.choices = self.skipped = 0
        self._keys = _other_columns(first, second)
        self.columns = self._keys is not None
        self.why = _reason_not_comparable(first, second, kept)
        self._comparable_points = first.labels is not None and second.labels is not None and not self.why
        self._mode = _BOTH_WHOLE
        if SHORTENED in kept:
            self._mode = _FIRST_SHORTENED if kept[0] == SHORTENED else _SECOND_SHORTENED

    def select(self, here: Ints, there: Ints) -> tuple[Ints, Ints]:
        """The records of both that are compatible with a record of the other."""
        self.choices += 1
        if self._keys is not None:
            mine, theirs = self._keys[0][here], self._keys[1][there]
            here, there = here[np.isin(mine, theirs)], there[np.isin(theirs, mine)]
        if not self._comparable_points or len(here) == 0 or len(there) == 0:
            return here, there
        if len(here) * len(there) > _PAIRS:
            self.skipped += 1
            return here, there
        labels, other_labels = self.first.labels, self.second.labels
        assert labels is not None
        assert other_labels is not None
        ordered = labels.data.kind == "trajectories"
        pair = here.astype(np.int64), there.astype(np.int64)
        left, right = compatible(*pair, self._mode, ordered, _arrays(labels), _arrays(other_labels))
        return here[left], there[right]


def _reason_not_comparable(first: PublishedView, second: PublishedView, kept: tuple[str, str]) -> str:
    if isinstance(first.data, Chunks) or isinstance(second.data, Chunks):
        return "chunks do not show which parts belong to one record"
    if first.labels is None or second.labels is None:
        return ""
    if UNKNOWN in kept:
        return "something was suppressed, split or added, and the files do not show in which records"
    return "both releases suppressed parts of their records" if kept == (SHORTENED, SHORTENED) else ""


def table_of(data: Dataset) -> Any:
    """The rows of mixed data, or the data themselves."""
    return data.table if isinstance(data, Mixed) else data


def _other_columns(first: PublishedView, second: PublishedView) -> tuple[Ints, Ints] | None:
    """The values of the columns that are no quasi-identifiers in either release, as one number a row."""
    tables = [table_of(seen.data) for seen in (first, second)]
    if not all(isinstance(table, Table) for table in tables):
        return None
    known = {column for table in tables for column in table.quasi_identifiers}
    columns = [c for c in tables[0].frame.columns if c in tables[1].frame.columns and c not in known]
    if not columns:
        return None
    texts = [pl.DataFrame({c: texts_of(table[c]).cast(pl.String) for c in columns}) for table in tables]
    both = pl.concat(texts)
    number = both.select(pl.struct(columns).rank("dense").alias("key"))["key"].to_numpy().astype(np.int64)
    return number[: len(texts[0])], number[len(texts[0]) :]
