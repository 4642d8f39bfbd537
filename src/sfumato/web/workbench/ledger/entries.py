"""The entries of a project's ledger, with the names of its releases in place of their directories."""

from __future__ import annotations

from typing import Any

from sfumato.io.published.ledger import Entry, ReleaseLedger
from sfumato.web.workbench.models import Project
from sfumato.web.workbench.releases.work import LEDGER

__all__ = ["entries_of", "entry_of", "named"]


def entries_of(project: Project) -> list[Entry]:
    """All entries of the ledger, also closed ones; none before the first release is published."""
    path = project.folder / LEDGER
    if not path.exists():
        return []
    with ReleaseLedger.reading(path) as book:
        return book.entries(closed=True)


def entry_of(project: Project, number: int) -> Entry | None:
    """The entry of a number."""
    return next((entry for entry in entries_of(project) if entry.number == number), None)


def named(project: Project, sentence: str, releases: Any = None) -> str:
    """A sentence with the names of releases in place of their directories, and without the path of the server."""
    sentence = sentence.replace(f"{project.folder.resolve()}/", "").replace(f"{project.folder}/", "")
    for release in project.releases.all() if releases is None else releases:
        sentence = sentence.replace(release.file, f"“{release.name}”").replace(str(release.id), f"“{release.name}”")
    return sentence
