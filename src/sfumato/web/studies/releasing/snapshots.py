"""Snapshots: the answers of a moment become a dataset of the workbench; what was made and published of them."""

from __future__ import annotations

import uuid
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from sfumato.errors import CallerError
from sfumato.prepare.editing.hierarchy_drafts import HierarchyDraft
from sfumato.web.accounts.models import Event
from sfumato.web.studies.filtering.compiling import entries_where
from sfumato.web.studies.filtering.conditions import from_json
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Entry, Snapshot, Study
from sfumato.web.studies.releasing.content import Content, content_of
from sfumato.web.studies.releasing.definition import Definition
from sfumato.web.studies.releasing.people import people_in
from sfumato.web.studies.releasing.projects import project_of
from sfumato.web.workbench.configuration.assets import new_asset
from sfumato.web.workbench.configuration.states import write_state
from sfumato.web.workbench.datasets.reading_job import profile_of
from sfumato.web.workbench.models import Release, Run, Version
from sfumato.web.workbench.versions import new_dataset

__all__ = ["Made", "content_now", "entries_of", "made_of", "releases_of", "take_snapshot"]


class Made(NamedTuple):
    """A snapshot, how many of its people withdrew or were deleted since, its evaluations and its releases."""

    snapshot: Snapshot
    gone: int
    runs: int
    releases: list[Release]


def take_snapshot(study: Study, user: Any, definition: Definition) -> Snapshot:
    """Send the answers of this moment to the project of the study, as a new dataset with its hierarchies."""
    with transaction.atomic():
        current = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        project = project_of(current, user)
        content = content_now(current, definition)
        number = current.snapshots.count() + 1
        name = f"{current.name[:150]}, {number} ({timezone.localdate():%Y-%m-%d})"
        profile = profile_of(content.frame, content.reading)
        version = new_dataset(project, name, content.frame, content.reading, by=user, profile=profile)
        _keep_trees(version, content, user)
        snapshot = Snapshot.objects.create(
            study=current, version=version, by=user, definition=definition.to_json(), people=len(content.people)
        )
        snapshot.versions.add(version)
        through = Snapshot.entries.through
        links = (through(snapshot_id=snapshot.id, entry_id=entry) for entry in content.people)
        through.objects.bulk_create(links, batch_size=2000)
        Event.record(user, "snapshot", f"snapshot {snapshot.id}", project=current)
        Event.record(user, "add", f"dataset {version.dataset_id}", project=project)
    study.project = current.project
    return snapshot


def content_now(study: Study, definition: Definition) -> Content:
    """What a snapshot of this moment would hold."""
    version = study.form_version
    if version is None:
        raise CallerError(_("release: wanted a form that is published, found a draft only"))
    return content_of(Form.from_json(version.tree), definition, entries_of(study, definition), str(study.id))


def entries_of(study: Study, definition: Definition) -> QuerySet[Entry]:
    """The entries that a definition chooses."""
    entries = people_in(study, drafts=definition.drafts)
    if not definition.condition:
        return entries
    return entries_where(study, from_json(dict(definition.condition)), entries)


def made_of(study: Study) -> list[Made]:
    """The snapshots of a study, the newest first, with what came of them."""
    rows = []
    for snapshot in study.snapshots.select_related("version__dataset", "by"):
        runs = Run.objects.filter(version__in=snapshot.versions.all(), mode="evaluate").count()
        rows.append(Made(snapshot, snapshot.gone, runs, list(releases_of(snapshot))))
    return rows


def releases_of(snapshot: Snapshot) -> QuerySet[Release]:
    """The releases that were made of a snapshot or of versions and copies of it, published or not."""
    return snapshot.releases.order_by("created")


def _keep_trees(version: Version, content: Content, user: Any) -> None:
    """The hierarchies as side knowledge of the dataset; one that was computed from answers is marked private."""
    trees = [("hierarchy", column, tree) for column, tree in content.trees.items()]
    if content.taxonomy is not None:
        trees.append(("taxonomy", "", content.taxonomy))
    for kind, column, tree in trees:
        file = f"assets/{uuid.uuid4()}.csv"
        path = version.dataset.project.folder / file
        derived, facts = write_state(kind, HierarchyDraft.of(tree), path)
        path.chmod(0o600)
        new_asset(version.dataset, kind, attribute=column, file=file, derived=derived, facts=facts, by=user)
