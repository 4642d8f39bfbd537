"""What an experiment adds to its data: a taxonomy and utility constraints, from files or built over the locations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from sfumato.errors import CallerError, DataError

__all__ = ["with_knowledge"]

_WORDS = {"taxonomy": "a taxonomy was", "constraints": "constraints were", "sensitive": "sensitive locations were"}
_IT = {"taxonomy": "it", "constraints": "them", "sensitive": "them"}
_DATA = {"table": "a table has", "mixed": "mixed records have", "transactions": "transactions have"}


def with_knowledge(data: Any, knowledge: Mapping[str, Any]) -> Any:
    """The data with what is known of their locations; built over the whole vocabulary, so that samples agree."""
    for name, wanted in knowledge.items():
        if not hasattr(data, name) or (name == "sensitive" and data.kind != "trajectories"):
            raise DataError(f"{_WORDS[name]} given, but {_DATA.get(data.kind, data.kind)} none; leave {_IT[name]} out")
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
            names = [names[at] for at in order]
        return Taxonomy.balanced(names, wanted["fanout"])
    found = read_taxonomy(Path(wanted))
    found.require([found.leaf_of(name) for name in data.names], data.attribute)
    return found


def _constraints(data: Any, wanted: Any) -> Any:
    """A file, or consecutive parts of nearly equal size: of the taxonomy's leaves, or of the names in their order."""
    from sfumato.data import Constraints
    from sfumato.io import read_constraints

    if not isinstance(wanted, Mapping):
        found = read_constraints(Path(wanted))
        found.require(data.names)
        return found
    parts, names = wanted["parts"], list(data.names)
    if data.taxonomy is not None:
        names.sort(key=lambda name: (data.taxonomy.span(data.taxonomy.leaf_of(name)), name))
    if parts > len(names):
        raise CallerError(f"constraints in {parts} parts were asked for, the data have {len(names)} locations")
    return Constraints({name: str(at * parts // len(names) + 1) for at, name in enumerate(names)})


def _flagged(data: Any, wanted: Mapping[str, int]) -> Any:
    """The places, with so many of the locations flagged as sensitive."""
    import numpy as np

    if data.places is None:
        raise DataError("sensitive locations were asked for, but these data have no places; give places")
    if wanted["random"] > len(data.names):
        raise CallerError(
            f"{wanted['random']} sensitive locations were asked for, the data have {len(data.names)} locations"
        )
    drawn = np.random.default_rng(wanted["seed"]).choice(len(data.names), wanted["random"], replace=False)
    return data.places.with_sensitive([data.names[at] for at in drawn])
