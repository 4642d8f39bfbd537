"""Who is behind the published records, as far as the original and the labels tell."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from sfumato.data import Dataset, Persons
from sfumato.data.base import Ints
from sfumato.data.ragged import Ragged
from sfumato.privacy.base import Verdict

__all__ = ["ROWS_UNTOLD", "UNTOLD", "counting_persons", "persons_behind", "rows_untold"]

ROWS_UNTOLD = "the persons behind the rows of a published table cannot be told"
UNTOLD = (
    "the published records are not the original's read through the labels, so the persons behind them cannot be told "
    "(something was suppressed or recoded locally, or this is another original); records suffice as far as the files "
    "show"
)


def persons_behind(published: Ragged, original: Ragged) -> Persons | None:
    """The person behind each published record, or nothing where this cannot be told.

    Every original record is read through the published labels.  If the images are exactly the published
    records, each published record belongs to a person whose record has that image; records with the same
    content are interchangeable.  Suppressed visits and local recoding make it impossible to tell.
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
    check: Callable[[Any], Verdict], published: Ragged, original: Ragged | None, untold: str = UNTOLD
) -> Verdict:
    """A check that counts persons where `published` or, as far as it tells, the original knows them.

    Where nobody can say who is behind the published records, records that fail are a failure; those that suffice are
    no proof, and `untold` says why.
    """
    if published.persons is not None or original is None or original.persons is None:
        return check(published)
    persons = persons_behind(published, original)
    if persons is not None:
        return check(published.with_persons(persons))
    by_record = check(published)
    return by_record if by_record.holds is False else replace(by_record, holds="not checkable", reason=untold)


def rows_untold(published: Dataset, original: Dataset | None) -> bool:
    """Whether a promise counts persons whom the published rows no longer name."""
    return published.persons is None and original is not None and original.persons is not None
