"""Re-identification by visits that are known with their times."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sfumato.attacks import (
    AttackSetting,
    TimedVisits,
)
from sfumato.attacks.timed_visits import with_times_as_places
from sfumato.data import Trajectories
from sfumato.errors import MissingKnowledge
from twins.attacks_fits import smallest_crowds


def test_times_to_a_precision() -> None:
    frame = {"trajectory": [1, 1, 2, 2], "location": ["a", "b", "a", "b"], "time": [0, 3600, 1800, 7300]}
    walks = Trajectories.from_frame(frame)
    for precision, rows in ((3600.0, [["a@0", "b@1"], ["a@0", "b@2"]]), (1.0, [["a0", "b0"], ["a1", "b1"]])):
        twin = [1 / crowd for crowd in smallest_crowds(rows, 2, ordered=False)]
        assert TimedVisits(precision_s=precision).run(AttackSetting.of(walks)).successes.tolist() == twin
    assert TimedVisits(precision_s=86_400).run(AttackSetting.of(walks)).successes.tolist() == [0.5, 0.5]
    bare = replace(walks, times=None)
    assert "these data have none" in str(TimedVisits().unfit(AttackSetting.of(bare)))
    with pytest.raises(MissingKnowledge, match="needs times of visits"):
        with_times_as_places(bare, 60.0)
