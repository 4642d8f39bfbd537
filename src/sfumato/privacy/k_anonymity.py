"""k-anonymity of a table: every combination of quasi-identifiers occurs at least k times.

P. Samarati, "Protecting respondents' identities in microdata release", IEEE TKDE 13(6), 2001.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import polars as pl

from sfumato.data import Table
from sfumato.params import param
from sfumato.privacy.base import CheckedFrom, PrivacyModel, Verdict
from sfumato.privacy.checks.persons_and_records import checked_by_rows
from sfumato.privacy.not_covered import COMPOSITION, LEARNED, MEMBERS, MINIMALITY, OTHERS, PRESENCE, Limit

__all__ = ["KAnonymity"]

_WITNESSES = 5


@dataclass(frozen=True, kw_only=True)
class KAnonymity(PrivacyModel):
    """Every combination of quasi-identifying values in the table is shared by at least k.

    Notes
    -----
    A missing value is a value like any other and matches missing values only: a row is never left out of the
    count.  Support counts distinct persons where they are known, otherwise rows.

    Examples
    --------
    >>> from sfumato import Table
    >>> KAnonymity(k=2).check(Table({"age": [30, 30, None]})).holds
    False
    """

    name: ClassVar[str] = "k-anonymity"
    title: ClassVar[str] = "k-anonymity"
    kinds: ClassVar[tuple[str, ...]] = ("table",)
    anonymity_sets: ClassVar[bool] = True
    not_covered: ClassVar[tuple[Limit, ...]] = (
        Limit(
            "rows-in-common",
            "attribute disclosure: all rows of an equivalence class may share a value, such as one diagnosis",
            rank=3,
        ),
        Limit(
            "other-columns",
            "an attacker who knows values of columns that are not quasi-identifiers: these columns are published "
            "unchanged",
            rank=2,
        ),
        COMPOSITION,
        OTHERS,
        MEMBERS,
        LEARNED,
        MINIMALITY,
        PRESENCE,
        Limit("value-occurs", "that a value in data.csv or members.csv occurs in some original row"),
    )

    k: int = param(at_least=2, stronger="higher", help="smallest equivalence class of the quasi-identifiers")

    def check(self, published: Table, original: Table | None = None) -> Verdict:
        self._require_kind(published)
        table: Table = published
        source: CheckedFrom = "files" if table.persons is None else "original"
        if len(table) == 0:
            empty = Verdict(True, source, {"unit": table.unit, "groups": 0, "smallest_group": None})
            return checked_by_rows(empty, published, original)
        columns = list(table.quasi_identifiers)
        unit = pl.Series("\0unit", table.units)
        keyed = table.frame.select(columns).with_columns(unit) if columns else unit.to_frame()
        # a constant key keeps a table without quasi-identifiers one group
        groups = keyed.with_columns(pl.lit(0).alias("\0one")).group_by(["\0one", *columns])
        sizes = groups.agg(pl.col("\0unit").n_unique().alias("\0support")).drop("\0one")
        small = sizes.filter(pl.col("\0support") < self.k).sort(["\0support", *columns])
        measured = {
            "unit": table.unit,
            "groups": len(sizes),
            "smallest_group": int(sizes["\0support"].min()),  # type: ignore[arg-type]
            "violating_groups": len(small),
        }
        witnesses = tuple(
            {"values": {column: _plain(row[column]) for column in columns}, "support": int(row["\0support"])}
            for row in small.head(_WITNESSES).to_dicts()
        )
        return checked_by_rows(Verdict(len(small) == 0, source, measured, witnesses), published, original)


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
