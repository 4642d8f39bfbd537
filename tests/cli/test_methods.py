"""The list of methods."""

from __future__ import annotations

import json


def test_methods(run) -> None:
    assert "seqanon-f" in run("methods").out
    found = json.loads(run("methods", "--json").out)
    assert found[0]["name"] == "seqanon"
    assert found[0]["promises"] == ["km"]
    assert [parameter["name"] for parameter in found[0]["parameters"]] == ["k", "m", "suppression"]
    assert found[0]["needs"] == ["places"]
