"""The list of projects and the first page of each."""

from __future__ import annotations

from typing import Any


def test_the_home_page_lists_projects(client: Any, project: Any) -> None:
    page = client.get("/")
    assert page.status_code == 200
    assert b"Clinic" in page.content


def test_a_project_of_somebody_else_is_not_there(client: Any, project: Any, django_user_model: Any) -> None:
    client.force_login(django_user_model.objects.create_user("bob"))
    assert client.get(f"/p/{project.id}/").status_code == 404


def test_the_page_of_a_project_continues_where_it_stands(client: Any, project: Any, version: Any) -> None:
    from django.urls import reverse

    from sfumato.web.workbench.models import Release
    from sfumato.web.workbench.projects.steps import next_of, steps_of

    assert next_of(project, "owner").url == reverse("advise", args=[project.id])
    assert [step.state for step in steps_of(project, "owner")] == ["done", "later", "next", "later", "later"]
    release = Release.objects.create(project=project, name="One", version=version, file="releases/x")
    assert next_of(project, "member").url == reverse("release", args=[project.id, release.id])
    assert next_of(project, "viewer").url == reverse("runs", args=[project.id])
    page = client.get(f"/p/{project.id}/").content.decode()
    assert "patients" in page
    client.post(f"/p/{project.id}/rename/", {"name": "Ward <i>"})
    assert "Ward &lt;i&gt;" in client.get("/").content.decode()


def test_a_version_is_loaded_with_its_roles(version: Any) -> None:
    from sfumato.web.workbench.loading import load

    data = load(version.source(), version.dataset.project.folder)
    assert (data.kind, len(data)) == ("table", 12)
    assert data.quasi_identifiers == ("age", "sex", "zip")
