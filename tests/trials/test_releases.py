"""Releases of every method on nasty data, in small; `python -m trials --only releases` makes them in large."""

from __future__ import annotations

import pytest

from sfumato.catalogue import METHODS
from sfumato.errors import CallerError
from trials import releases
from trials.nasty import case_of
from trials.releases import AIMS, judge

PAIRS = [(method, model) for model, methods in AIMS.items() for method in methods if model != "inference-route"]
CASES = 3


@pytest.mark.parametrize(("method", "model"), PAIRS, ids=[f"{method}-{model}" for method, model in PAIRS])
def test_nothing_is_found_in_releases(method: str, model: str) -> None:
    judged = [judge(f"{method}-{number}:{model}", again=True) for number in range(CASES)]
    assert {one.case: one.found for one in judged if one.found} == {}


@pytest.mark.parametrize("method", METHODS)
def test_at_least_half_of_the_cases_give_a_release(method: str) -> None:
    refused = 0
    for number in range(100, 120):
        case = case_of(f"{method}-{number}")
        try:
            releases.method_class(method).from_json(case.parameters).anonymize(case.data, seed=case.seed)
        except CallerError:
            refused += 1
    assert refused <= 10


def test_a_case_is_the_same_every_time() -> None:
    one, other = case_of("cluster-7:t-closeness"), case_of("cluster-7:t-closeness")
    assert one.parameters == other.parameters
    assert one.original == other.original
    assert one.data.frame.equals(other.data.frame)


def test_a_case_needs_a_method() -> None:
    with pytest.raises(ValueError, match="such as zga-17"):
        case_of("nonsense-1")


def test_what_is_broken_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checker that refuses, a product that refuses and a crash are all findings."""
    monkeypatch.setitem(releases.CHECKERS, "km", lambda *_: ["planted"])
    assert judge("seqanon-0").found == ["km broken: planted"]
    monkeypatch.setitem(releases.CHECKERS, "km", lambda *_: 1 / 0)
    assert "ZeroDivisionError" in judge("seqanon-0").found[0]
