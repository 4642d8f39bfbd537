"""Facets: the hierarchies of a knowledge base along which movements are counted."""

from sfumato.semantics.knowledge.facets.extraction import class_graph_of, facets_of, materialize_times
from sfumato.semantics.knowledge.facets.facet import Facet, Facets
from sfumato.semantics.knowledge.facets.place_parts import contained_places
from sfumato.semantics.knowledge.facets.times import TIMES, clock_seconds, time_hierarchy, time_members

__all__ = [
    "TIMES",
    "Facet",
    "Facets",
    "class_graph_of",
    "clock_seconds",
    "contained_places",
    "facets_of",
    "materialize_times",
    "time_hierarchy",
    "time_members",
]
