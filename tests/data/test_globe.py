"""Points in space."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data.globe import flattened, in_space, means_of_runs

DEGREES = st.tuples(st.floats(-179.9, 179.9), st.floats(-89.9, 89.9))


@given(st.lists(DEGREES, min_size=1), st.booleans())
def test_there_and_back(points: list[tuple[float, float]], geographic: bool) -> None:
    where = np.array(points)
    back = flattened(in_space(where, geographic=geographic), geographic=geographic)
    np.testing.assert_allclose(back, where, atol=1e-9)


@given(
    st.lists(st.integers(-9, 9), min_size=6, max_size=6),
    st.sampled_from([[(0, 6)], [(1, 2), (2, 5)], [(0, 1), (4, 6)]]),
)
def test_means_of_runs(values: list[int], runs: list[tuple[int, int]]) -> None:
    where = np.column_stack((values, values[::-1])).astype(float)
    first, end = np.array(runs).T
    wanted = [where[a:b].mean(axis=0) for a, b in runs]
    np.testing.assert_allclose(means_of_runs(where, first, end, geographic=False), wanted)
    # small degrees around the equator are almost a plane
    np.testing.assert_allclose(means_of_runs(where / 1e3, first, end, geographic=True) * 1e3, wanted, atol=1e-4)


def test_no_runs() -> None:
    nothing = np.empty(0, dtype=np.int64)
    assert means_of_runs(np.zeros((3, 2)), nothing, nothing, geographic=True).shape == (0, 2)


def test_the_mean_across_the_date_line() -> None:
    where = np.array([[179.0, 0.0], [-179.0, 0.0]])
    assert abs(means_of_runs(where, np.array([0]), np.array([2]), geographic=True)[0, 0]) == pytest.approx(180)
