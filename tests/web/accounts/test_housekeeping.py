"""Retention dates, deletion with thirty days to restore, accounts that have left."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from sfumato.web.accounts.housekeeping import delete_project, housekeeping, housekeeping_if_due, restore_project
from sfumato.web.accounts.models import Event, Invitation, Session, User
from sfumato.web.jobs.models import Job
from sfumato.web.jobs.queue import enqueue
from sfumato.web.workbench.models import Project


def days_ago(number: int) -> Any:
    return timezone.now() - timedelta(days=number)


def test_a_retention_date_is_announced_before_it_acts(client: Any, project: Any) -> None:
    project.retention = timezone.now().date() + timedelta(days=14)
    project.save()
    housekeeping()
    housekeeping()
    announced = Event.objects.get(verb="announce")
    assert announced.project_id == project.id
    assert f"retention date on {project.retention}" in client.get(f"/p/{project.id}/").content.decode()
    Project.objects.update(retention=timezone.now().date())
    housekeeping()  # another date, which was not announced
    assert Project.objects.get().deleted is None
    Event.objects.filter(verb="announce").update(at=days_ago(14))
    housekeeping()
    assert Project.objects.get().deleted is not None
    assert client.get(f"/p/{project.id}/").status_code == 404


def test_a_date_far_away_is_not_announced(client: Any, project: Any) -> None:
    project.retention = timezone.now().date() + timedelta(days=15)
    project.save()
    housekeeping()
    assert not Event.objects.filter(verb="announce").exists()
    assert b"retention date" not in client.get(f"/p/{project.id}/").content


def test_a_deleted_project_is_restored_or_removed_after_thirty_days(owner: Any, version: Any) -> None:
    project = version.dataset.project
    file, job = version.path, enqueue("warm", {}, project=project)
    delete_project(project, owner)
    job.refresh_from_db()
    assert job.state == Job.CANCELLED
    Project.objects.update(deleted=days_ago(29))
    housekeeping()
    assert file.exists()
    restore_project(Project.objects.get(), owner)
    assert list(Project.visible_to(owner)) == [project]
    folder = project.folder
    Project.objects.update(deleted=days_ago(30))
    housekeeping()
    assert not Project.objects.exists()
    assert not folder.exists()
    assert set(Event.objects.values_list("verb", flat=True)) >= {"delete", "restore", "remove"}


def test_a_published_release_of_a_removed_project_is_withdrawn(owner: Any, project: Any) -> None:
    release = project.releases.create(name="x", file="releases/x", published=timezone.now())
    Project.objects.update(deleted=days_ago(30))
    housekeeping()
    assert Event.objects.get(verb="withdraw").object == f"release {release.id}"


def test_accounts_sessions_and_invitations_end(owner: Any, project: Any) -> None:
    gone = User.objects.create_user("gone", is_active=False, left=days_ago(30))
    User.objects.filter(pk=owner.pk).update(
        left=days_ago(30), is_active=False
    )  # owns a project: stays until that is gone
    Session.objects.create(session_key="old", session_data="", expire_date=days_ago(1))
    Session.objects.create(session_key="new", session_data="", expire_date=timezone.now() + timedelta(days=1))
    Invitation.objects.create(token_sha256="0" * 64, expires=days_ago(31))
    housekeeping()
    assert not User.objects.filter(pk=gone.pk).exists()
    assert list(User.objects.all()) == [owner]
    assert [row.session_key for row in Session.objects.all()] == ["new"]
    assert not Invitation.objects.exists()


def test_a_failure_does_not_stop_the_worker(db: Any, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    from sfumato.web.accounts import housekeeping as module

    calls = []

    def broken() -> None:
        calls.append(1)
        raise OSError("disk")

    monkeypatch.setattr(module, "housekeeping", broken)
    monkeypatch.setitem(module._last, "time", -1e9)
    housekeeping_if_due()
    housekeeping_if_due()
    assert len(calls) == 1
