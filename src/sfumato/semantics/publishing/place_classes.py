"""The one class of each place, and the taxonomy of places that follows from a graph of classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from sfumato.data.taxonomy import Taxonomy
from sfumato.errors import DataError
from sfumato.semantics.publishing.readable_names import unique_names

if TYPE_CHECKING:
    from sfumato.semantics.knowledge.class_graph import ClassGraph

__all__ = ["ROOT", "UNCLASSIFIED", "PlaceClasses"]

ROOT = "any place"
UNCLASSIFIED = "unclassified place"


@dataclass(frozen=True, eq=False)
class PlaceClasses:
    """Places under the classes of a graph.

    A place with several classes counts under the one with the fewest places, of several under the first by name;
    a class that lies above another class of the place is left out.  A class counts under the superclass that
    `ClassGraph.tree` keeps for the places alone: movements in the knowledge base change nothing.  A place is sensitive
    if any of its classes is, or lies below a sensitive class along any superclass, kept or not.

    own : the class of each place that has one.  parents : the kept superclass of each class that is used, None for
    roots.  classes : place, class: every class of each place, with those above.
    sensitive : sensitive classes.  sensitive_places : sensitive places, also by a class that is not their own.
    """

    own: dict[str, str]
    parents: dict[str, str | None]
    classes: pl.DataFrame
    sensitive: frozenset[str]
    sensitive_places: frozenset[str]

    @classmethod
    def of(cls, graph: ClassGraph, places: Iterable[str], sensitive: Iterable[str] = ()) -> PlaceClasses:
        """The classes of some resources; sensitive : classes of the graph."""
        wanted = pl.DataFrame({"resource": sorted(set(places))}, schema={"resource": pl.String})
        types = graph.types.join(wanted, on="resource", how="semi")
        graph = replace(graph, types=types)  # movements and what they annotate must not choose among superclasses
        instances = dict(graph.counts().rows())
        kept = dict(graph.tree().rows())
        stated: dict[str, list[str]] = {}
        for resource, name in types.rows():
            stated.setdefault(resource, []).append(name)
        above = {name: graph.ancestors(name) for name in types["class"].unique().to_list()}
        own = {resource: _chosen(names, above, instances) for resource, names in stated.items()}
        parents: dict[str, str | None] = {}
        for name in own.values():
            while name not in parents:
                parents[name] = kept[name]
                if kept[name] is None:
                    break
                name = str(kept[name])
        marked = graph.sensitive(sensitive)
        pairs = pl.DataFrame(
            [(name, ancestor) for name, ancestors in above.items() for ancestor in (name, *sorted(ancestors))],
            schema={"class": pl.String, "ancestor": pl.String},
            orient="row",
        )
        every = types.join(pairs, on="class").select(place="resource", **{"class": "ancestor"}).unique().sort(pl.all())
        flagged = every.filter(pl.col("class").is_in(sorted(marked)))["place"].unique().to_list()
        return cls(own, parents, every, marked, frozenset(flagged))

    def names(self, labels: Mapping[str, str]) -> dict[str, str]:
        """A readable and unique name of each class that is used or stated."""
        used = {*self.parents, *self.classes["class"].unique().to_list()}
        return unique_names(used, dict(labels), taken=(ROOT, UNCLASSIFIED))

    def taxonomy(self, places: Mapping[str, str], classes: Mapping[str, str]) -> Taxonomy:
        """The tree of all places: root, classes, places.

        places : the name of each place, by resource.  classes : the name of each class.
        """
        if not places:
            raise DataError("taxonomy: wanted at least one place with a geometry in the knowledge base, found none")
        tree: dict[str, str | None] = {ROOT: None}
        for name in sorted(self.parents, key=lambda name: classes[name]):
            parent = self.parents[name]
            tree[classes[name]] = ROOT if parent is None else classes[parent]
        if any(resource not in self.own for resource in places):
            tree[UNCLASSIFIED] = ROOT
        for resource, name in sorted(places.items(), key=lambda pair: pair[1]):
            tree[name] = classes[self.own[resource]] if resource in self.own else UNCLASSIFIED
        marked = [classes[name] for name in self.parents if name in self.sensitive]
        marked += [places[resource] for resource in sorted(self.sensitive_places) if resource in places]
        return Taxonomy(tree, sensitive=marked)


def _chosen(names: list[str], above: Mapping[str, frozenset[str]], instances: Mapping[str, int]) -> str:
    """The class of a place with the fewest instances, ties by name, among those that lie above no other of them."""
    lowest = [name for name in names if not any(name in above[other] for other in names)]
    return min(lowest, key=lambda name: (instances[name], name))
