"""After a person withdrew, nothing new is made of the data that hold them: by pages, by the interface, by copies."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import polars as pl
import pytest
from django.urls import reverse
from django.utils import timezone

from sfumato.errors import CallerError
from sfumato.web.accounts.models import Token
from sfumato.web.jobs.models import Job
from sfumato.web.studies.releasing.definition import Definition
from sfumato.web.studies.releasing.snapshots import releases_of, take_snapshot
from sfumato.web.studies.releasing.withdrawing import take_back, withdraw
from sfumato.web.workbench.comparison.finishing import kept
from sfumato.web.workbench.models import Dataset, Release, Run
from sfumato.web.workbench.releases.making import finish_publish, make_release, publish_release
from sfumato.web.workbench.versions import save_frame
from sfumato.web.workbench.withdrawals import keep_snapshots, require_nobody_withdrew

REFUSAL = "1 person in these data withdrew"


@pytest.fixture
def person(study: Any, enter: Any, bob: Any, eve: Any) -> Any:
    """One of four persons with complete entries."""
    entries = [
        enter(user, {"age": str(age), "gender": "f"}) for user, age in ((bob, 30), (bob, 31), (eve, 32), (eve, 33))
    ]
    study.entries.update(complete=timezone.now())
    return entries[0]


@pytest.fixture
def sent(study: Any, person: Any, owner: Any) -> Any:
    """The version that was made of all four."""
    return take_snapshot(study, owner, Definition(roles={"organisms": "out", "diagnosis": "out"})).version


@pytest.fixture
def release(sent: Any, owner: Any) -> Any:
    """An unpublished release of it."""
    row = Release.objects.create(project=sent.dataset.project, version=sent, name="One", file="releases/x", by=owner)
    keep_snapshots(row, sent)
    return row


def copy_of(version: Any) -> Any:
    """The data in another dataset, as somebody saves edits."""
    dataset = Dataset.objects.create(project=version.dataset.project, name="copy", kind="table")
    return save_frame(dataset, pl.read_parquet(version.path), version.reading, parent=version)


def test_every_page_refuses(client: Any, sent: Any, release: Any, person: Any, owner: Any) -> None:
    project = sent.dataset.project
    runs = {
        mode: Run.objects.create(project=project, mode=mode, version=sent) for mode in ("evaluate", "compare", "advise")
    }
    (runs["evaluate"].folder / "release").mkdir(parents=True)
    candidate = {"method": "cluster", "parameters": {"k": 2}, "measures": [], "promises": [], "policy_size": 0}
    Run.objects.filter(mode="advise").update(summary={"candidates": [candidate]})
    withdraw(person, owner)
    doors: list[tuple[str, list[Any], dict[str, Any]]] = [
        ("advise-run", [], {"dataset": sent.dataset_id, "promise": "k-anonymity", "k-anonymity-k": 2, "seconds": 5}),
        ("advise-take", [runs["advise"].id], {"candidate": 0}),
        ("compare-continue", [runs["compare"].id], {}),
        ("compare-keep", [runs["compare"].id], {"number": 0}),
        ("releases-make", [runs["evaluate"].id], {"name": "x"}),
        ("release-publish", [release.id], {}),
        ("data-export", [sent.dataset_id, sent.id], {"format": "csv"}),
    ]
    for name, arguments, fields in doors:
        answer = client.post(reverse(name, args=[project.id, *arguments]), fields, follow=True)
        assert REFUSAL in answer.content.decode(), name
    assert not Job.objects.exists()
    take_back(person, owner, "a mistake")
    answer = client.post(reverse("data-export", args=[project.id, sent.dataset_id, sent.id]), {"format": "csv"})
    assert answer["Content-Disposition"].startswith("attachment")


def test_the_json_interface_refuses(client: Any, sent: Any, release: Any, person: Any, owner: Any) -> None:
    Token.objects.create(user=owner, name="test", sha256=sha256(b"key").hexdigest())
    project = sent.dataset.project
    run = Run.objects.create(project=project, mode="evaluate", version=sent)
    (run.folder / "release").mkdir(parents=True)
    withdraw(person, owner)
    data = {"dataset": str(sent.dataset_id)}
    method = {"method": "cluster", "parameters": {"k": 2}}
    for address, body in (
        ("evaluate", {**data, **method}),
        ("compare", {**data, "configurations": [{"name": "a", **method}]}),
        ("advise", {**data, "promises": [{"model": "k-anonymity", "parameters": {"k": 2}}]}),
        ("releases", {"run": str(run.id)}),
        (f"releases/{release.id}/publish", {}),
        (f"datasets/{sent.dataset_id}/file", None),
    ):
        path, bearer = f"/api/1/projects/{project.id}/{address}", {"Authorization": "Bearer key"}
        send = client.get if body is None else client.post
        options = {} if body is None else {"data": body, "content_type": "application/json"}
        answer = send(path, headers=bearer, **options)
        assert 400 <= answer.status_code < 500, address
        assert REFUSAL in answer.content.decode(), (address, answer.content)
    assert not Job.objects.exists()


def test_a_copy_holds_the_person_also_without_what_was_sent(sent: Any, person: Any, owner: Any, study: Any) -> None:
    project, snapshot = sent.dataset.project, study.snapshots.get()
    copy = copy_of(sent)
    run = Run.objects.create(project=project, mode="compare", version=copy)
    job = Job.objects.create(kind="compare-keep", project=project, title="kept", arguments={"run": run.file})
    kept(job, {"file": copy.file, "rows": copy.rows, "reading": copy.reading})
    published = Dataset.objects.get(name="kept").latest
    release = Release.objects.create(project=project, version=copy, name="One", file="releases/x")
    keep_snapshots(release, copy)
    for dataset in (sent.dataset, copy.dataset):
        dataset.delete()
    withdraw(person, owner)
    for source in (published, Release.objects.get()):
        with pytest.raises(CallerError, match=REFUSAL):
            require_nobody_withdrew(source)
    assert list(releases_of(snapshot)) == [release]


def test_a_person_who_is_deleted_is_out_too(sent: Any, release: Any, person: Any, owner: Any) -> None:
    job = publish_release(release, owner)
    person.delete()
    finish_publish(job, {"refused": "", "number": 1, "certificate": {}})  # they left while it was attacked
    release.refresh_from_db()
    job.refresh_from_db()
    assert (release.published, job.state) == (None, Job.FAILED)
    assert REFUSAL in job.sentence
    run = Run.objects.create(project=release.project, mode="evaluate", version=sent)
    (run.folder / "release").mkdir(parents=True)
    with pytest.raises(CallerError, match=REFUSAL):
        make_release(run, owner, name="x")
