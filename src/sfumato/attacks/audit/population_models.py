"""Estimates for a population of which the data are a sample: risks of sample classes, and population uniques."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, lgamma, log

import numpy as np
import numpy.typing as npt

from sfumato.data.base import Ints

__all__ = [
    "PopulationEstimate",
    "estimate_population",
    "individual_risks",
    "pitman_parameters",
    "pitman_uniques",
    "zayatz_uniques",
]

Floats = npt.NDArray[np.float64]

SMALL_FRACTION = 0.1  # Dankar et al.: Pitman's model fits samples of up to a tenth
_RECURRENCE = 50  # class sizes up to which the recurrence is used
PITMAN = "Pitman (Hoshino 2001)"
ZAYATZ = "Zayatz (1991)"
NEGATIVE_BINOMIAL = "negative binomial (Benedetti and Franconi)"


@dataclass(frozen=True)
class PopulationEstimate:
    """What is estimated about a population of this size, and with which models.

    fraction : the sampling fraction.  uniques : how many units of the population are unique in it, as an estimate.
    uniques_in_data : how many units of the data are, as an estimate.  uniques_model, risk_model : the models, in words.
    alpha, theta : the parameters of Pitman's model; both 0 where it is not used.
    uniques_share : the estimated share of the sample uniques that are unique in the population.
    """

    size: int
    fraction: float
    uniques: float
    uniques_in_data: float
    uniques_model: str
    risk_model: str
    alpha: float = 0.0
    theta: float = 0.0
    uniques_share: float = 0.0

    def risks(self, sizes: Ints) -> Floats:
        """The expected 1 / (population class size), given the size of the class in the data.

        A sample unique that is unique in the population has a risk of 1, so that the risk of a sample unique is at
        least the share of those; the model of risks alone is below it where most records are sample uniques.
        """
        n = self.fraction * self.size
        expected = individual_risks(sizes, (n + self.theta) / (self.size + self.theta), self.alpha)
        return np.where(sizes == 1, np.maximum(expected, self.uniques_share), expected)


def estimate_population(class_sizes: Ints, size: int, times: Ints | None = None) -> PopulationEstimate:
    """Population uniques and risks by the models that fit the sampling fraction.

    times : how many classes have each of the sizes, where these are distinct and rising.

    Dankar et al. [1]_ choose Pitman's model for uniques up to a fraction of 10%, and above it the smaller estimate of
    Zayatz and of the slide negative binomial model.  The latter is left out here: above 10%, and where Pitman's model
    has no estimate, it is Zayatz, so that the estimate is never below theirs.  Risks are those of Pitman's model where
    it has parameters, because it uses all class sizes, and otherwise those of Benedetti and Franconi.

    References
    ----------
    .. [1] F. K. Dankar, K. El Emam, A. Neisa, T. Roffey, "Estimating the re-identification risk of clinical data
       sets", BMC Medical Informatics and Decision Making 12:66, 2012.
    """
    sizes, counts = np.unique(class_sizes, return_counts=True) if times is None else (class_sizes, times)
    n = int(sizes @ counts)
    fraction = n / size
    sample_uniques = int(counts[sizes == 1].sum())
    fitted = pitman_parameters(sizes, counts)
    uniques = None
    if fitted is not None and fraction <= SMALL_FRACTION:
        uniques = pitman_uniques(*fitted, size)
    uniques_model = ZAYATZ if uniques is None else PITMAN
    if uniques is None:
        uniques = zayatz_uniques(sizes, size, counts)
    in_data = min(float(sample_uniques), uniques * fraction)
    risk_model, (alpha, theta) = (NEGATIVE_BINOMIAL, (0.0, 0.0)) if fitted is None else (PITMAN, fitted)
    share = in_data / sample_uniques if sample_uniques else 0.0
    return PopulationEstimate(size, fraction, uniques, in_data, uniques_model, risk_model, alpha, theta, share)


def individual_risks(sizes: Ints, p: float, alpha: float = 0.0) -> Floats:
    """The expected 1 / (population class size), given the size f of the class in the sample.

    The further members of the class are negative binomial, with f - alpha successes of probability p.  With alpha = 0
    and p the sampling fraction, this is the individual risk of Benedetti and Franconi (Franconi and Polettini 2004;
    sdcMicro with ``method="exact"``).  With Pitman's alpha and p = (n + theta) / (N + theta) it is the limit for
    large n of Pitman's model, in which the next unit falls into the class with probability (f - alpha) / (n + theta).
    With q = 1 - p, the expectation is p times the integral of u^(f-1) (p + q u)^(-1-alpha) over u from 0 to 1.

    >>> individual_risks(np.array([1, 2]), 0.5).round(6).tolist()
    [0.693147, 0.306853]
    >>> individual_risks(np.array([1, 4]), 1.0).tolist()
    [1.0, 0.25]
    """
    distinct, position = np.unique(sizes, return_inverse=True)
    small = _risks_by_recurrence(p, alpha) if p < 0.5 and len(sizes) else []
    values = [small[f - 1] if f <= len(small) else _risk_by_series(f, p, alpha) for f in distinct.tolist()]
    return np.array(values, dtype=np.float64)[position]


def _risks_by_recurrence(p: float, alpha: float) -> list[float]:
    """For class sizes 1, 2, ...: r(f + 1) = p/q (1 - f r(f)) / (f - alpha); errors shrink while p < q."""
    ratio = p / (1 - p)
    risks = [ratio * (log(1 / p) if alpha == 0 else (p**-alpha - 1) / alpha)]
    for f in range(1, _RECURRENCE):
        risks.append(ratio * (1 - f * risks[-1]) / (f - alpha))
    return risks


def _risk_by_series(f: int, p: float, alpha: float) -> float:
    """p / f times a sum whose terms are each q (1 + alpha + j) / (j + f + 1) times the one before."""
    term, total, j = 1 / f, 0.0, 0
    while term > total * 1e-17:
        total += term
        term *= (1 - p) * (1 + alpha + j) / (j + f + 1)
        j += 1
    return p * total


def zayatz_uniques(class_sizes: Ints, size: int, times: Ints | None = None) -> float:
    """How many units of the population are unique (Zayatz 1991): class sizes are distributed there as in the sample.

    A class of i units has one in the sample with the hypergeometric probability h(i) = i n/N prod (N-n-j+1)/(N-j).
    A sample unique is a population unique with u_1 h(1) / sum of u_i h(i); their number is divided by n/N.
    times : how many classes have each of the sizes; one each if not given.

    >>> zayatz_uniques(np.array([1, 1, 2]), 8)
    2.5454...
    """
    if not (class_sizes == 1).any():
        return 0.0
    counts = np.bincount(class_sizes, weights=times)
    n = int(counts @ np.arange(len(counts)))
    steps = np.arange(1, len(counts) - 1, dtype=np.float64)
    factors = np.maximum(size - n - steps + 1, 0.0) / np.maximum(size - steps, 1.0)
    hypergeometric = np.arange(1, len(counts)) * n / size * np.concatenate(([1.0], np.cumprod(factors)))
    share = counts[1] * hypergeometric[0] / float(counts[1:] @ hypergeometric)
    return float(counts[1] * share / (n / size))


def pitman_uniques(alpha: float, theta: float, size: int) -> float | None:
    """How many units of the population are unique: Gamma(theta + 1) / Gamma(theta + alpha) N^alpha, where sensible."""
    uniques = exp(lgamma(theta + 1) - lgamma(theta + alpha) + alpha * log(size))
    return uniques if uniques <= size else None


def pitman_parameters(class_sizes: Ints, times: Ints | None = None) -> tuple[float, float] | None:
    """The most likely alpha and theta of Pitman's sampling formula; None where there are none with 0 < alpha < 1.

    times : how many classes have each of the sizes, where these are distinct and rising.

    References
    ----------
    .. [1] N. Hoshino, "Applying Pitman's sampling formula to microdata disclosure risk assessment", Journal of
       Official Statistics 17(4), 2001.
    """
    sizes, counts = np.unique(class_sizes, return_counts=True) if times is None else (class_sizes, times)
    n, n_classes = int(sizes @ counts), int(counts.sum())
    if n_classes < 2 or n_classes == n or sizes[0] != 1:
        return None

    def slope(alpha: float) -> float:
        return _alpha_slope(alpha, _theta(alpha, n, n_classes), sizes, counts, n_classes)

    low, high = 1e-6, 1 - 1e-9
    if slope(low) <= 0 or slope(high) >= 0:
        return None
    alpha = _root(slope, low, high)
    return alpha, _theta(alpha, n, n_classes)


def _theta(alpha: float, n: int, n_classes: int) -> float:
    """The most likely theta given alpha: a root of sum 1/(theta + i alpha) - sum 1/(theta + i)."""

    def slope(theta: float) -> float:
        classes = (_digamma(n_classes + theta / alpha) - _digamma(1 + theta / alpha)) / alpha
        return classes - (_digamma(n + theta) - _digamma(1 + theta))

    high = 1.0
    while slope(high) > 0 and high < 1e15:
        high *= 4
    return _root(slope, -alpha * (1 - 1e-12), high)


def _root(slope: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that falls through 0 is 0, by bisection."""
    while (middle := (low + high) / 2) not in (low, high) and high - low > 1e-13 * abs(high):
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    return middle


def _alpha_slope(alpha: float, theta: float, sizes: Ints, counts: Ints, n_classes: int) -> float:
    """The derivative of the log likelihood: sum i/(theta + i alpha) - sum over classes of sum 1/(j - alpha)."""
    digammas = _digamma(n_classes + theta / alpha) - _digamma(1 + theta / alpha)
    first = _digamma(1 - alpha)
    inside: float = sum(
        count * (_digamma(f - alpha) - first) for f, count in zip(sizes.tolist(), counts.tolist(), strict=True)
    )
    return (n_classes - 1 - theta / alpha * digammas) / alpha - inside


def _digamma(x: float) -> float:
    """The derivative of log Gamma, for x above 0.

    >>> _digamma(1.0)
    -0.577215664901...
    """
    shift = 0.0
    while x < 10:
        shift -= 1 / x
        x += 1
    square = 1 / x**2
    series = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square / 132))))
    return shift + log(x) - 0.5 / x - series
