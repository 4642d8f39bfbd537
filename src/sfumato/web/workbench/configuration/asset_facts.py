"""Figures about an asset, such as its leaves or roads: counted from its file where they were not kept with it."""

from __future__ import annotations

from typing import Any

from sfumato.errors import SfumatoError
from sfumato.web.workbench.configuration.states import ROWS, TREES, facts_of, state_at
from sfumato.web.workbench.models import Asset

__all__ = ["network_facts", "with_facts"]


def with_facts(asset: Asset) -> Asset:
    """The asset; figures that it lacks are counted once, and kept.  A file that cannot be read has none."""
    if asset.facts or not asset.file or asset.kind not in (*TREES, *ROWS, "network"):
        return asset
    try:
        asset.facts = _counted(asset)
    except SfumatoError:
        return asset
    asset.save(update_fields=["facts"])
    return asset


def _counted(asset: Asset) -> dict[str, Any]:
    from sfumato.io import read_network

    if asset.kind == "network":
        return network_facts(read_network(asset.path))
    state = state_at(asset.kind, asset.path)
    if asset.kind in TREES and state.problems:
        return {"nodes": len(state), "problems": len(state.problems)}
    return facts_of(asset.kind, state)


def network_facts(network: Any) -> dict[str, Any]:
    """How many nodes and roads a network has."""
    nodes, roads = network.to_frames()
    return {"nodes": len(nodes), "roads": len(roads)}
