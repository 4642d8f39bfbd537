"""Places, constraints, workplaces and networks: loaded, derived, edited, and what methods wait for."""

from __future__ import annotations

import re
from typing import Any

import polars as pl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from sfumato.catalogue import method_class
from sfumato.io import read_places
from sfumato.web.workbench.configuration.knowledge import waiting_methods
from sfumato.web.workbench.evaluation.choices import Choices
from sfumato.web.workbench.loading import load
from sfumato.web.workbench.models import Asset
from sfumato.web.workbench.versions import new_dataset

pytestmark = pytest.mark.django_db
WALKS = pl.DataFrame(
    {"trajectory": [1, 1, 2, 2], "person": ["ann", "ann", "bob", "bob"], "location": ["a", "b", "a", "c"]}
)
PLACES = b"location,x,y,category,owner\na,0,0,bar,o1\nb,1,0,clinic,o1\nc,5,5,bar,o2\n"


@pytest.fixture
def walks(project: Any) -> Any:
    """Two walks."""
    return new_dataset(project, "walks", WALKS, {"kind": "trajectories"})


def add(client: Any, version: Any, kind: str, **fields: Any) -> Any:
    return client.post(reverse("config-add", args=[version.dataset.project_id, version.dataset_id, kind]), fields)


def test_methods_wait_for_what_is_missing(client: Any, project: Any, walks: Any) -> None:
    ready, waiting = waiting_methods(walks.dataset)
    assert ready == ["bf-p2ka"]
    lacks = {method.method: method.lacks for method in waiting}
    assert lacks["u-seqanon"] == [[("places", "places")], [("constraints", "constraints")]]
    assert lacks["km-split"] == lacks["km-suppress"] == [[("places", "places"), ("taxonomy", "taxonomy")]]
    page = client.get(reverse("config", args=[project.id])).content.decode()
    assert re.search(r"<b>km-split</b>.{1,60}: needs <a [^>]+>places</a> or <a [^>]+>taxonomy</a></li>", page)
    assert Choices(walks).missing(method_class("km-split"), {}) == ["places with coordinates or a taxonomy"]
    add(client, walks, "places", action="load", file=SimpleUploadedFile("p.csv", PLACES))
    assert {"seqanon", "gsup", "ngrams", "km-split"} <= set(waiting_methods(walks.dataset)[0])
    assert "methods wait for side knowledge" in client.get(reverse("config", args=[project.id])).content.decode()


def test_cells_are_edited_and_mistakes_named(client: Any, project: Any, walks: Any) -> None:
    add(client, walks, "places", action="load", text=PLACES.decode())
    asset = Asset.objects.get()
    url = reverse("config-edit-rows", args=[project.id, asset.id])
    broken = client.post(url, {"operation": "set", "number": "2", "cell": ["b", "north", "0", "clinic", "o3"]})
    assert "wanted x as a number, found something else" in broken.content.decode()
    assert client.post(reverse("config-save", args=[project.id, asset.id])).status_code == 422
    client.post(url, {"operation": "set", "number": "2", "cell": ["b", "2", "0", "clinic", "o3"]})
    client.post(url, {"operation": "column", "column": "sensitive"})
    client.post(url, {"operation": "add", "cell": ["d", "1", "1", "bar", "o2", "yes"]})
    client.post(url, {"operation": "remove", "number": "1"})
    client.post(reverse("config-save", args=[project.id, asset.id]))
    places = read_places(Asset.objects.get(current=True).path, notes=[])
    assert places.frame["location"].to_list() == ["b", "c", "d"]
    assert places.facts(["b"], "owner") == {"b": "o3"}
    assert client.post(url, {"operation": "set", "number": "99", "cell": [""] * 5}).status_code == 404


def test_derived_places_are_private_and_constraints_need_given_ones(client: Any, project: Any, walks: Any) -> None:
    add(client, walks, "places", action="derive")
    asset = Asset.objects.get()
    assert (asset.derived, read_places(asset.path, notes=[]).derived) == ("visits", True)
    refused = add(client, walks, "constraints", action="derive")
    assert "would disclose them" in refused.content.decode()
    add(client, walks, "places", action="load", text=PLACES.decode())
    assert add(client, walks, "constraints", action="derive").status_code == 302
    data = load(walks.source(), project.folder)
    assert data.constraints.groups == {"bar": ("a", "c"), "clinic": ("b",)}


def test_long_lists_have_pages_and_a_search(client: Any, project: Any, walks: Any) -> None:
    rows = "".join(f"p{number:03d},c\n" for number in range(120))
    add(client, walks, "constraints", action="load", text=f"location,constraint\n{rows}")
    url = reverse("config-asset", args=[project.id, Asset.objects.get().id])
    page = client.post(url, {"page": "3"}).content.decode()
    assert "Page 3 of 3" in page
    assert 'value="p119"' in page
    assert 'value="p001"' not in page
    assert "1 of 120 rows" in client.post(url, {"text": "P077"}).content.decode()


def test_workplaces(client: Any, project: Any, walks: Any) -> None:
    assert add(client, walks, "workplaces", action="load", text="person,location\nann,a\n").status_code == 302
    assert load(walks.source(), project.folder).workplaces.pairs == {("ann", "a")}
    assert add(client, walks, "workplaces", action="load", text="who,location\nann,a\n").status_code == 422
    assert add(client, walks, "hierarchy", action="load", text="x").status_code == 404


def test_a_network_of_two_files_is_drawn(client: Any, project: Any) -> None:
    drives = pl.DataFrame({"trajectory": [1, 1], "road": ["r1", "r2"], "direction": ["+", "+"]})
    version = new_dataset(project, "drives", drives, {"kind": "roads"})
    files = [
        SimpleUploadedFile("town_nodes.csv", b"node,x,y\na,0,0\nb,300,0\nc,300,400\n"),
        SimpleUploadedFile("town_roads.csv", b"road,from,to\nr1,a,b\nr2,b,c\n"),
    ]
    assert add(client, version, "network", action="load", file=files).status_code == 302
    asset = Asset.objects.get()
    page = client.get(reverse("config-asset", args=[project.id, asset.id])).content.decode()
    assert "2 roads between 3 nodes" in page
    assert "<svg" in page
    assert len(load(version.source(), project.folder)) == 1
    zipped = client.get(reverse("config-download", args=[project.id, asset.id, "csv"]))
    assert zipped.content[:2] == b"PK"


def test_knowledge_that_was_stored_without_figures_is_counted(client: Any, project: Any, walks: Any) -> None:
    add(client, walks, "places", action="load", text=PLACES.decode())
    Asset.objects.update(facts={})
    assert {"seqanon", "gsup", "ngrams"} <= set(waiting_methods(walks.dataset)[0])
    assert "3 rows" in client.get(reverse("config", args=[project.id])).content.decode()
