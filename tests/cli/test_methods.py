"""The list of methods."""

from __future__ import annotations

import json


def test_methods(run) -> None:
    assert "seqanon-f" in run("methods").out
    found = json.loads(run("methods", "--json").out)
    assert found[0]["name"] == "seqanon"
    assert found[0]["promises"] == ["km"]
    assert [parameter["name"] for parameter in found[0]["parameters"]] == ["k", "m", "rounds", "suppression"]
    assert found[0]["needs"] == ["places"]


def test_methods_that_keep_a_promise_with_some_parameters(run) -> None:
    diverse = json.loads(run("methods", "--promise", "l-diversity", "--json").out)
    assert [method["name"] for method in diverse] == ["incognito", "cluster", "local", "top-down", "bottom-up"]
    assert "l-diversity (l > 1), t-closeness (t < 1)" in run("methods", "local").out
