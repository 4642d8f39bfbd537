"""Membership: a method that keeps its promise is not refuted, one that lies about epsilon is."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from datasets import build
from sfumato.attacks import AttackSetting, Exposed, Membership, weigh
from sfumato.attacks import membership as module
from sfumato.methods.trajectories.ngrams.ngrams import NGrams

ROWS = [list("abc"), *([list("a")] * 6)]


def a_scene(epsilon: float = 0.5) -> AttackSetting:
    walks = build("trajectories", ROWS, None)
    return AttackSetting.of(walks, NGrams(epsilon=epsilon).anonymize(walks, seed=1))


def test_noise_keeps_its_promise() -> None:
    found = Membership(runs=20, people=5).run(a_scene(), seed=1)
    assert found.interval[0] <= found.facts["bound"]
    assert found.facts["bound"] == pytest.approx(0.6225, abs=1e-4)
    assert (found.tried, found.of, found.exact) == (20, None, False)
    assert [one.beaten for one in weigh(a_scene(), seed=1)] == [False]


def test_a_method_that_adds_no_noise_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    def anonymize(data: Any, **_: Any) -> Any:
        return SimpleNamespace(data=data.published()[0])

    bare = SimpleNamespace(anonymize=anonymize, _require=lambda _: None)
    monkeypatch.setattr(module, "method_class", lambda _: SimpleNamespace(from_json=lambda _: bare))
    found = Membership(runs=20, people=5).run(a_scene(), seed=1)
    assert found.mean == 1.0
    assert found.interval[0] > found.facts["bound"]
    assert [one.beaten for one in weigh(a_scene(), seed=1)] == [True]


def test_what_it_does_not_fit() -> None:
    walks = build("trajectories", ROWS, None)
    assert "this release promises no epsilon" in str(Membership().unfit(AttackSetting.of(walks, walks.published()[0])))
    setting = a_scene()
    nowhere = replace(setting, original=replace(walks, places=None))
    assert "needs places" in str(Membership().unfit(nowhere))
    alone = replace(setting, original=walks.take(walks.units[:1]))
    assert "needs at least one person besides the target" in str(Membership().unfit(alone))
    assert [one.beaten for one in weigh(nowhere)] == [None]
    assert isinstance(setting.release, Exposed)
