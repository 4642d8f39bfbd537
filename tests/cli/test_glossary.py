"""`sfumato glossary`: the terms, one of them, and an unknown one."""

from __future__ import annotations

import json
from typing import Any


def test_all_terms_and_one(run: Any) -> None:
    every = run("glossary")
    assert every.code == 0
    assert "Anonymity set" in every.out
    one = run("glossary", "anonymity", "SET")
    assert one.out.startswith("Anonymity set: ")
    assert json.loads(run("glossary", "anonymity set", "--json").out).keys() == {"Anonymity set"}
    assert len(json.loads(run("glossary", "--json").out)) >= 60


def test_an_unknown_term(run: Any) -> None:
    ran = run("glossary", "anonimity set")
    assert ran.code == 2
    assert "did you mean 'anonymity set'?" in ran.err
