"""What there is to choose from: methods, promises, measures and attacks, each with its parameters."""

from __future__ import annotations

from typing import Any, Literal

from django.http import HttpRequest
from ninja import Field, Router, Schema

from sfumato.catalogue import ATTACKS, MEASURES, METHODS, MODELS
from sfumato.methods import Method
from sfumato.params import Parameter, Value
from sfumato.registry import Registry
from sfumato.web.api.service import ERRORS

__all__ = ["router"]

router = Router(tags=["catalogue"])
_TABLES: dict[str, Registry] = {"methods": METHODS, "promises": MODELS, "measures": MEASURES, "attacks": ATTACKS}


class ParameterAnswer(Schema):
    """A parameter: what is accepted, and what it does."""

    name: str
    wanted: str = Field(description="what is accepted, in words")
    help: str
    required: bool
    default: Any = None
    type: str
    at_least: float | None
    above: float | None
    at_most: float | None
    below: float | None
    choices: list[Any] | None
    or_word: str | None
    grid: list[Any] = Field(description="the values that advice tries")


class Entry(Schema):
    """A method, promise, measure or attack."""

    name: str
    title: str
    kind: str = Field(description="the kind of data, where there is only one")
    needs: list[str] = Field(description="side knowledge without which it refuses")
    parameters: list[ParameterAnswer]


@router.get("/catalogue/{table}", response={200: list[Entry], **ERRORS})
def list_catalogue(request: HttpRequest, table: Literal["methods", "promises", "measures", "attacks"]) -> Any:  # noqa: ARG001
    """Every method, promise, measure or attack with its parameters."""
    chosen = _TABLES[table]
    return [_entry(name, chosen.load(name)) for name in chosen]


def _entry(name: str, declared: Any) -> dict[str, Any]:
    kind = getattr(declared, "kind", "")
    return {
        "name": name,
        "title": str(getattr(declared, "title", "")),
        "kind": kind if isinstance(kind, str) else "",
        "needs": _needs(declared),
        "parameters": [_parameter(parameter) for parameter in declared.parameters()],
    }


def _needs(declared: Any) -> list[str]:
    """Side knowledge that must be there; `places or taxonomy` where one of them is enough."""
    if issubclass(declared, Method):
        return [" or ".join(needs) for needs in declared.requirements()]
    return list(getattr(declared, "needs", ()))


def _parameter(parameter: Parameter) -> dict[str, Any]:
    default = None if parameter.required else parameter.default
    return {
        "name": parameter.name,
        "wanted": parameter.wanted,
        "help": parameter.help,
        "required": parameter.required,
        "default": default.to_json() if isinstance(default, Value) else default,
        "type": "method" if issubclass(parameter.type, Value) else parameter.type.__name__,
        "at_least": parameter.at_least,
        "above": parameter.above,
        "at_most": parameter.at_most,
        "below": parameter.below,
        "choices": None if parameter.choices is None else list(parameter.choices),
        "or_word": parameter.or_word,
        "grid": list(parameter.grid),
    }
