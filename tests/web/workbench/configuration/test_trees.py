"""Trees: derived, loaded with mistakes, browsed, edited, undone, saved and downloaded."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from sfumato.io import read_taxonomy
from sfumato.web.workbench.models import Asset

pytestmark = pytest.mark.django_db


@pytest.fixture
def age(client: Any, version: Any, project: Any) -> Asset:
    """A derived hierarchy of ages."""
    url = reverse("config-add-column", args=[project.id, version.dataset_id, "hierarchy", 0])
    reply = client.post(url, {"action": "derive", "rule": "intervals", "width": "10", "fanout": "2", "dates": "month"})
    assert reply.status_code == 302, reply.content
    return Asset.objects.get()


def edit(client: Any, asset: Asset, operation: str, *arguments: str, **more: Any) -> Any:
    url = reverse("config-edit-tree", args=[asset.dataset.project_id, asset.id])
    return client.post(url, {"operation": operation, "argument": list(arguments), **more})


def test_a_derived_tree_is_private_and_in_use(client: Any, project: Any, version: Any, age: Asset) -> None:
    assert (age.kind, age.attribute, age.derived, age.current) == ("hierarchy", "age", "width:10:2", True)
    assert age.facts["leaves"] == 12
    assert version.source()["assets"] == {"hierarchies": {"age": age.file}}
    page = client.get(reverse("config", args=[project.id])).content.decode()
    assert "12 leaves" in page
    assert "private" in page
    shown = client.get(reverse("config-asset", args=[project.id, age.id]))
    assert "[30:49]" in shown.content.decode()
    assert shown["Cache-Control"] == "no-store"


def test_edits_wait_until_they_are_saved(client: Any, project: Any, age: Asset) -> None:
    assert edit(client, age, "rename", "[30:39]", "thirties").status_code == 200
    assert edit(client, age, "mark", "thirties").status_code == 200
    assert "[30:39]" in read_taxonomy(age.path)
    page = client.get(reverse("config-asset", args=[project.id, age.id])).content.decode()
    assert "2 changes are not saved" in page
    client.post(reverse("config-undo", args=[project.id, age.id]))
    client.post(reverse("config-save", args=[project.id, age.id]))
    saved = Asset.objects.get(current=True)
    tree = read_taxonomy(saved.path)
    assert "thirties" in tree
    assert not tree.sensitive
    assert (saved.derived, Asset.objects.count()) == ("edited width:10:2", 2)
    client.post(reverse("config-use", args=[project.id, age.id]))
    assert Asset.objects.get(current=True) == age


def test_a_refused_edit_is_a_sentence_beside_the_tree(client: Any, age: Asset) -> None:
    reply = edit(client, age, "move", "[30:49]", "[30:39]", node="[30:49]")
    assert reply.status_code == 422
    assert "found the node itself or one below it" in reply.content.decode()
    assert "edit 1" not in reply.content.decode()


def test_branches_are_loaded_on_demand(client: Any, project: Any, age: Asset) -> None:
    url = reverse("config-branch", args=[project.id, age.id])
    opened = client.post(url, {"node": "[30:39]", "expand": "1"}, headers={"hx-request": "true"}).content.decode()
    assert opened.count('role="treeitem"') == 4
    closed = client.post(url, {"node": "[30:39]", "expand": "0"}, headers={"hx-request": "true"}).content.decode()
    assert closed.count('role="treeitem"') == 1
    assert client.post(url, {"node": "nothing"}).status_code == 404
    found = client.post(
        reverse("config-find", args=[project.id, age.id]), {"text": "31"}, headers={"hx-request": "true"}
    )
    assert 'value="31"' in found.content.decode()
    panel = client.post(reverse("config-node", args=[project.id, age.id]), {"node": "31"})
    assert "A leaf" in panel.content.decode()


def test_mistakes_of_a_file_are_lit_and_corrected(client: Any, project: Any, version: Any) -> None:
    url = reverse("config-add-column", args=[project.id, version.dataset_id, "hierarchy", 1])
    broken = SimpleUploadedFile("sex.csv", b"f;women;*\nm;men;*\nm;women;*\n")
    reply = client.post(url, {"action": "load", "file": broken}, follow=True)
    page = reply.content.decode()
    assert "has 2 parents: each node may have one" in page
    asset = Asset.objects.get()
    assert not asset.current
    assert client.post(reverse("config-save", args=[project.id, asset.id])).status_code == 422
    edit(client, asset, "move", "m", "men")
    client.post(reverse("config-save", args=[project.id, asset.id]))
    assert read_taxonomy(Asset.objects.get(current=True).path).to_paths() == [("f", "women", "*"), ("m", "men", "*")]


def test_a_tree_is_used_when_every_value_has_a_leaf(client: Any, project: Any, version: Any) -> None:
    url = reverse("config-add-column", args=[project.id, version.dataset_id, "hierarchy", 1])
    page = client.post(url, {"action": "load", "text": "f;*\nx;*\n"}, follow=True).content.decode()
    assert "1 value of the data is no leaf" in page
    asset = Asset.objects.get()
    assert not asset.current
    client.post(reverse("config-use", args=[project.id, asset.id]))
    assert not Asset.objects.filter(current=True)
    edit(client, asset, "add", "m", "*")
    client.post(reverse("config-save", args=[project.id, asset.id]))
    assert Asset.objects.get(current=True).facts["leaves"] == 3


def test_files_of_other_kinds_are_refused_without_server_paths(client: Any, project: Any, version: Any) -> None:
    url = reverse("config-add-column", args=[project.id, version.dataset_id, "hierarchy", 1])
    for name, content, sentence in (
        ("a.exe", b"x", "wanted a file that ends in"),
        ("a.csv", b'"x', "a.csv, line 1: wanted quotation marks in pairs"),
        ("a.csv", b"", "a.csv"),
        ("a.csv", b"\xff\xfe\x00", "a.csv"),
    ):
        reply = client.post(url, {"action": "load", "file": SimpleUploadedFile(name, content)})
        page = reply.content.decode()
        assert reply.status_code == 422, name
        assert sentence in page
        assert "uploads" not in page
    assert client.post(url, {"action": "load"}).status_code == 422
    assert client.post(url, {"action": "derive", "rule": "intervals"}).status_code == 422


def test_downloads(client: Any, project: Any, age: Asset) -> None:
    paths = client.get(reverse("config-download", args=[project.id, age.id, "paths"]))
    assert paths["Content-Disposition"] == 'attachment; filename="age.csv"'
    assert paths.content.splitlines()[0].startswith(b"31;[30:39];")
    nodes = client.get(reverse("config-download", args=[project.id, age.id, "csv"]))
    assert nodes.content.startswith(b"node,parent,sensitive\n* (private: width:10:2),,false\n")
    assert client.get(reverse("config-download", args=[project.id, age.id, "other"])).status_code == 404


def test_names_are_escaped(client: Any, project: Any, age: Asset) -> None:
    edit(client, age, "rename", "[30:39]", "<script>alert(1)</script>")
    page = client.get(reverse("config-asset", args=[project.id, age.id])).content.decode()
    assert "<script>alert" not in page


def test_others_see_nothing(client: Any, age: Asset, django_user_model: Any, project: Any) -> None:
    from sfumato.web.workbench.models import Member

    other = django_user_model.objects.create_user("bob", password="correct horse battery")
    Member.objects.create(project=project, user=other, role="viewer")
    client.force_login(other)
    for name in ("config-asset", "config-save", "config-branch", "config-edit-tree"):
        assert client.post(reverse(name, args=[project.id, age.id])).status_code == 404
    assert client.get(reverse("config", args=[project.id])).status_code == 404
