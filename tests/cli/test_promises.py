"""`sfumato promises`: the list, and the same for machines."""

from __future__ import annotations

import json

from sfumato.catalogue import MODELS


def test_all_are_listed(run) -> None:
    found = {one["name"]: one for one in json.loads(run("promises", "--json").out)}
    assert list(found) == list(MODELS)
    assert all(one["package"] is None and one["summary"] and one["kinds"] for one in found.values())
    assert found["km"]["not_covered"][0].keys() == {"key", "text"}
    assert "projection" in run("promises").out
