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


def test_one_is_shown_with_its_formula_unit_direction_range_and_paper(run) -> None:
    said = run("measures", "inference-routes").out
    measure = MEASURES.load("inference-routes")
    for fact in (measure.title, "none, a pure number", "lower", "at least 0", measure.paper, "roads"):
        assert fact in said
    assert measure.formula.partition(",")[0] in said
    assert all(parameter.name in said for parameter in measure.parameters())
    shown = json.loads(run("measures", "inference-routes", "--json").out)
    assert (shown["unit"], shown["bounds"], shown["better"]) == ("", [0.0, None], "lower")
    assert shown["formula"] == measure.formula


def test_an_unknown_name_is_refused(run) -> None:
    ran = run("measures", "arr")
    assert ran.code == 2
    assert "no measure is called 'arr'" in ran.err
