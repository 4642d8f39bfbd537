"""Policies: which sets of items are to be protected, and which items may be published as one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from sfumato.data.base import distinct_rows, missing
from sfumato.data.frames import Source, to_polars
from sfumato.errors import a_or_an, listed

__all__ = ["Policy"]

_LONGEST = 12  # every subset of a constraint counts: 4,095 of them


class Policy:
    """Constraints on items, each a set.

    In a privacy policy a constraint is what an attacker may know; `size` stands for all sets of up to so many items.
    In a utility policy a constraint says which items may be published as one.

    rule : how the constraints were computed from the data, such as ``rare:2:3``.  Such a policy is private: a release
    names its rule and not its constraints, and is read back as a policy with a rule alone.

    >>> Policy([["flu", "cough"], ["hiv"]]).to_polars().rows()
    [('1', 'cough'), ('1', 'flu'), ('2', 'hiv')]
    >>> Policy([["flu", "cough"]]).subsets
    (('cough',), ('flu',), ('cough', 'flu'))
    """

    def __init__(
        self, sets: Iterable[Iterable[str]] = (), *, size: int = 0, rule: str = "", source: Source | None = None
    ) -> None:
        self.sets = tuple(tuple(sorted({str(item) for item in one})) for one in sets)
        self.size = size
        self.rule = rule
        self._source = source or Source("the policy")
        if not self.sets and size < 1 and not rule:
            raise self._source.error("wanted at least one constraint, found none")
        if () in self.sets:
            raise self._source.error("wanted at least one item in each constraint, found a constraint without")

    @classmethod
    def from_frame(cls, frame: Any, source: Source | None = None) -> Self:
        """Columns `constraint` and `item`, one row an item."""
        source = source or Source("the policy")
        found = to_polars(frame)
        if not {"constraint", "item"} <= set(found.columns):
            raise source.error(f"wanted the columns constraint, item, found {listed(found.columns)}")
        found = found.select(pl.col("constraint", "item").cast(pl.String))
        for name in found.columns:
            nothing = missing(found[name])
            if nothing.any():
                raise source.error(f"wanted {a_or_an(name)}, found nothing", row=nothing.arg_max())
        grouped = found.group_by("constraint", maintain_order=True).agg("item")
        return cls(grouped["item"].to_list(), source=source)

    def to_polars(self) -> pl.DataFrame:
        """Constraints numbered from 1, columns `constraint` and `item`; or the one column `size`."""
        if self.size:
            return pl.DataFrame({"size": [self.size]})
        rows = [(str(number), item) for number, one in enumerate(self.sets, start=1) for item in one]
        return pl.DataFrame(rows, schema={"constraint": pl.String, "item": pl.String}, orient="row")

    @property
    def private(self) -> bool:
        """Whether the constraints were computed from the data, so that they tell what occurs there."""
        return bool(self.rule)

    def named(self) -> Self:
        """What may be published of the policy: all of it, or its rule alone where it is private."""
        return type(self)(rule=self.rule) if self.private else self

    @property
    def known(self) -> bool:
        """Whether the constraints are at hand, not only the rule that computes them."""
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
        return frozenset(item for one in self.sets for item in one)

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
        number = {item: at for at, item in enumerate(items)}
        longest = max((len(one) for one in self.sets), default=0)
        parts: list[list[npt.NDArray[np.int32]]] = [[] for _ in range(longest)]
        for length in sorted({len(one) for one in self.sets}):
            flat = [number[item] for one in self.sets if len(one) == length for item in one]
            rows = np.array(flat, dtype=np.int32).reshape(-1, length)
            for size in range(1, length + 1):
                parts[size - 1] += [rows[:, columns] for columns in map(list, combinations(range(length), size))]
        found = np.full((0, longest), -1, dtype=np.int32)
        for size, some in enumerate(parts, start=1):
            distinct = distinct_rows(np.concatenate(some))[0]
            padded = np.full((len(distinct), longest), -1, dtype=np.int32)
            padded[:, :size] = distinct
            found = np.concatenate((found, padded))
        return items, found

    def require(self, items: Iterable[str]) -> None:
        """Refuse constraints on items that are not there."""
        unknown = sorted(self.items - set(items))
        if unknown:
            raise self._source.error(f"wanted constraints on items of the data, found {len(unknown)} unknown")

    def require_short(self) -> None:
        """Refuse constraints whose subsets cannot all be looked at."""
        longest = max(self.sets, key=len, default=())
        if len(longest) > _LONGEST:
            raise self._source.error(
                f"wanted privacy constraints of up to {_LONGEST} items, found one of {len(longest)}"
            )

    def group_of(self, items: Sequence[str]) -> list[int]:
        """The number of each item's constraint, or -1; refuses an item in two of them."""
        found: dict[str, int] = {}
        for number, one in enumerate(self.sets):
            for item in one:
                if found.setdefault(item, number) != number:
                    raise self._source.error("wanted every item in one utility constraint, found one in two")
        return [found.get(item, -1) for item in items]
