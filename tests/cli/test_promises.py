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


def test_a_promise_names_the_methods_that_keep_it_and_with_which_parameters(run) -> None:
    found = json.loads(run("promises", "lm", "--json").out)
    assert found["methods"] == ["apriori", "lra", "vpa"]
    assert found["methods_if"] == dict.fromkeys(found["methods"], "l > 1")
    assert "lra (l > 1)" in " ".join(run("promises", "lm").out.split())


def test_a_missing_parameter_is_named_as_an_option_of_the_promise(run, tmp_path) -> None:
    people = tmp_path / "people.csv"
    people.write_text("age,ill\n30,flu\n30,gout\n")
    refused = run("verify", people, "--model", "l-diversity", "--sensitive", "ill")
    assert "l-diversity: --l is required: a whole number of at least 2" in refused.err


def test_the_help_of_a_parameter_names_every_promise_that_has_it(run) -> None:
    text = " ".join(run("advise", "--help").out.split())
    assert "with --promise klm, l-diversity, lm, reconstruction, klm- diversity." in text


def test_questions_lead_to_every_promise(run) -> None:
    printed = run("promises", "--choose").out
    assert printed.startswith("What is one record?\n")
    assert all(f": {name}\n" in printed for name in MODELS.built_in)
    assert json.loads(run("promises", "--choose", "--json").out)["question"] == "What is one record?"
    assert "give neither words nor --kind" in run("promises", "--choose", "km").err
