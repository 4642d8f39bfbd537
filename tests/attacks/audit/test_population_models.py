"""Population models: literal sums, formulas of sdcMicro, and a simulated population."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.attacks.audit.population_models import (
    NEGATIVE_BINOMIAL,
    PITMAN,
    ZAYATZ,
    estimate_population,
    individual_risks,
    pitman_parameters,
    pitman_uniques,
    zayatz_uniques,
)
from twins import table_risks as twin

SIZES = [1] * 120 + [2] * 40 + [3] * 22 + [4] * 12 + [6] * 9 + [15] * 4 + [60]


@pytest.mark.parametrize("p", [0.01, 0.2, 0.49, 0.5, 0.9])
@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.8])
def test_individual_risks_are_the_sums_that_they_stand_for(p: float, alpha: float) -> None:
    sizes = [1, 2, 3, 7, 50, 51, 200]
    expected = [twin.expected_inverse(f, p, alpha, terms=60_000) for f in sizes]
    # p^(f - alpha) underflows in the literal sum of large classes: there the mean is about p / f
    expected = [
        value if value > 0 else p / (f - (1 + alpha) * (1 - p)) for value, f in zip(expected, sizes, strict=True)
    ]
    assert individual_risks(np.array(sizes), p, alpha).tolist() == pytest.approx(expected, rel=2e-3)


@pytest.mark.parametrize("p", [0.001, 0.05, 0.3, 0.7, 0.95])
def test_individual_risks_are_those_of_sdcmicro(p: float) -> None:
    ratio = p / (1 - p)
    # indivRisk for classes of one and of two; above, its approximation p / (f - (1 - p))
    exact = [ratio * log(1 / p), ratio - ratio**2 * log(1 / p)]
    assert individual_risks(np.array([1, 2]), p).tolist() == pytest.approx(exact, rel=1e-9)
    large = np.array([40, 100, 1000])
    assert individual_risks(large, p).tolist() == pytest.approx((p / (large - (1 - p))).tolist(), rel=2e-3)


@settings(max_examples=60, deadline=None)
@given(sizes=st.lists(st.integers(1, 6), min_size=1, max_size=30), more=st.integers(0, 200))
def test_zayatz_is_the_literal_formula(sizes: list[int], more: int) -> None:
    size = sum(sizes) + more
    assert zayatz_uniques(np.array(sizes), size) == pytest.approx(twin.zayatz(sizes, size), rel=1e-9)


def test_pitman_parameters_are_the_most_likely() -> None:
    fitted = pitman_parameters(np.array(SIZES))
    assert fitted is not None
    alpha, theta = fitted
    best = twin.pitman_likelihood(alpha, theta, SIZES)
    for step_alpha in (-0.01, 0, 0.01):
        for step_theta in (-1.0, 0, 1.0):
            assert twin.pitman_likelihood(alpha + step_alpha, theta + step_theta, SIZES) <= best
    # the derivatives of the literal likelihood are 0
    for step in ((1e-5, 0.0), (0.0, 1e-3)):
        up, down = (twin.pitman_likelihood(alpha + s * step[0], theta + s * step[1], SIZES) for s in (1, -1))
        assert abs(up - down) / (2 * sum(step)) < 1e-3


def test_pitman_has_no_estimate_without_variety() -> None:
    for sizes in ([1, 1, 1], [4], [2, 3]):
        assert pitman_parameters(np.array(sizes)) is None
    assert pitman_uniques(0.99, 1e6, 1000) is None


def test_the_model_depends_on_the_sampling_fraction() -> None:
    sizes = np.array(SIZES)
    n = int(sizes.sum())
    small, large = estimate_population(sizes, 20 * n), estimate_population(sizes, 4 * n)
    assert (small.uniques_model, small.risk_model) == (PITMAN, PITMAN)
    assert (large.uniques_model, large.risk_model) == (ZAYATZ, PITMAN)
    assert large.uniques == zayatz_uniques(sizes, 4 * n)
    nothing_fits = estimate_population(np.ones(50, dtype=np.int64), 1000)
    assert (nothing_fits.uniques_model, nothing_fits.risk_model) == (ZAYATZ, NEGATIVE_BINOMIAL)
    assert nothing_fits.uniques == pytest.approx(1000)
    no_uniques = estimate_population(np.array([5, 5, 9]), 1000)
    assert (no_uniques.uniques, no_uniques.uniques_in_data) == (0.0, 0.0)


@pytest.mark.parametrize("fraction", [0.05, 0.3])
def test_estimates_of_a_simulated_population_are_near(fraction: float) -> None:
    rng = np.random.default_rng(3)
    weights = rng.lognormal(0, 2.0, 50_000)
    population = rng.choice(50_000, 50_000, p=weights / weights.sum())
    whole = np.bincount(population, minlength=50_000)
    sample = np.bincount(rng.choice(population, int(50_000 * fraction), replace=False), minlength=50_000)
    seen = sample > 0
    estimate = estimate_population(sample[seen], 50_000)
    uniques = int((whole == 1).sum())
    assert 0.9 * uniques < estimate.uniques < 2 * uniques
    marketer = float((sample[seen] / whole[seen]).sum() / sample.sum())
    estimated = float((estimate.risks(sample[seen]) * sample[seen]).sum() / sample.sum())
    assert 0.95 * marketer < estimated < 1.5 * marketer


def test_risks_are_not_below_what_the_estimated_uniques_imply() -> None:
    sizes = np.array([1] * 80 + [2] * 10)
    estimate = estimate_population(sizes, 500)
    risks = estimate.risks(np.repeat(sizes, sizes))
    assert risks.sum() >= estimate.uniques_in_data - 1e-9
    assert (risks <= 1).all()
