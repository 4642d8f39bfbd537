"""Releases in the browser: made of a run, published, downloaded, withdrawn; and what others may not do."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from sfumato import anonymize, verify
from sfumato.errors import CallerError
from sfumato.io.published.signature import check_signature
from sfumato.web.accounts.models import Event
from sfumato.web.workbench.loading import load
from sfumato.web.workbench.models import Member, Project, Release
from sfumato.web.workbench.releases.making import arguments_of, discard_release, make_release, publish_release


@pytest.fixture
def people(django_user_model: Any, project: Any) -> dict[str, Any]:
    """A member, a viewer and a person of no project."""
    users = {name: django_user_model.objects.create_user(name) for name in ("member", "viewer", "other")}
    for role in ("member", "viewer"):
        Member.objects.create(project=project, user=users[role], role=role)
    return users


def post(client: Any, address: str, /, *args: Any, **fields: Any) -> Any:
    return client.post(reverse(address, args=args), fields)


def test_from_a_run_to_a_verified_download(
    client: Any, project: Any, evaluated: Any, run_jobs: Any, tmp_path: Path
) -> None:
    run = evaluated()
    seen = {path.name: path.read_bytes() for path in (run.folder / "release").rglob("*") if path.is_file()}
    answer = post(client, "releases-make", project.id, run.id, name="Patients <b>2026</b>", publish="1")
    release = Release.objects.get()
    assert answer.url == reverse("release", args=[project.id, release.id])
    assert run_jobs() == 1
    release.refresh_from_db()
    assert release.number == 1
    assert release.published is not None
    page = client.get(answer.url).content.decode()
    assert "Patients &lt;b&gt;2026&lt;/b&gt;" in page
    assert "finds at least 3 records that match" in page
    assert "Not covered" in page
    answer = post(client, "release-zip", project.id, release.id)
    assert answer["Content-Disposition"] == 'attachment; filename="patients-b2026b.zip"'
    assert answer["Cache-Control"] == "no-store"
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        assert all(name.startswith("patients-b2026b/") and ".." not in name for name in archive.namelist())
        assert {Path(name).name: archive.read(name) for name in archive.namelist()} == seen
        archive.extractall(tmp_path / "download")
    answer.close()
    check = verify(tmp_path / "download" / "patients-b2026b")
    assert check.holds, check.problems
    verbs = list(Event.objects.order_by("id").values_list("verb", flat=True))
    assert verbs == ["make", "publish", "download"]


def test_the_directory_is_what_anonymizing_the_data_directly_publishes(
    project: Any, version: Any, evaluated: Any, tmp_path: Path
) -> None:
    """The same files, byte by byte; nothing of the project, of the run or of the report is among them."""
    release = make_release(evaluated(seed=1), project.owner, name="One")
    direct = anonymize(load(version.source(), project.folder), "cluster", k=3, seed=1).write(tmp_path / "direct").path
    folders = (release.folder, direct)
    files = [{p.relative_to(f).as_posix(): p.read_bytes() for p in f.rglob("*") if p.is_file()} for f in folders]
    assert files[0] == files[1]
    everything = b"".join(files[0].values())
    for private in (project.id, release.run_id, project.folder, "ann", "Clinic", "correspondence"):
        assert str(private).encode() not in everything


def test_a_broken_promise_is_published_by_the_owner_with_a_reason_alone(
    client: Any, project: Any, evaluated: Any, people: dict[str, Any], work_here: Any
) -> None:
    run = evaluated(promises=("l-diversity:l=4",))
    assert (run.folder / "refused").is_dir()
    client.force_login(people["member"])
    assert post(client, "releases-make", project.id, run.id, override="1", reason="I say so").status_code == 422
    client.force_login(project.owner)
    assert post(client, "releases-make", project.id, run.id).status_code == 422
    assert post(client, "releases-make", project.id, run.id, override="1", reason=" ").status_code == 422
    assert not Release.objects.exists()
    post(client, "releases-make", project.id, run.id, override="1", reason="Approved by the board")
    release = Release.objects.get()
    client.force_login(people["member"])
    assert post(client, "release-publish", project.id, release.id, override="1", reason="x").status_code == 422
    client.force_login(project.owner)
    post(client, "release-publish", project.id, release.id, override="1", reason="Approved by the board")
    work_here()
    release.refresh_from_db()
    assert release.published is not None
    assert release.certificate["override"] is True
    overrides = Event.objects.filter(verb="override")
    assert [event.reason for event in overrides] == ["Approved by the board"] * 2
    assert not verify(release.folder).holds


def test_a_viewer_sees_the_certificate_and_no_rows(
    client: Any, project: Any, evaluated: Any, people: dict[str, Any]
) -> None:
    run = evaluated()
    release = make_release(run, project.owner, name="One")
    (project.folder / f"reports/{release.id}.private.html").write_text("secret")
    (project.folder / f"reports/{release.id}.public.html").write_text("open")
    row = (release.folder / "data.csv").read_text().splitlines()[1].split(",")[0]
    page = reverse("release", args=[project.id, release.id])
    assert row in client.get(page).content.decode()
    client.force_login(people["viewer"])
    shown = client.get(page).content.decode()
    assert "finds at least 3 records" in shown
    assert row not in shown
    assert "Private edition" not in shown
    for name in ("release-zip", "release-publish", "release-verify", "release-report", "release-withdraw"):
        assert post(client, name, project.id, release.id).status_code == 404
    assert post(client, "releases-make", project.id, run.id).status_code == 404
    reports = {
        edition: post(client, "release-board-report", project.id, release.id, edition=edition, ending="html")
        for edition in ("public", "private", "../x")
    }
    assert [answer.status_code for answer in reports.values()] == [200, 404, 404]
    reports["public"].close()


def test_runs_and_releases_of_another_project_are_not_found(
    client: Any, project: Any, evaluated: Any, people: dict[str, Any]
) -> None:
    run = evaluated()
    release = make_release(run, project.owner, name="One")
    mine = Project.objects.create(name="Mine", owner=people["other"])
    client.force_login(people["other"])
    assert client.get(reverse("release", args=[project.id, release.id])).status_code == 404
    assert client.get(reverse("release", args=[mine.id, release.id])).status_code == 404
    assert post(client, "releases-make", mine.id, run.id).status_code == 404
    assert post(client, "release-publish", mine.id, release.id).status_code == 404
    assert post(client, "audit-attack", mine.id, target=f"run {run.id}").status_code == 422
    assert post(client, "ledger-plan", mine.id, target=f"release {release.id}").status_code == 422


def test_a_withdrawn_release_stays_listed_and_is_not_downloaded(
    client: Any, project: Any, evaluated: Any, work_here: Any
) -> None:
    release = make_release(evaluated(), project.owner, name="One")
    assert post(client, "release-zip", project.id, release.id).status_code == 404
    assert post(client, "release-withdraw", project.id, release.id, reason="x").status_code == 422
    publish_release(release, project.owner)
    work_here()
    assert post(client, "release-withdraw", project.id, release.id, reason="").status_code == 422
    assert post(client, "release-withdraw", project.id, release.id, reason="A column was wrong").status_code == 302
    assert "A column was wrong" in client.get(reverse("releases", args=[project.id])).content.decode()
    assert post(client, "release-zip", project.id, release.id).status_code == 404
    assert post(client, "release-discard", project.id, release.id).status_code == 422
    assert "withdrawn" in client.get(reverse("ledger", args=[project.id])).content.decode()


def test_changed_files_are_neither_published_nor_downloaded(
    client: Any, project: Any, evaluated: Any, work_here: Any
) -> None:
    release = make_release(evaluated(), project.owner, name="One")
    data = release.folder / "data.csv"
    before = data.read_text()
    data.write_text(before + "99,f,4310,hiv\n")
    job = publish_release(release, project.owner)
    work_here()
    job.refresh_from_db()
    release.refresh_from_db()
    assert (job.state, release.published) == ("failed", None)
    assert str(project.folder) not in job.sentence
    data.write_text(before)
    publish_release(release, project.owner)
    work_here()
    (release.folder / "notes.txt").write_text("private")
    answer = post(client, "release-zip", project.id, release.id)
    assert answer.status_code == 422


def test_the_owner_signs_what_is_published(
    client: Any, project: Any, evaluated: Any, people: dict[str, Any], work_here: Any, tmp_path: Path
) -> None:
    release = make_release(evaluated(), project.owner, name="One")
    assert post(client, "release-sign", project.id, release.id).status_code == 422
    publish_release(release, project.owner)
    work_here()
    client.force_login(people["member"])
    assert post(client, "release-sign", project.id, release.id).status_code == 404
    client.force_login(project.owner)
    assert post(client, "release-signer", project.id, release.id).status_code == 404
    assert post(client, "release-sign", project.id, release.id).status_code == 302
    assert post(client, "release-sign", project.id, release.id).status_code == 422
    assert (
        "Signed with the key of this project"
        in client.get(reverse("release", args=[project.id, release.id])).content.decode()
    )
    key = tmp_path / "signer.pub"
    answer = post(client, "release-signer", project.id, release.id)
    key.write_bytes(b"".join(answer.streaming_content))
    answer.close()
    assert key.read_bytes().startswith(b"ssh-ed25519 ")
    answer = post(client, "release-zip", project.id, release.id)
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        archive.extractall(tmp_path)
    answer.close()
    assert check_signature(tmp_path / "one", key) is None
    assert verify(tmp_path / "one").holds
    assert (project.folder / "keys" / "signing").stat().st_mode & 0o077 == 0


def test_a_run_has_one_release_and_publishing_twice_is_one_job(project: Any, evaluated: Any, work_here: Any) -> None:
    run = evaluated()
    releases = [make_release(run, project.owner, name=name) for name in ("One", "Two")]
    assert releases[0] == releases[1]
    assert [path.name for path in (project.folder / "releases").iterdir()] == [str(releases[0].id)]
    assert publish_release(releases[0], project.owner) == publish_release(releases[1], project.owner)
    with pytest.raises(CallerError, match="stays listed"):
        discard_release(releases[0], project.owner)
    work_here()
    with pytest.raises(CallerError, match="published already"):
        publish_release(releases[0], project.owner)


def test_two_releases_about_the_same_people_see_each_other(
    client: Any, project: Any, evaluated: Any, people: dict[str, Any], work_here: Any
) -> None:
    """Both wait at once; the second is attacked together with the first, and refused; the owner may override."""
    releases = [make_release(evaluated(k=k, seed=1), project.owner, name=f"k is {k}") for k in (2, 3)]
    for release in releases:
        publish_release(release, people["member"])
    work_here()
    for release in releases:
        release.refresh_from_db()
    assert [release.number for release in releases] == [1, None]
    page = client.get(reverse("release", args=[project.id, releases[1].id])).content.decode()
    assert "Nothing was published." in page
    assert "“k is 2”" in page
    assert str(project.folder) not in page
    client.force_login(people["member"])
    assert post(client, "release-publish", project.id, releases[1].id, override="1", reason="x").status_code == 422
    client.force_login(project.owner)
    post(client, "release-publish", project.id, releases[1].id, override="1", reason="Approved by the board")
    work_here()
    releases[1].refresh_from_db()
    assert (releases[1].number, releases[1].certificate["override"]) == (2, True)
    assert Event.objects.get(verb="override").reason == "Approved by the board"
    assert post(client, "release-sign", project.id, releases[1].id).status_code == 422
    ledger = client.get(reverse("ledger", args=[project.id])).content.decode()
    assert "k is 3" in ledger
    assert "k is 2" in ledger


def test_a_release_remembers_how_its_original_was_read(project: Any, evaluated: Any, version: Any) -> None:
    release = make_release(evaluated(), project.owner, name="One")
    release.run.delete()
    version.dataset.assets.create(kind="hierarchy", attribute="age", name="age", file="assets/later.csv")
    release.refresh_from_db()
    assert arguments_of(release)["source"]["assets"] == {}
    version.path.unlink()
    with pytest.raises(CallerError, match="no longer in this project"):
        publish_release(release, project.owner)
