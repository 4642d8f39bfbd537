"""The form of an evaluation: what it offers, what it refuses, and the definition that it makes."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from sfumato.web.jobs.models import Job
from sfumato.web.workbench.models import Asset, Run
from sfumato.web.workbench.versions import new_dataset


def _post(version: Any, **fields: Any) -> dict[str, Any]:
    return {"sent": "1", "version": str(version.id), "method": "cluster", "p-k": "3", "p-l": "1", **fields}


def test_the_form_offers_methods_measures_and_the_promise_in_words(client: Any, version: Any) -> None:
    page = client.get(f"/p/{version.dataset.project.id}/evaluate/").content.decode()
    for words in ("incognito", "NCP, the normalized certainty penalty", "at least 5 records that match", "l-diversity"):
        assert words in page
    assert "seqanon" not in page
    assert "sfumato anonymize" in page


def test_a_form_starts_a_run(client: Any, version: Any) -> None:
    address = f"/p/{version.dataset.project.id}/evaluate/"
    fields = _post(
        version,
        measure=["are", "ncp"],
        **{"measure-are-queries": "7", "promise": "l-diversity", "promise-l-diversity-l": "2"},
    )
    answer = client.post(address, fields)
    run = Run.objects.get()
    assert answer["Location"] == f"/p/{run.project.id}/runs/{run.id}/"
    assert run.definition["parameters"]["k"] == 3
    assert run.definition["measures"][0] == {"measure": "are", "parameters": {"queries": 7}}
    assert run.definition["promises"] == ["l-diversity:l=2"]
    assert run.definition["seed"] is None
    assert run.job.arguments["out"] == f"runs/{run.id}"
    page = client.get(f"{address}?from={run.id}").content.decode()
    assert 'name="p-k" value="3"' in page


def test_wrong_values_are_kept_beside_their_sentences(client: Any, version: Any) -> None:
    fields = _post(version, **{"p-k": "1", "seed": "x", "vary": "k", "vary-by": "list", "vary-values": "5"})
    answer = client.post(f"/p/{version.dataset.project.id}/evaluate/", fields)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "k must be a whole number of at least 2, got 1" in page
    assert "Give at least two values" in page
    assert "The seed is a whole number" in page
    assert not Run.objects.exists()
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    ("fields", "values"),
    [
        ({"vary-by": "range", "vary-start": "2", "vary-end": "10", "vary-step": "4"}, [2, 6, 10]),
        ({"vary-by": "list", "vary-values": "2, 5,11"}, [2, 5, 11]),
    ],
)
def test_one_parameter_varies(client: Any, version: Any, fields: dict[str, str], values: list[int]) -> None:
    client.post(f"/p/{version.dataset.project.id}/evaluate/", _post(version, vary="k", **fields))
    assert Run.objects.get().definition["vary"] == {"parameter": "k", "values": values}


def test_another_method_keeps_what_both_have(client: Any, version: Any) -> None:
    fields = _post(version, method="incognito", measure="ncp", **{"p-k": "7"})
    page = client.post(f"/p/{version.dataset.project.id}/evaluate/form/", fields, headers={"HX-Request": "true"})
    content = page.content.decode()
    assert content.lstrip().startswith("<form")
    assert 'name="p-k" value="7"' in content
    assert 'name="p-minimize"' in content


def test_data_of_another_kind_bring_measures_of_their_own(client: Any, version: Any) -> None:
    project = version.dataset.project
    frame = pl.DataFrame({"record": [1, 1, 2], "item": ["a", "b", "a"]})
    baskets = new_dataset(project, "baskets", frame, {"kind": "transactions"})
    fields = _post(baskets, measure="ncp", promise="k-anonymity")
    answer = client.post(f"/p/{project.id}/evaluate/form/", fields, headers={"HX-Request": "true"})
    content = answer.content.decode()
    assert answer.status_code == 200
    assert 'value="are" checked' in content
    assert 'id="command"' in content
    assert client.post(f"/p/{project.id}/evaluate/", fields).status_code == 404


def test_missing_knowledge_is_named_before_the_run(client: Any, project: Any) -> None:
    frame = pl.DataFrame({"record": [1, 1, 2], "item": ["a", "b", "a"]})
    version = new_dataset(project, "baskets", frame, {"kind": "transactions"})
    address = f"/p/{project.id}/evaluate/promise/"
    fields = {"version": str(version.id), "method": "apriori", "p-k": "2", "p-m": "1"}
    assert "This method needs a taxonomy." in client.post(address, fields).content.decode()
    Asset.objects.create(dataset=version.dataset, kind="taxonomy", name="tree", file="assets/tree.csv")
    page = client.post(address, fields).content.decode()
    assert "needs" not in page
    assert "knows up to 1 item of a person finds at least 2 records" in page


def test_mixed_data_choose_three_methods(client: Any, project: Any) -> None:
    frame = pl.DataFrame({"age": [30, 31, 32], "codes": ["a b", "a", "b"]})
    version = new_dataset(project, "visits", frame, {"kind": "mixed", "items": "codes", "quasi_identifiers": ["age"]})
    fields = {
        "sent": "1", "version": str(version.id), "method": "tum-bound", "p-k": "2", "p-m": "1", "p-delta": "0.5",
        "p-relational": "incognito", "p-relational-incognito-minimize": "discernibility",
        "p-transaction": "coat", "p-transaction-coat-suppression": "0.4",
    }  # fmt: skip
    page = client.post(f"/p/{project.id}/evaluate/form/", fields).content.decode()
    assert "Bounding method" in page
    assert "needs a privacy policy" in client.post(f"/p/{project.id}/evaluate/promise/", fields).content.decode()
    client.post(f"/p/{project.id}/evaluate/", fields)
    parameters = Run.objects.get().definition["parameters"]
    assert parameters["transaction"] == {"method": "coat", "suppression": 0.4}
    assert parameters["relational"] == {"method": "incognito", "minimize": "discernibility"}


def test_a_workload_is_an_asset_of_these_data(client: Any, version: Any, django_user_model: Any) -> None:
    from sfumato.web.workbench.models import Project

    asset = Asset.objects.create(dataset=version.dataset, kind="workload", name="my queries", file="assets/w.json")
    address = f"/p/{version.dataset.project.id}/evaluate/"
    assert "my queries" in client.get(address).content.decode()
    client.post(address, _post(version, measure="are", **{"measure-are-workload": str(asset.id)}))
    run = Run.objects.get()
    assert run.job.arguments["measures"] == [{"measure": "are", "parameters": {"workload": "assets/w.json"}}]
    other = Project.objects.create(name="other", owner=django_user_model.objects.create_user("bob"))
    foreign = new_dataset(other, "theirs", pl.DataFrame({"age": [1]}), {"kind": "table", "quasi_identifiers": ["age"]})
    theirs = Asset.objects.create(dataset=foreign.dataset, kind="workload", name="theirs", file="assets/x.json")
    answer = client.post(address, _post(version, measure="are", **{"measure-are-workload": str(theirs.id)}))
    assert answer.status_code == 422
    assert client.post(address, _post(foreign)).status_code == 404
    assert client.get(f"/p/{other.id}/evaluate/").status_code == 404


def test_without_data_the_page_has_one_sentence(client: Any, project: Any) -> None:
    assert "There are no data to anonymize yet." in client.get(f"/p/{project.id}/evaluate/").content.decode()
