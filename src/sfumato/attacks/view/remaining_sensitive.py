"""What two releases together reveal about sensitive values: how many remain possible, and how probable one is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.attacks.reidentify import sensitive_codes
from sfumato.attacks.view.published_view import Knowledge, PublishedView
from sfumato.attacks.view.same_person import table_of
from sfumato.data import Dataset, Table
from sfumato.data.base import Ints
from sfumato.data.tables.encoding import texts_of
from sfumato.params import JsonObject

__all__ = ["RemainingSensitiveValues"]

_CLOSE = 1e-9

FittingRecords = tuple[Ints, Ints]


@dataclass(frozen=True)
class _Held:
    """The values that each record of a release may have: those of a record r are values[starts[r]:starts[r + 1]]."""

    seen: PublishedView
    starts: Ints
    values: Ints
    size: int

    def counts(self, records: Ints) -> Ints:
        """How many of these records, or of the persons behind them, may have each value."""
        lengths = self.starts[records + 1] - self.starts[records]
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        values = self.values[np.repeat(self.starts[records], lengths) + within]
        if self.seen.unit == "person":
            owners = np.repeat(self.seen.units[records], lengths)
            values = np.unique(np.column_stack((owners, values)), axis=0)[:, 1]
        return np.bincount(values, minlength=self.size)


class RemainingSensitiveValues:
    """The sensitive values of those who are left, in the worst case of all targets.

    fewest : how few values of a sensitive column remain possible for a person; None without such columns.
    surest : the largest share of those left that may have the same sensitive place or item, or, where nothing of the
    kind is sensitive, the same value of a column; None without sensitive values.
    fewest_gained, surest_gained : the same, where both releases together reveal more than either alone.
    """

    def __init__(self, original: Dataset, first: PublishedView, second: PublishedView) -> None:
        self._sides = first, second
        self._secret = sensitive_codes(original)
        self._columns = _columns(original, first, second)
        self._points = [_sensitive_points(seen, self._secret) for seen in (first, second)] if self._secret else []
        self.fewest: int | None = None
        self.surest: float | None = None
        self.fewest_gained: int | None = None
        self.surest_gained: float | None = None

    def weigh(self, known: Knowledge, before: FittingRecords, after: FittingRecords) -> None:
        """Count the records that match in each release, and those of them that remain."""
        if not (self._columns or self._points) or self._secret & set(known.elements):
            return
        if len(after[0]) == 0 or len(after[1]) == 0:
            return
        alone = [self._remaining((before[0], None)), self._remaining((None, before[1]))]
        values, share = self._remaining(after)
        if values is not None:
            self.fewest = values if self.fewest is None else min(self.fewest, values)
            if all(single[0] is None or values < single[0] for single in alone):
                self.fewest_gained = values if self.fewest_gained is None else min(self.fewest_gained, values)
        if share is not None:
            self.surest = max(self.surest or 0.0, share)
            if all(share > (single[1] or 0.0) + _CLOSE for single in alone):
                self.surest_gained = max(self.surest_gained or 0.0, share)

    def _remaining(self, fitting: tuple[Ints | None, Ints | None]) -> tuple[int | None, float | None]:
        """The fewest values of a column, and the largest share of one sensitive value."""
        fewest: list[int] = []
        shares: list[float] = []
        for held in self._columns:
            counts = [
                values.counts(records)
                for values, records in zip(held, fitting, strict=True)
                if values is not None and records is not None
            ]
            if not counts:
                continue
            possible = np.all([part > 0 for part in counts], axis=0)  # a person in both releases has a value of both
            fewest.append(int(possible.sum()))
            if not self._points and possible.any():
                shares += [float(part[possible].max() / part[possible].sum()) for part in counts]
        if self._points:
            shares += self._shares_of_points(fitting)
        return min(fewest, default=None), max(shares, default=None)

    def _shares_of_points(self, fitting: tuple[Ints | None, Ints | None]) -> list[float]:
        shares: list[npt.NDArray[np.float64]] = []
        for held, records, seen in zip(self._points, fitting, self._sides, strict=True):
            if records is None:
                continue
            if held is None:
                return []
            shares.append(held.counts(records) / max(1, seen.set_size(records)))
        possible = np.all([part > 0 for part in shares], axis=0)
        return [float(part[possible].max(initial=0.0)) for part in shares]

    def facts(self) -> JsonObject:
        return {
            "fewest_sensitive_values": self.fewest,
            "fewest_sensitive_values_gained": self.fewest_gained,
            "highest_probability": self.surest,
            "highest_probability_gained": self.surest_gained,
        }

    def sentences(self) -> tuple[str, ...]:
        sentences = []
        if self.fewest is not None:
            sentences.append(f"At worst, {self.fewest:,} values of a sensitive column remain possible for a person.")
        if self.surest is not None:
            sentences.append(
                f"At worst, a sensitive value can be inferred with a probability of up to {self.surest:.2%}."
            )
        return tuple(sentences)


def _columns(original: Dataset, first: PublishedView, second: PublishedView) -> list[tuple[_Held | None, _Held | None]]:
    """The sensitive columns that the attacker does not know, in each release that has them."""
    tables = [table_of(seen.data) for seen in (first, second)]
    if not all(isinstance(table, Table) for table in tables):
        return []
    known = {column for table in tables for column in table.quasi_identifiers}
    sensitive = dict.fromkeys(column for table in (table_of(original), *tables) for column in table.sensitive)
    columns = []
    for column in sensitive:
        having = [column in table.frame.columns for table in tables]
        if column in known or not any(having):
            continue
        texts = [
            texts_of(table[column]).cast(pl.String) if has else pl.Series([], dtype=pl.String)
            for table, has in zip(tables, having, strict=True)
        ]
        numbers = pl.concat(texts).rank("dense").fill_null(0).to_numpy().astype(np.int64)
        size = int(numbers.max(initial=0)) + 1
        parts = numbers[: len(texts[0])], numbers[len(texts[0]) :]
        held = [
            _Held(seen, np.arange(len(part) + 1), part, size) if has else None
            for seen, part, has in zip((first, second), parts, having, strict=True)
        ]
        columns.append((held[0], held[1]))
    return columns


def _sensitive_points(seen: PublishedView, sensitive: frozenset[int]) -> _Held | None:
    """The sensitive places or items that each published record may have."""
    labels = seen.labels
    if labels is None:
        return None
    data = labels.data
    hidden = [np.intersect1d(labels.members[a:b], list(sensitive)) for a, b in _spans(labels.starts)]
    sizes = np.array([len(members) for members in hidden], dtype=np.int64)
    if not sizes.any():
        return _Held(seen, np.zeros(len(data) + 1, dtype=np.int64), np.empty(0, dtype=np.int64), labels.n_leaves)
    positions = np.flatnonzero(sizes[data.codes])
    records = np.repeat(data.record_of_element()[positions], sizes[data.codes[positions]]).astype(np.int64)
    leaves = (
        np.concatenate([hidden[code] for code in data.codes[positions].tolist()]).astype(np.int64)
        if len(positions)
        else positions
    )
    pairs = np.unique(records * labels.n_leaves + leaves)
    owners, values = np.divmod(pairs, labels.n_leaves)
    return _Held(seen, np.searchsorted(owners, np.arange(len(data) + 1)), values, labels.n_leaves)


def _spans(starts: Ints) -> list[tuple[int, int]]:
    return list(zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True))
