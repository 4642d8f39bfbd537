"""Side knowledge of an experiment: taxonomy, utility constraints and sensitive flags, from files or built by rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from sfumato.errors import CallerError, DataError

__all__ = ["with_knowledge"]

_DATA = {"table": "a table", "mixed": "mixed records"}


def with_knowledge(data: Any, knowledge: Mapping[str, Any]) -> Any:
    """The data with side knowledge, built over the whole vocabulary, so that samples agree."""
    for name, wanted in knowledge.items():
        if not hasattr(data, name) or (name == "sensitive" and data.kind != "trajectories"):
            raise DataError(f"{name} does not apply to {_DATA.get(data.kind, data.kind)}; leave it out")
        if name == "sensitive":
            data = replace(data, places=_flagged(data, wanted))
            continue
        if data.kind == "mixed":  # it is the items' taxonomy
            data = replace(data, items=with_knowledge(data.items, {name: wanted}))
            continue
        make = {"taxonomy": _taxonomy, "constraints": _constraints}[name]
        data = replace(data, **{name: make(data, wanted)})
    return data


def _taxonomy(data: Any, wanted: Any) -> Any:
    """A file, or a balanced tree over the names in their order, or in one drawn by a seed."""
    import numpy as np

    from sfumato.data import Taxonomy
    from sfumato.io import read_taxonomy

    if isinstance(wanted, Mapping):
        names = data.names
        if "shuffled" in wanted:
            order = np.random.default_rng(wanted["shuffled"]).permutation(len(names))
            names = [names[index] for index in order]
        return Taxonomy.balanced(names, wanted["fanout"])
    taxonomy = read_taxonomy(Path(wanted))
    taxonomy.require([taxonomy.leaf_of(name) for name in data.names], data.attribute)
    return taxonomy


def _constraints(data: Any, wanted: Any) -> Any:
    """A file, or consecutive parts of nearly equal size: of the taxonomy's leaves, or of the names in their order."""
    from sfumato.data import Constraints
    from sfumato.io import read_constraints

    if not isinstance(wanted, Mapping):
        constraints = read_constraints(Path(wanted))
        constraints.require(data.names)
        return constraints
    parts, names = wanted["parts"], list(data.names)
    if data.taxonomy is not None:
        names.sort(key=lambda name: (data.taxonomy.span(data.taxonomy.leaf_of(name)), name))
    if parts > len(names):
        raise CallerError(f"constraints: wanted at least {parts} locations for {parts} parts, found {len(names)}")
    return Constraints({name: str(index * parts // len(names) + 1) for index, name in enumerate(names)})


def _flagged(data: Any, wanted: Mapping[str, int]) -> Any:
    """The places, with the wanted number of random locations flagged as sensitive."""
    import numpy as np

    if data.places is None:
        raise DataError("sensitive locations: wanted data with places, found none; give places")
    if wanted["random"] > len(data.names):
        raise CallerError(f"sensitive locations: wanted at least {wanted['random']} locations, found {len(data.names)}")
    drawn = np.random.default_rng(wanted["seed"]).choice(len(data.names), wanted["random"], replace=False)
    return data.places.with_sensitive([data.names[index] for index in drawn])
