"""Mixed records: synthetic people with demographic attributes and sets of diagnoses."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_uppercase
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import Mixed as MixedRecords
from sfumato.data import Table, Taxonomy, Transactions
from sfumato.errors import ParameterError
from sfumato.generate.base import Generator
from sfumato.generate.people import People, draw_people, logistic
from sfumato.params import param

__all__ = ["Mixed"]

Floats = npt.NDArray[np.float64]

PER_GROUP = 2.0  # mean number of diagnoses of a group for a person prone to it
BY_CHANCE = 0.05  # share of diagnoses independent of groups
MOST = 0.95  # largest probability of being prone to a group


@dataclass(frozen=True, kw_only=True)
class Mixed(Generator):
    """Demographics with sets of diagnoses.

    Every person has an age, a sex, an education, a marital status and an income that depend on each other.  Diagnoses
    come in groups, named by a letter, as ``C07`` is the seventh of group C.  The probability of a group depends on age,
    sex and income; a person prone to one group is more often prone to the next.  No real data are used: the rules below
    are plausible, and the figures are invented.

    Notes
    -----
    Ages are 95 times a Beta(1.6, 1.9) number; women are 51 %.  Education rises to the age of 25 and is lower for those
    born earlier.  People marry around 28, give or take four years; divorce and, later and more for women, widowhood
    follow.  Incomes are log-normal, twice as high for a tertiary education as for none, highest at 50, 0 below 16.

    Group g of G begins around the age ``10 + 60 g / (G - 1)``; every third group is twice as frequent for women, every
    third for men, every third equal for both; a low income makes a group up to 1.5 times as likely.  A person prone to
    a group has each of its diagnoses with a probability proportional to 1 / rank, two of them on average; 5 % of all
    diagnoses are assigned at random.

    Examples
    --------
    >>> people = Mixed(people=1000).make(seed=1)
    >>> people.table.frame.columns, people.items.taxonomy.ancestors(people.items.names[0])
    (['age', 'sex', 'education', 'marital', 'income'], ('A', '*'))
    """

    name: ClassVar[str] = "mixed"

    people: int = param(25_000, at_least=1, help="number of people")
    codes: int = param(600, at_least=2, help="number of diagnoses")
    groups: int = param(20, at_least=1, at_most=26, help="number of groups of diagnoses")
    mean_codes: float = param(5.0, at_least=0, help="mean number of diagnoses of a person")
    comorbidity: float = param(
        2.5,
        at_least=1,
        help="factor of the probability of a group for people prone to the previous one; 1 for no effect",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.codes < 2 * self.groups:
            raise ParameterError(
                f"Mixed: codes must be at least twice the number of groups, {2 * self.groups}, got {self.codes}"
            )
        highest = 0.5 * MOST * PER_GROUP * self.groups
        if self.mean_codes > highest:
            raise ParameterError(
                f"Mixed: mean_codes must be at most {highest:g} with {self.groups} groups, got {self.mean_codes:g}"
            )

    def make(self, *, seed: int | None = None) -> MixedRecords:
        """Generate a dataset; a seed repeats it."""
        rng = np.random.default_rng(seed)
        people = draw_people(self.people, rng)
        return MixedRecords(Table(people.frame()), self._diagnoses(people, rng), "diagnoses")

    def _diagnoses(self, people: People, rng: np.random.Generator) -> Transactions:
        rate = _rates(people, self.groups)
        rate *= _level(rate, self.mean_codes * (1 - BY_CHANCE) / PER_GROUP, self.comorbidity)
        group = np.arange(self.codes) * self.groups // self.codes
        rank = np.arange(self.codes) - np.searchsorted(group, group) + 1
        records, diagnoses = [], []
        prone = np.zeros(self.people, dtype=bool)
        for number in range(self.groups):
            boost = np.where(prone, self.comorbidity, 1.0)
            prone = rng.random(self.people) < np.minimum(rate[:, number] * boost, MOST)
            persons, codes = np.flatnonzero(prone), np.flatnonzero(group == number)
            has = rng.random((len(persons), len(codes))) < _shares(rank[codes])
            row, column = np.nonzero(has)
            records.append(persons[row])
            diagnoses.append(codes[column])
        accidents = rng.poisson(self.mean_codes * BY_CHANCE, self.people)
        records.append(np.repeat(np.arange(self.people), accidents))
        diagnoses.append(rng.integers(self.codes, size=int(accidents.sum())))
        return self._sets(np.concatenate(records), np.concatenate(diagnoses), group, rank)

    def _sets(self, records: np.ndarray, diagnoses: np.ndarray, group: np.ndarray, rank: np.ndarray) -> Transactions:
        record, code = np.divmod(np.unique(records * self.codes + diagnoses), self.codes)
        width = len(str(int(rank.max())))
        names = tuple(f"{ascii_uppercase[g]}{r:0{width}}" for g, r in zip(group, rank, strict=True))
        return Transactions(
            offsets=np.concatenate(([0], np.cumsum(np.bincount(record, minlength=self.people)))),
            codes=code,
            names=names,
            ids=pl.Series("record", np.arange(1, self.people + 1)),
            taxonomy=Taxonomy.from_paths([(name, name[0], "*") for name in names]),
        ).with_used_names()


def _rates(people: People, groups: int) -> Floats:
    """The probability that each person is prone to each group, up to a common factor."""
    onset = 10 + 60 * np.arange(groups) / max(1, groups - 1)
    by_age = 0.1 + logistic((people.age[:, None] - onset) / 8)
    kind = np.arange(groups) % 3  # equal for both, women, men
    other_sex = np.where(people.woman[:, None], kind == 2, kind == 1)
    by_income = 1 + 0.5 * logistic((15_000 - people.income) / 5_000)
    return by_age * np.where(other_sex, 0.5, 1.0) * by_income[:, None]


def _level(rate: Floats, target: float, comorbidity: float) -> float:
    """The factor with which people are prone to `target` groups on average, by bisection."""
    sample = rate[:20_000]
    low, high = 0.0, 1e3
    for _ in range(50):
        middle = (low + high) / 2
        before, total = np.zeros(len(sample)), np.zeros(len(sample))
        for column in middle * sample.T:
            base, boosted = np.minimum(column, MOST), np.minimum(column * comorbidity, MOST)
            before = before * boosted + (1 - before) * base
            total += before
        low, high = (low, middle) if total.mean() > target else (middle, high)
    return high


def _shares(rank: np.ndarray) -> Floats:
    """The probability of each diagnosis of a group for people prone to it: as 1 / rank, PER_GROUP on average."""
    falling = 1 / rank
    low, high = 0.0, 1e6
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if np.minimum(middle * falling, 1).sum() > PER_GROUP else (middle, high)
    return np.minimum(high * falling, 1.0)
