"""Readers and writers, one format a file; the published directory."""

from typing import TYPE_CHECKING

from sfumato.lazy_names import loaded_on_use

if TYPE_CHECKING:
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

if not TYPE_CHECKING:  # a type checker knows the names from above, and no others
    __getattr__ = loaded_on_use(
        __name__,
        {
            "constraints": (
                "read_constraints",
                "write_constraints",
            ),
            "datasets": (
                "read",
                "write",
            ),
            "graphs": (
                "read_graph",
                "read_graphs",
                "write_graph",
            ),
            "places": (
                "read_places",
                "write_places",
            ),
            "policies": (
                "read_policy",
                "write_policy",
            ),
            "positions": (
                "read_positions",
                "write_positions",
            ),
            "roads.network": (
                "read_network",
                "write_network",
            ),
            "taxonomies": (
                "read_hierarchies",
                "read_taxonomy",
                "write_hierarchy",
                "write_taxonomy",
            ),
            "workplaces": (
                "read_workplaces",
                "write_workplaces",
            ),
        },
    )


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
