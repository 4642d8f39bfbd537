"""Policies: rules and sets, edited, checked for a k, and taken over."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from django.urls import reverse

from sfumato.io import read_policy
from sfumato.web.workbench.loading import load
from sfumato.web.workbench.models import Asset
from sfumato.web.workbench.versions import new_dataset

BASKETS = pl.DataFrame(
    {"record": [1, 1, 2, 2, 3, 3, 4, 4], "item": ["ale", "tea", "ale", "tea", "ale", "rye", "ale", "rye"]}
)


@pytest.fixture
def baskets(project: Any) -> Any:
    """Four baskets."""
    return new_dataset(project, "baskets", BASKETS, {"kind": "transactions"})


def derive(client: Any, version: Any, kind: str, **fields: str) -> Any:
    url = reverse("config-add", args=[version.dataset.project_id, version.dataset_id, kind])
    return client.post(url, {"action": "derive", **fields})


def test_a_rule_for_all_sets(client: Any, project: Any, baskets: Any) -> None:
    assert derive(client, baskets, "privacy_policy", rule="all", size="2", bound="5").status_code == 302
    asset = Asset.objects.get()
    assert (asset.text, asset.derived, baskets.source()["assets"]) == ("all:2", "", {"privacy_policy": "all:2"})
    checked = client.post(reverse("config-check", args=[project.id, asset.id]), {"k": "3"}, follow=True)
    assert "sets below 3" in checked.content.decode()
    assert client.post(reverse("config-check", args=[project.id, asset.id]), {"k": "1"}).status_code == 422
    assert client.get(reverse("config-download", args=[project.id, asset.id, "csv"])).content == b"size\n2\n"
    assert derive(client, baskets, "privacy_policy", rule="all", size="0", bound="").status_code == 422
    assert derive(client, baskets, "privacy_policy", rule="siblings", size="1").status_code == 422


def test_derived_sets_are_private_until_a_person_takes_them_over(client: Any, project: Any, baskets: Any) -> None:
    derive(client, baskets, "privacy_policy", rule="rare", size="2", bound="3")
    asset = Asset.objects.get()
    assert (asset.text, asset.derived, asset.facts["sets"]) == ("rare:2:3", "rare:2:3", 2)
    url = reverse("config-edit-policy", args=[project.id, asset.id])
    refused = client.post(url, {"operation": "add", "items": "ale"})
    assert refused.status_code == 422
    assert "wanted constraints that were given" in refused.content.decode()
    for fields in (
        {"operation": "own"},
        {"operation": "add", "items": "rye\ntea"},
        {"operation": "remove", "number": "1"},
    ):
        assert client.post(url, fields).status_code == 200
    client.post(reverse("config-save", args=[project.id, asset.id]))
    saved = Asset.objects.get(current=True)
    assert (saved.derived, saved.text, read_policy(saved.path).sets) == ("", "", (("ale", "tea"), ("rye", "tea")))
    assert load(baskets.source(), project.folder).privacy_policy.sets == (("ale", "tea"), ("rye", "tea"))


def test_siblings_need_a_taxonomy_that_was_given(client: Any, project: Any, baskets: Any) -> None:
    refused = derive(client, baskets, "utility_policy", rule="siblings", size="1")
    assert "needs a hierarchy of the items" in refused.content.decode()
    url = reverse("config-add", args=[project.id, baskets.dataset_id, "taxonomy"])
    client.post(url, {"action": "load", "text": "ale;drink;*\ntea;drink;*\nrye;food;*\n"})
    assert derive(client, baskets, "utility_policy", rule="siblings", size="1").status_code == 302
    policy = Asset.objects.get(kind="utility_policy")
    assert policy.facts == {"sets": 2, "items": 3}
    assert load(baskets.source(), project.folder).utility_policy.sets == (("ale", "tea"), ("rye",))


def test_a_job_derives_and_checks_large_data(
    client: Any, project: Any, baskets: Any, work_here: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sfumato.web.workbench.configuration import adding, policy_pages

    monkeypatch.setattr(adding, "_SETS_AT_ONCE", 1)
    monkeypatch.setattr(policy_pages, "_AT_ONCE", 1)
    derive(client, baskets, "privacy_policy", rule="rare", size="2", bound="3")
    assert not Asset.objects.exists()
    work_here()
    asset = Asset.objects.get()
    assert (asset.text, asset.facts["sets"]) == ("rare:2:3", 2)
    client.post(reverse("config-check", args=[project.id, asset.id]), {"k": "2"})
    work_here()
    asset.refresh_from_db()
    assert asset.facts["review"]["satisfiable"] is True
