"""The results of a comparison can be read while it runs and after it was stopped."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from experiments.conftest import DATA, TOP, TWO, VARY
from sfumato.errors import Cancelled, OutputError
from sfumato.experiments.comparison import Comparison, compare, so_far
from sfumato.experiments.runner import Runner

EXTREME = VARY.replace("[2, 3]", "[2, 3, 400]")


def test_results_so_far(write: Callable[..., Path], tmp_path: Path) -> None:
    states: list[Comparison] = []
    runner = Runner(jobs=1)

    def tell(done: int, *_: object) -> None:
        if done == 9:
            states.append(so_far(tmp_path / "out"))
            runner.cancel()

    with pytest.raises(Cancelled):
        compare(write(TOP, DATA, EXTREME, TWO), tmp_path / "out", runner=runner, tell=tell)
    (tmp_path / "walks.csv").unlink()  # the data are not needed
    for partial in (*states, so_far(tmp_path / "out")):
        assert not partial.is_complete
        assert partial.runs == len(partial.plan) == 12
        became = [state for state, _ in partial.states]
        assert became.count("missing") == 3
        assert became.count("infeasible") == 2
        sentence = next(sentence for state, sentence in partial.states if state == "infeasible")
        assert "400" in sentence
        assert any(sentence in text for text in partial.infeasible)
        assert {"intact", "seconds", "seconds.verifying"} <= set(partial.figures)
        assert len(partial.rows("intact")) == 4
        assert partial.chart(1).to_dict()["title"]["text"].startswith("Locations")


def test_a_directory_without_a_plan_is_refused(tmp_path: Path, write: Callable[..., Path]) -> None:
    (tmp_path / "out").mkdir()
    shutil.copy(write(TOP, DATA, VARY, TWO), tmp_path / "out" / "experiment.toml")
    with pytest.raises(OutputError, match="wanted the directory of a comparison"):
        so_far(tmp_path / "out")
