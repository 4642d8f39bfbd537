"""Double entry: two persons of a centre enter the same subject, and neither sees the answers of the other.

The first entry has a code, which the centre writes on its papers; who enters the subject a second time types it.  The
code is made of the first 40 bits of the entry's id, so nothing is stored for it.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from sfumato.web.studies.entry.saving import EntryRefused
from sfumato.web.studies.models import Centre, Entry, Study

__all__ = ["code_of", "first_with_code"]

_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # without I, L, O, U, which are read as others
_READ_AS = str.maketrans({"I": "1", "L": "1", "O": "0", "-": "", " ": ""})
_LOW_BITS = 88


def code_of(entry: Entry) -> str:
    """The code of an entry, such as 7KQ2-M9XD."""
    number = entry.id.int >> _LOW_BITS
    text = "".join(_DIGITS[number >> shift & 31] for shift in range(35, -1, -5))
    return f"{text[:4]}-{text[4:]}"


def first_with_code(study: Study, user: Any, centre: Centre | None, code: str) -> Entry:
    """The entry of a colleague of the same centre that waits for its second one; `EntryRefused` if no entry does."""
    text = code.upper().translate(_READ_AS)
    if len(text) == 8 and all(digit in _DIGITS for digit in text):
        number = 0
        for digit in text:
            number = number << 5 | _DIGITS.index(digit)
        ids = (UUID(int=number << _LOW_BITS), UUID(int=((number + 1) << _LOW_BITS) - 1))
        entries = Entry.objects.filter(study=study, centre=centre, deleted=None, double_of=None, id__range=ids)
        first = entries.exclude(author=user).exclude(doubles__deleted=None, doubles__isnull=False).first()
        if first is not None:
            return first
    raise EntryRefused(_("No entry of a colleague of your centre waits for a second one under this code."))
