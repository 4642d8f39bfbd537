"""Taxonomies of places: by category and part of the map, or by ever smaller parts of the map."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sfumato.data import Places, Taxonomy
from sfumato.data.base import Ints
from sfumato.errors import DataError, MissingKnowledge, ParameterError

__all__ = ["place_taxonomy", "spatial_taxonomy"]


def place_taxonomy(
    places: Places, *, sensitive: Iterable[str] = (), largest: int = 50, root: str = "place"
) -> Taxonomy:
    """The root, the categories, parts of the map with at most `largest` places of a category, and the places.

    sensitive : the categories that are sensitive, with everything under them.

    The map of each category is halved at the median of its longer side, repeatedly, until the parts are small enough;
    they are numbered from one end of the map to the other, as ``Food 3``.

    >>> columns = {"location": ["a", "b", "c", "d"], "x": [0, 9, 1, 5], "y": [0, 0, 0, 0]}
    >>> shops = Places.from_frame({**columns, "category": ["Food", "Food", "Food", "Health"]})
    >>> tree = place_taxonomy(shops, sensitive=["Health"], largest=2)
    >>> tree.ancestors("a"), tree.leaves_below("Food 2"), sorted(tree.sensitive)
    (('Food 1', 'Food', 'place'), ('b', 'c'), ['Health', 'Health 1', 'd'])
    """
    if largest < 1:
        raise ParameterError(f"place_taxonomy: largest must be a whole number of at least 1, got {largest}")
    if "category" not in places.frame.columns:
        raise MissingKnowledge("place_taxonomy: wanted places with a category, found none; add a column 'category'")
    names = places.frame["location"].to_list()
    category_of = places.facts(names, "category")
    uncategorized = [name for name in names if name not in category_of]
    if uncategorized:
        raise places.source.error(f"wanted a category for every place, found none for {len(uncategorized)}")
    categories = sorted({str(category) for category in category_of.values()})
    for flagged in sensitive:
        if flagged not in categories:
            raise ParameterError(f"place_taxonomy: wanted sensitive categories of the places, found {flagged!r}")
    parents: dict[str, str | None] = {root: None}
    for category in categories:
        members = np.array([name for name in names if str(category_of[name]) == category], dtype=object)
        _add(parents, category, root)
        coordinates = places.coordinates(members)
        for number, part in enumerate(_parts(coordinates, np.arange(len(members)), largest), start=1):
            _add(parents, f"{category} {number}", category)
            for name in sorted(members[part]):
                _add(parents, name, f"{category} {number}")
    return Taxonomy(parents, sensitive=tuple(sensitive), rule=f"place-taxonomy:{largest}" if places.derived else "")


def spatial_taxonomy(places: Places, *, largest: int = 50, root: str = "place") -> Taxonomy:
    """The root, ever smaller halves of the map, and the places; the smallest parts have at most `largest` places.

    Each part is halved at the median of its longer side.  Its halves are named after it, as ``area 2.1``.

    >>> shops = Places.planar({"a": (0, 0), "b": (9, 0), "c": (1, 0), "d": (5, 0)})
    >>> spatial_taxonomy(shops, largest=1).ancestors("c")
    ('area 1.2', 'area 1', 'place')
    """
    if largest < 1:
        raise ParameterError(f"spatial_taxonomy: largest must be a whole number of at least 1, got {largest}")
    if not places.located:
        raise MissingKnowledge(
            "spatial_taxonomy: wanted places with coordinates, found none; give x and y, or lat and lon"
        )
    names = np.array(sorted(places.frame["location"].to_list()), dtype=object)
    coordinates = places.coordinates(names)
    parents: dict[str, str | None] = {root: None}
    stack: list[tuple[str, str, Ints]] = [(root, "area ", np.arange(len(names)))]
    while stack:
        node, prefix, members = stack.pop()
        halves = _halves(coordinates, members) if len(members) > largest else []
        for number, half in enumerate(halves, start=1):
            _add(parents, f"{prefix}{number}", node)
            stack.append((f"{prefix}{number}", f"{prefix}{number}.", half))
        for name in names[members] if not halves else ():
            _add(parents, name, node)
    return Taxonomy(parents, rule=f"spatial:{largest}" if places.derived else "")


def _add(parents: dict[str, str | None], node: str, parent: str) -> None:
    if node in parents:
        raise DataError("place_taxonomy: wanted distinct names, found a name twice; rename the place or category")
    parents[node] = parent


def _parts(coordinates: np.ndarray, members: Ints, largest: int) -> list[Ints]:
    """The parts of a map, halved at the median of the longer side; ties by the other coordinate, then by name."""
    if len(members) <= largest:
        return [members]
    first, second = _halves(coordinates, members)
    return _parts(coordinates, first, largest) + _parts(coordinates, second, largest)


def _halves(coordinates: np.ndarray, members: Ints) -> list[Ints]:
    spread = np.ptp(coordinates[members], axis=0)
    side = int(spread[1] > spread[0])
    order = members[np.lexsort((members, coordinates[members, 1 - side], coordinates[members, side]))]
    half = len(order) // 2
    return [order[:half], order[half:]]
