"""Edits of a version after which somebody else saved a newer one: carried over, or refused with a reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
from django.test import Client
from django.urls import reverse

from sfumato.web.workbench.models import Member


@pytest.fixture
def bob(version: Any, django_user_model: Any) -> Client:
    """The browser of another member."""
    user = django_user_model.objects.create_user("bob")
    Member.objects.create(project=version.dataset.project, user=user, role="member")
    browser = Client()
    browser.force_login(user)
    return browser


def address(version: Any, name: str, *more: Any) -> str:
    return reverse(name, args=[version.dataset.project_id, version.dataset_id, *more])


def edit(browser: Any, version: Any, *operations: dict[str, Any]) -> None:
    for operation in operations:
        browser.post(address(version, "data-do"), operation)


def save(browser: Any, version: Any, work_here: Callable[[], None]) -> Any:
    browser.post(address(version, "data-save"), {"mode": "version"})
    work_here()
    return version.dataset.latest


def test_edits_follow_the_rows_into_the_newer_version(client: Any, version: Any, bob: Client, work_here: Any) -> None:
    edit(
        bob,
        version,
        {"do": "set", "column": "age", "row": "5", "value": "99"},
        {"do": "delete-rows", "rows": ["2", "7"]},
    )
    bob.post(address(version, "data-add-row"), {"cell-0": "70", "cell-1": "f", "cell-2": "4310", "cell-3": "flu"})
    edit(bob, version, {"do": "set", "column": "age", "row": "12", "value": "71"})
    edit(
        client,
        version,
        {"do": "delete-rows", "rows": ["2", "4"]},
        {"do": "set", "column": "age", "row": "0", "value": "98"},
    )
    client.post(address(version, "data-add-row"), {"cell-0": "20"})
    newer = save(client, version, work_here)
    assert newer.operation["deleted"] == [2, 4]
    assert "Carry over to version 2" in bob.get(address(version, "data-edit")).content.decode()
    edit(bob, version, {"do": "carry"})
    saved = save(bob, version, work_here)
    assert (saved.number, saved.parent) == (3, newer)
    assert pl.read_parquet(saved.path)["age"].to_list() == [98, 32, 41, 99, 51, 53, 61, 62, 63, 20, 71]


def test_a_cell_of_a_deleted_row_is_not_carried_over(client: Any, version: Any, bob: Client, work_here: Any) -> None:
    edit(bob, version, {"do": "set", "column": "age", "row": "4", "value": "99"})
    edit(client, version, {"do": "delete-rows", "rows": ["4"]})
    save(client, version, work_here)
    refused = bob.post(address(version, "data-do"), {"do": "carry"}, follow=True).content.decode()
    assert "a row that you changed was deleted in the meantime" in refused
    assert "1 edit is not saved" in refused


def test_a_column_that_is_gone_is_named(client: Any, version: Any, bob: Client, work_here: Any) -> None:
    edit(bob, version, {"do": "set", "column": "zip", "row": "4", "value": "9"})
    edit(client, version, {"do": "rename", "column": "zip", "to": "postcode"})
    save(client, version, work_here)
    refused = bob.post(address(version, "data-do"), {"do": "carry"}, follow=True).content.decode()
    assert "wanted the column &#x27;zip&#x27;, found no column of this name" in refused


def test_rows_of_a_restored_version_are_not_compared(client: Any, version: Any, bob: Client) -> None:
    edit(bob, version, {"do": "set", "column": "age", "row": "4", "value": "99"})
    client.post(address(version, "data-restore", version.id))
    refused = bob.post(address(version, "data-do"), {"do": "carry"}, follow=True).content.decode()
    assert "the rows of the versions cannot be compared" in refused
