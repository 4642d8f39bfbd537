"""Catalogues on the command line: lists, searches, filters, everything about one, and names that are nearly right."""

from __future__ import annotations

import json

import pytest

from sfumato.catalogue import ATTACKS, MEASURES, METHODS, MODELS
from sfumato.registry import Registry

CATALOGUES = {"methods": METHODS, "measures": MEASURES, "promises": MODELS, "attacks": ATTACKS}


@pytest.mark.parametrize(("command", "registry"), CATALOGUES.items())
def test_everything_is_listed_with_one_plain_sentence(run, command: str, registry: Registry) -> None:
    shown = json.loads(run(command, "--json").out)
    assert [facts["name"] for facts in shown] == list(registry)
    for facts in shown:
        assert facts["summary"].endswith("."), facts["name"]
        assert "\n" not in facts["summary"]
    out = run(command).out
    assert all(f" {name} " in out for name in registry.built_in)


@pytest.mark.parametrize(("command", "registry"), CATALOGUES.items())
def test_a_name_alone_shows_everything_about_it(run, command: str, registry: Registry) -> None:
    for name in list(registry)[:2]:
        ran = run(command, name)
        assert ran.code == 0
        assert ran.out.startswith(f"{name}: ")
        assert all(parameter.name in ran.out for parameter in registry.load(name).parameters())
        assert name in ran.out.splitlines()[-1], "the last line says how to use it"
        assert json.loads(run(command, name, "--json").out)["name"] == name


def names(run, *words: str) -> list[str]:
    return [facts["name"] for facts in json.loads(run(*words, "--json").out)]


def test_words_search_names_sentences_kinds_and_papers(run) -> None:
    assert names(run, "methods", "poulis", "mixed") == ["r-first", "t-first", "rum-bound", "tum-bound"]
    assert names(run, "methods", "Differential") == ["diffpart"]
    assert names(run, "methods", "synthetic") == ["ngrams"]
    assert names(run, "measures", "frequent", "SUBGRAPHS") == ["subgraphs-preserved", "subgraphs-spurious"]
    assert "kkm" in names(run, "promises", "quasi-identifiers", "items")
    assert "home-work" in names(run, "attacks", "live")
    assert names(run, "measures", "iyengar") == ["granularity"]


def test_filters(run) -> None:
    tables = ["incognito", "cluster", "local", "top-down", "bottom-up"]
    assert names(run, "methods", "--kind", "table", "--promise", "k-anonymity") == tables
    assert names(run, "methods", "--kind", "table", "hierarchy") == ["incognito"]
    assert names(run, "methods", "--kind", "table", "--promise", "klm-diversity") == []
    assert set(names(run, "measures", "--kind", "roads")) >= {"road-error", "road-patterns"}
    assert "no privacy model is called 'kk'" in run("methods", "--promise", "kk").err


@pytest.mark.parametrize(("command", "typed", "meant"), [
    ("methods", "seqannon", "seqanon"), ("measures", "intackt", "intact"),
    ("promises", "k-anonimity", "k-anonymity"), ("attacks", "linkag3", "linkage"),
])  # fmt: skip
def test_a_name_that_is_nearly_right_is_suggested(run, command: str, typed: str, meant: str) -> None:
    ran = run(command, typed)
    assert ran.code == 2
    assert f"is called {typed!r}, and none mentions it; did you mean '{meant}'?" in ran.err


def test_limits_of_a_promise_stand_on_lines_of_their_own(run) -> None:
    out = run("promises", "km").out
    assert "- an attacker who knows more than m visits or items of a person" in out
