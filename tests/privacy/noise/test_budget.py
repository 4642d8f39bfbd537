"""The ledger: what it counts, what it tells, what it records, and that contributions follow one path."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sfumato
from sfumato import Trajectories
from sfumato.errors import Bug
from sfumato.privacy.noise.budget import WHOLE, PrivacyBudget

HALF = WHOLE // 2


def array(*values: int) -> Any:
    return np.array(values, dtype=np.int64)


def opened(
    records: Any, *, persons: Any = None, epsilon: float = 1e6, at_most: int = 9, seed: int | None = 1
) -> PrivacyBudget:
    """A ledger; with so large an epsilon its noise is 0."""
    ledger = PrivacyBudget(seed)
    data = Trajectories.from_lists([["a"]] * 6, persons=persons)
    ledger.open(data, records=array(*records), epsilon=epsilon, at_most=at_most)
    return ledger


def test_contributions_walk_down_one_path_each() -> None:
    ledger = opened([0, 1, 2, 3, 4])
    told = ledger.split(array(0), array(0, 0, 1, 2, -1), sizes=array(4), shares=array(HALF))
    assert (told.parent.tolist(), told.cell.tolist(), told.branch.tolist()) == ([0] * 4, [0, 1, 2, 3], [1, 2, 3, 4])
    assert told.noisy.tolist() == [2, 1, 1, 0]
    assert ledger.at.tolist() == [1, 1, 2, 3, -1]
    below = ledger.split(
        array(1, 3), array(1, 0, 0, 0, 0), sizes=array(2, 5), shares=array(HALF // 2, HALF), floors=array(1, 1)
    )
    assert list(zip(below.parent.tolist(), below.cell.tolist(), below.noisy.tolist(), strict=True)) == [
        (1, 0, 1),
        (1, 1, 1),
        (3, 0, 1),
    ]
    assert below.branch.tolist() == [5, 6, 7]
    assert ledger.at.tolist() == [6, 5, -1, 7, -1]  # the one in branch 2, which was not split, goes no further
    assert ledger.remaining(array(0, 1, 2, 3, 5, 7)).tolist() == [HALF, HALF // 2, HALF, 0, HALF // 2, 0]
    spends = ledger.spends
    assert spends.parents.tolist() == [-1, 0, 0, 0, 0, 1, 1, 3]
    assert list(zip(spends.branches.tolist(), spends.shares.tolist(), strict=True)) == [
        (0, HALF),
        (1, HALF // 2),
        (3, HALF),
    ]


def test_cells_below_their_floor_are_not_told() -> None:
    ledger = opened([0, 1, 2, 3])
    told = ledger.split(array(0), array(2, 2, 2, 0), sizes=array(1000), shares=array(WHOLE), floors=array(2))
    assert (told.cell.tolist(), told.noisy.tolist()) == ([2], [3])
    assert ledger.at.tolist() == [1, 1, 1, -1]


def test_one_cell_can_be_told_always() -> None:
    ledger = opened([0, 1, 2, 3])
    ledger.split(array(0), array(0, 0, 1, 2), sizes=array(3), shares=array(HALF))
    told = ledger.split(
        array(1, 2, 3),
        array(0, 0, 4, 1),
        sizes=array(5, 5, 4),  # the last branch does not have the cell
        shares=array(1, 1, 1) * HALF,
        floors=array(2, 2, 2),
        always=4,
    )
    assert list(zip(told.parent.tolist(), told.cell.tolist(), told.noisy.tolist(), strict=True)) == [
        (1, 0, 2),
        (1, 4, 0),
        (2, 4, 1),
    ]
    noisy = opened([0], epsilon=1.0)
    noisy.split(array(0), array(0), sizes=array(3000), shares=array(HALF))
    every = np.arange(1, 3001)
    told = noisy.split(
        every, array(1), sizes=np.full(3000, 2), shares=np.full(3000, HALF), floors=np.full(3000, 10**6), always=0
    )
    assert told.parent.tolist() == every.tolist()
    assert set(told.cell.tolist()) == {0}
    assert told.noisy.min() < -20 < 20 < told.noisy.max()  # the noise of scale 18, not cut off


def test_nobody_contributes_more_than_was_said() -> None:
    opened([0, 0, 1, 1], at_most=2)
    with pytest.raises(Bug, match="a unit contributes more"):
        opened([0, 0, 0, 1], at_most=2)
    opened([0, 1, 2, 3], persons=list("uuvvww"), at_most=2)
    with pytest.raises(Bug, match="contributes more"):  # a person, not a record
        opened([0, 1, 2, 3], persons=list("uuuvww"), at_most=2)
    ledger = opened([0])
    with pytest.raises(Bug, match="opened twice"):
        ledger.open(Trajectories.from_lists([["a"]]), records=array(0), epsilon=1.0, at_most=1)


@pytest.mark.parametrize(
    ("branches", "cells", "sizes", "shares", "floors"),
    [
        (array(1, 0), array(0), array(1, 1), array(1, 1), None),
        (array(0), array(0), array(1), array(0), None),
        (array(0), array(0), array(1), array(1), array(0)),
        (array(0), array(3), array(3), array(1), None),
    ],
    ids=["falling", "for nothing", "floor 0", "no such cell"],
)
def test_a_split_that_makes_no_sense_is_refused(
    branches: Any, cells: Any, sizes: Any, shares: Any, floors: Any
) -> None:
    with pytest.raises(Bug):
        opened([0]).split(branches, cells, sizes=sizes, shares=shares, floors=floors)


@pytest.mark.parametrize(("epsilon", "share", "at_most"), [(1.0, WHOLE, 1), (0.5, WHOLE // 4, 3)])
def test_the_noise_has_the_scale_that_is_recorded(epsilon: float, share: int, at_most: int) -> None:
    ledger = opened([0], epsilon=epsilon, at_most=at_most)
    told = ledger.split(array(0), array(0), sizes=array(200_000), shares=array(share))
    scale = at_most * WHOLE / (epsilon * share)
    noise = told.noisy[1:]
    assert ledger.report() == [
        {
            "branches": 1,
            "cells": 200_000,
            "sensitivity": at_most,
            "epsilon": [epsilon * share / WHOLE] * 2,
            "scale": [scale] * 2,
        }
    ]
    ratio = np.exp(-1 / scale)
    expected = 2 * ratio / (1 - ratio) / (1 + ratio)  # of the distance from 0
    assert abs(np.abs(noise).mean() / expected - 1) < 0.02
    assert abs(np.mean(noise == 0) - (1 - ratio) / (1 + ratio)) < 0.005


def test_both_ways_of_counting_have_one_distribution() -> None:
    """Telling all cells and sieving them, against telling those that reach the floor: counts of 0 and above."""
    floor, size, branches = 3, 8, 6_000
    # every branch holds the same: 3 contributions in cell 1, 2 in cell 4
    at, cells = np.repeat(np.arange(branches), 5), np.tile([1, 1, 1, 4, 4], branches)
    everybody = Trajectories.from_lists([["a"]] * len(at))
    frequency = []
    for floors in (None, np.full(branches, floor)):
        ledger = PrivacyBudget(seed=5)
        ledger.open(everybody, records=np.arange(len(at)), epsilon=1.4, at_most=1)
        half = np.array([HALF])
        below = ledger.split(array(0), at, sizes=np.array([branches]), shares=half).branch
        told = ledger.split(below, cells, sizes=np.full(branches, size), shares=np.full(branches, HALF), floors=floors)
        kept = told.noisy >= floor
        assert kept.all() or floors is None
        seen = np.zeros((size, 12))
        np.add.at(seen, (told.cell[kept], np.minimum(told.noisy[kept] - floor, 11)), 1)
        frequency.append(seen)
    dense, sparse = frequency
    assert np.abs(dense - sparse).max() > 0  # they are not the same draws
    assert np.max(np.abs(dense - sparse) / np.sqrt(dense + sparse + 1)) < 4.5
    assert dense[1].sum() > dense[4].sum() > dense[0].sum() > 100


def test_an_empty_ledger_counts_too() -> None:
    ledger = PrivacyBudget(seed=1)
    nobody = Trajectories(offsets=array(0), codes=array(), names=())
    ledger.open(nobody, records=array(), epsilon=1e6, at_most=3)
    assert ledger.split(array(0), array(), sizes=array(3), shares=array(HALF)).noisy.tolist() == [0, 0, 0]
    told = ledger.split(array(1, 3), array(), sizes=array(3, 3), shares=array(HALF, HALF), floors=array(1, 1))
    assert len(told.cell) == 0
    assert len(ledger.split(array(), array(), sizes=array(), shares=array()).cell) == 0
    assert ledger.spends.largest == 0


def test_methods_have_no_noise_of_their_own() -> None:
    """The ledger is the only one to draw noise; a method may ask for random bits, but not for noise."""
    rooms = [Path(sfumato.__file__).parent / room for room in ("methods", "privacy")]
    drawing = {
        file.name
        for room in rooms
        for file in room.rglob("*.py")
        if re.search(r"\b(two_sided|passing|laplace|geometric|exponential|gumbel)\(", file.read_text(), re.IGNORECASE)
    }
    assert drawing == {"geometric.py", "budget.py"}


def test_a_ledger_that_is_not_open_has_nothing_to_say() -> None:
    with pytest.raises(Bug, match="read before it was opened"):
        _ = PrivacyBudget().spends
    assert PrivacyBudget().report() == []
