"""The description of the JSON interface, as a page and as an OpenAPI document; nothing of it is about data."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt

from sfumato.web.accounts.access import anyone
from sfumato.web.api.service import service

__all__ = ["missing", "operations", "page", "schema"]

_PREFIX = "/api/1"


@anyone
def schema(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """The OpenAPI document."""
    return JsonResponse(_document())


@anyone
def page(request: HttpRequest) -> HttpResponse:
    """Every operation with what it takes and answers."""
    document = _document()
    context = {"info": document["info"], "groups": operations(document), "command": "curl -H 'Authorization: Bearer …'"}
    return render(request, "api/documentation.html", context)


@anyone
@csrf_exempt
def missing(request: HttpRequest, rest: str) -> HttpResponse:  # noqa: ARG001
    """There is no such operation."""
    return JsonResponse({"sentence": "there is no such operation", "field": ""}, status=404)


@cache
def _document() -> dict[str, Any]:
    document: dict[str, Any] = service.get_openapi_schema(path_prefix=_PREFIX)
    return document


def operations(document: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The operations of an OpenAPI document by their tag, as the page shows them."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            body = operation.get("requestBody", {}).get("content", {})
            answers = operation["responses"]
            successes = (answer for status, answer in answers.items() if str(status).startswith("2"))
            success: dict[str, Any] = next(successes, {})
            entry = {
                "id": operation["operationId"],
                "method": method.upper(),
                "path": path,
                "summary": operation.get("summary", ""),
                "description": operation.get("description", ""),
                "parameters": [
                    {**parameter, "type": _type_words(parameter["schema"], document)}
                    for parameter in operation.get("parameters", [])
                ],
                "sent": [field for content in body.values() for field in _fields(content["schema"], document)],
                "answered": [
                    field
                    for content in success.get("content", {}).values()
                    for field in _fields(content["schema"], document)
                ],
            }
            groups.setdefault((operation.get("tags") or [""])[0], []).append(entry)
    return groups


def _resolved(schema: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    if "$ref" not in schema:
        return schema
    resolved: dict[str, Any] = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return resolved


def _fields(schema: dict[str, Any], document: dict[str, Any]) -> list[dict[str, Any]]:
    """The fields of an object, or of the objects of a list."""
    resolved = _resolved(schema, document)
    if resolved.get("type") == "array":
        resolved = _resolved(resolved.get("items", {}), document)
    required = resolved.get("required", [])
    return [
        {
            "name": name,
            "type": _type_words(field, document),
            "description": field.get("description", ""),
            "required": name in required,
        }
        for name, field in resolved.get("properties", {}).items()
    ]


def _type_words(schema: dict[str, Any], document: dict[str, Any]) -> str:
    """The type of a value in words.

    >>> _type_words({"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}, {})
    'list of string or null'
    """
    if "anyOf" in schema:
        return " or ".join(_type_words(part, document) for part in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(map(str, schema["enum"]))
    if "$ref" in schema:
        return schema["$ref"].rpartition("/")[2]
    if schema.get("type") == "array":
        return f"list of {_type_words(schema.get('items', {}), document)}"
    return str(schema.get("format") or schema.get("type") or "any value")
