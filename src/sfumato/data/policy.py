"""Policies: privacy constraints (itemsets to protect) and utility constraints (items that may share a label)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import combinations
from typing import Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import Frame, distinct_rows, missing
from sfumato.data.frames import Source, to_polars
from sfumato.errors import a_or_an, listed

__all__ = ["Policy"]

_LONGEST = 12  # items in a constraint: all of its 4,095 subsets are checked


class Policy:
    """Constraints on items, each a set.

    In a privacy policy a constraint is an itemset that an attacker may know; `size` stands for all itemsets of up to
    that many items.  In a utility policy a constraint is a set of items that may be published under one label.

    rule : how the constraints were computed from the data, such as ``rare:2:3``.  Such a policy is private: a release
    names its rule but not its constraints; reading the release gives a policy with a rule alone.

    >>> Policy([["flu", "cough"], ["hiv"]]).to_polars().rows()
    [('1', 'cough'), ('1', 'flu'), ('2', 'hiv')]
    >>> Policy([["flu", "cough"]]).subsets
    (('cough',), ('flu',), ('cough', 'flu'))
    """

    def __init__(
        self, sets: Iterable[Iterable[str]] = (), *, size: int = 0, rule: str = "", source: Source | None = None
    ) -> None:
        self.sets = tuple(tuple(sorted({str(item) for item in items})) for items in sets)
        self.size = size
        self.rule = rule
        self._source = source or Source("the policy")
        if not self.sets and size < 1 and not rule:
            raise self._source.error("wanted at least one constraint, found none")
        if () in self.sets:
            raise self._source.error("wanted at least one item in each constraint, found a constraint without items")

    @classmethod
    def from_frame(cls, frame: Frame, source: Source | None = None) -> Self:
        """Columns `constraint` and `item`, one row an item."""
        source = source or Source("the policy")
        rows = to_polars(frame)
        if not {"constraint", "item"} <= set(rows.columns):
            raise source.error(f"wanted the columns constraint, item, found {listed(rows.columns)}")
        rows = rows.select(pl.col("constraint", "item").cast(pl.String))
        for name in rows.columns:
            is_missing = missing(rows[name])
            if is_missing.any():
                raise source.error(f"wanted {a_or_an(name)}, found nothing", row=is_missing.arg_max())
        grouped = rows.group_by("constraint", maintain_order=True).agg("item")
        return cls(grouped["item"].to_list(), source=source)

    def to_polars(self) -> pl.DataFrame:
        """Constraints numbered from 1, columns `constraint` and `item`; or the one column `size`."""
        if self.size:
            return pl.DataFrame({"size": [self.size]})
        rows = [(str(number), item) for number, items in enumerate(self.sets, start=1) for item in items]
        return pl.DataFrame(rows, schema={"constraint": pl.String, "item": pl.String}, orient="row")

    @property
    def private(self) -> bool:
        """Whether the constraints were computed from the data, so that they disclose what occurs there."""
        return bool(self.rule)

    @property
    def from_file(self) -> bool:
        """Whether the constraints were read from a file, in which a person may have changed them."""
        return self._source.file

    def named(self) -> Self:
        """The policy as it may be published: unchanged, or its rule alone where it is private."""
        return type(self)(rule=self.rule) if self.private else self

    @property
    def known(self) -> bool:
        """Whether the policy holds the constraints, not only the rule that computes them."""
        return bool(self.sets) or self.size > 0

    def __len__(self) -> int:
        return len(self.sets)

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Policy) and (self.sets, self.size, self.rule) == (other.sets, other.size, other.rule)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        if not self.known:
            return f"<Policy: the rule {self.rule}>"
        return f"<Policy: all sets of up to {self.size} items>" if self.size else f"<Policy: {len(self)} constraints>"

    @cached_property
    def items(self) -> frozenset[str]:
        """Every item that a constraint names."""
        return frozenset(item for constraint in self.sets for item in constraint)

    @property
    def subsets(self) -> tuple[tuple[str, ...], ...]:
        """Every non-empty subset of every constraint, the small ones first."""
        items, rows = self.coded_subsets
        return tuple(tuple(items[code] for code in row if code >= 0) for row in rows.tolist())

    @cached_property
    def coded_subsets(self) -> tuple[tuple[str, ...], npt.NDArray[np.int32]]:
        """The items in name order, and the subsets as their numbers: int32[subsets, longest], padded with -1.

        >>> Policy([["flu", "cough"]]).coded_subsets[1].tolist()
        [[0, -1], [1, -1], [0, 1]]
        """
        items = tuple(sorted(self.items))
        number = {item: index for index, item in enumerate(items)}
        longest = max((len(constraint) for constraint in self.sets), default=0)
        blocks_of_size: list[list[npt.NDArray[np.int32]]] = [[] for _ in range(longest)]
        for length in sorted({len(constraint) for constraint in self.sets}):
            flat = [number[item] for constraint in self.sets if len(constraint) == length for item in constraint]
            rows = np.array(flat, dtype=np.int32).reshape(-1, length)
            for size in range(1, length + 1):
                blocks_of_size[size - 1] += [
                    rows[:, columns] for columns in map(list, combinations(range(length), size))
                ]
        subsets = np.full((0, longest), -1, dtype=np.int32)
        for size, blocks in enumerate(blocks_of_size, start=1):
            distinct = distinct_rows(np.concatenate(blocks))[0]
            padded = np.full((len(distinct), longest), -1, dtype=np.int32)
            padded[:, :size] = distinct
            subsets = np.concatenate((subsets, padded))
        return items, subsets

    def require(self, items: Iterable[str]) -> None:
        """Refuse constraints on items that are not among these."""
        unknown = self.items - set(items)
        if unknown:
            raise self._source.error(
                f"wanted constraints on items of the data, found {len(unknown)} unknown; an item that does not occur "
                "must be in the hierarchy of the items"
            )

    def require_short(self) -> None:
        """Refuse constraints with too many subsets to check all of them."""
        longest = max(self.sets, key=len, default=())
        if len(longest) > _LONGEST:
            raise self._source.error(
                f"wanted privacy constraints of up to {_LONGEST} items, found one of {len(longest)}"
            )

    def group_of(self, items: Sequence[str]) -> list[int]:
        """The number of each item's constraint, or -1; refuses an item in two of them."""
        constraint_of: dict[str, int] = {}
        for number, constraint in enumerate(self.sets):
            for item in constraint:
                if constraint_of.setdefault(item, number) != number:
                    raise self._source.error("wanted every item in one utility constraint, found an item in two")
        return [constraint_of.get(item, -1) for item in items]
