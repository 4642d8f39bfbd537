"""Hierarchies derived from a dataset: of columns of a table, of items, or of locations by category and map."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.data import Dataset, Mixed, Table, Taxonomy, Trajectories, Transactions
from sfumato.data.ragged import Ragged
from sfumato.data.tables.encoding import texts_of
from sfumato.errors import DataError, MissingKnowledge, did_you_mean
from sfumato.prepare.hierarchies import HierarchyRule
from sfumato.prepare.place_trees import place_taxonomy, spatial_taxonomy

__all__ = ["derived_hierarchies", "values_to_cover"]


def derived_hierarchies(
    data: Dataset,
    columns: Sequence[str] = (),
    rule: HierarchyRule | None = None,
    *,
    largest: int = 50,
    sensitive: Sequence[str] = (),
) -> dict[str, Taxonomy]:
    """The hierarchy of each column, or the one of the items or locations, by a rule.

    Locations with coordinates get, by the rule ``auto``, their categories and parts of the map, or parts of the map
    alone.  largest : the largest number of places in a part of the map.  sensitive : sensitive categories of places.

    >>> trees = derived_hierarchies(Table({"age": [17, 21, 64]}), ["age"], HierarchyRule(width=10))
    >>> trees["age"].ancestors("21")
    ('[20:29]', '*')
    """
    rule = rule or HierarchyRule()
    if isinstance(data, Transactions | Trajectories) and columns:
        raise DataError(f"wanted a table for a column {columns[0]!r}, found {data.kind}; leave the column out")
    if isinstance(data, Transactions):
        return {"item": rule.of_names(data)}
    if isinstance(data, Trajectories):
        return {"location": _of_places(data, rule, largest=largest, sensitive=sensitive)}
    table = _table_of(data)
    if not columns:
        raise DataError("wanted the columns of the table whose hierarchies to derive, found none")
    return {
        column: rule.of_names(data.items)
        if isinstance(data, Mixed) and column == data.column
        else rule.of_column(table[_known(column, table)])
        for column in columns
    }


def values_to_cover(data: Dataset, column: str | None = None) -> list[str]:
    """The texts that a hierarchy of these data needs as leaves: the values of a column, the items or the locations.

    column : of a table; of mixed data, the column of items, or None for them.
    """
    if isinstance(data, Mixed) and column in (None, data.column):
        data = data.items
    if isinstance(data, Ragged):
        return list(data.with_used_names().names)
    table = _table_of(data)
    if column is None:
        raise DataError("wanted the column of the table that the hierarchy is for, found none")
    return texts_of(table[_known(column, table)]).drop_nulls().unique().sort().to_list()


def _table_of(data: Dataset) -> Table:
    table = data.table if isinstance(data, Mixed) else data
    if not isinstance(table, Table):
        raise DataError(f"wanted a table, items or locations, found {data.kind}")
    return table


def _known(column: str, table: Table) -> str:
    if column not in table.frame.columns:
        raise DataError(f"wanted a column {column!r}, found none; {did_you_mean(column, table.frame.columns)}")
    return column


def _of_places(data: Trajectories, rule: HierarchyRule, *, largest: int, sensitive: Sequence[str]) -> Taxonomy:
    """Categories and parts of the map, parts of the map alone, or groups of names."""
    places = data.places
    if rule.rule != "auto" or places is None or not places.located:
        return rule.of_names(data)
    if "category" in places.frame.columns:
        return place_taxonomy(places, sensitive=sensitive, largest=largest)
    if sensitive:
        raise MissingKnowledge("wanted categories of the places, some of which are sensitive, found places without")
    return spatial_taxonomy(places, largest=largest)
