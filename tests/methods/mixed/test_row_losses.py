"""Measures of the loss of rows: what a merge changes agrees with counting everything again; no merge lowers a loss."""

from __future__ import annotations

import numpy as np
import pytest

from sfumato.methods.mixed.row_losses import ROW_LOSSES, Grouped


@pytest.mark.parametrize("name", ROW_LOSSES)
@pytest.mark.parametrize("chance", range(20))
def test_a_merge_changes_what_counting_again_finds(name: str, chance: int) -> None:
    measure, draw = ROW_LOSSES[name], np.random.default_rng(chance)
    n = int(draw.integers(2, 8))
    before = Grouped(draw.integers(1, 6, n), draw.random(n) * 0.5, draw.integers(0, 3, (n, 1)), 60)
    seed = int(draw.integers(n))
    others = np.array([other for other in range(n) if other != seed])
    merged = Grouped(
        before.sizes[seed] + before.sizes[others],
        np.maximum(before.ncp[seed], before.ncp[others]) + draw.random(n - 1) * 0.5,
        draw.integers(0, 4, (n - 1, 1)),  # now and then the labels of the two, or of a third cluster
        60,
    )
    totals = measure.totals_with(before, seed, others, merged)
    for place, other in enumerate(others.tolist()):
        rest = [cluster for cluster in range(n) if cluster not in (seed, other)]
        after = Grouped(
            np.append(before.sizes[rest], merged.sizes[place]),
            np.append(before.ncp[rest], merged.ncp[place]),
            np.vstack((before.labels[rest], merged.labels[[place]])),
            60,
        )
        assert totals[place] == pytest.approx(measure.total(after))


@pytest.mark.parametrize("name", ROW_LOSSES)
def test_rows_that_are_all_suppressed_or_in_one_class_lose_everything(name: str) -> None:
    nothing, one_label = np.empty(0, dtype=np.int64), np.zeros((1, 1), dtype=np.int64)
    measure = ROW_LOSSES[name]
    assert measure.total(Grouped(nothing, np.empty(0), np.empty((0, 1), dtype=np.int64), 9)) == 1
    assert measure.total(Grouped(np.array([9]), np.array([1.0]), one_label, 9)) == 1
