"""Everything of a project is listed and can be taken away, by its people alone."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import polars as pl
import pytest

from sfumato.web.accounts.models import Event
from sfumato.web.workbench.models import Asset, Member, Release, Run
from sfumato.web.workbench.versions import new_dataset


def content(answer: Any) -> bytes:
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "no-store"
    assert answer["Content-Disposition"].startswith("attachment; ")
    return b"".join(answer.streaming_content)


@pytest.fixture
def filled(project: Any, version: Any, owner: Any) -> dict[str, Any]:
    """A project with one of everything."""
    rule = Asset.objects.create(dataset=version.dataset, kind="privacy_policy", name="all pairs", text="all:2")
    tree = Asset.objects.create(dataset=version.dataset, kind="hierarchy", attribute="age", name="../age/<b>")
    tree.file = f"assets/{tree.id}.csv"
    tree.save()
    tree.path.write_text("31;Any\n32;Any\n")
    roads = Asset.objects.create(dataset=version.dataset, kind="network", name="roads")
    roads.file = f"assets/{roads.id}"
    roads.save()
    roads.path.mkdir()
    for name in ("nodes.csv", "roads.csv"):
        (roads.path / name).write_text("id\n")
    run = Run.objects.create(project=project, mode="compare", title="k / 2", summary={"runs": 1}, by=owner)
    run.folder.mkdir()
    (run.folder / "experiment.toml").write_text("title = 'x'\n")
    (run.folder / "link").symlink_to("/etc/passwd")
    release = Release.objects.create(project=project, name="first", file="releases/x")
    release.folder.mkdir()
    (release.folder / "certificate.json").write_text("{}")
    return {"rule": rule, "tree": tree, "roads": roads, "run": run, "release": release, "version": version}


def test_single_downloads(client: Any, project: Any, filled: dict[str, Any]) -> None:
    start = f"/p/{project.id}/export"
    page = client.get(f"{start}/").content.decode()
    assert "../age/&lt;b&gt;" in page
    table = pl.read_csv(content(client.get(f"{start}/data/{filled['version'].id}/")))
    assert table.shape == (12, 4)
    assert content(client.get(f"{start}/asset/{filled['rule'].id}/")) == b"all:2\n"
    answer = client.get(f"{start}/asset/{filled['tree'].id}/")
    assert content(answer) == b"31;Any\n32;Any\n"
    assert answer["Content-Disposition"] == 'attachment; filename="patients-hierarchy-age.csv"'
    archive = zipfile.ZipFile(io.BytesIO(content(client.get(f"{start}/asset/{filled['roads'].id}/"))))
    assert archive.testzip() is None
    assert Event.objects.filter(verb="download", project_id=project.id).count() == 4
    assert f"{start}/release/" not in page
    assert client.get(f"{start}/release/{filled['release'].id}/").status_code == 404


def test_a_release_is_taken_away_as_it_was_published_or_not_at_all(
    client: Any, project: Any, filled: dict[str, Any]
) -> None:
    release = filled["release"]
    release.published = release.created
    release.save()
    page = client.get(f"/p/{project.id}/export/").content.decode()
    assert f"/export/release/{release.id}/" in page
    answer = client.get(f"/p/{project.id}/export/release/{release.id}/")  # its certificate is not one
    assert answer.status_code == 422


def test_the_whole_project(client: Any, project: Any, filled: dict[str, Any]) -> None:
    frame = pl.DataFrame({"age": [1, 2], "items": [["a", "b"], []]})
    new_dataset(project, "patients", frame, {"kind": "mixed", "items": "items"})  # a name that is taken
    archive = zipfile.ZipFile(io.BytesIO(content(client.get(f"/p/{project.id}/export/project/"))))
    assert archive.testzip() is None
    names = archive.namelist()
    assert len(names) == len(set(names)) == 9
    assert not [name for name in names if ".." in name or name.startswith("/") or "link" in name]
    assert {"project.json", "datasets/patients-version-1.csv", "datasets/patients-version-1-2.csv"} <= set(names)
    both = {archive.read(name).decode().partition("\n")[0] for name in names if name.startswith("datasets/")}
    assert both == {"age,sex,zip,illness", "age,items"}
    facts = json.loads(archive.read("project.json"))
    assert (facts["name"], len(facts["datasets"]), facts["private"]) == ("Clinic", 2, True)
    assert f"runs/k-2-{str(filled['run'].id)[:8]}/experiment.toml" in names


def test_others_see_nothing(client: Any, project: Any, filled: dict[str, Any], django_user_model: Any) -> None:
    addresses = ["", "project/", f"data/{filled['version'].id}/", f"asset/{filled['tree'].id}/"]
    for role in ("viewer", None):
        user = django_user_model.objects.create_user(role or "eve")
        if role:
            Member.objects.create(project=project, user=user, role=role)
        client.force_login(user)
        assert [client.get(f"/p/{project.id}/export/{address}").status_code for address in addresses] == [404] * 4
    other = type(project).objects.create(name="Mine", owner=user)
    for address in addresses[2:]:
        assert client.get(f"/p/{other.id}/export/{address}").status_code == 404


def test_an_empty_project(client: Any, project: Any) -> None:
    assert b"There are none yet." in client.get(f"/p/{project.id}/export/").content


def test_a_large_table_is_sent_in_parts(project: Any) -> None:
    from sfumato.web.workbench.exporting.contents import csv_parts

    version = new_dataset(project, "long", pl.DataFrame({"n": range(120_000)}), {"kind": "table"})
    parts = list(csv_parts(version.path))
    assert len(parts) == 3
    assert pl.read_csv(b"".join(parts))["n"].sum() == sum(range(120_000))
