"""Tokens, sessions, and every operation for every role."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from sfumato.web.accounts.models import Token
from sfumato.web.api.operations import ROUTERS
from sfumato.web.api.service import service
from web.every_url import PEOPLE, ROLES

OPERATIONS = [
    (method, path, operation)
    for router in ROUTERS
    for path, view in router.path_operations.items()
    for operation in view.operations
    for method in operation.methods
]


def role_of(operation: Any) -> str:
    callbacks = operation.auth_callbacks or [service.auth[0] if isinstance(service.auth, list) else service.auth]
    assert len(callbacks) == 1
    return str(callbacks[0].role)


def permitted(role: str, person: str, path: str) -> bool:
    if role:
        return person in ROLES and ROLES.index(person) >= ROLES.index(role)
    if path.endswith("/cancel"):
        return person in ("owner", "member")
    return person in ROLES or not path.startswith("/jobs/")


@pytest.mark.parametrize(
    ("method", "path", "operation"), OPERATIONS, ids=lambda part: part if isinstance(part, str) else ""
)
def test_an_operation_answers_whom_its_permission_names(
    method: str, path: str, operation: Any, call: Callable[..., Any], world: dict[str, Any]
) -> None:
    role = role_of(operation)
    assert (role in ROLES) == ("{project_id}" in path), "an operation on a project names a role"
    for name, value in world.items():
        path = path.replace("{" + name + "}", str(value))
    assert "{" not in path, "the fixture `world` has no object for an argument"
    for person in PEOPLE:
        answer = call(method, path, person, body={})
        answer.close()
        status = answer.status_code
        case = f"{method} {path} as {person}: {status}"
        if person is None:
            assert status == 401, case
        elif not permitted(role, person, path):
            assert status == 404, case
        else:
            assert status < 500, case
            assert status != 401, case
            assert status != 404 or path.endswith("/files"), case  # nothing is published


def test_a_token_is_refused_when_it_has_expired_or_its_user_has_gone(call: Callable[..., Any], users: Any) -> None:
    assert call("GET", "/projects").status_code == 200
    Token.objects.filter(user=users["owner"]).update(expires=timezone.now() - timedelta(seconds=1))
    answer = call("GET", "/projects")
    assert answer.status_code == 401
    assert "token" in answer.json()["sentence"]
    assert call("GET", "/projects", "member").status_code == 200
    users["member"].is_active = False
    users["member"].save()
    assert call("GET", "/projects", "member").status_code == 401
    assert call("GET", "/projects", None, HTTP_AUTHORIZATION="Basic eDp5").status_code == 401


def test_the_use_of_a_token_is_kept(call: Callable[..., Any], users: Any) -> None:
    call("GET", "/projects")
    assert Token.objects.get(user=users["owner"], name="test").used is not None


def test_a_session_may_read_and_needs_the_csrf_token_to_change(users: Any) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(users["owner"])
    assert client.get("/api/1/projects").status_code == 200
    body = {"data": '{"name": "x"}', "content_type": "application/json"}
    assert client.post("/api/1/projects", **body).status_code == 401
    csrf = client.get("/").context["csrf_token"]
    assert client.post("/api/1/projects", **body, HTTP_X_CSRFTOKEN=str(csrf)).status_code == 201
    refused = client.post("/api/1/projects", **body, HTTP_X_CSRFTOKEN=str(csrf), HTTP_AUTHORIZATION="Bearer wrong")
    assert refused.status_code == 401


def test_too_many_requests_are_refused(call: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    throttle = OPERATIONS[0][2].throttle_objects or service.throttle
    monkeypatch.setattr(throttle[0] if isinstance(throttle, list) else throttle, "num_requests", 2)
    cache.clear()
    statuses = [call("GET", "/projects", "stranger") for _ in range(3)]
    assert [answer.status_code for answer in statuses] == [200, 200, 429]
    assert int(statuses[-1].headers["Retry-After"]) > 0
