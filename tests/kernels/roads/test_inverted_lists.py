"""Inverted lists: how many shared roads are needed, and lists that outgrow their room."""

from __future__ import annotations

from fractions import Fraction

import pytest

from driving import town
from sfumato import Icba, RoadTrajectories
from sfumato.methods.trajectories.roads.clustering import shared_roads


@pytest.mark.parametrize("similarity", [0.0, 0.2, 1 / 3, 0.5, 0.6, 0.8, 0.95, 0.999])
def test_the_fewest_roads_above_a_share(similarity: float) -> None:
    for n, least in enumerate(shared_roads(similarity, 60)):
        assert least == next(m for m in range(n + 2) if m > Fraction(str(similarity)) * n)


def test_one_road_in_very_many_clusters() -> None:
    """Every trajectory begins with the same road and has a cluster of its own, so that one list is moved many times."""
    ends = [chr(ord("A") + at) for at in range(24)]
    net = town("ab " + " ".join(f"b{end}" for end in ends))
    rows = [["ab+", f"b{end}+"] for end in ends for _ in range(2)]
    for index in ("lists", "tree", "none"):
        release = Icba(k=2, index=index).anonymize(RoadTrajectories.from_lists(rows, network=net))
        assert release.counts["clusters"] == 24
        assert sorted(release.data.to_lists()) == sorted(rows)
