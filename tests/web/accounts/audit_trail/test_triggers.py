"""The audit trail is append-only."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from sfumato.web.accounts.audit_trail import triggers
from sfumato.web.accounts.models import Event, Seal


def test_the_database_refuses_to_change_or_delete_events(db: Any, owner: Any) -> None:
    event = Event.record(owner, "upload", "dataset 1")
    seal = Seal.objects.create(number=1, first=1, last=1, count=1, sha256="0" * 64)
    triggers.install(connection)
    for change in (
        lambda: Event.objects.filter(pk=event.pk).update(verb="nothing"),
        lambda: Event.objects.filter(pk=event.pk).delete(),
        lambda: Event.objects.all()._raw_delete("default"),
        lambda: Seal.objects.filter(pk=seal.pk).update(sha256="1" * 64),
        lambda: seal.delete(),
    ):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            change()
    owner.delete()  # the trail keeps the name
    Event.record(None, "remove", "user")
    assert list(Event.objects.order_by("id").values_list("actor_name", "verb")) == [("ann", "upload"), ("", "remove")]
    triggers.remove(connection)
    assert Event.objects.all()._raw_delete("default") == 2
