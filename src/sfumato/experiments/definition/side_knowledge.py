"""Side knowledge of an experiment: taxonomy, utility constraints and sensitive flags, from files or built by rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from sfumato.data import Taxonomy
from sfumato.data.frames import Source
from sfumato.data.tables.encoding import require_leaves
from sfumato.errors import CallerError, DataError
from sfumato.experiments.definition.knowledge_sources import POLICIES
from sfumato.io.taxonomies import read_hierarchies, read_taxonomy
from sfumato.prepare.policies import Which, named_policy

__all__ = ["with_knowledge"]

_ORDER = ("hierarchies", "taxonomy", "constraints", "sensitive", *POLICIES)  # a policy may be made from a taxonomy
_DATA = {"table": "a table", "mixed": "mixed records"}


def with_knowledge(data: Any, knowledge: Mapping[str, Any], *, derived: bool = True) -> Any:
    """The data with side knowledge; what is built by rules is built over the whole vocabulary, so that samples agree.

    derived : whether the vocabulary is private, so that a taxonomy built over it is private, too.
    """
    for name, wanted in sorted(knowledge.items(), key=lambda item: _ORDER.index(item[0])):
        if name == "hierarchies":
            data = _with_hierarchies(data, wanted)
            continue
        if not hasattr(data, name) or (name == "sensitive" and data.kind != "trajectories"):
            raise DataError(f"{name} does not apply to {_DATA.get(data.kind, data.kind)}; leave it out")
        if name == "sensitive":
            data = replace(data, places=_flagged(data, wanted))
        elif data.kind == "mixed":  # it is the items' taxonomy or policy
            data = replace(data, items=with_knowledge(data.items, {name: wanted}, derived=derived))
        elif name in POLICIES:
            which: Which = "privacy" if name == "privacy_policy" else "utility"
            data = replace(data, **{name: named_policy(which, wanted, data)})
        elif name == "taxonomy":
            data = replace(data, taxonomy=_taxonomy(data, wanted, derived=derived))
        else:
            data = replace(data, constraints=_constraints(data, wanted))
    return data


def _with_hierarchies(data: Any, folder: Path | Mapping[str, Path]) -> Any:
    """The data with the hierarchies of a folder, or with a file for each column: of columns, and of items."""
    if data.kind == "transactions":
        tree = _item_tree(folder, data, "item")
        if tree is None:
            raise DataError(f"{_named(folder)}: wanted a hierarchy of the items (*item.*), found none")
        return replace(data, taxonomy=tree)
    if data.kind not in ("table", "mixed"):
        raise DataError(f"hierarchies does not apply to {data.kind}; leave it out")
    table = data if data.kind == "table" else data.table
    tree = None if data.kind == "table" else _item_tree(folder, data.items, data.column)
    trees = _trees(folder, tuple(table.frame.columns))
    if not trees and tree is None:
        raise DataError(f"{_named(folder)}: wanted a hierarchy of a column of the data (*<column>.*), found none")
    table = replace(table, hierarchies=trees)
    require_leaves(table, Source("the table"))
    if data.kind == "table":
        return table
    return replace(data, table=table, items=data.items if tree is None else replace(data.items, taxonomy=tree))


def _named(folder: Path | Mapping[str, Path]) -> str:
    return str(folder) if isinstance(folder, Path) else "hierarchies"


def _trees(folder: Path | Mapping[str, Path], columns: tuple[str, ...]) -> dict[str, Taxonomy]:
    if isinstance(folder, Path):
        return read_hierarchies(folder, columns)
    return {name: read_taxonomy(file, attribute=name) for name, file in folder.items() if name in columns}


def _item_tree(folder: Path | Mapping[str, Path], items: Any, attribute: str) -> Taxonomy | None:
    tree = _trees(folder, (attribute,)).get(attribute)
    if tree is not None:
        tree.require(items.names, "item")
    return tree


def _taxonomy(data: Any, wanted: Any, *, derived: bool) -> Taxonomy:
    """A file, or a balanced tree over the names in their order, or in one drawn by a seed."""
    import numpy as np

    if isinstance(wanted, Mapping):
        names = data.names
        rule = f"balanced:{wanted['fanout']}"
        if "shuffled" in wanted:
            order = np.random.default_rng(wanted["shuffled"]).permutation(len(names))
            names = [names[index] for index in order]
            rule += f":{wanted['shuffled']}"
        tree = Taxonomy.balanced(names, wanted["fanout"])
        tree.rule = rule if derived else ""
        return tree
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
