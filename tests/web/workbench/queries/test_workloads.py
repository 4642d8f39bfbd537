"""Workloads: generated, loaded, edited, with their true counts; several of a dataset, one the default."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from sfumato.utility.workload import Workload
from sfumato.web.workbench.models import Asset
from sfumato.web.workbench.queries.counting import digest_of
from sfumato.web.workbench.queries.workloads import counts_of, workloads_of
from sfumato.web.workbench.versions import new_dataset

pytestmark = pytest.mark.django_db
ROWS = "query,part,column,value,from,to\n1,range,age,,30,39\n1,value,sex,f,,\n2,value,illness,hiv,,\n"


def new(client: Any, version: Any, **fields: Any) -> Any:
    return client.post(reverse("queries-new", args=[version.dataset.project_id, version.dataset_id]), fields)


@pytest.fixture
def given(client: Any, version: Any) -> Asset:
    """Two queries of a person."""
    assert new(client, version, action="load", text=ROWS, name="mine").status_code == 302
    return Asset.objects.get(kind="workload")


def test_true_counts_are_shown(client: Any, project: Any, version: Any, given: Asset) -> None:
    page = client.get(reverse("queries-workload", args=[project.id, given.id])).content.decode()
    assert "age from 30 to 39, sex is f" in page
    counts = counts_of(given, version)
    assert [counts[digest_of(query)] for query in Workload.load(given.path)] == [2.0, 2.0]


def test_queries_are_added_changed_and_removed(client: Any, project: Any, given: Asset) -> None:
    url = reverse("queries-edit", args=[project.id, given.id])
    row = {"column": ["age", ""], "values": ["", ""], "low": ["50", ""], "high": ["69", ""]}
    assert client.post(url, {"operation": "add", **row}).status_code == 302
    client.post(url, {"operation": "change", "number": "2", "column": "sex", "values": "m\nf", "low": "", "high": ""})
    client.post(url, {"operation": "remove", "number": "1"})
    page = client.get(reverse("queries-workload", args=[project.id, given.id])).content.decode()
    assert "3 changes are not saved" in page
    client.post(reverse("queries-save", args=[project.id, given.id]))
    saved = Asset.objects.get(kind="workload", current=True)
    assert Workload.load(saved.path).to_polars()["asks_for"].to_list() == ["sex is m or f", "age from 50 to 69"]
    assert (saved.facts, saved.derived, saved.name) == ({"queries": 2, "default": True}, "", "mine")
    reply = client.get(reverse("queries-download", args=[project.id, saved.id]))
    assert reply.content.startswith(b"query,part,column,value,from,to\n1,value,sex,m,,\n")


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"column": "age", "values": "", "low": "x", "high": "3"}, "wanted numbers, or days"),
        ({"column": "age", "values": "3", "low": "1", "high": "3"}, "condition 1: wanted a column, once in a query"),
        ({"column": "", "values": "3", "low": "", "high": ""}, "condition 1: wanted a column, once in a query"),
    ],
)
def test_refused_queries(client: Any, project: Any, given: Asset, fields: dict[str, str], sentence: str) -> None:
    reply = client.post(reverse("queries-edit", args=[project.id, given.id]), {"operation": "add", **fields})
    assert reply.status_code == 422
    assert sentence in reply.content.decode()


def test_a_query_that_the_data_cannot_answer_is_named(client: Any, project: Any, version: Any) -> None:
    new(client, version, action="load", text="query,part,column,value,from,to\n1,value,town,Graz,,\n")
    asset = Asset.objects.get(kind="workload")
    page = client.get(reverse("queries-workload", args=[project.id, asset.id]))
    assert page.status_code == 200
    assert "wanted columns of the data, found" in page.content.decode()


def test_generated_workloads_are_private_and_one_is_the_default(client: Any, project: Any, version: Any) -> None:
    assert new(client, version, action="generate", queries="7", draw="uniform", values="1", seed="3").status_code == 302
    assert new(client, version, action="generate", queries="5", draw="records").status_code == 302
    first, second = workloads_of(version.dataset)
    assert (first.derived, first.facts) == ("7 drawn uniformly, 1 value, seed 3", {"queries": 7, "default": True})
    assert first.name != second.name
    client.post(reverse("queries-default", args=[project.id, second.id]))
    assert workloads_of(version.dataset)[0] == second
    client.post(reverse("queries-leave-out", args=[project.id, second.id]))
    assert workloads_of(version.dataset) == [first]
    client.post(reverse("queries-use", args=[project.id, second.id]))
    assert len(workloads_of(version.dataset)) == 2
    assert new(client, version, action="generate", queries="x").status_code == 422
    assert new(client, version, action="generate", queries="5", values="0").status_code == 422
    wrong = SimpleUploadedFile("w.json", b'{"queries": 3}')
    assert "w.json: wanted a list of queries" in new(client, version, action="load", file=wrong).content.decode()
    assert "default" in client.get(reverse("queries", args=[project.id])).content.decode()


@pytest.mark.parametrize(
    ("frame", "reading", "fields", "words"),
    [
        ({"record": [1, 1, 2], "item": ["a", "b", "a"]}, {"kind": "transactions"}, {"items": "b\na"}, "a and b"),
        ({"trajectory": [1, 1], "location": ["p", "q"]}, {"kind": "trajectories"}, {"locations": "q\np"}, "q then p"),
        ({"age": [1, 2], "codes": ["a b", "c"]}, {"kind": "mixed", "items": "codes"}, {"items": "a"}, "a"),
    ],
)
def test_all_kinds(client: Any, project: Any, frame: Any, reading: Any, fields: Any, words: str) -> None:
    version = new_dataset(project, "d", pl.DataFrame(frame), reading)
    assert new(client, version, action="generate", queries="2", draw="records").status_code == 302
    asset = Asset.objects.get(kind="workload")
    client.post(reverse("queries-edit", args=[project.id, asset.id]), {"operation": "add", **fields})
    page = client.get(reverse("queries-workload", args=[project.id, asset.id])).content.decode()
    assert f"<summary>{words}</summary>" in page
    assert len(counts_of(asset, version)) >= 2


def test_jobs_draw_and_count_large_data(
    client: Any, project: Any, version: Any, work_here: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sfumato.web.workbench.queries import views, workloads

    monkeypatch.setattr(views, "_AT_ONCE", 1)
    monkeypatch.setattr(workloads, "_AT_ONCE_ROWS", 1)
    new(client, version, action="generate", queries="4", draw="records", name="large")
    work_here()
    (asset,) = workloads_of(version.dataset)
    page = client.get(reverse("queries-workload", args=[project.id, asset.id])).content.decode()
    assert "waiting" in page
    work_here()
    assert set(counts_of(asset, version)) == {digest_of(query) for query in Workload.load(asset.path)}
    assert not list((project.folder / "uploads").iterdir())
