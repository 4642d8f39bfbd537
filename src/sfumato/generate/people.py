"""Synthetic people: age, sex, education, marital status and income, each depending on the previous ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

__all__ = ["EDUCATION", "MARITAL", "People", "draw_people", "logistic"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

EDUCATION = ("none", "primary", "secondary", "tertiary")
MARITAL = ("single", "married", "divorced", "widowed")


@dataclass(frozen=True)
class People:
    """One number a person; education and marital status are positions in `EDUCATION` and `MARITAL`."""

    age: Ints
    woman: npt.NDArray[np.bool_]
    education: Ints
    marital: Ints
    income: Ints

    def frame(self) -> pl.DataFrame:
        return pl.DataFrame(
            {
                "age": self.age,
                "sex": pl.Series(np.where(self.woman, "F", "M")),
                "education": pl.Series(np.array(EDUCATION)[self.education]),
                "marital": pl.Series(np.array(MARITAL)[self.marital]),
                "income": self.income,
            }
        )


def draw_people(count: int, rng: np.random.Generator) -> People:
    """Draw people by the rules that `Mixed` states.

    >>> people = draw_people(1000, np.random.default_rng(1))
    >>> bool(people.income[people.age < 16].max() == 0)
    True
    """
    age = (95 * rng.beta(1.6, 1.9, count)).astype(np.int64)
    woman = rng.random(count) < 0.51
    education = _education(age, rng)
    marital = _marital(age, woman, rng)
    return People(age, woman, education, marital, _income(age, woman, education, rng))


def logistic(values: Floats) -> Floats:
    """The logistic function: from 0 to 1, with 1/2 at 0."""
    return 1 / (1 + np.exp(-values))


def _education(age: Ints, rng: np.random.Generator) -> Ints:
    """The education, limited by age: primary from 11, secondary from 18, tertiary from 23; lower for older people."""
    score = rng.random(len(age)) + 0.004 * (45 - np.clip(age, 20, 95))
    unlimited = np.searchsorted([0.03, 0.2, 0.68], score)
    return np.minimum(unlimited, np.searchsorted([10, 17, 22], age))


def _marital(age: Ints, woman: npt.NDArray[np.bool_], rng: np.random.Generator) -> Ints:
    """The marital status: first who is married, then who is widowed, then who is divorced."""
    married = (rng.random(len(age)) < 0.9 * logistic((age - 28) / 4)) & (age >= 18)
    widowed = rng.random(len(age)) < logistic((age - np.where(woman, 78, 86)) / 6)
    divorced = rng.random(len(age)) < 0.2 * logistic((age - 38) / 5)
    return np.where(married, np.where(widowed, 3, np.where(divorced, 2, 1)), 0)


def _income(age: Ints, woman: npt.NDArray[np.bool_], education: Ints, rng: np.random.Generator) -> Ints:
    """The income of a year, rounded to hundreds: log-normal around a median by education, age and sex."""
    median = 14_000 * 2 ** (education / 3) * (1 - ((age - 50) / 70) ** 2) * np.where(woman, 0.9, 1.0)
    income = median * rng.lognormal(0.0, 0.5, len(age))
    return np.where(age < 16, 0, 100 * np.rint(income / 100)).astype(np.int64)
