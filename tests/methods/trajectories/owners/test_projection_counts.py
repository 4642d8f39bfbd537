"""Projections of part of the trajectories, beside counts of the others, lead to what all of them lead to."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from sfumato import Gsup, Places, Trajectories
from sfumato.data.base import Ints
from sfumato.kernels.owners.unifications import can_become
from sfumato.methods.base import Run
from sfumato.methods.trajectories.owners.projection_counts import allowed, counts_of, paths_of
from sfumato.methods.trajectories.owners.projections import Projections, canonical_order, quotas
from sfumato.methods.trajectories.owners.unifications import fragments_with_projections
from sfumato.privacy.checks.place_owners import Adversaries

OWNED = Places.from_frame({"location": [f"p{n:02}" for n in range(12)], "owner": ["A", "B", "C", ""] * 3})


def short_trajectories(seed: int, persons: int) -> Trajectories:
    rng = np.random.default_rng(seed)
    lengths = rng.choice([1, 2, 3, 4], 400, p=[0.5, 0.3, 0.1, 0.1])
    rows = [[f"p{code:02}" for code in np.minimum(11, rng.zipf(1.5, length) - 1)] for length in lengths]
    people = [f"u{code}" for code in rng.integers(0, persons, 400)] if persons else None
    return Trajectories.from_lists(rows, persons=people, places=OWNED)


def figures(work: Projections) -> dict[tuple[tuple[str, ...], str], tuple[int, int]]:
    codes, offsets, places, fragments, persons = counts_of(work)
    paths = [tuple(work.data.names[code] for code in codes[a:b]) for a, b in pairwise(offsets)]
    names = [work.data.names[place] if place >= 0 else "" for place in places]
    assert len(set(zip(paths, names, strict=True))) == len(places)
    rows = zip(paths, names, fragments.tolist(), persons.tolist(), strict=True)
    return {(path, name): (count, people) for path, name, count, people in rows}


@pytest.mark.parametrize("persons", [0, 150])
def test_counts_are_those_of_all_projections(persons: int) -> None:
    data = short_trajectories(5, persons)
    adversaries = Adversaries.of(data)
    records: dict[tuple[tuple[str, ...], str], set[int]] = {}
    for record in range(len(data)):
        row = data.labels(record)
        for owner in range(3):
            seen = tuple(name for name in row if adversaries.of_label[data.names.index(name)] == owner)
            others = {name for name in row if adversaries.of_label[data.names.index(name)] != owner}
            for place in ("", *others) if seen else ():
                records.setdefault((seen, place), set()).add(record)
    expected = {key: (len(found), len({int(data.units[at]) for at in found})) for key, found in records.items()}
    assert figures(Projections(data, adversaries.of_label, 0.5)) == expected


def that_can_change(data: Trajectories, owner_of: Ints, threshold: float) -> Ints:
    """Of each record, whether it or another one of the same person can change."""
    work = Projections(data, owner_of, threshold)
    counts = figures(work)
    bad = [
        path
        for (path, place), (count, people) in counts.items()
        if place and np.any(np.array([count, people]) > allowed(threshold, np.array(counts[path, ""])))
    ]
    problems = Trajectories.from_lists([*bad, data.names])  # with all names, so that codes are the same
    state = Projections(problems.take(np.arange(len(bad))), owner_of, 1.0).state
    fragments, nodes = fragments_with_projections(work)
    found = can_become(state, *paths_of(work, nodes))
    units = np.zeros(int(data.units.max()) + 1, dtype=bool)
    units[data.units[canonical_order(data)[fragments[found]]]] = True
    return units[data.units]


@pytest.mark.parametrize("persons", [0, 300])
@pytest.mark.parametrize(("threshold", "batch"), [(0.3, 1), (0.5, 10), (0.6, 1), (0.8, 10)])
def test_trajectories_that_cannot_change_may_be_counts(persons: int, threshold: float, batch: int) -> None:
    for seed in range(3):
        data, method = short_trajectories(seed, persons), Gsup(threshold=threshold, batch=batch)
        owner_of = Adversaries.of(data).of_label
        changes = that_can_change(data, owner_of, threshold)
        held, others = data.take(np.flatnonzero(changes)), data.take(np.flatnonzero(~changes))
        assert len(others) > 0
        counts = counts_of(Projections(others, owner_of, 1.0))
        outcome = method.changed(Projections(held, owner_of, threshold, counts), "", Run())
        expected = method.anonymize(data)
        assert outcome.counts == expected.counts
        rows = [row for row in [*outcome.data.to_lists(), *others.to_lists()] if row]
        assert sorted(rows) == sorted(expected.data.to_lists())


def test_allowed_is_the_quota_of_each_size() -> None:
    sizes = np.array([7, 0, 11, 7])
    assert allowed(0.3, sizes).tolist() == quotas(0.3, 12)[sizes].tolist()
