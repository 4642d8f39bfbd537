"""The persons behind published records, as far as the original and the labels show them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from sfumato.data import Dataset, Persons
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.privacy.base import Verdict

__all__ = [
    "PERSONS_UNKNOWN",
    "ROW_PERSONS_UNKNOWN",
    "counted_in_records",
    "counting_persons",
    "lacks_row_persons",
    "persons_behind",
]

ROW_PERSONS_UNKNOWN = "the persons behind the rows of a published table cannot be determined"
PERSONS_UNKNOWN = (
    "counted in records, the promise holds; the persons behind the records cannot be determined, because the "
    "published records are not the original's with their labels applied (values were suppressed or recoded locally, "
    "or this is another original)"
)


def persons_behind(published: Ragged, original: Ragged) -> Persons | None:
    """The person behind each published record, or None where they cannot be determined.

    Every original record is read through the published labels.  If the images are exactly the published
    records, each published record belongs to a person whose record has that image; records with the same
    content are interchangeable.  After suppression of visits or local recoding they cannot be determined.
    """
    if original.persons is None:
        return None
    label_of: dict[str, int] = {}
    for code, label in enumerate(published.names):
        for member in published.members.get(label, (label,)):
            if member in label_of:
                return None
            label_of[member] = code
    if any(name not in label_of for name in original.with_used_names().names):
        return None
    lookup = np.array([label_of.get(name, 0) for name in original.names], dtype=np.int32)
    image, order = _image(original, lookup, published.names).published()
    same = (
        image.names == published.names
        and np.array_equal(image.offsets, published.offsets)
        and np.array_equal(image.codes, published.codes)
    )
    return original.persons.take(order) if same else None


def _image(original: Ragged, lookup: Ints, names: tuple[str, ...]) -> Ragged:
    """The records in published labels; in a set, items that share a label become one."""
    offsets, codes = original.offsets, lookup[original.codes]
    if original.kind == "transactions":
        pairs = np.unique(np.column_stack((original.record_of_element(), codes)), axis=0)
        counts = np.bincount(pairs[:, 0], minlength=len(original))
        offsets, codes = np.concatenate(([0], np.cumsum(counts))), pairs[:, 1]
    return replace(original, offsets=offsets, codes=codes, names=names, members={}, ids=None)


def counting_persons(
    check: Callable[[Any], Verdict], published: Ragged, original: Ragged | None, reason: str = PERSONS_UNKNOWN
) -> Verdict:
    """A check that counts persons where `published` or, as far as it shows them, the original knows them.

    Where the persons behind the published records cannot be determined, records that break the promise are a
    violation; records that keep it are no proof, and the verdict gives the `reason`.
    """
    if published.persons is not None or original is None or original.persons is None:
        return check(published)
    persons = persons_behind(published, original)
    if persons is not None:
        return check(published.with_persons(persons))
    by_record = check(published)
    return replace(by_record, holds="not checkable", reason=reason) if by_record.holds is True else by_record


def counted_in_records(verdict: Verdict) -> Verdict:
    """A verdict whose persons stand for original records, in the words of records."""
    units = {name: "record" for name in ("unit", "worst_unit") if verdict.measured.get(name) == "person"}
    return replace(verdict, measured={**verdict.measured, **units})


def lacks_row_persons(published: Dataset, original: Dataset | None) -> bool:
    """Whether a promise counts persons whom the published rows no longer name."""
    return published.persons is None and original is not None and original.persons is not None
