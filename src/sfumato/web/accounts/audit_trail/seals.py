"""Seals over the audit trail: each is the digest of an hour's events and of the seal before it.

Triggers refuse changes by the server itself.  Somebody who administers the database can remove triggers; the seals show
that.  Each digest is also a line of the file `seals` in the private folder, from which seals that were computed anew
differ.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from sfumato.web.accounts.models import Event, Seal
from sfumato.web.home import private_folder

__all__ = ["problems", "seal"]

_HOUR = timedelta(hours=1)
_MARGIN = timedelta(minutes=5)  # a transaction may end a little after its event was dated


def seal(now: datetime | None = None) -> Seal | None:
    """Seal the events that are not sealed, if the last seal is an hour old."""
    now = now or timezone.now()
    before = Seal.objects.order_by("-number").first()
    if before is not None and now - before.at < _HOUR:
        return None
    rows = list(_between(before.last if before else None).filter(at__lt=now - _MARGIN))
    if not rows:
        return None
    digest = _digest(before.sha256 if before else "", rows)
    number = before.number + 1 if before else 1
    row = Seal(number=number, at=now, first=rows[0].id, last=rows[-1].id, count=len(rows), sha256=digest)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:  # another worker sealed at this moment
        return None
    file = _file()
    private_folder(file.parent)
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "a", encoding="utf-8") as out:
        out.write(f"{row.number} {digest}\n")
    return row


def problems() -> list[str]:
    """What is wrong with the audit trail, as sentences; empty if every seal is as it was."""
    sentences = []
    noted = _noted()
    digest, number = "", 0
    last: int | None = None
    for row in Seal.objects.order_by("number"):
        if row.number != number + 1:
            sentences.append(f"the audit trail lacks the seals {number + 1} to {row.number - 1}")
        events = _between(last).filter(id__lte=row.last)
        digest, last, number = _digest(digest, events.iterator()), row.last, row.number
        if digest != row.sha256:
            sentences.append(f"events {row.first} to {row.last} are not as they were when seal {row.number} was set")
        if noted.get(row.number, row.sha256) != row.sha256:
            sentences.append(f"seal {row.number} is not the one that was noted in the private folder")
        digest = row.sha256
    missing = [each for each in noted if each > number]
    if missing:
        sentences.append(
            f"the audit trail lacks the seals {min(missing)} to {max(missing)}, which were noted in the private folder"
        )
    return sentences


def _between(last: int | None) -> QuerySet[Event]:
    """The events after this one, or all."""
    events = Event.objects.order_by("id")
    return events if last is None else events.filter(id__gt=last)


def _digest(before: str, events: Iterable[Event]) -> str:
    digest = sha256(before.encode())
    for event in events:
        at = event.at.astimezone(UTC).isoformat(timespec="microseconds")
        fields = [
            event.id,
            at,
            event.actor_id,
            event.actor_name,
            event.verb,
            event.object,
            event.project_id,
            event.reason,
        ]
        digest.update(json.dumps(fields, default=str, ensure_ascii=False).encode() + b"\n")
    return digest.hexdigest()


def _noted() -> dict[int, str]:
    try:
        lines = _file().read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    noted: dict[int, str] = {}
    for line in lines:
        number, _, digest = line.partition(" ")
        noted.setdefault(int(number), digest)
    return noted


def _file() -> Path:
    return Path(settings.SFUMATO_HOME) / "seals"
