"""A person withdraws from a study: out of all later releases; in which earlier ones they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from sfumato.errors import CallerError
from sfumato.io.published.folder import files_in
from sfumato.web.accounts.models import Event
from sfumato.web.studies.models import Entry, Snapshot, Study
from sfumato.web.studies.releasing.snapshots import releases_of
from sfumato.web.workbench.models import Release

__all__ = ["Appearance", "appearances_of", "take_back", "withdraw"]


class Appearance(NamedTuple):
    """A snapshot that holds the answers of a person, and each release of it with the names of its files."""

    snapshot: Snapshot
    releases: list[tuple[Release, list[str]]]


def withdraw(entry: Entry, user: Any, reason: str = "") -> None:
    """Take a person out of all later snapshots and releases, and refuse releases of snapshots that hold them.

    Both entries of a pair are about the person, so both are withdrawn.
    """
    with _locked(entry) as both:
        now = timezone.now()
        for current in both:
            if current.withdrawn is None:
                current.withdrawn = now
                current.save(update_fields=["withdrawn"])
                _record(user, "withdraw person", current, reason)
    entry.refresh_from_db(fields=["withdrawn"])


def take_back(entry: Entry, user: Any, reason: str) -> None:
    """Undo a withdrawal that was a mistake; it needs a reason."""
    if not reason.strip():
        raise CallerError(_("withdrawal: undoing it needs a reason"))
    with _locked(entry) as both:
        for current in both:
            if current.withdrawn is not None:
                current.withdrawn = None
                current.save(update_fields=["withdrawn"])
                _record(user, "undo withdrawal", current, reason)
    entry.refresh_from_db(fields=["withdrawn"])


def appearances_of(entry: Entry) -> list[Appearance]:
    """The snapshots and releases in which a person is, the newest first."""
    snapshots = entry.snapshots.select_related("version__dataset__project", "by")
    return [
        Appearance(snapshot, [(release, _files(release)) for release in releases_of(snapshot)])
        for snapshot in snapshots
    ]


def _files(release: Release) -> list[str]:
    return sorted(map(str, files_in(release.folder))) if release.published and release.folder.is_dir() else []


def _record(user: Any, verb: str, entry: Entry, reason: str) -> None:
    Event.record(user, verb, f"entry {entry.id}", project=entry.study, reason=reason.strip())


@contextmanager
def _locked(entry: Entry) -> Iterator[list[Entry]]:
    """The entries about the person as they are now, while no snapshot is taken and no other request changes them."""
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=entry.study_id)
        first = entry.double_of_id or entry.pk
        yield list(Entry.objects.select_for_update().filter(Q(pk=first) | Q(double_of=first)))
