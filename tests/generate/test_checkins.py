"""The check-in generator has the published figures."""

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.generate import Checkins
from sfumato.privacy import KmAnonymity


def test_the_defaults_have_the_figures_of_the_paper() -> None:
    data = Checkins().make(seed=1)
    assert len(data) == 86_061
    assert len(data.with_used_names().names) == 662
    assert data.lengths.mean() == pytest.approx(3.92, abs=0.03)
    patterns = KmAnonymity(k=2, m=2).check(data).measured["patterns"]
    assert patterns - 662 == pytest.approx(107_811, rel=0.05)


def test_a_seed_repeats_and_another_differs() -> None:
    town = Checkins(trajectories=200, locations=30)
    assert town.make(seed=1).to_lists() == town.make(seed=1).to_lists()
    assert town.make(seed=1).to_lists() != town.make(seed=2).to_lists()


def test_persons_have_homes() -> None:
    data = Checkins(trajectories=300, locations=50, persons=20).make(seed=1)
    first = data.codes[data.offsets[:-1]]
    for person in range(len(data.persons)):
        assert len(np.unique(first[data.persons.codes == person])) == 1


def test_nearby_moves_are_near() -> None:
    def mean_step(nearby: float) -> float:
        data = Checkins(trajectories=2000, locations=400, nearby=nearby, zipf=0.5).make(seed=3)
        where = data.places.coordinates(data.names)[data.codes]
        inside = np.ones(len(data.codes) - 1, dtype=bool)
        inside[data.offsets[1:-1] - 1] = False
        return float(np.linalg.norm(np.diff(where, axis=0), axis=1)[inside].mean())

    assert mean_step(1.0) < 0.4 * mean_step(0.0)


@pytest.mark.parametrize("values", [{"locations": 1}, {"trajectories": 1, "locations": 3}, {"mean_length": 1.0}])
def test_the_smallest_towns(values: dict[str, float]) -> None:
    data = Checkins.from_json({"trajectories": 20, "locations": 5, **values}).make(seed=1)
    assert len(data) == values.get("trajectories", 20)
    assert data.lengths.min() >= 1


def test_parameters_are_checked() -> None:
    with pytest.raises(ParameterError, match="Checkins: nearby must be a number of at least 0 and at most 1, got 2"):
        Checkins(nearby=2)
