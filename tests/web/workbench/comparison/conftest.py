"""Drafts of comparisons."""

from __future__ import annotations

from typing import Any

import pytest

from sfumato.web.workbench.comparison.drafts import add_configuration, changing


def definition_of(version: Any, method: str = "cluster", **parameters: Any) -> dict[str, Any]:
    return {"version": str(version.id), "method": method, "parameters": {"k": 2, **parameters}, "measures": []}


@pytest.fixture
def draft(project: Any, owner: Any, version: Any) -> dict[str, Any]:
    """Two methods over k, one of whose values is infeasible."""
    add_configuration(project, owner, definition_of(version))
    add_configuration(project, owner, definition_of(version, "incognito"))
    with changing(project, owner) as content:
        content["vary"] = {"parameter": "k", "values": [2, 3, 40]}
        content["repetitions"] = 1
        content["measures"] = [{"measure": "ncp", "parameters": {}}]
        content["claims"] = {"ncp": "rising"}
    return content
