"""Several measures of one release: failures stay with the measure that fails."""

from __future__ import annotations

from typing import Any

import pytest

from sfumato import BfP2ka, Incognito, SeqAnon, Trajectories
from sfumato.errors import DataError, MissingKnowledge
from sfumato.utility.base import Score
from sfumato.utility.measuring import require_measures, take_measures
from sfumato.utility.places.generalization import Displacement, IntactLocations


class Refusing(IntactLocations):
    def score(self, original: Any, release: Any) -> Score:  # noqa: ARG002
        raise MissingKnowledge("refusing: needs a taxonomy")


class Broken(IntactLocations):
    def score(self, original: Any, release: Any) -> Score:  # noqa: ARG002
        return Score(1 / 0)


WALKS = Trajectories.from_lists([["a"], ["b"], ["c"], ["c"]], places={name: (0, at) for at, name in enumerate("abc")})


def test_a_measure_that_fails_costs_nothing_but_its_figure() -> None:
    release = SeqAnon(k=2, m=1).anonymize(WALKS)
    taken = take_measures({"refusing": Refusing(), "broken": Broken(), "intact": IntactLocations()}, WALKS, release)
    assert taken.scores == {"intact": IntactLocations()(WALKS, release)}
    assert taken.failed == {
        "refusing": "refusing: needs a taxonomy",
        "broken": "broken: failed with ZeroDivisionError; this is a bug in sfumato, please report it",
    }
    assert set(taken.to_json()) == {"measures", "unmeasured"}
    assert set(take_measures({"intact": IntactLocations()}, WALKS, release).to_json()) == {"measures"}


def test_a_measure_of_another_kind_is_refused_before_the_run() -> None:
    with pytest.raises(DataError, match="intact: wanted trajectories"):
        require_measures([IntactLocations()], Incognito(k=2))
    with pytest.raises(DataError, match="a release of bf-p2ka, which has none"):
        require_measures([IntactLocations(), Displacement()], BfP2ka(k=2))
