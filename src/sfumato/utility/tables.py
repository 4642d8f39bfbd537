"""What a table has lost: the certainty of its cells, the size of its classes, the frequencies of its values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import Mixed, Table
from sfumato.data.tables.encoding import Coding
from sfumato.data.tables.published_labels import Labels
from sfumato.errors import DataError, did_you_mean
from sfumato.params import param
from sfumato.utility.base import Measure, Released, Score
from sfumato.utility.weights import read_weights, shares

__all__ = ["AverageClassSize", "Discernibility", "Frequencies", "Granularity", "Ncp", "frequencies"]

_KINDS = ("table", "mixed")


@dataclass(frozen=True, kw_only=True)
class Ncp(Measure):
    """The normalized certainty penalty of a table, averaged over all cells of its quasi-identifiers.

    A cell that is published as a label over n of the N leaves of its hierarchy costs n / N, one that is published as it
    is costs nothing, one that is suppressed costs 1.  Where a column has no hierarchy, the values of the original are
    the leaves; a missing value is one more.

    Examples
    --------
    >>> from sfumato import Incognito
    >>> people = Table({"age": [30, 31, 52, 53], "town": ["Rome", "Oslo", "Rome", "Rome"]})
    >>> Ncp()(people, Incognito(k=2).anonymize(people)).value  # half of the ages, all towns
    0.75
    """

    name: ClassVar[str] = "ncp"
    title: ClassVar[str] = "NCP, the normalized certainty penalty"
    meaning: ClassVar[str] = "the share of all values that a published cell may stand for, on average"
    kinds: ClassVar[tuple[str, ...]] = _KINDS
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    weights: str = param("", help="how much columns matter, 0 to 1, as age=1,town=0.5; 1 where nothing is said")

    def score(self, original: Any, release: Released) -> Score:
        return _cell_loss(self.name, original, release, lambda n, most: n / most if n > 1 else 0.0, self.weights)


@dataclass(frozen=True, kw_only=True)
class Granularity(Measure):
    """How coarse a table is: (n - 1) / (N - 1) for a cell whose label stands for n of N values, averaged over cells.

    This is the loss metric of V. Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002.  A suppressed
    cell costs 1.
    """

    name: ClassVar[str] = "granularity"
    title: ClassVar[str] = "granularity"
    meaning: ClassVar[str] = "how many other values a published cell may stand for, as a share of all others"
    kinds: ClassVar[tuple[str, ...]] = _KINDS
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    def score(self, original: Any, release: Released) -> Score:
        return _cell_loss(self.name, original, release, lambda n, most: (n - 1) / max(1, most - 1))


@dataclass(frozen=True, kw_only=True)
class Discernibility(Measure):
    """The discernibility metric: for each row the number of rows that it cannot be told from.

    A suppressed row cannot be told from any row of the original.  R. Bayardo, R. Agrawal, "Data privacy through optimal
    k-anonymization", ICDE 2005.

    Examples
    --------
    >>> from sfumato import Incognito
    >>> people = Table({"age": [30, 31, 52, 53], "town": ["Rome", "Oslo", "Rome", "Rome"]})
    >>> Discernibility()(people, Incognito(k=2).anonymize(people)).value  # two classes of two
    8.0
    """

    name: ClassVar[str] = "discernibility"
    title: ClassVar[str] = "discernibility"
    meaning: ClassVar[str] = "the sum over rows of how many rows they cannot be told from"
    kinds: ClassVar[tuple[str, ...]] = _KINDS
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    def score(self, original: Any, release: Released) -> Score:
        sizes = _class_sizes(_table(self.name, release.data))
        suppressed = len(original) - int(sizes.sum())
        return Score(float((sizes**2).sum() + max(0, suppressed) * len(original)))


@dataclass(frozen=True, kw_only=True)
class AverageClassSize(Measure):
    """The mean number of published rows that share their quasi-identifiers; all rows where none is published."""

    name: ClassVar[str] = "class-size"
    title: ClassVar[str] = "average class size"
    meaning: ClassVar[str] = "how many published rows share their quasi-identifiers, on average"
    kinds: ClassVar[tuple[str, ...]] = _KINDS
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    def score(self, original: Any, release: Released) -> Score:
        sizes = _class_sizes(_table(self.name, release.data))
        return Score(float(sizes.mean()) if len(sizes) else float(len(original)), "rows")


@dataclass(frozen=True, kw_only=True)
class Frequencies(Measure):
    """How far the frequencies of values are off, averaged over the quasi-identifiers, or in one column.

    Half the sum over all values of the difference between their share of the original rows and their expected share of
    the published rows, in which a label is evenly any value that it stands for: 0 where nothing was changed, at most 1.

    Examples
    --------
    >>> from sfumato import Incognito
    >>> people = Table({"age": [30, 31, 52, 53], "town": ["Rome", "Oslo", "Rome", "Rome"]})
    >>> release = Incognito(k=2).anonymize(people)
    >>> Frequencies(column="town")(people, release).value  # three of four in Rome, published as one of two
    0.25
    """

    name: ClassVar[str] = "frequencies"
    title: ClassVar[str] = "differences of frequencies"
    meaning: ClassVar[str] = "how far the shares of values are off, from 0 to 1"
    kinds: ClassVar[tuple[str, ...]] = _KINDS
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    column: str | None = param(None, help="the quasi-identifier to look at; all of them where none is named")

    def score(self, original: Any, release: Released) -> Score:
        private, public = _table(self.name, original), _table(self.name, release.data)
        if self.column is not None and self.column not in private.quasi_identifiers:
            hint = did_you_mean(self.column, private.quasi_identifiers)
            raise DataError(f"{self.name}: no quasi-identifier is called {self.column!r}; {hint}")
        columns = private.quasi_identifiers if self.column is None else (self.column,)
        off = [
            0.5 * float(np.abs(before - after).sum())
            for labels, before, after in _shares(private, public)
            if labels.attribute.name in columns
        ]
        return Score(float(np.mean(off)) if off else 0.0)


def frequencies(original: Table, published: Table, column: str) -> pl.DataFrame:
    """The share of each value of a quasi-identifier, in the original and, expected, in a release.

    >>> people = Table({"town": ["Rome", "Oslo", "Rome"]})
    >>> frequencies(people, Table({"town": ["*", "*"]}, members={"town": {"*": ("Oslo", "Rome")}}), "town").rows()
    [('Oslo', 0.3333333333333333, 0.5), ('Rome', 0.6666666666666666, 0.5)]
    """
    for labels, before, after in _shares(original, published):
        if labels.attribute.name == column:
            values = [labels.attribute.names[node] for node in labels.attribute.leaf_node]
            return pl.DataFrame({"value": values, "original": before, "published": after})
    raise DataError(f"no quasi-identifier is called {column!r}; {did_you_mean(column, original.quasi_identifiers)}")


def _shares(original: Table, published: Table) -> Iterator[tuple[Labels, npt.NDArray[np.float64], npt.NDArray[Any]]]:
    coding = Coding.of(original)
    for attribute, codes in zip(coding.attributes, coding.codes, strict=True):
        labels = Labels.of(attribute, published)
        before = np.bincount(codes, minlength=attribute.n_leaves) / max(1, len(original))
        yield labels, before, labels.expected() / max(1, len(published))


def _cell_loss(name: str, original: Any, release: Released, cost: Any, weights: str = "") -> Score:
    private, public = _table(name, original), _table(name, release.data)
    cells = len(private) * len(private.quasi_identifiers)
    if cells == 0:
        return Score(0.0)
    lost = float(max(0, len(private) - len(public)) * len(private.quasi_identifiers))
    factors = shares(name, read_weights(name, weights), private.quasi_identifiers) * len(private.quasi_identifiers)
    for attribute, factor in zip(Coding.of(private).attributes, factors.tolist(), strict=True):
        labels = Labels.of(attribute, public)
        lost += factor * sum(
            count * cost(len(leaves), attribute.n_leaves)
            for count, leaves in zip(labels.counts.tolist(), labels.leaves, strict=True)
        )
    return Score(lost / cells)


def _class_sizes(published: Table) -> npt.NDArray[np.int64]:
    keyed = published.frame.select(published.quasi_identifiers).with_columns(pl.lit(0).alias("\0one"))
    if not len(published):
        return np.empty(0, dtype=np.int64)
    sizes = keyed.group_by(keyed.columns).len("\0rows")["\0rows"]
    return np.asarray(sizes.to_numpy(), dtype=np.int64)


def _table(name: str, data: Any) -> Table:
    if isinstance(data, Mixed):
        return data.table
    if not isinstance(data, Table):
        raise DataError(f"{name}: fits published tables, got {data.kind}")
    return data
