"""Which columns of a table an attacker may know, and the population that a table is a sample of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

from sfumato.api.inputs import Source, dataset_of
from sfumato.data import Dataset, Mixed, Table
from sfumato.data.frames import to_polars
from sfumato.errors import DataError, FileError
from sfumato.io.frames import column_names
from sfumato.remedies import with_remedy

__all__ = ["ALL", "named_columns", "population_table", "require_quasi_identifiers", "with_roles"]

ALL = "all"
"""In place of the quasi-identifiers: every column that is not sensitive."""


def named_columns(quasi_identifiers: str | Iterable[str]) -> tuple[str, ...]:
    """The quasi-identifiers as `read` takes them, which are all columns where none is named.

    >>> named_columns(["age", "sex"]), named_columns("age"), named_columns("all")
    (('age', 'sex'), ('age',), ())
    """
    names = (quasi_identifiers,) if isinstance(quasi_identifiers, str) else tuple(quasi_identifiers)
    return () if names == (ALL,) else names


def require_quasi_identifiers(data: Dataset, source: str | Path, *, also: str = "") -> None:
    """Refuse a table of which it is not known what an attacker may know; `also` continues the sentence."""
    table = data.table if isinstance(data, Mixed) else data
    if isinstance(table, Table):
        problem = with_remedy(
            f"the audit of a table needs quasi-identifiers, and this one has the columns "
            f"{', '.join(table.frame.columns)}{also}",
            "name-quasi-identifiers",
        )
        raise FileError(source, problem)


def with_roles(data: Dataset, quasi_identifiers: Sequence[str], sensitive: Sequence[str]) -> Dataset:
    """A table or mixed records with these quasi-identifiers and sensitive columns, where some are named."""
    if isinstance(data, Mixed):
        columns = data.table.frame.columns
        return replace(data, table=_with_roles(data.table, quasi_identifiers, [c for c in sensitive if c in columns]))
    if not isinstance(data, Table):
        raise DataError(f"audit: quasi-identifiers and sensitive columns are of tables, got {data.kind}")
    return _with_roles(data, quasi_identifiers, sensitive)


def _with_roles(table: Table, quasi_identifiers: Sequence[str], sensitive: Sequence[str]) -> Table:
    hidden = tuple(sensitive) or tuple(name for name in table.sensitive if name not in quasi_identifiers)
    known = tuple(quasi_identifiers) or tuple(name for name in table.quasi_identifiers if name not in hidden)
    return replace(table, quasi_identifiers=known, sensitive=hidden)


def population_table(source: Source, person: str | None) -> Table:
    """The table of a population; where it has the column of persons, it counts persons."""
    if isinstance(source, str | PathLike) and Path(source).is_file():
        names = column_names(Path(source))
    else:
        names = [] if isinstance(source, Dataset | str | PathLike) else to_polars(source).columns  # type: ignore[arg-type]
    columns = {"person": person} if person is not None and person in names else None
    table = dataset_of(source, kind="table", columns=columns)
    if not isinstance(table, Table):
        raise DataError(f"the population: wanted a table, found {table.kind}")
    return table
