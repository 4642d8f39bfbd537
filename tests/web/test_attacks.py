"""Attacks that worked once, or that must never work: redirects, sessions, odd texts, quotas, viewers."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from sfumato.errors import DataError
from sfumato.web.accounts.invitations.making import invite
from sfumato.web.accounts.models import Token
from sfumato.web.interface.sentences import without_places
from sfumato.web.jobs.models import Job
from sfumato.web.workbench.datasets.figures import histogram_of
from sfumato.web.workbench.datasets.reading_job import read_upload
from sfumato.web.workbench.models import Dataset, Member, Project

PASSWORD = {"username": "ann", "password": "correct horse battery"}


@pytest.fixture(autouse=True)
def team(settings: Any) -> None:
    settings.SFUMATO_TEAM = True


@pytest.mark.parametrize("target", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_nobody_is_sent_elsewhere(client: Any, owner: Any, target: str) -> None:
    assert Client().post("/sign-in/", {**PASSWORD, "next": target}).url == "/"
    assert client.post("/language/", {"language": "en", "next": target}).url == "/"
    job = Job.objects.create(kind="warm", user=owner)
    assert client.post(f"/jobs/{job.id}/cancel/", {"next": target}).url == "/jobs/"


def test_a_session_that_was_planted_is_not_taken_over(owner: Any, settings: Any) -> None:
    owner.is_ita = True
    owner.save()
    browser = Client()
    browser.get(f"/invite/{invite(owner)[1]}/")  # gives a session to somebody who is not signed in
    planted = browser.cookies[settings.SESSION_COOKIE_NAME].value
    browser.post("/sign-in/", PASSWORD)
    assert browser.get("/").status_code == 200
    other = Client()
    other.cookies[settings.SESSION_COOKIE_NAME] = planted
    assert other.get("/").status_code == 302


def test_a_closed_account_does_nothing_more(client: Any, owner: Any) -> None:
    Token.objects.create(user=owner, name="x", sha256=sha256(b"token").hexdigest())
    bearer = {"HTTP_AUTHORIZATION": "Bearer token"}
    assert (client.get("/").status_code, Client().get("/api/1/projects", **bearer).status_code) == (200, 200)
    owner.is_active = False
    owner.save()
    assert (client.get("/").status_code, Client().get("/api/1/projects", **bearer).status_code) == (302, 401)
    assert Client().post("/sign-in/", PASSWORD).status_code == 403


def test_texts_that_cannot_be_kept_are_bad_requests(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.post("/me/tokens/new/", {"name": "x", "days": "9" * 5000}).status_code == 400

    def refusing(*_: Any, **__: Any) -> None:
        raise ValueError("A string literal cannot contain NUL (0x00) characters.")  # as psycopg does

    monkeypatch.setattr(Project.objects, "create", refusing)
    assert client.post("/p/new/", {"name": "a\x00b"}).status_code == 400


def test_sentences_name_files_of_a_project_only(settings: Any, project: Any) -> None:
    assert without_places(f"{project.folder}/runs/x.toml: no table") == "runs/x.toml: no table"
    assert without_places(f"{settings.SFUMATO_HOME}/incoming: no file") == "incoming: no file"


def test_nothing_is_left_of_an_upload_that_a_quota_refuses(client: Any, owner: Any, project: Any) -> None:
    owner.quota_bytes = 10
    owner.save()
    Token.objects.create(user=owner, name="x", sha256=sha256(b"token").hexdigest())
    api = f"/api/1/projects/{project.id}/datasets"
    for address in (f"/p/{project.id}/data/new/", "/p/drop/", api):
        file = SimpleUploadedFile("more.csv", b"age,sex\n31,f\n32,m\n")
        answer = client.post(address, {"file": file}, HTTP_AUTHORIZATION="Bearer token")
        assert answer.status_code == 422, address
        assert b"Quota" in answer.content
    assert not Job.objects.exists()
    assert list(Project.visible_to(owner)) == [project]
    folders = [each.folder / "uploads" for each in Project.objects.all()]
    assert [path for folder in folders for path in folder.iterdir()] == []


def test_a_file_of_a_million_columns_is_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wide.csv").write_text(",".join(f"c{number}" for number in range(1_000_000)) + "\n")
    facts: dict[str, Any] = {"options": {}, "roles": {}, "unpacked": 2**30}
    with pytest.raises(DataError, match="wanted at most 2,000 columns"):
        read_upload(file="wide.csv", name="wide.csv", **facts, progress=lambda *_: None)


def test_roles_that_are_brackets_only_are_refused(client: Any, owner: Any, project: Any) -> None:
    Token.objects.create(user=owner, name="x", sha256=sha256(b"token").hexdigest())
    sent = {"file": SimpleUploadedFile("more.csv", b"age\n31\n"), "roles": "[" * 100_000}
    answer = client.post(f"/api/1/projects/{project.id}/datasets", sent, HTTP_AUTHORIZATION="Bearer token")
    assert answer.status_code == 422


def test_a_viewer_sees_neither_a_map_nor_bars_of_few_people(client: Any, version: Any, django_user_model: Any) -> None:
    eve = django_user_model.objects.create_user("eve")
    Member.objects.create(project=version.dataset.project, user=eve, role="viewer")
    client.force_login(eve)
    Dataset.objects.update(kind="trajectories")
    assert client.get(f"/p/{version.dataset.project_id}/data/{version.dataset_id}/map.svg").status_code == 404
    seen = [
        sum(histogram_of(version.path, "age", version.reading, rows_visible=visible).bars.values())
        for visible in (True, False)
    ]
    assert seen == [12, 0]
