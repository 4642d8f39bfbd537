"""Information loss of tables: certainty penalty, granularity, sizes of equivalence classes, frequencies of values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data import Dataset, Mixed, Table
from sfumato.data.tables.encoding import Coding
from sfumato.data.tables.published_labels import Labels
from sfumato.errors import DataError, did_you_mean
from sfumato.params import param
from sfumato.utility.base import Measure, Released, Score
from sfumato.utility.weights import read_weights, shares

__all__ = ["AverageClassSize", "Discernibility", "Frequencies", "Granularity", "Ncp", "frequencies"]

Floats = npt.NDArray[np.float64]

_KINDS = ("table", "mixed")


@dataclass(frozen=True, kw_only=True)
class Ncp(Measure):
    """The normalized certainty penalty of a table, averaged over all cells of its quasi-identifiers.

    A cell under a label with n > 1 of the N leaves of its hierarchy costs n / N, an unchanged cell 0, a suppressed
    cell 1.  A number without a hierarchy costs the length of its range over the length of the domain, from the smallest
    to the largest number of the original.  In another column without a hierarchy the values of the original are the
    leaves.  A missing value is one more leaf; a label for numbers and the missing value costs 1.

    Examples
    --------
    >>> from sfumato import Cluster
    >>> incomes = Table({"income": [10, 11, 12, 13, 500, 1000]})
    >>> release = Cluster(k=3).anonymize(incomes, seed=1)
    >>> release.data["income"].unique().sort().to_list()
    ['[10:1000]', '[11:13]']
    >>> round(Ncp()(incomes, release).value, 3)  # half of the rows at 990 / 990, half at 2 / 990
    0.501
    """

    name: ClassVar[str] = "ncp"
    title: ClassVar[str] = "NCP, the normalized certainty penalty"
    meaning: ClassVar[str] = (
        "mean share of all values, or of the range of all numbers, that a published cell may stand for"
    )
    formula: ClassVar[str] = (
        "mean over cells of leaves under the label / all leaves (0 for one leaf), or range length / domain length"
    )
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Xu et al., KDD 2006; Poulis et al., ECML PKDD 2013, Section 5"
    kinds: ClassVar[tuple[str, ...]] = _KINDS
    better: ClassVar[Literal["lower", "higher"]] = "lower"
    reads_hierarchy: ClassVar[bool] = True

    weights: str = param("", help="weights of columns from 0 to 1, such as age=1,town=0.5; 1 for other columns")

    def require_data(self, original: Any) -> None:
        super().require_data(original)
        known = _table(self.name, original).quasi_identifiers
        shares(self.name, read_weights(self.name, self.weights), known)

    def score(self, original: Table | Mixed, release: Released[Table | Mixed]) -> Score:
        private, public = _table(self.name, original), _table(self.name, release.data)
        return self.of_labels(_labels(private, public), len(private), len(public))

    def of_labels(self, labels: Sequence[Labels], original: int, published: int) -> Score:
        """The value, given the labels of each quasi-identifier with their counts, and the numbers of rows."""
        return _cell_loss(self.name, labels, original, published, self.weights)


@dataclass(frozen=True, kw_only=True)
class Granularity(Measure):
    """How coarse a table is: (n - 1) / (N - 1) for a cell whose label stands for n of N values, averaged over cells.

    This is the loss metric of V. Iyengar, "Transforming data to satisfy privacy constraints", KDD 2002.  A number
    without a hierarchy costs the length of its range over the length of the domain, as in NCP.  A suppressed cell
    costs 1.
    """

    name: ClassVar[str] = "granularity"
    title: ClassVar[str] = "granularity"
    meaning: ClassVar[str] = (
        "mean share of all other values, or of the range of all numbers, that a published cell may stand for"
    )
    formula: ClassVar[str] = (
        "mean over cells of (leaves under the label - 1) / (all leaves - 1), or range length / domain length"
    )
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "Iyengar, KDD 2002"
    kinds: ClassVar[tuple[str, ...]] = _KINDS
    better: ClassVar[Literal["lower", "higher"]] = "lower"
    reads_hierarchy: ClassVar[bool] = True

    def score(self, original: Table | Mixed, release: Released[Table | Mixed]) -> Score:
        private, public = _table(self.name, original), _table(self.name, release.data)
        return self.of_labels(_labels(private, public), len(private), len(public))

    def of_labels(self, labels: Sequence[Labels], original: int, published: int) -> Score:
        """The value, given the labels of each quasi-identifier with their counts, and the numbers of rows."""
        return _cell_loss(self.name, labels, original, published)


@dataclass(frozen=True, kw_only=True)
class Discernibility(Measure):
    """The discernibility metric: the sum over rows of the size of their equivalence class.

    A suppressed row counts as indistinguishable from every row of the original.  R. Bayardo, R. Agrawal, "Data privacy
    through optimal k-anonymization", ICDE 2005.

    Examples
    --------
    >>> from sfumato import Incognito
    >>> people = Table({"age": [30, 31, 52, 53], "town": ["Rome", "Oslo", "Rome", "Rome"]})
    >>> Discernibility()(people, Incognito(k=2).anonymize(people)).value  # two classes of two
    8.0
    """

    name: ClassVar[str] = "discernibility"
    title: ClassVar[str] = "discernibility"
    meaning: ClassVar[str] = "sum over rows of the size of their equivalence class"
    formula: ClassVar[str] = "sum over classes of (published rows)^2 + suppressed rows * original rows"
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    paper: ClassVar[str] = "Bayardo and Agrawal, ICDE 2005"
    kinds: ClassVar[tuple[str, ...]] = _KINDS
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    def score(self, original: Table | Mixed, release: Released[Table | Mixed]) -> Score:
        sizes = _class_sizes(_table(self.name, release.data))
        return self.of_sums(len(sizes), int(sizes.sum()), int((sizes**2).sum()), len(original))

    def of_sums(self, classes: int, published: int, squares: int, original: int) -> Score:  # noqa: ARG002
        """The value, given the number of classes, the sum of their sizes and of the squares, and the original rows."""
        return Score(float(squares + max(0, original - published) * original))


@dataclass(frozen=True, kw_only=True)
class AverageClassSize(Measure):
    """The mean size of the published equivalence classes; the number of original rows if no row is published."""

    name: ClassVar[str] = "class-size"
    title: ClassVar[str] = "average size of equivalence classes"
    meaning: ClassVar[str] = "mean number of published rows with equal quasi-identifiers"
    formula: ClassVar[str] = "published rows / equivalence classes"
    unit: ClassVar[str] = "rows"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    paper: ClassVar[str] = "LeFevre et al., ICDE 2006, without the division by k"
    kinds: ClassVar[tuple[str, ...]] = _KINDS
    better: ClassVar[Literal["lower", "higher"]] = "lower"

    def score(self, original: Table | Mixed, release: Released[Table | Mixed]) -> Score:
        sizes = _class_sizes(_table(self.name, release.data))
        return self.of_sums(len(sizes), int(sizes.sum()), int((sizes**2).sum()), len(original))

    def of_sums(self, classes: int, published: int, squares: int, original: int) -> Score:  # noqa: ARG002
        """The value, given the number of classes, the sum of their sizes and of the squares, and the original rows."""
        return Score(published / classes if classes else float(original), "rows")


@dataclass(frozen=True, kw_only=True)
class Frequencies(Measure):
    """The difference of the frequencies of values, averaged over the quasi-identifiers, or in one column.

    Half the sum over all values of the difference between their share of the original rows and their expected share of
    the published rows, in which all values of a label are equally probable: 0 for unchanged data, at most 1.

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
    meaning: ClassVar[str] = "difference between the original and the published shares of values, from 0 to 1"
    formula: ClassVar[str] = (
        "mean over columns of half the sum over values of |original share - expected published share|"
    )
    unit: ClassVar[str] = ""
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    paper: ClassVar[str] = "our own"
    kinds: ClassVar[tuple[str, ...]] = _KINDS
    better: ClassVar[Literal["lower", "higher"]] = "lower"
    reads_hierarchy: ClassVar[bool] = True

    column: str | None = param(None, help="quasi-identifier to measure; if not given, all of them")

    def require_data(self, original: Any) -> None:
        super().require_data(original)
        known = _table(self.name, original).quasi_identifiers
        if self.column is not None and self.column not in known:
            hint = did_you_mean(self.column, known)
            raise DataError(f"{self.name}: wanted a quasi-identifier, found {self.column!r}; {hint}")

    def score(self, original: Table | Mixed, release: Released[Table | Mixed]) -> Score:
        self.require_data(original)
        private, public = _table(self.name, original), _table(self.name, release.data)
        return self.of_shares(
            {labels.attribute.name: (before, after) for labels, before, after in _shares(private, public)}
        )

    def of_shares(self, shares: Mapping[str, tuple[Floats, Floats]]) -> Score:
        """The value, given by column the share of each value in the original and, expected, in the release."""
        columns = shares if self.column is None else (self.column,)
        differences = [0.5 * float(np.abs(shares[name][0] - shares[name][1]).sum()) for name in columns]
        return Score(float(np.mean(differences)) if differences else 0.0)


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
    raise DataError(f"wanted a quasi-identifier, found {column!r}; {did_you_mean(column, original.quasi_identifiers)}")


def _shares(original: Table, published: Table) -> Iterator[tuple[Labels, npt.NDArray[np.float64], npt.NDArray[Any]]]:
    coding = Coding.of(original)
    for attribute, codes in zip(coding.attributes, coding.codes, strict=True):
        labels = Labels.of(attribute, published)
        before = np.bincount(codes, minlength=attribute.n_leaves) / max(1, len(original))
        yield labels, before, labels.expected() / max(1, len(published))


def _labels(original: Table, published: Table) -> list[Labels]:
    """The labels of each quasi-identifier; none where the original has no rows."""
    return [Labels.of(attribute, published) for attribute in Coding.of(original).attributes] if len(original) else []


def _cell_loss(name: str, labels: Sequence[Labels], original: int, published: int, weights: str = "") -> Score:
    cells = original * len(labels)
    if cells == 0:
        return Score(0.0)
    total = float(max(0, original - published) * len(labels))
    columns = [one.attribute.name for one in labels]
    factors = shares(name, read_weights(name, weights), columns) * len(columns)
    for one, factor in zip(labels, factors.tolist(), strict=True):
        total += factor * float(one.counts @ one.losses(name))
    return Score(total / cells)


def _class_sizes(published: Table) -> npt.NDArray[np.int64]:
    keyed = published.frame.select(published.quasi_identifiers).with_columns(pl.lit(0).alias("\0all"))
    if not len(published):
        return np.empty(0, dtype=np.int64)
    sizes = keyed.group_by(keyed.columns).len("\0rows")["\0rows"]
    return np.asarray(sizes.to_numpy(), dtype=np.int64)


def _table(name: str, data: Dataset) -> Table:
    if isinstance(data, Mixed):
        return data.table
    if not isinstance(data, Table):
        raise DataError(f"{name}: wanted a published table, found {data.kind}")
    return data
