"""The unsaved edits of a person on a dataset: a private file, because edits hold values, with undo and redo."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from sfumato.errors import DataError
from sfumato.web.home import private_folder
from sfumato.web.jobs.models import Job
from sfumato.web.workbench.datasets.grid import Grid, row_order
from sfumato.web.workbench.datasets.operations import added_rows, moved
from sfumato.web.workbench.datasets.readings import after
from sfumato.web.workbench.models import Dataset, Version

__all__ = ["OVERTAKEN", "Draft", "changing", "draft_of", "why_not_overwritten"]

OVERTAKEN = gettext_noop("somebody else saved a version in the meantime; carry your edits over, or save them as a copy")
"""Why edits of an older version are not saved."""

_MOST = 10_000


@dataclass
class Draft:
    """Operations on a version; those after `position` were undone and can be redone.

    view : filters and sort, and the kept order of rows.  saving : the job that saves it, during which nothing changes.
    """

    file: Path
    base: str
    operations: list[dict[str, Any]] = field(default_factory=list)
    position: int = 0
    view: dict[str, Any] = field(default_factory=dict)
    saving: str = ""

    @property
    def done(self) -> list[dict[str, Any]]:
        """The operations that count."""
        return self.operations[: self.position]

    def grid(self, version: Version) -> Grid:
        """The rows as this person sees them."""
        order = self.view.get("order")
        path = None if order is None else self._orders / order
        if path is not None and not path.exists():  # swept, so it is computed again
            try:
                path = self._order(version)
            except DataError:  # the columns have changed since
                self.view, path = {}, None
        return Grid(version.path, self.done, path, self.view.get("seen", 0))

    def do(self, operation: dict[str, Any], version: Version) -> None:
        """Add an operation; it is tried on the columns first, and refused with a sentence if it does not fit."""
        if self.position >= _MOST:
            raise DataError(_("wanted at most 10,000 edits between two versions; save a version first"))
        Grid(version.path, [*self.done, operation]).require_possible()
        after(version.reading, [*self.done, operation])
        self.operations = [*self.done, operation]
        self.position += 1

    def carry(self, old: Version, latest: Version) -> None:
        """Turn the edits of a version into edits of the newest one; refused with a sentence where they do not fit."""
        operations = list(self.done)
        steps = []
        step: Version | None = latest
        while step is not None and step != old:
            steps.append(step)
            step = step.parent
        for step in reversed(steps):
            deleted = step.operation.get("deleted")
            if step.parent is None or deleted is None:
                raise DataError(_("the rows of the versions cannot be compared; save your edits as a copy"))
            operations = moved(operations, deleted, step.parent.rows, step.rows)
        Grid(latest.path, operations).require_possible()
        after(latest.reading, operations)
        self.base, self.operations, self.position, self.view = str(latest.pk), operations, len(operations), {}

    def next_row(self, version: Version) -> int:
        """The number of the next row that is added."""
        return max([version.rows - 1, *added_rows(self.done)]) + 1

    def look(self, version: Version, filters: list[dict[str, Any]], sort: dict[str, Any] | None) -> None:
        """Filter and sort from now on; the order is kept while cells are edited."""
        self.view = {"filters": filters, "sort": sort} if filters or sort else {}
        if self.view:
            self._order(version)

    def keep_view(self, version: Version) -> None:
        """Drop the filters and the sort of columns that edits renamed or deleted."""
        filters, sort = self.view.get("filters", []), self.view.get("sort")
        if not self.view:
            return
        names = Grid(version.path, self.done).types
        kept = [test for test in filters if test["column"] in names]
        kept_sort = sort if sort is not None and sort["column"] in names else None
        if kept != filters or kept_sort != sort:
            self.look(version, kept, kept_sort)

    def _order(self, version: Version) -> Path:
        grid = Grid(version.path, self.done)
        path = row_order(grid, self.view["filters"], self.view["sort"], self._orders)
        self.view |= {"order": path.name, "seen": self.next_row(version)}
        return path

    @property
    def _orders(self) -> Path:
        return private_folder(self.file.parent / "orders")

    def write(self) -> None:
        """Keep it, completely or not at all; nothing is kept of a draft without edits and view."""
        if not self.operations and not self.view:
            self.file.unlink(missing_ok=True)
            return
        content = {name: value for name, value in asdict(self).items() if name != "file"}
        partial = self.file.with_suffix(".part")
        with open(partial, "w", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            json.dump(content, file)
        os.replace(partial, self.file)


def draft_of(dataset: Dataset, user: Any) -> tuple[Draft, Version]:
    """The draft of a person, or an empty one on the newest version, and the version it is about."""
    file = private_folder(dataset.project.folder / "drafts") / f"{dataset.id}-{user.pk}.json"
    latest = dataset.latest
    assert latest is not None
    if file.exists():
        draft = Draft(file=file, **json.loads(file.read_text(encoding="utf-8")))
        version = dataset.versions.filter(pk=draft.base).first()
        if draft.saving and Job.objects.filter(pk=draft.saving, state__in=Job.ENDED).exists():
            draft.saving = ""
        if version is not None and (draft.operations or version == latest):
            return draft, version
    return Draft(file, str(latest.pk)), latest


@contextmanager
def changing(dataset: Dataset, user: Any) -> Iterator[tuple[Draft, Version]]:
    """The draft of a person, to change it: kept at the end, one change at a time."""
    with transaction.atomic():
        Dataset.objects.select_for_update().get(pk=dataset.pk)
        draft, version = draft_of(dataset, user)
        if draft.saving:
            raise DataError(_("your edits are being saved; wait a moment, then go on"))
        yield draft, version
        draft.write()


def why_not_overwritten(version: Version, draft: Draft) -> str:
    """Why a version cannot be overwritten, or nothing: runs and releases use it, or others edit it."""
    if version.run_set.exists() or version.release_set.exists():
        return "a run or a release uses this version; save a new version instead"
    for file in draft.file.parent.glob(f"{version.dataset_id}-*.json"):
        other = json.loads(file.read_text(encoding="utf-8"))
        if file != draft.file and other["base"] == str(version.pk) and other["operations"]:
            return "somebody else has unsaved edits of this version; save a new version instead"
    return ""
