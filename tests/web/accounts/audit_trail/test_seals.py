"""Seals over the audit trail: whatever is done to sealed events is found."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from sfumato.web.accounts.audit_trail.seals import problems, seal
from sfumato.web.accounts.models import Event, Seal


@pytest.fixture
def sealed(db: Any) -> list[Event]:
    """Six events, three of them under each of two seals."""
    start = timezone.now() - timedelta(hours=5)
    events = []
    for hour in (0, 2):
        for number in range(3):
            event = Event.record(None, "upload", f"dataset {hour}{number}")
            Event.objects.filter(pk=event.pk).update(at=start + timedelta(hours=hour, minutes=number))
            events.append(event)
        assert seal(start + timedelta(hours=hour, minutes=10)) is not None
    return events


def test_seals_are_set_hourly_over_events_that_are_old_enough(sealed: list[Event]) -> None:
    assert list(Seal.objects.order_by("number").values_list("number", "count")) == [(1, 3), (2, 3)]
    Event.record(None, "upload", "dataset 9")
    assert seal() is None  # the event is not five minutes old
    assert seal(timezone.now() - timedelta(hours=2, minutes=30)) is None  # the last seal is not an hour old
    assert problems() == []


@pytest.mark.parametrize(
    "tamper",
    [
        lambda event: Event.objects.filter(pk=event.pk).update(verb="nothing"),
        lambda event: Event.objects.filter(pk=event.pk).update(actor_name="eve"),
        lambda event: Event.objects.filter(pk=event.pk).update(at=event.at - timedelta(seconds=1)),
        lambda event: Event.objects.filter(pk=event.pk).delete(),
        lambda event: Event.objects.create(id=event.pk - 100, verb="planted", actor_name=""),
    ],
)
def test_tampering_with_an_event_is_found(sealed: list[Event], tamper: Callable[[Event], Any]) -> None:
    tamper(sealed[1])
    first, last = sealed[0].id, sealed[2].id
    assert problems() == [f"events {first} to {last} are not as they were when seal 1 was set"]


def test_seals_computed_anew_differ_from_the_noted_ones(sealed: list[Event]) -> None:
    Event.objects.filter(pk=sealed[4].pk).update(verb="nothing")
    Seal.objects.filter(number=2).delete()
    assert seal() is not None
    assert problems() == ["seal 2 is not the one that was noted in the private folder"]


def test_missing_seals_are_found(sealed: list[Event]) -> None:
    Seal.objects.filter(number=2).delete()
    assert problems() == ["the audit trail lacks the seals 2 to 2, which were noted in the private folder"]
    Seal.objects.create(number=3, first=1, last=sealed[-1].id, count=3, sha256="0" * 64)
    assert any("lacks the seals 2 to 2" in sentence for sentence in problems())
