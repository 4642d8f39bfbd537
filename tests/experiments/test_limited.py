"""Work that can be stopped: limits, workers that die, and workers that are used again."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from sfumato import Transactions
from sfumato.experiments.limited import Task, run_limited

BASKETS = Transactions.from_lists([["ale", "tea"]] * 4 + [["ale"]] * 4)


def cell(method: str = "disassociate", **parameters: Any) -> dict[str, Any]:
    return {"base": "data", "sample": None, "seed": 0, "method": method, "parameters": {"k": 2, "m": 1, **parameters},
            "knowledge": {}, "figures": [["are", "are", {}]]}  # fmt: skip


@pytest.fixture
def handed(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "data.pickle").write_bytes(pickle.dumps(BASKETS))
    return {"data": str(tmp_path / "data.pickle")}


def test_tasks_are_done_stopped_refused_and_done_again(handed: dict[str, str]) -> None:
    """One process does it all: a limit of nothing stops it, and another takes over."""
    waiting = [
        Task("good", cell(), 60),
        Task("late", cell(), 0.0),
        Task("infeasible", cell(k=100), 60),
        Task("wrong", cell("apriori"), 60),
        Task("broken", {"base": "data"}, 60),
        Task("again", cell(), 60),
    ]
    found: dict[str, Any] = {}
    run_limited(
        lambda: waiting.pop(0) if waiting else None,
        lambda task, outcome, seconds: found.update({task.key: (outcome, seconds)}),
        handed=handed,
        jobs=1,
    )
    assert list(found) == ["good", "late", "infeasible", "wrong", "broken", "again"]
    assert found["good"][0]["holds"] == [True]
    assert found["late"][0] is None
    assert found["infeasible"][0]["infeasible"].startswith("disassociate: k=100 needs at least 100")
    assert found["wrong"][0]["error"].startswith("apriori: needs taxonomy")
    assert found["broken"][0]["error"] == "KeyError inside sfumato; this is a bug, please report it"
    assert found["again"][0]["figures"] == found["good"][0]["figures"]
    assert all(seconds >= 0 for _, seconds in found.values())


def test_nothing_to_do_starts_nothing(handed: dict[str, str]) -> None:
    run_limited(lambda: None, lambda *_: pytest.fail("there was nothing to do"), handed=handed, jobs=2)
