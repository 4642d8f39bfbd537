"""The nearest node, against looking at all of them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sfumato.kernels.space.nearest_node import nearest_nodes

spots = st.tuples(st.integers(-20, 20), st.integers(-3, 3))


@given(st.lists(spots, min_size=1, max_size=60), st.lists(spots, max_size=20))
def test_as_near_as_brute_force_and_the_first_of_ties(nodes, asked) -> None:
    points, queries = np.array(nodes, dtype=float), np.array(asked, dtype=float).reshape(-1, 2)
    squares = ((queries[:, None, :] - points[None, :, :]) ** 2).sum(axis=2)
    assert nearest_nodes(points, queries).tolist() == squares.argmin(axis=1).tolist()


def test_many_random_ones() -> None:
    rng = np.random.default_rng(1)
    points, queries = rng.random((3000, 2)) ** 3, rng.random((500, 2)) * 1.4 - 0.2  # crowded corner, empty far side
    squares = ((queries[:, None, :] - points[None, :, :]) ** 2).sum(axis=2)
    assert np.array_equal(nearest_nodes(points, queries), squares.argmin(axis=1))
