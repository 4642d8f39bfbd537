"""The classes of a knowledge base with their superclasses and instances.

A class may have several superclasses, so counts are distinct: a stadium that is a venue and a sport facility counts
once for the class above both.  `ClassGraph.tree` keeps one superclass of each for methods that need a tree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from sfumato.errors import DataError
from sfumato.semantics.knowledge.hierarchy import Hierarchy
from sfumato.semantics.ontology.names import prefixed

__all__ = ["ClassGraph"]

_PAIRS = {"class": pl.String, "parent": pl.String}


@dataclass(frozen=True, eq=False)
class ClassGraph:
    """Classes, their superclasses and their instances; classes that are equivalent are one class.

    Attributes
    ----------
    hierarchy : Hierarchy
        The classes under the first name of each, in order of code points.
    types : polars.DataFrame
        Columns resource and class: the stated classes of the instances.
    aliases : dict
        The first name of each class that has several names, by each of its other names.

    Examples
    --------
    >>> above = [("Stadium", "Venue"), ("Stadium", "Facility"), ("Venue", "Place"), ("Facility", "Place")]
    >>> graph = ClassGraph.of(above, [("Maracana", "Stadium"), ("Museum", "Venue")])
    >>> graph.counts().rows()
    [('Facility', 1), ('Place', 2), ('Stadium', 1), ('Venue', 2)]
    >>> graph.tree().rows()
    [('Facility', 'Place'), ('Place', None), ('Stadium', 'Facility'), ('Venue', 'Place')]
    """

    hierarchy: Hierarchy
    types: pl.DataFrame
    aliases: dict[str, str]

    @classmethod
    def of(
        cls,
        subclasses: pl.DataFrame | Iterable[tuple[str, str]],
        types: pl.DataFrame | Iterable[tuple[str, str]] = (),
        equivalent: pl.DataFrame | Iterable[tuple[str, str]] = (),
    ) -> ClassGraph:
        """The graph of pairs (class, superclass), (instance, class) and (class, equivalent class).

        A cycle of subclasses is refused in one sentence that names it, except between classes that are equivalent.
        """
        pairs = _frame(subclasses, ("class", "parent"))
        instances = _frame(types, ("resource", "class"))
        aliases = _first_names(_frame(equivalent, ("first", "second")).rows())
        edges = pairs.select(
            child=pl.col("class").replace(aliases),
            parent=pl.col("parent").replace(aliases),
        )
        instances = instances.with_columns(pl.col("class").replace(aliases)).unique().sort("resource", "class")
        names = {*instances["class"].to_list(), *aliases.values()}
        hierarchy = Hierarchy.of(edges, names, who="ClassGraph", relation="is a subclass of")
        return cls(hierarchy, instances, aliases)

    @property
    def classes(self) -> tuple[str, ...]:
        """Every class under its first name, in order."""
        return self.hierarchy.nodes

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.name_of(name) in self.hierarchy

    def name_of(self, name: str) -> str:
        """The first name of a class; the name itself where it has no other."""
        return self.aliases.get(name, name)

    def names_of(self, name: str) -> tuple[str, ...]:
        """All names of a class: its first name and those of the classes that are equivalent."""
        first = self.name_of(name)
        return (first, *sorted(other for other, target in self.aliases.items() if target == first))

    def parents(self, name: str) -> tuple[str, ...]:
        """The classes directly above a class."""
        return self.hierarchy.parents(self._known(name))

    def children(self, name: str) -> tuple[str, ...]:
        """The classes directly below a class."""
        return self.hierarchy.children(self._known(name))

    def ancestors(self, name: str) -> frozenset[str]:
        """Every class above a class, without itself."""
        return self.hierarchy.ancestors(self._known(name))

    def subclasses(self, name: str) -> frozenset[str]:
        """Every class below a class, without itself."""
        return self.hierarchy.descendants(self._known(name))

    def under(self, root: str) -> ClassGraph:
        """The graph of a class and all its subclasses, with their instances."""
        below = self.hierarchy.under(self._known(root))
        inside = self.types.filter(pl.col("class").is_in(list(below.nodes)))
        return ClassGraph(below, inside, {name: first for name, first in self.aliases.items() if first in below})

    @cached_property
    def _instances(self) -> dict[str, int]:
        members = self.types.rename({"class": "node"})
        return dict(self.hierarchy.roll_up(members, ["resource"]).rows())

    def counts(self) -> pl.DataFrame:
        """Per class its number of different instances, those of subclasses included; columns class and instances."""
        numbers = [self._instances.get(name, 0) for name in self.classes]
        return pl.DataFrame(
            {"class": self.classes, "instances": numbers}, schema={"class": pl.String, "instances": pl.Int64}
        )

    def roll_up(self, links: pl.DataFrame, count: list[str], *, resource: str = "resource") -> pl.DataFrame:
        """Per class, how many different values the columns in `count` have among the links to it or to its instances.

        links : frame with a column of resources and the columns in `count`.  A resource stands for the classes of which
        it is an instance and, if it is a class, for itself.
        """
        named = links.with_columns(_node=pl.col(resource).replace(self.aliases))
        types = self.types.rename({"class": "node"})
        by_type = named.join(types, left_on=resource, right_on="resource").select("node", *count)
        itself = named.filter(pl.col("_node").is_in(list(self.classes))).select(pl.col("_node").alias("node"), *count)
        return self.hierarchy.roll_up(pl.concat([by_type, itself]), count).rename({"node": "class"})

    def tree(self) -> pl.DataFrame:
        """Per class the one superclass that a tree keeps; columns class and parent, which is null for roots.

        It is the superclass with the fewest instances, subclasses included; of several, the first by name.
        """
        rows = [(name, self._kept(self.hierarchy.parents(name))) for name in self.classes]
        return pl.DataFrame(rows, schema=_PAIRS, orient="row")

    def sensitive(self, classes: Iterable[str]) -> frozenset[str]:
        """The given classes and all below them along any superclass, also along those that `tree` does not keep."""
        marked = {self._known(name) for name in classes}
        return frozenset(marked.union(*(self.hierarchy.descendants(name) for name in marked)))

    def _kept(self, parents: tuple[str, ...]) -> str | None:
        return min(parents, key=lambda name: (self._instances.get(name, 0), name), default=None)

    def _known(self, name: str) -> str:
        first = self.name_of(name)
        if first not in self.hierarchy:
            raise DataError(f"ClassGraph: wanted one of its {len(self.hierarchy):,} classes, found {prefixed(name)}")
        return first


def _frame(rows: pl.DataFrame | Iterable[tuple[str, str]], names: tuple[str, str]) -> pl.DataFrame:
    if isinstance(rows, pl.DataFrame):
        return rows.select(*(pl.col(name).cast(pl.String) for name in names)).drop_nulls()
    return pl.DataFrame(list(rows), schema=dict.fromkeys(names, pl.String), orient="row")


def _first_names(pairs: list[tuple[str, str]]) -> dict[str, str]:
    """The least name of each set of names that the pairs join, by each of the other names."""
    leader: dict[str, str] = {}

    def find(name: str) -> str:
        while leader.setdefault(name, name) != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name

    for first, second in pairs:
        low, high = sorted((find(first), find(second)))
        leader[high] = low
    return {name: find(name) for name in list(leader) if find(name) != name}
