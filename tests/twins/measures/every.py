"""The literal program of every measure, by its name in the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twins.measures.graphs import GRAPHS
from twins.measures.guesses import GUESSES
from twins.measures.itemsets import ITEMS
from twins.measures.patterns import PATTERNS
from twins.measures.places import PLACES
from twins.measures.queries import QUERIES
from twins.measures.roads import ROADS
from twins.measures.tables import TABLES

TWINS: dict[str, Callable[..., Any]] = {
    **GRAPHS,
    **GUESSES,
    **ITEMS,
    **PATTERNS,
    **PLACES,
    **QUERIES,
    **ROADS,
    **TABLES,
}
