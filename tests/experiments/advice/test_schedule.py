"""The order of the runs: little differences of speed do not change what is tried."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from sfumato import Taxonomy, Transactions
from sfumato.experiments.advice import schedule
from sfumato.experiments.advice.advice import Trial
from sfumato.experiments.advice.candidates import candidates_for
from sfumato.experiments.advice.schedule import Schedule, speed_class
from sfumato.experiments.runner import RunEnd, Runner, Task
from sfumato.privacy import KmAnonymity

TREE = Taxonomy({"all": None, "ale": "all", "tea": "all"})
BASKETS = Transactions.from_lists([["ale"], ["tea"]] * 2000, taxonomy=TREE)
SPEEDS = {
    "apriori": 0.004,
    "lra": 0.05,
    "vpa": 0.2,
    "coat": 0.001,
    "pcta": 9.0,
    "disassociate": 0.01,
}  # seconds for 500 records


class Noisy(Runner):
    """Runs nothing; the time of each run is that of its method, more or less, on a clock that it moves."""

    def __init__(self, seed: int) -> None:
        super().__init__(jobs=1)
        self.now, self.started = 0.0, []  # type: ignore[var-annotated]
        self._noise = np.random.default_rng(seed)

    def run(
        self,
        next_task: Callable[[], Task | None],
        done: Callable[[Task, RunEnd], None],
        *,
        datasets: Mapping[str, bytes] | None = None,
    ) -> None:
        assert set(datasets or {}) == {"data", "all:2"}
        while (task := next_task()) is not None:
            spec = task.spec
            seconds = SPEEDS[spec.method] * (spec.sample or len(BASKETS)) / 500 * self._noise.uniform(0.85, 1.15)
            self.started.append(
                (task.key[0], spec.method, spec.arguments.get("parts"), spec.arguments.get("suppression"))
            )
            assert spec.limit_s is not None
            if seconds > spec.limit_s:
                self.now += spec.limit_s
                done(task, RunEnd("limit", spec.limit_s, {}))
                continue
            self.now += seconds
            figures: dict[str, Any] = {
                "holds": [True],
                "promises": [],
                "seconds": seconds,
                "figures": {},
                "cpu": seconds,
            }
            done(task, RunEnd("ran", seconds, figures))


def test_noise_does_not_change_what_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    results = set()
    for seed in range(12):
        runner = Noisy(seed)
        monkeypatch.setattr(schedule, "monotonic", lambda runner=runner: runner.now)
        trials = [Trial(one) for one in candidates_for(KmAnonymity(k=2, m=2), BASKETS).found]
        Schedule(trials, BASKETS, runner, 0, (), 60.0, lambda *_: None).run()
        results.add(tuple(trial.state == "ran" for trial in trials))
        stages = [stage for stage, *_ in runner.started]
        assert stages == sorted(stages, key=["compile", "sample", "run"].index)
        assert [method for stage, method, *_ in runner.started if stage == "compile"] == list(SPEEDS)
        assert sum(trial.state == "ran" for trial in trials) == 14
        assert all(trial.state != "ran" for trial in trials if trial.candidate.method.name == "pcta")
    assert len(results) == 1


def test_every_method_has_its_turn_before_a_slow_one_has_several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SPEEDS, "lra", 0.5)
    monkeypatch.setitem(SPEEDS, "vpa", 0.5)
    monkeypatch.setitem(SPEEDS, "coat", 2.0)
    runner = Noisy(1)
    monkeypatch.setattr(schedule, "monotonic", lambda: runner.now)
    trials = [Trial(one) for one in candidates_for(KmAnonymity(k=2, m=2), BASKETS).found]
    Schedule(trials, BASKETS, runner, 0, (), 60.0, lambda *_: None).run()
    runs = [(method, parts) for stage, method, parts, _ in runner.started if stage == "run"]
    slow = [run for run in runs if run[0] in ("lra", "vpa", "coat")]
    assert slow[:3] == [("lra", 4), ("vpa", 4), ("coat", None)]
    assert set(slow[3:]) <= {("lra", 2), ("lra", 8), ("vpa", 2), ("vpa", 8)}


def test_speeds_are_compared_in_steps() -> None:
    assert speed_class(0.0, 100.0, True) == speed_class(3.0, 100.0, True) == 0
    assert speed_class(5.0, 100.0, True) == speed_class(12.0, 100.0, True) == 1
    assert speed_class(None, 100.0, False) == 0 < speed_class(1e6, 100.0, True) < speed_class(None, 100.0, True)
