"""Callers of the JSON interface: people of every role, each with a token."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from django.test import Client

from web.conftest import SALES, TABLE
from web.every_url import people


@pytest.fixture
def users(db: Any) -> dict[str, Any]:
    """A user of every role, with the token `token-of-<role>`."""
    from sfumato.web.accounts.models import Token

    created = people()
    for name, user in created.items():
        Token.objects.create(user=user, name="test", sha256=sha256(f"token-of-{name}".encode()).hexdigest())
    return created


@pytest.fixture
def world(users: dict[str, Any]) -> dict[str, Any]:
    """A project with one object of every kind, by the names of arguments; no run has files."""
    from sfumato.web.jobs.models import Job
    from sfumato.web.workbench.models import Asset, Member, Project, Release, Run
    from sfumato.web.workbench.versions import new_dataset

    owner = users["owner"]
    project = Project.objects.create(name="Clinic", owner=owner)
    for name in ("viewer", "member"):
        Member.objects.create(project=project, user=users[name], role=name)
    version = new_dataset(project, "patients", SALES, dict(TABLE), by=owner)
    (project.folder / "assets" / "zip.csv").write_text("4310,431*,*\n4311,431*,*\n4312,431*,*\n")
    facts = {"dataset": version.dataset, "kind": "hierarchy", "attribute": "zip", "name": "zip"}
    asset = Asset.objects.create(**facts, file="assets/zip.csv")
    job = Job.objects.create(kind="warm", project=project, user=owner, state=Job.DONE, result={})
    run = Run.objects.create(project=project, mode="evaluate", version=version, job=job, by=owner)
    release = Release.objects.create(project=project, run=run, version=version, name="one", file="releases/one")
    (project.folder / "releases" / "one").mkdir()
    return {
        "project_id": project.id,
        "dataset_id": version.dataset_id,
        "asset_id": asset.id,
        "job_id": job.id,
        "run_id": run.id,
        "release_id": release.id,
        "table": "methods",
    }


@pytest.fixture
def call(users: dict[str, Any]) -> Callable[..., Any]:
    """Call an operation as somebody: `call("GET", "/jobs", "owner")`, with a body in JSON."""

    def called(method: str, path: str, person: str | None = "owner", body: Any = None, **headers: Any) -> Any:
        if person is not None:
            headers["HTTP_AUTHORIZATION"] = f"Bearer token-of-{person}"
        content = "" if body is None else json.dumps(body)
        client = Client(raise_request_exception=False, enforce_csrf_checks=True)
        return client.generic(method, f"/api/1{path}", content, content_type="application/json", **headers)

    return called
