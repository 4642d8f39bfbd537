"""Clusters chosen by halving, against the rule written down once more."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from sfumato import Places, Trajectories, Zga
from sfumato.methods.base import Run
from sfumato.methods.record_orders import gray_order
from sfumato.methods.trajectories.klm.cluster_bisection import by_halving
from sfumato.methods.trajectories.klm.soa import _ground
from sfumato.methods.trajectories.klm.unit_order import Organized


def grounds(seed: int, n: int, k: int):
    rng = np.random.default_rng(seed)
    names = [f"p{number:02}" for number in range(30)]
    places = Places.planar({name: tuple(rng.integers(0, 40, 2)) for name in names}).with_sensitive(names[7::10])
    rows = [[names[i] for i in (rng.zipf(1.4, rng.integers(1, 5)) - 1) % 30] for _ in range(n)]
    data = Trajectories.from_lists(rows, places=places)
    organized = Organized(data, np.array([name in data.sensitive for name in data.names]))
    method = Zga(k=k, l=2, m=2)
    visits, records = organized.in_order(gray_order(*method.select(organized, Run()), organized.by_content()))
    return data, records, _ground(organized, visits, records, method)


@pytest.mark.parametrize(("seed", "n", "k"), [(1, 160, 3), (2, 160, 2), (3, 7, 2), (4, 3, 2)])
def test_clusters_are_halved_where_two_four_or_eight_parts_displace_less(seed: int, n: int, k: int) -> None:
    data, records, ground = grounds(seed, n, k)
    n_units = len(ground)

    @cache
    def displaced(start: int, end: int) -> float:
        recoded = ground.cluster(start, end)
        if not recoded.safe:
            return float("inf")
        label = dict(zip(recoded.locations.tolist(), recoded.first.tolist(), strict=True))
        total = 0.0
        for record in records[start:end]:
            visited = data.codes[data.offsets[record] : data.offsets[record + 1]].tolist()
            for one in visited:
                group = [other for other in label if label[other] == label[one]] if one in label else [one]
                away = [data.places.distance(data.names[one], data.names[other]) for other in group]
                total += sum(away) / len(away) / len(visited)
        return total

    def halves(start: int, end: int) -> list[tuple[int, int]]:
        middle = (start + end) // 2
        return [(start, middle), (middle, end)] if middle - start >= k else []

    def least(span: tuple[int, int], levels: int) -> float:
        parts = halves(*span) if levels else []
        return min(displaced(*span), sum(least(part, levels - 1) for part in parts) if parts else float("inf"))

    def chosen(span: tuple[int, int]) -> list[tuple[int, int]]:
        if least(span, 3) < displaced(*span) - 1e-9:
            return [one for half in halves(*span) for one in chosen(half)]
        return [span]

    found = by_halving(ground, Run())
    assert list(zip(found.bounds[:-1].tolist(), found.bounds[1:].tolist(), strict=True)) == chosen((0, n_units))
    assert (len(found.recoded) > 1) == (n > 100)
    assert found.safe == all(displaced(*span) < float("inf") for span in chosen((0, n_units)))
