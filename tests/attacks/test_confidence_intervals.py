"""Wilson's interval holds what it should."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.attacks.confidence_intervals import wilson


@given(share=st.floats(0, 1), n=st.integers(1, 10**6))
def test_it_lies_around_the_share_and_between_0_and_1(share: float, n: int) -> None:
    low, high = wilson(share, n)
    assert 0 <= low <= share <= high <= 1
    wider = wilson(share, max(1, n // 2))
    assert wider[0] <= low + 1e-12
    assert high <= wider[1] + 1e-12


def test_a_known_value() -> None:
    # R. G. Newcombe, Statistics in Medicine 17, 1998, Table I, method 3
    assert wilson(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(15 / 148, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson(0.0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)


def test_it_covers_about_95_percent() -> None:
    n = 200
    covered = []
    for share in np.linspace(0.02, 0.98, 25):
        chance = [comb(n, hits) * share**hits * (1 - share) ** (n - hits) for hits in range(n + 1)]
        bounds = [wilson(hits / n, n) for hits in range(n + 1)]
        covered.append(sum(p for p, (low, high) in zip(chance, bounds, strict=True) if low <= share <= high))
    assert np.mean(covered) == pytest.approx(0.95, abs=0.01)
    assert min(covered) > 0.92
