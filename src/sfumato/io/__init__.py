"""Readers and writers, one format a file; the published directory."""

from sfumato.io.constraints import read_constraints, write_constraints
from sfumato.io.datasets import read, write
from sfumato.io.graphs import read_graph, read_graphs, write_graph
from sfumato.io.places import read_places, write_places
from sfumato.io.policies import read_policy, write_policy
from sfumato.io.positions import read_positions, write_positions
from sfumato.io.roads.network import read_network, write_network
from sfumato.io.taxonomies import read_hierarchies, read_taxonomy, write_hierarchy, write_taxonomy
from sfumato.io.workplaces import read_workplaces, write_workplaces

__all__ = [
    "read",
    "read_constraints",
    "read_graph",
    "read_graphs",
    "read_hierarchies",
    "read_network",
    "read_places",
    "read_policy",
    "read_positions",
    "read_taxonomy",
    "read_workplaces",
    "write",
    "write_constraints",
    "write_graph",
    "write_hierarchy",
    "write_network",
    "write_places",
    "write_policy",
    "write_positions",
    "write_taxonomy",
    "write_workplaces",
]
