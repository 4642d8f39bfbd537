"""The rule by which the queries of a workload are drawn from data: how large they are, and what they ask for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sfumato.data import Dataset, Mixed
from sfumato.data.queries import Query
from sfumato.errors import ParameterError
from sfumato.params import Declared, param
from sfumato.utility.workloads.domain_queries import domain_query
from sfumato.utility.workloads.record_queries import record_query

__all__ = ["DrawnQueries"]

_PARTS = {
    "trajectories": ("visits",),
    "transactions": ("items",),
    "table": ("values",),
    "mixed": ("values", "items"),
}
_SOURCES = {"records": "drawn from the data", "uniform": "drawn uniformly", "frequency": "drawn by frequency"}


@dataclass(frozen=True, kw_only=True)
class DrawnQueries(Declared):
    """The rule by which queries are drawn.

    A query about trajectories asks for visits in an order, about transactions for distinct items, about a table for
    values of distinct quasi-identifiers, about mixed data for values and items.  Their number is exact where it is
    given, and otherwise drawn from 1 to `largest` (and at most what there is).  A number asks for a range of `width`
    around it, whose position is drawn.

    With ``draw=records``, the visits, items and values are drawn uniformly from one record that has enough of them,
    which is drawn uniformly, too; so at least one record answers the query.  Otherwise each is drawn from those that
    occur in the data: all locations, all items, or all values of a column, with equal probability (``uniform``) or by
    the number of records that hold it (``frequency``).  No record may answer such a query.  Visits are drawn
    independently, so that a location may occur twice; columns are drawn uniformly.
    """

    largest: int = param(2, at_least=1, help="largest number of visits, items or values in a query")
    values: int | None = param(
        None,
        at_least=1,
        help="exact number of values in a query about a table or mixed data; if not given, 1 to largest",
    )
    items: int | None = param(
        None, at_least=1, help="exact number of items in a query about sets or mixed data; if not given, 1 to largest"
    )
    visits: int | None = param(
        None, at_least=1, help="exact number of visits in a query about trajectories; if not given, 1 to largest"
    )
    draw: str = param(
        "records",
        choices=tuple(_SOURCES),
        help="how a query is drawn: from a record, or from all names and values uniformly or by frequency",
    )
    width: float = param(
        0.1,
        at_least=0,
        at_most=1,
        help="width of a range of numbers as a share of its column's range; 0 for the number",
    )
    about: str = param("both", choices=("both", "rows", "items"), help="part of mixed data that queries ask about")
    seed: int = param(0, at_least=0, help="seed of the queries")

    def queries_from(self, data: Dataset, number: int) -> tuple[Query, ...]:
        """As many queries; none where there are no records."""
        self.require_parts(data.kind)
        if isinstance(data, Mixed) and self.about != "both":
            data = data.table if self.about == "rows" else data.items
        if len(data) == 0:
            return ()
        draw = (record_query if self.draw == "records" else domain_query)(data, self)
        rng = np.random.default_rng(self.seed)
        return tuple(draw(rng) for _ in range(number))

    def require_parts(self, kind: str) -> None:
        """Refuse a number of visits, items or values that queries about data of a kind do not have."""
        for part in ("values", "items", "visits"):
            if getattr(self, part) is not None and part not in self._parts(kind):
                actual = kind if kind != "mixed" else f"mixed data, and queries about {self.about}"
                raise ParameterError(f"{part} in a query: wanted data with {part}, found {actual}")

    def rule(self, kind: str, number: int) -> str:
        """The rule in words, as it is written into a workload file.

        >>> DrawnQueries(items=2, draw="uniform").rule("mixed", 100)
        '100 drawn uniformly, 2 items, sizes 1 to 2, seed 0'
        """
        words = [f"{number} {_SOURCES[self.draw]}"]
        exact = [(part, size) for part in self._parts(kind) if (size := getattr(self, part)) is not None]
        words += [f"{size} {part if size > 1 else part.removesuffix('s')}" for part, size in exact]
        if any(getattr(self, part) is None for part in self._parts(kind)):
            words.append(f"sizes 1 to {self.largest}")
        if self.width != 0.1 and "values" in self._parts(kind):
            words.append(f"ranges {self.width} wide")
        return ", ".join([*words, f"seed {self.seed}"])

    def _parts(self, kind: str) -> tuple[str, ...]:
        if kind == "mixed" and self.about != "both":
            return ("values",) if self.about == "rows" else ("items",)
        return _PARTS[kind]
