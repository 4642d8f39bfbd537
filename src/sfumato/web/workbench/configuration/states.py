"""The content of an asset with the changes that are not saved yet, kept in memory while it is edited."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import polars as pl

from sfumato.errors import DataError

__all__ = ["POLICIES", "ROWS", "TREES", "Edits", "applied", "facts_of", "rule_policy", "state_at", "write_state"]

TREES = ("hierarchy", "taxonomy")
ROWS = ("places", "constraints", "workplaces")
POLICIES = ("privacy_policy", "utility_policy")
Edits = tuple[tuple[str, ...], ...]
_MOST = 8
_NUMBERED = re.compile(r"^edit \d+: ")
_cache: OrderedDict[tuple[str, str, str, Edits], Any] = OrderedDict()
_lock = Lock()


def state_at(kind: str, path: Path, edits: Edits = (), *, text: str = "") -> Any:
    """A draft of a hierarchy, a policy, rows, or a workload: what is in a file, after the edits.

    The file of an asset is never changed, so that its path and the edits name the state.
    """
    key = (kind, str(path), text, edits)
    with _lock:
        if key in _cache:
            _cache.move_to_end(key)
            return _cache[key]
        before = _cache.get((kind, str(path), text, edits[:-1])) if edits else None
    start, left = (_base(kind, path, text), edits) if before is None else (before, edits[-1:])
    state = applied(kind, start, left)
    with _lock:
        _cache[key] = state
        while len(_cache) > _MOST:
            _cache.popitem(last=False)
    return state


def applied(kind: str, state: Any, edits: Sequence[Sequence[str]]) -> Any:
    """The state after further edits; a refusal is the sentence of the library without the number of the edit."""
    from sfumato.prepare.editing.policy_edits import edited_policy
    from sfumato.prepare.editing.row_edits import edited_rows
    from sfumato.web.workbench.queries.query_edits import edited_workload

    try:
        if kind in TREES:
            return state.edited(edits) if edits else state
        if kind in ROWS:
            return edited_rows(state, edits)
        return (edited_workload if kind == "workload" else edited_policy)(state, edits)
    except DataError as error:
        raise type(error)(_NUMBERED.sub("", str(error))) from None


def _base(kind: str, path: Path, text: str) -> Any:
    from sfumato.io import read_constraints, read_places, read_policy, read_workplaces
    from sfumato.io.places import marked_places
    from sfumato.prepare.editing.draft_files import read_draft
    from sfumato.utility.workload import Workload

    if kind in TREES:
        return read_draft(path)[0]
    if kind == "places":
        return marked_places(read_places(path, notes=[])).cast(pl.String)
    if kind == "constraints":
        return read_constraints(path).to_polars()
    if kind == "workplaces":
        return read_workplaces(path).to_polars()
    if kind == "workload":
        return Workload.load(path)
    return read_policy(path) if path.is_file() else rule_policy(text)


def rule_policy(text: str) -> Any:
    """A policy that is a rule: all sets of a size, or the rule alone, which the data fill."""
    from sfumato.data import Policy

    name, *numbers = text.split(":")
    return Policy(size=int(numbers[0])) if name == "all" else Policy(rule=text)


def write_state(kind: str, state: Any, path: Path) -> tuple[str, dict[str, Any]]:
    """Write a state to the file of a new asset; returns the rule that makes it private, and figures about it."""
    from sfumato.data import Constraints, Places, Workplaces
    from sfumato.io import write_constraints, write_policy, write_taxonomy, write_workplaces
    from sfumato.io.frames import write_frame

    rule = ""
    if kind in TREES:
        tree = state.taxonomy()
        write_taxonomy(tree, path)
        rule = tree.rule
    elif kind == "places":
        Places.from_frame(state)
        write_frame(state, path)
    elif kind == "constraints":
        write_constraints(Constraints.from_frame(state), path)
    elif kind == "workplaces":
        write_workplaces(Workplaces.from_frame(state), path)
    elif kind == "workload":
        state.save(path)
        rule = state.rule if state.private else ""
    else:
        write_policy(state, path)
        rule = state.rule
    if kind in ROWS and "derived" in state.columns:
        rule = "visits"
    return rule, facts_of(kind, state)


def facts_of(kind: str, state: Any) -> dict[str, Any]:
    """Figures about a state, without a value of it."""
    if kind in TREES:
        tree = state.taxonomy()
        facts = {"nodes": len(tree), "leaves": len(tree.leaves), "levels": tree.height + 1}
        return facts | ({"sensitive": len(state.marked)} if state.marked else {})
    if kind in ROWS:
        columns = [name for name in state.columns if name != "derived" and state[name].drop_nulls().len()]
        return {"rows": len(state), "columns": columns}
    if kind == "workload":
        return {"queries": len(state)}
    return {"sets": len(state), "items": len(state.items)}
