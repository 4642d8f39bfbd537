"""Noise: exactly the right distribution on paper, and in large numbers of draws."""

from __future__ import annotations

import os
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from sfumato.privacy.noise import geometric as noise
from sfumato.privacy.noise.geometric import Entropy, geometric, passing, two_sided
from twins.ledger import two_sided_chance

RATES = [Fraction(1, 2), Fraction(3), Fraction(1, 1000), Fraction(0.1) / 20]


def deviation(hits: int, draws: int, chance: float) -> float:
    """How many standard deviations a number of hits is away from what is expected."""
    return abs(hits - draws * chance) / max(1e-12, (draws * chance * (1 - chance)) ** 0.5)


@pytest.mark.parametrize("rate", RATES, ids=str)
def test_the_digits_make_a_geometric_number_to_50_places(rate: Fraction) -> None:
    digits = noise._digits(rate)
    for number in (0, 1, 2, 3, 10, 37, (1 << len(digits)) - 1):
        chance = Fraction(1)
        for place, digit in enumerate(digits):
            one = Fraction(digit, 1 << 192)
            chance *= one if number >> place & 1 else 1 - one
        with localcontext(prec=90):
            ratio = (-Decimal(rate.numerator) / rate.denominator).exp()
            wanted = (1 - ratio) * ratio**number
            found = Decimal(chance.numerator) / chance.denominator
            assert abs(found - wanted) < Decimal("1e-50") * max(wanted, Decimal("1e-6"))


@pytest.mark.parametrize("rate", RATES, ids=str)
def test_the_tail_is_not_cut_off(rate: Fraction) -> None:
    """What the digits cannot say is rarer than 2^-185."""
    largest = (1 << len(noise._digits(rate))) - 1
    assert float(rate) * largest > 185 * np.log(2)


@pytest.mark.parametrize("rate", [Fraction(1, 2), Fraction(3), Fraction(1, 5)], ids=str)
def test_every_number_is_as_frequent_as_it_must_be(rate: Fraction) -> None:
    draws = 200_000
    drawn = two_sided(rate, draws, Entropy(seed=11))
    for number in range(-9, 10):
        chance = two_sided_chance(float(rate), number)
        if draws * chance > 20:
            assert deviation(int(np.sum(drawn == number)), draws, chance) < 4.5


def test_wide_noise_has_the_right_tails_mean_and_spread() -> None:
    rate, draws = 1 / 700, 300_000
    drawn = two_sided(Fraction(1, 700), draws, Entropy(seed=12))
    ratio = np.exp(-rate)
    spread = np.sqrt(2 * ratio) / (1 - ratio)
    assert abs(drawn.mean()) < 4.5 * spread / np.sqrt(draws)
    assert abs(drawn.std() / spread - 1) < 0.01
    for least in (1, 100, 700, 2000, 5000):
        chance = ratio**least / (1 + ratio)
        assert deviation(int(np.sum(drawn >= least)), draws, chance) < 4.5
        assert deviation(int(np.sum(drawn <= -least)), draws, chance) < 4.5


def test_draws_do_not_depend_on_each_other() -> None:
    drawn = two_sided(Fraction(1, 10), 200_000, Entropy(seed=13)).astype(float)
    for lag in (1, 2, 100_000):
        assert abs(np.corrcoef(drawn[:-lag], drawn[lag:])[0, 1]) < 4.5 / np.sqrt(len(drawn) - lag)


@pytest.mark.parametrize(("rate", "floor"), [(Fraction(1, 3), 1), (Fraction(1, 3), 4), (Fraction(1), 2)])
def test_the_short_cut_over_zeros_has_the_distribution_of_the_long_way(rate: Fraction, floor: int) -> None:
    """How many of 12 slots pass, which ones and with what number: against the noise of every slot, drawn and sieved."""
    slots, trials = 12, 40_000
    long = two_sided(rate, slots * trials, Entropy(seed=14)).reshape(trials, slots)
    where, values = passing(rate, floor, slots * trials, Entropy(seed=15))
    short = np.zeros((trials, slots), dtype=np.int64)
    short[where // slots, where % slots] = values
    for many in range(slots + 1):
        one, other = (int(np.sum((drawn >= floor).sum(axis=1) == many)) for drawn in (long, short))
        assert abs(one - other) < 4.5 * np.sqrt(one + other + 1)
    alpha = np.exp(-float(rate))
    chance = float(alpha**floor / (1 + alpha))
    assert max(deviation(int(hits), trials, chance) for hits in (short > 0).sum(axis=0)) < 4.5
    assert values.min() == floor
    for more in range(4):
        share = float((1 - alpha) * alpha**more)
        assert deviation(int(np.sum(values == floor + more)), len(values), share) < 4.5


def test_a_few_slots_pass_as_often_as_many_do() -> None:
    entropy = Entropy(seed=16)
    number = [len(passing(Fraction(1, 2), 2, 3, entropy)[0]) for _ in range(2000)]
    alpha = float(np.exp(-0.5))
    assert deviation(sum(number), 6000, alpha**2 / (1 + alpha)) < 4.5


def test_the_short_cut_over_very_many_slots() -> None:
    at, number = passing(Fraction(1, 100), 2000, 10**10, Entropy(seed=15))
    expected = 10**10 * np.exp(-20) / (1 + np.exp(-0.01))
    assert abs(len(at) - expected) < 4.5 * expected**0.5
    assert np.all(np.diff(at) > 0)
    assert 0 <= at[0] < at[-1] < 10**10
    assert number.min() >= 2000
    nothing, none = passing(Fraction(1), 10_000, 10**10, Entropy(seed=16))  # less likely than 2^-190 for each
    assert len(nothing) == len(none) == 0
    assert len(passing(Fraction(1), 1, 0, Entropy(seed=17))[0]) == 0


class _Scripted(Entropy):
    """Words as they were written down."""

    def __init__(self, words: list[int]) -> None:
        super().__init__(seed=0)
        self.left = words

    def words(self, number: int) -> np.ndarray:
        told, self.left = self.left[:number], self.left[number:]
        return np.array(told, dtype=np.uint64)


def test_bits_beyond_the_first_word_decide_a_tie() -> None:
    chance = (7 << 128) | (1 << 64)
    assert noise._hits(chance, 3, _Scripted([6, 8, 7, 2**64 - 1, 0])).tolist() == [True, False, True]
    assert noise._hits(chance, 1, _Scripted([7, 0, 1])).tolist() == [False]


def test_a_number_beyond_everything_stays_in_bounds() -> None:
    always = (1 << 192) - 1
    assert geometric((0,) * 70 + (always,), 2, Entropy(seed=1)).tolist() == [1 << 62] * 2
    assert geometric((), 3, Entropy(seed=1)).tolist() == [0, 0, 0]


def test_bits_come_from_the_system_unless_there_is_a_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    real = os.urandom

    def counting(size: int) -> bytes:
        asked.append(size)
        return real(size)

    monkeypatch.setattr(os, "urandom", counting)
    one, other = Entropy().words(4), Entropy().words(4)
    assert asked == [32, 32]
    assert one.tolist() != other.tolist()
    assert Entropy(seed=3).words(4).tolist() == Entropy(seed=3).words(4).tolist()
    assert Entropy(seed=3).words(4).tolist() != Entropy(seed=4).words(4).tolist()
    assert asked == [32, 32]
    assert (Entropy().seeded, Entropy(seed=0).seeded) == (False, True)


def test_the_bits_of_the_system_are_even() -> None:
    bits = np.unpackbits(Entropy().words(20_000).view(np.uint8))
    assert deviation(int(bits.sum()), len(bits), 0.5) < 7
