"""Hierarchies by a rule: intervals of numbers, masked texts, dates, groups of items, parts of a map.

A tree over the values that occur is private, and so are bounds that were computed from them; the tree carries its rule.
A tree over a domain that the caller states is public.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise, product

import numpy as np
import polars as pl

from sfumato.data import Taxonomy
from sfumato.data.ragged import Ragged
from sfumato.data.tables.dates import calendar_tree, has_calendar
from sfumato.data.tables.encoding import texts_of
from sfumato.data.taxonomy import ROOT
from sfumato.errors import DataError, ParameterError
from sfumato.params import Declared, param

__all__ = ["RULES", "HierarchyRule"]

RULES = ("auto", "intervals", "quantiles", "prefix", "dates", "balanced", "frequency")
_MOST_LEAVES = 1_000_000
_EXACT = 2.0**53  # above it, different numbers may have the same text
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_CODE = re.compile(r"(?=.*\d)\S{2,12}")  # such as a postal code


@dataclass(frozen=True, kw_only=True)
class HierarchyRule(Declared):
    """The rule by which a hierarchy is computed.

    With ``auto``, numbers get intervals of equal width, ISO dates months, quarters and years, codes of one length with
    a digit, such as postal codes, are masked, and other texts and items are grouped in the order of their names.

    >>> ages = pl.Series("age", [17, 21, 23, 64])
    >>> HierarchyRule(rule="quantiles", intervals=2).of_column(ages).to_paths()[0]
    ('17', '[17:21]', '*')
    >>> HierarchyRule(width=10, fanout=2, domain="0:39").of_column(ages[:3]).to_paths()[17]
    ('17', '[10:19]', '[0:19]', '*')
    """

    rule: str = param("auto", choices=RULES, help="the kind of hierarchy")
    intervals: int = param(16, at_least=2, help="number of lowest intervals of numbers")
    width: float | None = param(
        None, above=0, help="width of the lowest intervals; if not given, the range of the numbers over intervals"
    )
    fanout: int = param(4, at_least=2, help="largest number of children of a node above intervals, items or texts")
    masked: int = param(1, at_least=1, help="number of characters that each level masks")
    dates: str = param("month", choices=("month", "week"), help="whether days are below months or below ISO weeks")
    domain: str | None = param(
        None, help="the whole numbers that the hierarchy covers, as LOW:HIGH; it is then public, with a width"
    )
    alphabet: str | None = param(
        None, help="the characters of the texts that the hierarchy covers; it is then public, with a length"
    )
    length: int | None = param(None, at_least=1, help="the length of the texts that the hierarchy covers")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.domain is not None and (self.width is None or self.rule not in ("auto", "intervals")):
            raise ParameterError("HierarchyRule: a domain needs a width, and the rule intervals")
        if (self.alphabet is None) != (self.length is None):
            raise ParameterError("HierarchyRule: alphabet and length belong together, got one of them")
        if self.alphabet is not None and self.rule not in ("auto", "prefix"):
            raise ParameterError("HierarchyRule: an alphabet needs the rule prefix")

    def of_column(self, column: pl.Series) -> Taxonomy:
        """The hierarchy of a column of a table; missing values are no leaves."""
        texts = texts_of(column).drop_nulls()
        counted = texts.value_counts().sort(texts.name)
        counts: dict[str, int] = dict(counted.iter_rows())
        is_number = column.dtype.is_numeric() and all(abs(float(value)) <= _EXACT for value in counts)
        if not counts and self.domain is None and self.alphabet is None:
            raise DataError(f"the hierarchy of {column.name!r}: wanted at least one value, found none")
        if self.rule in ("auto", "dates") and self.alphabet is None and has_calendar(column):
            return _private(calendar_tree(column, self.dates, with_missing=True), f"dates:{self.dates}")
        rule = self._chosen(list(counts), is_number=is_number)
        if rule in ("intervals", "quantiles"):
            if not is_number:
                raise DataError(f"{rule}: wanted a column of numbers, found {column.name!r}, a column of texts")
            return self._of_numbers({float(value): count for value, count in counts.items()}, rule)
        if rule == "prefix":
            return self._prefixes(list(counts))
        return self._dates(list(counts)) if rule == "dates" else self._groups(counts, rule)

    def of_names(self, data: Ragged) -> Taxonomy:
        """The tree over the items or locations that occur in data, masked, or grouped by name or by frequency."""
        if self.rule not in ("auto", "prefix", "balanced", "frequency"):
            raise DataError(
                f"{self.rule}: wanted a column of a table, found {data.kind}; take prefix, balanced or frequency"
            )
        used = data.with_used_names()
        keys = np.unique(used.record_of_element() * max(1, len(used.names)) + used.codes)
        supports = np.bincount(keys % max(1, len(used.names)), minlength=len(used.names)).tolist()
        if not supports:
            raise DataError("the hierarchy: wanted at least one name in the data, found none")
        if self.rule == "prefix" or self.alphabet is not None:
            return self._prefixes(list(used.names))
        return self._groups(dict(zip(used.names, supports, strict=True)), self.rule)

    def _chosen(self, values: Sequence[str], *, is_number: bool) -> str:
        if self.rule != "auto":
            return self.rule
        if self.alphabet is not None:
            return "prefix"
        if is_number or self.domain is not None:
            return "intervals"
        if all(_DATE.fullmatch(value) for value in values):
            return "dates"
        codes = len({len(value) for value in values}) == 1 and all(_CODE.fullmatch(value) for value in values)
        return "prefix" if codes else "balanced"

    def _of_numbers(self, counts: Mapping[float, int], rule: str) -> Taxonomy:
        if self.domain is not None and self.width is not None:
            return Taxonomy.intervals(self._domain(counts), self.width, self.fanout)
        if rule == "quantiles":
            tree = Taxonomy.quantiles(counts, self.intervals, self.fanout)
            return _private(tree, f"quantiles:{self.intervals}:{self.fanout}")
        width, stated = self.width, f"intervals:{self.intervals}:{self.fanout}"
        if width is None:
            width = _round_width(counts, self.intervals)
        else:
            stated = f"width:{_plain(width)}:{self.fanout}"
        return _private(Taxonomy.intervals(counts, width, self.fanout), stated)

    def _domain(self, counts: Mapping[float, int]) -> range:
        match = re.fullmatch(r"(-?\d{1,15}):(-?\d{1,15})", str(self.domain))
        low, high = (int(match[1]), int(match[2])) if match else (0, -1)
        if not 0 <= high - low < _MOST_LEAVES:
            raise ParameterError(
                f"HierarchyRule: domain must be LOW:HIGH, at most {_MOST_LEAVES:,} whole numbers, got {self.domain!r}"
            )
        outside = sum(not (number.is_integer() and low <= number <= high) for number in counts)
        if outside:
            raise DataError(f"the domain {self.domain}: wanted every number of the data in it, {outside} others occur")
        return range(low, high + 1)

    def _prefixes(self, values: Sequence[str]) -> Taxonomy:
        """Texts under their prefixes."""
        if self.alphabet is not None and self.length is not None:
            return _prefix_tree(self._possible(values), self.length, self.masked, "")
        if any("*" in value for value in values):
            raise DataError("prefix: wanted texts without a star, which stands for a masked character, found some")
        return _prefix_tree(values, max(map(len, values)), self.masked, f"prefix:{self.masked}")

    def _possible(self, values: Sequence[str]) -> list[str]:
        """All texts of the length over the alphabet; refuses data with others."""
        characters, length = sorted(set(self.alphabet or "")), self.length or 0
        if "*" in characters or not 0 < len(characters) ** length <= _MOST_LEAVES:
            raise ParameterError(
                f"HierarchyRule: wanted an alphabet without a star and at most {_MOST_LEAVES:,} texts of the length"
            )
        others = sum(len(value) != length or not set(value) <= set(characters) for value in values)
        if others:
            raise DataError(f"the alphabet: wanted texts of {length} of its characters, {others} other values occur")
        return ["".join(text) for text in product(characters, repeat=length)]

    def _dates(self, values: Sequence[str]) -> Taxonomy:
        try:
            days = [date.fromisoformat(value) if _DATE.fullmatch(value) else None for value in values]
        except ValueError:
            days = [None]
        if None in days:
            raise DataError("dates: wanted dates such as 2026-11-16 alone, found other texts")
        tree = calendar_tree(pl.Series(days, dtype=pl.Date), self.dates, with_missing=True)
        return _private(tree, f"dates:{self.dates}")

    def _groups(self, counts: Mapping[str, int], rule: str) -> Taxonomy:
        by_frequency = rule == "frequency"
        names = sorted(counts, key=lambda name: (-counts[name], name)) if by_frequency else sorted(counts)
        return _grouped(names, self.fanout, f"{'frequency' if by_frequency else 'balanced'}:{self.fanout}")


def _private(tree: Taxonomy, rule: str) -> Taxonomy:
    return Taxonomy({node: parent for node, parent, _ in tree.to_parents()}, rule=rule)


def _plain(number: float) -> str:
    return str(int(number)) if float(number).is_integer() else np.format_float_positional(number)


def _round_width(numbers: Mapping[float, int], intervals: int) -> float:
    """The range of the numbers over the intervals, rounded up to the next of 1, 2, 5, 10, 20, ..."""
    width = (max(numbers) - min(numbers)) / intervals
    if width <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(width))
    rounded = next(step * power for step in (1, 2, 5, 10) if step * power >= width * (1 - 1e-12))
    return max(rounded, 1.0) if all(number.is_integer() for number in numbers) else rounded


def _prefix_tree(values: Sequence[str], longest: int, masked: int, rule: str) -> Taxonomy:
    """Prefixes with a star for each masked character, or with one star where texts differ in length."""
    is_even = all(len(value) == longest for value in values)
    parents: dict[str, str | None] = {"*" * longest if is_even else "*": None}
    sizes = [*range(max(longest - masked, 0), 0, -masked), 0]  # of the prefixes above a value
    for value in values:
        above = [size for size in sizes if size <= len(value)]
        path = [value, *(value[:size] + "*" * (longest - size if is_even else 1) for size in above)]
        for node, parent in reversed(list(pairwise(path))):
            parents.setdefault(node, parent)
    return Taxonomy(parents, rule=rule)


def _grouped(names: Sequence[str], fanout: int, rule: str) -> Taxonomy:
    """A tree over names in their order.  Its nodes are numbered: names of members may be those of suppressed values."""
    word = "group"
    while any(name.startswith(f"{word} ") for name in names):
        word += ROOT
    root = ROOT
    while root in names:
        root += ROOT
    parents: dict[str, str | None] = {root: None}
    stack = [(root, f"{word} ", list(names))]
    while stack:
        node, prefix, below = stack.pop()
        part = 1  # of a child: the largest power of the fan-out below the size of the node
        while part * fanout < len(below):
            part *= fanout
        for number, start in enumerate(range(0, len(below), part), start=1):
            members = below[start : start + part]
            if len(members) == 1:
                parents[members[0]] = node
                continue
            label = f"{prefix}{number}"
            parents[label] = node
            stack.append((label, f"{label}.", members))
    return Taxonomy(parents, rule=rule)
