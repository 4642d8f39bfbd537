"""`sfumato measures`: the list, and the same for machines."""

from __future__ import annotations

import json

from sfumato.catalogue import MEASURES


def test_all_are_listed(run) -> None:
    found = {one["name"]: one for one in json.loads(run("measures", "--json").out)}
    assert list(found) == list(MEASURES)
    assert all(one["package"] is None and one["summary"] and one["kinds"] for one in found.values())
    assert found["are"]["better"] == "lower"
    assert "are" in run("measures").out
