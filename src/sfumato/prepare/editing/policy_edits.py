"""Changes of a policy: constraints added, changed and removed, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sfumato.data import Policy
from sfumato.errors import DataError, did_you_mean, shortened

__all__ = ["POLICY_EDITS", "edited_policy"]

POLICY_EDITS = {"add": "add,ITEM,...", "change": "change,NUMBER,ITEM,...", "remove": "remove,NUMBER", "own": "own"}
"""The operations and their arguments.  Constraints are numbered from 1, as they are when the edit is applied."""


def edited_policy(policy: Policy, edits: Iterable[Sequence[str]]) -> Policy:
    """The policy after these operations.

    Constraints that a rule computed from private data are not edited: a release names their rule, which computes other
    ones.  `own` makes them constraints of the person who edits, which a release publishes as they are.

    >>> edited_policy(Policy([["flu", "cough"], ["hiv"]]), [("remove", "1"), ("add", "flu", "hiv")]).sets
    (('hiv',), ('flu', 'hiv'))
    """
    sets, rule = [list(items) for items in policy.sets], policy.rule
    number = 0
    for number, edit in enumerate(edits, start=1):
        try:
            rule = _apply(sets, rule, policy.size, *edit)
        except DataError as error:
            raise DataError(f"edit {number}: {error}") from None
    return Policy(sets, rule=rule) if number else policy


def _apply(sets: list[list[str]], rule: str, size: int, operation: str = "", *arguments: str) -> str:
    """Change the constraints; returns their rule."""
    if operation not in POLICY_EDITS:
        raise DataError(f"wanted an operation, found {shortened(operation)!r}; {did_you_mean(operation, POLICY_EDITS)}")
    if size:
        raise DataError(f"wanted listed constraints, found the rule that all sets of up to {size} items are protected")
    if operation == "own":
        return ""
    if rule:
        raise DataError(
            f"wanted constraints that were given, found those of the rule {rule}: a release names the rule, which "
            "computes other constraints"
        )
    items = [item for item in arguments[0 if operation == "add" else 1 :] if item]
    if (operation == "remove") == bool(items):
        raise DataError(f"wanted {POLICY_EDITS[operation]}, found {len(arguments)} names")
    if operation == "add":
        sets.append(items)
        return rule
    position = arguments[0] if arguments else ""
    if not position.isdecimal() or not 1 <= int(position) <= len(sets):
        raise DataError(f"wanted the number of a constraint from 1 to {len(sets):,}, found another")
    sets[int(position) - 1 : int(position)] = [items] if items else []
    return rule
