"""Every address of the server, and people of every role with a project in which each address finds its objects."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from web.every_study import STUDY_PEOPLE, STUDY_ROLES, allowed_in_study, build_study

ROLES = ("viewer", "member", "owner")
MARKS = {"anyone", "signed-in", "ita", "leads-studies", "api", *ROLES, *STUDY_ROLES}
PEOPLE = (None, "stranger", "viewer", "member", "owner", "ita")
UNANSWERED = {  # what they are about is not there: a passkey, an app with codes, single sign-on, a choice in the form
    "mfa_remove_webauthn",
    "mfa_deactivate_totp",
    "mfa_view_recovery_codes",
    "me-single-connect",
    "me-look",
    "me-session-end",
    "desk-invite-withdraw",
    "desk-person",
    "study-people-centre",
    "study-filter-values",
    "study-chart-download",
    "study-chart-shared-file",
    "study-export-download",
}
# what a request may write besides what it was made for
UNCOUNTED = {"Session", "Seal", "Event", "Heartbeat", "UserSession", "ContentType", "Permission"}
KEPT = {  # figures about an object that does not change, computed when somebody first asks
    'UPDATE "workbench_version" SET "profile" = %s',
    'UPDATE "workbench_asset" SET "facts" = %s',
}
_WRITING = re.compile(r"(?:INSERT|UPDATE|DELETE|REPLACE)\b[^\"]*\"(\w+)\"")


@dataclass(frozen=True)
class Address:
    """A pattern of the resolver: its whole route, the names of its arguments, its view, and the marks on the view."""

    route: str
    arguments: tuple[str, ...]
    view: Any
    name: str = ""
    role: str = field(default="")
    grant: str = ""

    def url(self, values: dict[str, Any]) -> str:
        """The address with these values for its arguments."""
        url = "/" + self.route
        for name in self.arguments:
            start = url.index("<")
            end = url.index(">")
            assert url[start + 1 : end].rpartition(":")[2] == name
            url = url[:start] + str(values[name]) + url[end + 1 :]
        return url


def addresses() -> list[Address]:
    """Every address that the resolver knows, in its order."""
    return list(_walk(get_resolver(), "", ()))


def _walk(resolver: URLResolver, before: str, arguments: tuple[str, ...]) -> Iterator[Address]:
    for entry in resolver.url_patterns:
        route, names = before + str(entry.pattern), (*arguments, *entry.pattern.converters)
        if isinstance(entry, URLPattern):
            marks = (getattr(entry.callback, mark, "") for mark in ("role", "grant"))
            yield Address(route, names, entry.callback, entry.name or "", *marks)
        else:
            yield from _walk(entry, route, names)


def allowed(address: Address, person: str | None) -> bool:
    """Whether somebody may open an address with this mark."""
    mark = address.role
    if mark in STUDY_ROLES:
        return allowed_in_study(address, person)
    if mark == "leads-studies":
        return person in ("administrator", "outsider", "inspector")
    if mark == "anyone":
        return True
    if mark == "signed-in":
        return person is not None
    if mark == "ita":
        return person == "ita"
    return person in ROLES and ROLES.index(str(person)) >= ROLES.index(mark)


def people() -> dict[str, Any]:
    """A user for each role."""
    users = get_user_model().objects
    return {
        name: users.create_user(
            name, is_ita=name in ("ita", "inspector"), leads_studies=name in ("administrator", "outsider")
        )
        for name in dict.fromkeys([*PEOPLE, *STUDY_PEOPLE])
        if name is not None
    }


@dataclass(frozen=True)
class World:
    """Objects for the arguments of addresses.

    usual : by the name of the argument.  special : by the name of the address or its beginning, where the usual object
    is of another kind than the page is for.
    """

    usual: dict[str, Any]
    special: dict[str, dict[str, Any]]

    def values(self, address: Address) -> dict[str, Any]:
        """Values for the arguments of an address."""
        chosen = dict(self.usual)
        for name in (address.name.partition("-")[0], address.name):
            chosen |= self.special.get(name, {})
        return chosen


def finish_jobs() -> None:
    """Do the jobs that wait, in this process."""
    from sfumato.web.jobs.kinds import KINDS, loaded
    from sfumato.web.jobs.models import Job
    from sfumato.web.jobs.queue import claim, close

    here = Path.cwd()
    while (job := claim("here")) is not None:
        os.chdir(job.project.folder)
        try:
            result = loaded(KINDS[job.kind].work)(**job.arguments, progress=_silent)
        finally:
            os.chdir(here)
        assert close(job, Job.DONE, result=result)


def _silent(phase: str, done: int, total: int) -> None:
    """Nobody follows."""


def build_world(users: dict[str, Any]) -> World:
    """A project and a study with objects of every kind, made as the pages make them."""
    from allauth.socialaccount.models import SocialAccount

    from sfumato.web.accounts.models import Certificate, Invitation, Token
    from sfumato.web.jobs.models import Job
    from sfumato.web.workbench.comparison.drafts import add_configuration, draft_of
    from sfumato.web.workbench.comparison.experiments import start_comparison
    from sfumato.web.workbench.evaluation.starting import start_evaluation
    from sfumato.web.workbench.models import Asset, Member, Project
    from sfumato.web.workbench.releases.making import make_release, publish_release
    from sfumato.web.workbench.versions import new_dataset
    from web.conftest import SALES, TABLE

    owner = users["owner"]
    project = Project.objects.create(name="Clinic", owner=owner)
    deleted = Project.objects.create(name="Old", owner=owner, deleted=timezone.now())
    for name in ("viewer", "member"):
        Member.objects.create(project=project, user=users[name], role=name)
    version = new_dataset(project, "patients", SALES, dict(TABLE), by=owner)
    (project.folder / "assets" / "zip.csv").write_text("4310,431*,*\n4311,431*,*\n4312,431*,*\n")
    asset = Asset.objects.create(
        dataset=version.dataset, kind="hierarchy", attribute="zip", name="zip", file="assets/zip.csv"
    )
    definition: dict[str, Any] = {
        "version": str(version.id), "method": "cluster", "parameters": {"k": 2}, "measures": [], "promises": [],
        "seed": None, "vary": None,
    }  # fmt: skip
    run = start_evaluation(project, owner, definition)
    varied = start_evaluation(project, owner, {**definition, "vary": {"parameter": "k", "values": [2, 3]}})
    client = Client()
    client.force_login(owner)
    pages = f"/p/{project.id}"
    client.post(f"{pages}/audit/run/", {"dataset": str(version.dataset_id)})
    client.post(f"{pages}/data/new/", {"file": SimpleUploadedFile("more.csv", b"age,sex\n31,f\n32,m\n")})
    finish_jobs()
    release = make_release(run, owner, name="One")
    publish_release(release, owner)
    finish_jobs()
    configuration = add_configuration(project, owner, definition)
    compared = start_comparison(project, owner, draft_of(project, owner))  # it waits: its runs are processes
    token = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        token_sha256=sha256(token.encode()).hexdigest(),
        inviter=owner,
        project=project,
        role="viewer",
        expires=timezone.now() + timedelta(days=7),
    )
    usual, special = build_study(users, version)
    usual |= {
        "project_id": project.id,
        "dataset_id": version.dataset_id,
        "version_id": version.id,
        "asset_id": asset.id,
        "run_id": run.id,
        "release_id": release.id,
        "job_id": run.job_id,
        "user_id": users["viewer"].id,
        "invitation_id": invitation.id,
        "certificate_id": Certificate.objects.create(user=owner, sha256="0" * 64, name="card").id,
        "token_id": Token.objects.create(user=owner, name="script", sha256="1" * 64).id,
        "account_id": SocialAccount.objects.create(user=owner, provider="oidc", uid="1").id,
        "pk": 0,
        "identity": configuration["id"],
        "token": token,
        "provider_id": "oidc",
        "generator": "tables",
        "number": 0,
        "kind": "hierarchy",
        "form": "csv",
        "table": "methods",
        "rest": "nothing",
    }
    special |= {
        "data-uploaded": {"job_id": Job.objects.get(project=project, kind="read").id},
        "evaluate-varying": {"run_id": varied.id},
        "evaluate-keep": {"run_id": varied.id},
        "compare": {"run_id": compared.id},
        "audit": {"run_id": project.runs.get(mode="audit").id},
        "me-project-restore": {"project_id": deleted.id},
    }
    return World(usual, special)


class Written:
    """Which tables statements write to while it is open, except those that any request may write to."""

    def __init__(self) -> None:
        self.tables: set[str] = set()
        self._uncounted = {model._meta.db_table for model in apps.get_models() if model.__name__ in UNCOUNTED}
        self._uncounted.add("cache")  # limits of how often are counted there
        self._wrapped = connection.execute_wrapper(self._execute)

    def __enter__(self) -> set[str]:
        self._wrapped.__enter__()
        return self.tables

    def __exit__(self, *error: Any) -> None:
        self._wrapped.__exit__(*error)

    def _execute(self, execute: Any, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        outcome = execute(sql, params, many, context)
        counts = (statement := _WRITING.match(sql)) and sql.partition(" WHERE ")[0] not in KEPT
        if statement and counts and context["cursor"].rowcount:
            self.tables |= {statement[1]} - self._uncounted
        return outcome


def files(folder: Path) -> set[tuple[str, int, int]]:
    """Every file below a folder, with its size and time; what is compiled or kept for a moment does not count."""
    return {
        (str(path), path.stat().st_size, path.stat().st_mtime_ns)
        for path in (folder / "projects").rglob("*")
        if path.is_file() and "orders" not in path.parts
    }
