"""Noise that keeps its promise on a real computer: two-sided geometric numbers, made from random bits.

Laplace noise in floating point gives itself away by its last bits (I. Mironov, "On significance of the least
significant bits for differential privacy", ACM CCS 2012).  Counts are whole, so whole noise loses nothing: the
two-sided geometric distribution (A. Ghosh, T. Roughgarden, M. Sundararajan, "Universally utility-maximizing privacy
mechanisms", SIAM J. Comput. 41(6), 2012) has P(k) proportional to exp(-rate |k|) and no last bits to look at.

The binary digits of a geometric number are independent of each other: digit j is 1 with probability r / (1 + r) for
r = exp(-rate 2^j).  So a number is drawn digit by digit, each by comparing random bits with a probability that is known
to 192 binary places.  No logarithm of a random float is taken, and no tail is cut off short of 2^-190.
"""

from __future__ import annotations

import os
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

__all__ = ["Entropy", "geometric", "passing", "two_sided"]

Whole = npt.NDArray[np.int64]

_WORDS = 3  # 64-bit words of a probability
_BITS = 64 * _WORDS
_DIGITS = 120  # decimal places while probabilities are computed
_SMALLEST = Decimal(2) ** -(_BITS - 2)
_MOST = 1 << 62  # a number this large is beyond everything that can be counted
_STREAM = 5_061  # separates the noise of a seed from what else is drawn by it


class Entropy:
    """Random bits: from the operating system's cryptographic source or, for a repeatable run, from a seed."""

    def __init__(self, seed: int | None = None) -> None:
        self.seeded = seed is not None
        self._stream = None if seed is None else np.random.default_rng([seed, _STREAM])

    def words(self, number: int) -> npt.NDArray[np.uint64]:
        """Independent, uniformly distributed 64-bit words."""
        if self._stream is None:
            return np.frombuffer(os.urandom(8 * number), dtype=np.uint64)
        return self._stream.integers(0, 1 << 64, size=number, dtype=np.uint64)


def two_sided(rate: Fraction, number: int, entropy: Entropy) -> Whole:
    """Numbers k with probability proportional to exp(-rate |k|): the difference of two geometric ones.

    >>> two_sided(Fraction(1, 2), 8, Entropy(seed=1)).tolist()
    [7, 4, 2, -2, 0, 0, -1, 0]
    """
    digits = _digits(rate)
    return geometric(digits, number, entropy) - geometric(digits, number, entropy)


def passing(rate: Fraction, floor: int, slots: int, entropy: Entropy) -> tuple[Whole, Whole]:
    """Which of so many zeros reach a floor of at least 1 when each gets two-sided noise, and what becomes of them.

    The same distribution as drawing the noise of every slot and keeping those that reach the floor, in time that
    grows with the slots that do.  A slot passes with probability p = exp(-rate floor) / (1 + exp(-rate)), so that the
    gaps between passing slots are geometric; a passing slot exceeds the floor by a geometric number, since the
    distribution has no memory.

    Returns the passing slots in rising order, and their numbers.
    """
    gaps = _gap_digits(rate, floor)
    if gaps is None or slots == 0:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    share, digits = gaps
    batches: list[Whole] = []
    last = -1
    while last < slots:
        batch = 16 + int((slots - last) * share * 1.1)
        steps = np.minimum(geometric(digits, batch, entropy), slots) + 1  # no sum of a batch leaves 63 bits
        batches.append(last + np.cumsum(steps))
        last = int(batches[-1][-1])
    slots_passing = np.concatenate(batches)
    slots_passing = slots_passing[slots_passing < slots]
    return slots_passing, floor + geometric(_digits(rate), len(slots_passing), entropy)


def geometric(digits: tuple[int, ...], number: int, entropy: Entropy) -> Whole:
    """Numbers from 0 upwards whose binary digit j is 1 with probability digits[j] / 2^192."""
    drawn = np.zeros(number, dtype=np.int64)
    for place, chance in enumerate(digits):
        hits = _hits(chance, number, entropy)
        if place < 61:
            drawn += hits.astype(np.int64) << place
        else:
            drawn[hits] = _MOST
    return np.minimum(drawn, _MOST)


def _hits(chance: int, number: int, entropy: Entropy) -> npt.NDArray[np.bool_]:
    """Whether so many uniform numbers of 192 bits are below `chance`; nearly always the first 64 bits decide."""
    first, rest = chance >> 128, chance & ((1 << 128) - 1)
    words = entropy.words(number)
    hits = words < np.uint64(first)
    for index in np.flatnonzero(words == np.uint64(first)):
        hits[index] = int.from_bytes(entropy.words(2).tobytes(), "little") < rest
    return hits


@lru_cache(maxsize=1024)
def _digits(rate: Fraction) -> tuple[int, ...]:
    """The probability of each binary digit of a geometric number with ratio exp(-rate), times 2^192."""
    with localcontext(prec=_DIGITS):
        return _digits_of((-_decimal(rate)).exp())


@lru_cache(maxsize=1024)
def _gap_digits(rate: Fraction, floor: int) -> tuple[float, tuple[int, ...]] | None:
    """How probably a zero reaches the floor, and the digits of the gaps between those that do; None if none will."""
    with localcontext(prec=_DIGITS):
        ratio = (-_decimal(rate)).exp()
        share = (-_decimal(rate) * floor).exp() / (1 + ratio)
        return None if share < _SMALLEST else (float(share), _digits_of(1 - share))


def _digits_of(ratio: Decimal) -> tuple[int, ...]:
    digits = []
    while ratio >= _SMALLEST:
        digits.append(int(ratio / (1 + ratio) * (1 << _BITS)))
        ratio *= ratio
    return tuple(digits)


def _decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)
