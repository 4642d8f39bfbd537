"""The page about the JSON interface, and the OpenAPI document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.test import Client

from sfumato.web.api.documentation import operations
from sfumato.web.api.operations import ROUTERS


def test_the_document_lists_every_operation_with_its_errors() -> None:
    document = Client().get("/api/1/openapi.json").json()
    assert "/api/1/projects/{project_id}/evaluate" in document["paths"]
    for path, methods in document["paths"].items():
        for operation in methods.values():
            assert {"400", "401", "404", "409", "413", "422", "429"} <= set(operation["responses"]), path
            assert operation["summary"]
            assert operation["description"]


def test_the_page_shows_every_operation_and_loads_nothing_from_elsewhere() -> None:
    client = Client()
    shown = client.get("/api/").content.decode()
    document = client.get("/api/1/openapi.json").json()
    for path in document["paths"]:
        assert f"<code>{path}</code>" in shown
    assert "http://" not in shown
    assert "https://" not in shown
    assert len(operations(document)) == len(ROUTERS)


def test_what_is_no_operation_is_not_found_in_json(call: Callable[..., Any]) -> None:
    for method in ("GET", "POST", "DELETE"):
        answer = call(method, "/nothing/of/this")
        assert answer.status_code == 404
        assert answer.json()["sentence"]
