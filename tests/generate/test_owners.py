"""Owners of generated places."""

from __future__ import annotations

from collections import Counter

import pytest

from sfumato.data import Places
from sfumato.errors import ParameterError
from sfumato.generate import Checkins, City
from sfumato.generate.owners import owned

PLACES = Places.planar({f"p{number:02}": (number, 0) for number in range(40)})


def sizes(places: Places) -> list[int]:
    return sorted(Counter(places.frame["owner"].to_list()).values(), reverse=True)


def test_owners_have_equally_many_places_or_shares_by_zipf() -> None:
    assert sizes(owned(PLACES, 4, "uniform", 1)) == [10, 10, 10, 10]
    assert sizes(owned(PLACES, 3, "uniform", 1)) == [14, 13, 13]
    assert sizes(owned(PLACES, 4, "zipf", 1)) == [18, 10, 7, 5]  # 1 + 36 * (12, 6, 4, 3) / 25
    assert sizes(owned(PLACES, 40, "zipf", 1)) == [1] * 40
    assert sizes(owned(PLACES, 1, "uniform", 1)) == [40]


def test_a_seed_repeats_owners_and_leaves_the_rest_alone() -> None:
    one, two, other = (owned(PLACES, 4, "zipf", seed).frame for seed in (1, 1, 2))
    assert one.equals(two)
    assert not one.equals(other)
    assert one.drop("owner").equals(PLACES.frame)
    assert owned(PLACES, None, "zipf", 1) is PLACES


@pytest.mark.parametrize("town", [City(nodes=300, objects=50), Checkins(trajectories=50, locations=20)])
def test_visits_are_the_same_with_owners(town: City | Checkins) -> None:
    with_owners = type(town)(**{**town.to_json(), "owners": 3, "owner_spread": "zipf"}).make(seed=4)
    assert with_owners.to_lists() == town.make(seed=4).to_lists()
    assert set(with_owners.owners.values()) <= {"o1", "o2", "o3"}
    assert len(with_owners.owners) == len(with_owners.names)


def test_more_owners_than_places_are_refused() -> None:
    with pytest.raises(ParameterError, match="owners: wanted at most one for each of 40 places, found 41"):
        owned(PLACES, 41, "uniform", 1)
