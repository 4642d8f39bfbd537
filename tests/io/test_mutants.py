"""Every reader and some spoiled files of its format; `trials.mutants` makes them by the ten thousands."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest


@pytest.fixture
def mutants(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))
    from trials import mutants

    yield mutants
    for name in [name for name in sys.modules if name.partition(".")[0] == "trials"]:
        del sys.modules[name]


def test_every_reader_ends_with_data_or_with_one_sentence(mutants) -> None:
    found = mutants.run(400, 7)
    assert sum(cases for cases, _ in found.values()) == 400
    assert all(cases > 5 for cases, _ in found.values())
    assert [failure for _, failures in found.values() for failure in failures] == []
