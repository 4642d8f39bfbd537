"""Inference routes left, as a measure."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from driving import drives
from sfumato import BfP2ka, Icba, RoadTrajectories
from sfumato.attacks.inference_routes import InferenceRoutes
from sfumato.errors import DataError
from twins.icba import offending_intersections


def test_the_twin_counts_as_many() -> None:
    total = 0
    for seed in range(4):
        data = drives(seed, vehicles=120)
        release = BfP2ka(k=4).anonymize(data.as_trajectories())
        roads = RoadTrajectories.from_lists(release.data.to_lists(), network=data.network)
        found = InferenceRoutes()(data, release).value
        assert found == len(offending_intersections(roads, 4))
        assert InferenceRoutes()(data, Icba(k=4).anonymize(data)).value == 0
        total += found
    assert total > 0


def test_a_release_without_a_k() -> None:
    data = drives(1)
    with pytest.raises(DataError, match="inference-routes: wanted a release that was made with a k"):
        InferenceRoutes()(data, SimpleNamespace(data=data, origin=None))
