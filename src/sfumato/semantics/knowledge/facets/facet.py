"""A facet as a dimension of analysis: counts of stops, trails and persons rolled up along its hierarchy."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from sfumato.errors import DataError, did_you_mean
from sfumato.semantics.knowledge.hierarchy import Hierarchy
from sfumato.semantics.ontology.names import prefixed

__all__ = ["COUNTED", "Facet", "Facets"]

COUNTED = ("stop", "trail", "person")


@dataclass(frozen=True, eq=False)
class Facet:
    """A hierarchy of classes, of things and their parts, of times, or of properties, with the segments linked to it.

    Attributes
    ----------
    name : str
        The name of the facet, such as Place.
    kind : str
        What its nodes are: classes, parts, times or properties.
    hierarchy : Hierarchy
        The nodes.
    members : polars.DataFrame
        Columns node, stop, trail and person: which segments are linked to which node.  A column is null where the
        segment is not a stop, belongs to no trail or to no person.
    labels : dict
        A label of each node that has one.
    """

    name: str
    kind: str
    hierarchy: Hierarchy
    members: pl.DataFrame
    labels: dict[str, str] = field(default_factory=dict)

    def frame(self) -> pl.DataFrame:
        """Per node: node, label, level, parents."""
        parents = [list(self.hierarchy.parents(node)) for node in self.hierarchy.nodes]
        return self.hierarchy.levels().select(
            "node",
            self._label(),
            "level",
            pl.Series("parents", parents, dtype=pl.List(pl.String)),
        )

    def roll_up(self) -> pl.DataFrame:
        """Per node: node, label, level, stops, trails and persons, each counted once per node; nodes without any last.

        Level 0 are the roots.  Counts of a node include those of all nodes below it.
        """
        counts = self.hierarchy.roll_up(self.members, list(COUNTED))
        counts = counts.rename({name: f"{name}s" for name in COUNTED})
        joined = self.hierarchy.levels().join(counts, on="node", how="left")
        numbers = [pl.col(f"{name}s").fill_null(0).cast(pl.Int64) for name in COUNTED]
        return joined.select("node", self._label(), "level", *numbers).sort("level", "node")

    def under(self, node: str) -> Facet:
        """The facet below one of its nodes."""
        if node not in self.hierarchy:
            raise DataError(
                f"facet {self.name}: wanted one of its {len(self.hierarchy):,} nodes, found {prefixed(node)}"
            )
        below = self.hierarchy.under(node)
        inside = self.members.filter(pl.col("node").is_in(list(below.nodes)))
        return Facet(self.name, self.kind, below, inside, self.labels)

    def _label(self) -> pl.Expr:
        names = {node: self.labels.get(node) or prefixed(node) for node in self.hierarchy.nodes}
        return pl.col("node").replace_strict(names, return_dtype=pl.String).alias("label")


@dataclass(frozen=True, eq=False)
class Facets:
    """The facets of a knowledge base by their names."""

    facets: dict[str, Facet]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.facets)

    def __getitem__(self, name: str) -> Facet:
        by_name = {key.casefold(): facet for key, facet in self.facets.items()}
        facet = by_name.get(name.removeprefix("bq:").casefold())
        if facet is None:
            raise DataError(f"facets: no facet is called {name!r}; {did_you_mean(name, self.names)}")
        return facet

    def frame(self) -> pl.DataFrame:
        """Per facet: facet, kind, nodes, levels, and how many stops, trails and persons are linked to it."""
        rows = []
        for name, facet in self.facets.items():
            numbers = [facet.members[column].drop_nulls().n_unique() for column in COUNTED]
            levels = facet.hierarchy.levels()["level"].max()
            depth = 0 if levels is None else int(levels) + 1  # type: ignore[arg-type]
            rows.append((name, facet.kind, len(facet.hierarchy), depth, *numbers))
        columns = dict.fromkeys(("nodes", "levels", "stops", "trails", "persons"), pl.Int64)
        return pl.DataFrame(rows, schema={"facet": pl.String, "kind": pl.String, **columns}, orient="row")
