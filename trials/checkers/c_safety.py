"""c-safety (Monreale et al. 2011, Definition 9), with the errors of its example corrected."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from trials.checkers.patterns import by_ratio
from trials.files import Behind, Seen

__all__ = ["check_c_safety"]


def check_c_safety(seen: Seen, parameters: dict[str, Any], behind: Behind) -> list[str]:
    """No sequence of nonsensitive nodes tells a sensitive leaf with a probability above c."""
    if seen.parents is None:
        return ["the files have no taxonomy"]
    tree = _Tree(seen)
    labels = sorted({label for record in seen.records for label in record})
    found = [f"{label!r} is no node of the taxonomy" for label in labels if label not in seen.parents]
    if found:
        return found
    for label in labels:
        listed = set(seen.stands_for("location", label))
        if label in seen.members.get("location", {}) and listed != set(tree.read_as(label)):
            found.append(f"the members of {label!r} are not the leaves that it stands for")
    if found:
        return found
    known = [[label for label in record if not tree.secret(label)] for record in seen.records]
    hidden = [[label for label in record if tree.secret(label)] for record in seen.records]
    nodes = sorted({label for record in known for label in record})
    limit = Fraction(str(parameters["c"]))
    waiting: list[tuple[tuple[str, ...], tuple[int, ...]]] = [((), (0,) * len(known))]
    visited = {waiting[0][1]}
    while waiting:
        pattern, at = waiting.pop()
        for node in nodes:
            # the earliest place where each record can have matched the longer knowledge
            moved = tuple(_next(record, here, tree.above[node]) for record, here in zip(known, at, strict=True))
            if moved in visited or all(here < 0 for here in moved):
                continue
            visited.add(moved)
            waiting.append(((*pattern, node), moved))
            rows = [row for row, here in enumerate(moved) if here >= 0]
            for name, units in by_ratio(len(known), behind):
                found += _disclosed(f"{(*pattern, node)}, counting {name}", rows, hidden, units, tree, limit)
    return found


def _next(record: list[str], here: int, labels: frozenset[str]) -> int:
    if here < 0:
        return -1
    return next((at + 1 for at in range(here, len(record)) if record[at] in labels), -1)


def _disclosed(
    what: str, rows: list[int], hidden: list[list[str]], units: Any, tree: _Tree, limit: Fraction
) -> list[str]:
    pooled: dict[Any, list[str]] = {}
    for row in rows:
        pooled.setdefault(units[row], []).extend(hidden[row])
    leaves = sorted({leaf for pool in pooled.values() for label in pool for leaf in tree.leaves[label]})
    found = []
    for leaf in leaves:
        total = Fraction(0)
        for pool in pooled.values():
            missed = Fraction(1)
            for label in pool:
                if leaf in tree.leaves[label]:
                    missed *= 1 - Fraction(1, len(tree.leaves[label]))
            total += 1 - missed
        if total / len(pooled) > limit:
            found.append(f"{what} tells {leaf!r} with {total / len(pooled)}, above {limit}")
    return found


class _Tree:
    """The taxonomy: the leaves under each node, and each node with all that stand above it."""

    def __init__(self, seen: Seen) -> None:
        assert seen.parents is not None
        parents = seen.parents
        self.above: dict[str, frozenset[str]] = {}
        for node in parents:
            chain: list[str] = []
            at: str | None = node
            while at is not None:
                chain.append(at)
                at = parents[at]
            self.above[node] = frozenset(chain)
        inner = set(parents.values())
        self.leaves = {
            node: [leaf for leaf in parents if leaf not in inner and node in self.above[leaf]] for node in parents
        }
        self._flagged = seen.flagged

    def read_as(self, node: str) -> list[str]:
        """What a label stands for: a quasi-identifier never for a sensitive leaf."""
        leaves = self.leaves[node]
        return leaves if self.secret(node) else [leaf for leaf in leaves if not self.above[leaf] & self._flagged]

    def secret(self, node: str) -> bool:
        """Every leaf under it is sensitive: it is flagged, or something above it is."""
        return all(self.above[leaf] & self._flagged for leaf in self.leaves[node])
