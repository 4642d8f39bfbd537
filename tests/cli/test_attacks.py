"""`sfumato attacks`: the list, and the same for machines."""

from __future__ import annotations

import json

from sfumato.catalogue import ATTACKS


def test_all_are_listed(run) -> None:
    found = {one["name"]: one for one in json.loads(run("attacks", "--json").out)}
    assert list(found) == list(ATTACKS)
    assert all(one["package"] is None and one["summary"] and one["kinds"] for one in found.values())
    assert found["composition"]["against"] is True
    assert "linkage" in run("attacks").out


def test_the_usage_of_an_attack_on_a_release(run) -> None:
    assert "sfumato audit INPUT --against DIR --attack linkage tries an attack." in run("attacks", "linkage").out
