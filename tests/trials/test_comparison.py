"""The product's verifiers agree with the checkers, in small."""

from __future__ import annotations

import pytest

from sfumato.catalogue import MODELS
from trials import comparison
from trials.comparison import compare

CASES = 60


@pytest.mark.parametrize("model", MODELS)
def test_verifiers_agree_with_checkers(model: str) -> None:
    compared = [compare(f"{model}={number}") for number in range(CASES)]
    assert {one.case: one.found for one in compared if one.found} == {}
    assert sum(bool(one.skipped) for one in compared) <= CASES // 2
    assert any(one.holds for one in compared)
    assert any(not one.holds and not one.skipped for one in compared)


def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(comparison.CHECKERS, "km", lambda *_: ["planted"])
    assert any("planted" in one for number in range(20) for one in compare(f"km={number}").found)
