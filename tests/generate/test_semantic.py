"""The generator of semantic trajectories has the published figures."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.generate import Semantic


def sensitive_visits(data: object) -> float:
    flags = np.array([name in data.sensitive for name in data.names])  # type: ignore[attr-defined]
    return float(flags[data.codes].sum() / len(data))  # type: ignore[attr-defined, arg-type]


@pytest.mark.parametrize(
    ("values", "trajectories", "leaves", "length", "secret"),
    [
        ({}, 7_231, 851, 7.1, 1.63),
        ({"trajectories": 6_225, "places": 530, "mean_length": 5.2, "sensitive": 0.246}, 6_225, 530, 5.2, 1.28),
    ],
    ids=["Pisa", "Milano"],
)
def test_the_figures_of_the_paper(
    values: dict[str, float], trajectories: int, leaves: int, length: float, secret: float
) -> None:
    made = [Semantic.from_json(values).make(seed=seed) for seed in range(3)]
    assert {len(data) for data in made} == {trajectories}
    assert {len(data.taxonomy.leaves) for data in made} == {leaves}
    assert np.mean([data.lengths.mean() for data in made]) == pytest.approx(length, rel=0.01)
    assert np.mean([sensitive_visits(data) for data in made]) == pytest.approx(secret, rel=0.1)


def test_places_and_taxonomy_agree() -> None:
    data = Semantic(trajectories=50, places=90).make(seed=1)
    assert data.taxonomy.height == 3
    assert set(data.names) == set(data.taxonomy.leaves)
    assert data.sensitive == data.taxonomy.sensitive & set(data.names)
    kinds = data.places.facts(data.names, "category")
    assert all(data.taxonomy.parent(name) == kinds[name] for name in data.names)
    assert data.taxonomy.require(data.names) is None


def test_a_seed_repeats_and_another_differs() -> None:
    town = Semantic(trajectories=40, places=40)
    assert town.make(seed=1).to_lists() == town.make(seed=1).to_lists()
    assert town.make(seed=1).to_lists() != town.make(seed=2).to_lists()


def test_routines_and_quarters_show() -> None:
    alike = Semantic(trajectories=200, places=60, routines=1, habit=1.0, mean_length=4).make(seed=1)
    kinds = {name: alike.taxonomy.parent(name) for name in alike.names}
    assert len({kinds[row[0]] for row in alike.to_lists()}) == 1
    assert len({tuple(kinds[place] for place in row[:3]) for row in alike.to_lists() if len(row) > 2}) == 1
    near = Semantic(trajectories=200, places=2_000, nearby=1.0).make(seed=1)
    where = near.places.coordinates(near.names)[near.codes] >= 10_000
    quarter = where @ np.array([1, 2])
    for record in range(len(near)):
        assert len(set(quarter[near.offsets[record] : near.offsets[record + 1]].tolist())) == 1


@pytest.mark.parametrize(
    "values",
    [{"sensitive": 0.0}, {"sensitive": 1.0}, {"mean_length": 1.0}, {"places": 30, "trajectories": 1}, {"persons": 3}],
)
def test_the_smallest_towns(values: dict[str, float]) -> None:
    data = Semantic.from_json({"trajectories": 20, "places": 33, **values}).make(seed=1)
    assert data.lengths.min() >= 1
    if values.get("sensitive") is not None:
        assert sensitive_visits(data) / data.lengths.mean() == values["sensitive"]
    assert (data.persons is not None) == ("persons" in values)


def test_parameters_are_checked() -> None:
    with pytest.raises(ParameterError, match="Semantic: places must be a whole number of at least 30, got 5"):
        Semantic(places=5)
