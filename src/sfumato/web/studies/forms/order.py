"""What each question depends on, and an order in which everything is known before it is needed."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from sfumato.web.studies.forms.formulas import names

if TYPE_CHECKING:
    from sfumato.web.studies.forms.tree import Form

__all__ = ["circle_of", "dependencies", "order_of"]


def dependencies(form: Form) -> dict[str, set[str]]:
    """For each question the questions of the form that it depends on: enabling ones, its group, those of its formula.

    A formula over the episodes of a group depends on the group too.
    """
    depends: dict[str, set[str]] = {}
    for question, group in form.walk():
        read = names(question.formula) if question.type == "calculated" else set()
        groups = {other.key for key in read if key in form.by_key and (other := form.by_key[key][1]) is not None}
        needed = {rule.question for rule in question.when.rules} | read | groups | ({group.key} if group else set())
        depends[question.key] = {key for key in needed if key in form.by_key}
    return depends


def order_of(form: Form) -> tuple[str, ...]:
    """Keys of questions, each after those that it depends on; without those that depend on a circle."""
    depends = dependencies(form)
    waiting = {key: len(needed) for key, needed in depends.items()}
    followers: dict[str, list[str]] = {key: [] for key in depends}
    for key, needed in depends.items():
        for other in needed:
            followers[other].append(key)
    ready, order = deque(key for key, count in waiting.items() if count == 0), list[str]()
    while ready:
        key = ready.popleft()
        order.append(key)
        for follower in followers[key]:
            waiting[follower] -= 1
            if waiting[follower] == 0:
                ready.append(follower)
    return tuple(order)


def circle_of(form: Form) -> list[str]:
    """Keys of questions that depend on each other in a circle, each on the next; empty if there is no circle."""
    depends, done = dependencies(form), set(order_of(form))
    key = next((key for key in depends if key not in done), None)
    if key is None:
        return []
    path: dict[str, None] = {}
    while key not in path:  # what is left over depends on something that is left over
        path[key] = None
        key = min(other for other in depends[key] if other not in done)
    circle = list(path)
    return circle[circle.index(key) :]
