"""The dataset editor in a browser without a script: upload, look, edit, save, history, export, figures."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from sfumato.errors import DataError, SfumatoError
from sfumato.web.accounts.models import Event
from sfumato.web.jobs.kinds import KINDS, loaded
from sfumato.web.jobs.models import Job
from sfumato.web.jobs.queue import claim, close
from sfumato.web.workbench.datasets import uploads
from sfumato.web.workbench.datasets.reading_job import read_upload
from sfumato.web.workbench.models import Dataset, Member

PATIENTS = "patient_id,age,zip,diagnosis,email\n" + "".join(
    f"p{number},{20 + number % 50},43{number % 10:02},{'flu' if number % 3 else 'hiv'},a{number}@b.c\n"
    for number in range(120)
)


@pytest.fixture
def run_here(db: Any, monkeypatch: Any) -> Callable[[], None]:
    """Run the jobs that wait in this process, which is quicker than a process each."""

    def run() -> None:
        while (job := claim("here")) is not None:
            monkeypatch.chdir(job.project.folder)
            try:
                result = loaded(KINDS[job.kind].work)(**job.arguments, progress=lambda *_: None)
            except SfumatoError as error:
                close(job, Job.FAILED, sentence=str(error))
            else:
                close(job, Job.DONE, result=json.loads(json.dumps(result)))

    return run


def address(version: Any, name: str = "data-edit", *more: Any) -> str:
    return reverse(name, args=[version.dataset.project_id, version.dataset_id, *more])


def upload(client: Any, project: Any, content: bytes, name: str) -> Any:
    return client.post(reverse("data-new", args=[project.id]), {"file": SimpleUploadedFile(name, content)})


def test_a_file_becomes_a_dataset(client: Any, project: Any, run_jobs: Callable[[], int]) -> None:
    page = upload(client, project, gzip.compress(PATIENTS.encode()), "patients.csv.gz")
    (stored,) = (project.folder / "uploads").iterdir()
    assert stored.stat().st_mode & 0o777 == 0o600
    assert run_jobs() == 1
    looks = client.get(page.url)
    assert "its name says that it may be sensitive" in looks.content.decode()
    answer = {"name": "patients", "kind": "table"}
    for number, role in enumerate(("person", "quasi-identifier", "quasi-identifier", "sensitive", "identifier")):
        answer[f"role-{number}"] = role
    opened = client.post(page.url, answer)
    version = Dataset.objects.get().latest
    assert opened.url == address(version)
    assert version.reading == {
        "kind": "table",
        "columns": {"person": "patient_id"},
        "quasi_identifiers": ["age", "zip"],
        "sensitive": ["diagnosis"],
    }
    assert pl.read_parquet(version.path).columns == ["patient_id", "age", "zip", "diagnosis"]
    assert not list((project.folder / "uploads").iterdir())
    assert Event.objects.filter(verb="upload").count() == 1
    assert client.get(page.url).url == opened.url


def test_a_broken_file_gives_its_line_and_keeps_the_form(client: Any, project: Any, run_here: Any) -> None:
    page = upload(client, project, b"age,sex\n30,f\n31\n", "broken.csv")
    run_here()
    shown = client.get(page.url).content.decode()
    assert "broken.csv, line 3: wanted a sex, found nothing" in shown
    assert "Read again" in shown
    again = client.post(page.url, {"kind": "transactions", "again": "1"})
    assert Job.objects.get(pk=again.url.split("/")[-2]).arguments["options"] == {"kind": "transactions"}


def test_a_kind_that_was_guessed_wrongly_is_corrected(client: Any, project: Any, run_here: Any) -> None:
    page = upload(client, project, b"walk,shop,when\nw1,a,10\nw1,b,20\nw2,a,10\n", "walks.csv")
    run_here()
    assert Job.objects.get().result["reading"]["kind"] == "table"
    page = client.post(page.url, {"kind": "trajectories"})
    run_here()
    shown = client.get(page.url).content.decode()
    assert "walks.csv: wanted" in shown
    assert 'name="column-trajectory"' in shown
    columns = {"column-trajectory": "walk", "column-location": "shop", "column-time": "when"}
    page = client.post(page.url, {"kind": "trajectories", **columns})
    run_here()
    page = client.post(page.url, {"kind": "trajectories", "name": "walks", **columns})
    reading = Dataset.objects.get(name="walks").latest.reading
    assert reading["columns"] == {"trajectory": "walk", "location": "shop", "time": "when"}
    assert Dataset.objects.get().latest.profile["figures"]["visits"] == 3
    assert client.get(page.url).status_code == 200


def test_a_dropped_file_becomes_a_project(client: Any, owner: Any, db: Any) -> None:
    page = client.post(
        "/p/drop/", {"file": SimpleUploadedFile("Clinic 7.csv", b"age\n3\n")}, HTTP_ACCEPT="application/json"
    )
    project = owner.projects.get()
    assert project.name == "Clinic 7"
    assert page.json()["address"].startswith(f"/p/{project.id}/data/new/")
    assert len(list((project.folder / "uploads").iterdir())) == 1
    refused = client.post("/p/drop/", {"file": SimpleUploadedFile("x.exe", b"MZ")}, HTTP_ACCEPT="application/json")
    assert refused.status_code == 422
    assert owner.projects.count() == 1


@pytest.mark.parametrize(
    ("name", "content", "limit"), [("x.exe", b"a", 10), ("x.csv", b"a" * 99, 10), ("x.csv", b"", 10)]
)
def test_what_is_refused_leaves_no_file(
    client: Any, project: Any, monkeypatch: Any, name: str, content: bytes, limit: int
) -> None:
    monkeypatch.setattr(uploads, "upload_limit", lambda: limit)
    page = upload(client, project, content, name)
    assert page.status_code == 422
    assert b"wanted a file" in page.content
    assert not list((project.folder / "uploads").iterdir())


def test_an_upload_without_its_token_leaves_no_file(owner: Any, project: Any) -> None:
    from django.test import Client

    browser = Client(enforce_csrf_checks=True)
    browser.force_login(owner)
    assert upload(browser, project, b"age\n1\n", "x.csv").status_code == 403
    assert not list((project.folder / "uploads").iterdir())


def test_edits_are_undone_saved_and_restored(client: Any, version: Any, run_here: Any) -> None:
    rows, do, save = (address(version, name) for name in ("data-edit", "data-do", "data-save"))
    client.post(do, {"do": "set", "column": "age", "row": "0", "value": "99"})
    client.post(do, {"do": "rename", "column": "zip", "to": "postcode"})
    client.post(do, {"do": "delete-rows", "rows": ["11"]})
    client.post(do, {"do": "undo"})
    assert b"2 edits are not saved" in client.get(rows).content
    client.post(do, {"do": "redo"})
    client.post(do, {"do": "set", "column": "illness", "row": "1", "value": "measles"})
    client.post(address(version, "data-add-row"), {"cell-0": "70", "cell-1": "f", "cell-2": "4310", "cell-3": "flu"})
    shown = client.get(rows).content.decode()
    assert ">99<" in shown
    assert "postcode" in shown
    client.post(save, {"mode": "version"})
    assert "your edits are being saved" in client.post(do, {"do": "undo"}, follow=True).content.decode()
    run_here()
    new = version.dataset.latest
    assert (new.number, new.rows, new.parent) == (2, 12, version)
    assert new.reading["quasi_identifiers"] == ["age", "sex", "postcode"]
    assert new.operation["steps"][1] == "zip renamed to postcode"
    assert pl.read_parquet(new.path)["age"].to_list() == [99, 32, 33, 41, 42, 43, 51, 52, 53, 61, 62, 70]
    assert "measles" not in str(new.operation) + str(Job.objects.get(kind="save-edits").arguments)
    history = client.get(address(version, "data-versions")).content.decode()
    assert "zip renamed to postcode" in history
    client.post(address(version, "data-restore", version.id))
    restored = version.dataset.latest
    assert (restored.number, restored.sha256) == (3, version.sha256)


def test_the_second_saver_is_refused_and_loses_nothing(
    client: Any, version: Any, run_here: Any, django_user_model: Any
) -> None:
    from django.test import Client

    bob = django_user_model.objects.create_user("bob")
    Member.objects.create(project=version.dataset.project, user=bob, role="member")
    other = Client()
    other.force_login(bob)
    for browser, value in ((client, "98"), (other, "97")):
        browser.post(address(version, "data-do"), {"do": "set", "column": "age", "row": "0", "value": value})
    client.post(address(version, "data-save"), {"mode": "version"})
    other.post(address(version, "data-save"), {"mode": "version"})
    run_here()
    assert version.dataset.versions.count() == 2
    page = other.get(address(version)).content.decode()
    assert "somebody else saved a version" in page
    assert ">97<" in page
    assert (
        "somebody else" in other.post(address(version, "data-save"), {"mode": "version"}, follow=True).content.decode()
    )
    other.post(address(version, "data-save"), {"mode": "copy"})
    run_here()
    copy = Dataset.objects.get(name="patients (copy)").latest
    assert pl.read_parquet(copy.path)["age"][0] == 97


def test_overwriting_keeps_the_number(client: Any, version: Any, run_here: Any) -> None:
    client.post(address(version, "data-do"), {"do": "role", "column": "zip", "role": "other"})
    client.post(address(version, "data-save"), {"mode": "overwrite"})
    run_here()
    version.refresh_from_db()
    assert (version.dataset.versions.count(), version.reading["quasi_identifiers"]) == (1, ["age", "sex"])
    assert version.path.exists()


def test_a_filter_travels_by_post_and_is_kept(client: Any, version: Any) -> None:
    look = address(version, "data-look")
    answer = client.post(look, {"look": "filter", "column": "illness", "test": "equals", "text": "hiv"})
    assert "hiv" not in answer.url
    shown = client.get(answer.url).content.decode()
    assert "rows 1 to 2 of 2" in shown
    client.post(look, {"look": "down", "column": "age"})
    shown = client.get(answer.url).content.decode()
    assert shown.index(">52<") < shown.index(">32<")
    client.post(address(version, "data-do"), {"do": "rename", "column": "illness", "to": "case"})
    shown = client.get(answer.url).content.decode()
    assert "of 12" in shown
    assert "sorted by age" in shown
    client.post(look, {"look": "all"})
    assert "of 12" in client.get(answer.url).content.decode()


def test_a_wrong_value_is_refused_beside_its_field(client: Any, version: Any) -> None:
    page = client.post(address(version, "data-row", 3), {"cell-0": "many", "cell-1": "m"})
    assert page.status_code == 422
    assert "age: wanted a whole number" in page.content.decode()
    cell = {"do": "set", "column": "age", "row": "3", "value": "many"}
    answer = client.post(address(version, "data-do"), cell, HTTP_ACCEPT="application/json")
    assert (answer.status_code, "many" in answer.json()["sentence"]) == (422, False)
    cells = [{"do": "set", "column": "age", "row": row, "value": "1"} for row in ("999", "9" * 30, "\u00b2", "-1")]
    cells.append({"do": "set", "column": "age", "row": "0", "value": "9" * 40})
    for wrong in (*cells, {"do": "x"}, {"do": "delete-rows"}, {"do": "rename", "column": "age", "to": "\x00row"}):
        answer = client.post(address(version, "data-do"), wrong, HTTP_ACCEPT="application/json")
        assert answer.status_code == 422
    assert client.get(address(version, "data-row", 999)).status_code == 404


@pytest.mark.parametrize("ending", ["csv", "parquet", "xlsx"])
def test_an_export_is_the_data(client: Any, version: Any, ending: str, tmp_path: Path) -> None:
    answer = client.post(address(version, "data-export", version.id), {"format": ending})
    assert answer["Content-Disposition"] == f'attachment; filename="patients.{ending}"'
    assert answer["Cache-Control"] == "no-store"
    content = b"".join(answer.streaming_content)
    path = tmp_path / f"x.{ending}"
    path.write_bytes(content)
    from sfumato import read

    assert read(path, kind="table", notes=[]).frame["age"].to_list() == pl.read_parquet(version.path)["age"].to_list()
    assert Event.objects.filter(verb="download").count() == 1


def test_a_viewer_sees_figures_and_no_rows(client: Any, version: Any, django_user_model: Any) -> None:
    eve = django_user_model.objects.create_user("eve")
    Member.objects.create(project=version.dataset.project, user=eve, role="viewer")
    client.force_login(eve)
    assert client.get(f"/p/{version.dataset.project_id}/data/").status_code == 200
    figures = client.get(address(version, "data-figures") + "?a=3").content.decode()
    assert '"flu"' in figures
    assert '"hiv"' not in figures  # two rows alone
    for name in ("data-edit", "data-versions", "data-add-row"):
        assert client.get(address(version, name)).status_code == 404
    assert client.post(address(version, "data-export", version.id)).status_code == 404


def test_a_dataset_is_deleted_with_its_files(client: Any, version: Any) -> None:
    path = version.path
    client.post(address(version, "data-do"), {"do": "set", "column": "age", "row": "0", "value": "98"})
    assert b"Delete it" in client.get(address(version, "data-delete")).content
    client.post(address(version, "data-delete"))
    assert not Dataset.objects.exists()
    assert not path.exists()
    assert not list((version.dataset.project.folder / "drafts").glob("*.json"))


def test_generated_data_come_with_their_places_and_a_map(client: Any, project: Any, run_here: Any) -> None:
    form = reverse("data-generate", args=[project.id, "checkins"])
    assert b"Generate" in client.get(form).content
    assert client.post(form, {"trajectories": "-3"}).status_code == 422
    page = client.post(form, {"trajectories": "40", "locations": "20", "seed": "1"})
    run_here()
    opened = client.get(page.url)
    dataset = Dataset.objects.get()
    assert opened.url == reverse("data-edit", args=[project.id, dataset.id])
    assert [asset.kind for asset in dataset.assets.all()] == ["places"]
    figures = client.get(reverse("data-figures", args=[project.id, dataset.id])).content.decode()
    assert "map.svg" in figures
    picture = client.get(reverse("data-map", args=[project.id, dataset.id]))
    assert picture["Content-Type"] == "image/svg+xml"
    assert b"<script" not in picture.content
    lines = client.post(reverse("data-export", args=[project.id, dataset.id, dataset.latest.id]), {"format": "txt"})
    assert b"".join(lines.streaming_content)


@pytest.mark.parametrize(
    ("name", "content", "kind", "rows"),
    [
        ("b.dat", "a b c\nb c\n", "transactions", 5),
        ("v.csv", "tid,poi,user\n1,a,u\n1,b,u\n2,a,v\n", "trajectories", 3),
        ("m.csv", "age,items\n30,a b\n31,b\n", "mixed", 2),
        ("r.csv", "trajectory,road,direction\n1,r1,forth\n", "roads", 1),
        ("s.spmf", "1 -1 2 -1 -2\n", "trajectories", 2),
    ],
)
def test_every_kind_is_read(tmp_path: Path, monkeypatch: Any, name: str, content: str, kind: str, rows: int) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(content)
    result = read_upload(file=name, name=name, options={}, roles={}, unpacked=10**6, progress=lambda *_: None)
    assert (result["reading"]["kind"], result["rows"]) == (kind, rows)
    assert pl.read_parquet(result["output"]).columns == result["names"]


def test_a_file_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.csv.gz").write_bytes(gzip.compress(b"age\n" + b"1\n" * 10**6))
    with pytest.raises(DataError, match=r"big\.csv\.gz: wanted at most 0 MB when unpacked"):
        read_upload(file="x.csv.gz", name="big.csv.gz", options={}, roles={}, unpacked=10**5, progress=lambda *_: None)
    assert [path.name for path in tmp_path.iterdir()] == ["x.csv.gz"]


def test_markup_in_names_stays_text(client: Any, version: Any) -> None:
    markup = "<script>alert(1)</script>"
    client.post(address(version, "data-do"), {"do": "rename", "column": "zip", "to": markup})
    client.post(address(version, "data-do"), {"do": "set", "column": "sex", "row": "0", "value": markup})
    version.dataset.name = markup
    version.dataset.save()
    shown = client.get(address(version)).content.decode()
    assert markup not in shown
    assert "&lt;script&gt;" in shown
    answer = client.post(address(version, "data-export", version.id), {"format": "csv"})
    assert "\n" not in answer["Content-Disposition"]
    answer.close()


def test_objects_of_another_project_are_not_there(client: Any, version: Any, owner: Any) -> None:
    from sfumato.web.workbench.models import Project

    other = Project.objects.create(name="Other", owner=owner)
    for name in ("data-edit", "data-figures", "data-versions", "data-delete", "data-add-row"):
        assert client.get(reverse(name, args=[other.id, version.dataset_id])).status_code == 404
    form = {"do": "set", "column": "age", "row": "0", "value": "1"}
    assert client.post(reverse("data-do", args=[other.id, version.dataset_id]), form).status_code == 404
