"""A comparison to begin with: a few methods that fit the data, with one parameter that varies."""

from __future__ import annotations

from typing import Any

from sfumato.web.workbench.comparison.drafts import EMPTY, put_configuration
from sfumato.web.workbench.evaluation.choices import Choices
from sfumato.web.workbench.models import Project, Version

__all__ = ["STARTS", "example_for"]

STARTS: dict[str, Any] = {"k": 5, "m": 2, "epsilon": 1.0, "c": 0.5, "delta": 0.5, "l": 2, "group_size": 5}
"""What the form suggests for required parameters, so that a first run is one click."""

_METHODS = 3
_RANGE = {"start": 2, "end": 10, "step": 4}
_PROBABILITIES = {"start": 0.2, "end": 0.8, "step": 0.3}


def example_for(project: Project, version: Version) -> dict[str, Any]:
    """A draft of up to three methods that need nothing that the data lack."""
    choices = Choices(version)
    draft: dict[str, Any] = {**EMPTY, "configurations": [], "measures": [], "repetitions": 2}
    varying = ""
    for _name, declared in choices.methods:
        required = [parameter.name for parameter in declared.parameters() if parameter.required]
        if not set(required) <= set(STARTS) or len(draft["configurations"]) == _METHODS:
            continue
        if choices.missing(declared, declared.from_json({name: STARTS[name] for name in required}).to_json()):
            continue
        varying = varying or (required[0] if required else "")
        if varying not in required:
            continue
        parameters = {name: STARTS[name] for name in required}
        definition = {"version": str(version.id), "method": declared.name, "parameters": parameters}
        put_configuration(project, draft, definition)
        measures = [choice.name for choice in choices.measures(declared) if not choice.misfit]
        if not draft["measures"] and measures:
            chosen = "are" if "are" in measures else measures[0]
            draft["measures"] = [{"measure": chosen, "parameters": {}}]
    if varying:
        draft["vary"] = {"parameter": varying, **(_RANGE if isinstance(STARTS[varying], int) else _PROBABILITIES)}
    return draft
