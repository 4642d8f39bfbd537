"""Persons who withdrew from a study: what was made of their answers before is not used for anything new."""

from __future__ import annotations

from sfumato.errors import CallerError
from sfumato.web.workbench.models import Release, Version

__all__ = ["keep_snapshots", "require_nobody_withdrew"]


def keep_snapshots(made: Version | Release, source: Version | None) -> None:
    """Remember that a version or a release holds answers of the snapshots of its source, also if that is deleted."""
    if source is not None:
        made.snapshots.set(source.snapshots.all())


def require_nobody_withdrew(source: Version | Release | None) -> None:
    """Refuse what was made of a snapshot of a study with a person who withdrew or was deleted later."""
    count = 0 if source is None else sum(snapshot.gone for snapshot in source.snapshots.all())
    if count:
        raise CallerError(
            f"release: {count} {'person' if count == 1 else 'persons'} in these data withdrew from the study or "
            "was deleted there; make a new snapshot on the study's page Release, which is without them"
        )
