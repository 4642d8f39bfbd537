"""Answers that are calculated from others, each after those that it reads."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from sfumato.web.studies.forms.answers import Answers, Stored
from sfumato.web.studies.forms.branching import steps
from sfumato.web.studies.forms.evaluating import Quantity, Scope, evaluate, text_of
from sfumato.web.studies.forms.formulas import ENTERED, FormulaRefused, Node, parse
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.forms.values import value_of

__all__ = ["with_calculated"]


def with_calculated(form: Form, answers: Answers, entered: date | None = None) -> Answers:
    """The answers together with those of calculated questions that are asked, as texts; the input stays as it is.

    entered : the day on which the entry was created, for formulas that name it.  An answer that is not asked counts as
    missing, and a formula that cannot be read gives no answer.
    """
    calculated = {question.key for question, _group in form.walk() if question.type == "calculated"}
    if not calculated:
        return answers
    complete = Answers(
        _without(answers.values, calculated),
        {
            group: [(episode, _without(values, calculated)) for episode, values in rows]
            for group, rows in answers.episodes.items()
        },
    )
    reached: set[tuple[str, str]] = set()
    formula_of, over_episodes = "", dict[int, Quantity | None]()
    for question, group, episode, values in steps(form, complete):
        reached.add((question.key, episode))
        if question.type != "calculated":
            continue
        try:
            tree = parse(question.formula)
        except FormulaRefused:
            continue
        if question.key != formula_of:
            formula_of, over_episodes = question.key, {}
        scope = _Place(form, complete, reached, entered, over_episodes, group.key if group else "", episode, values)
        if text := text_of(evaluate(tree, scope)):
            values[question.key] = text
    return complete


def _without(values: dict[str, Stored], keys: set[str]) -> dict[str, Stored]:
    return {key: stored for key, stored in values.items() if key not in keys}


class _Place:
    """Answers as a formula reads them: of an episode and outside of groups."""

    def __init__(
        self,
        form: Form,
        answers: Answers,
        reached: set[tuple[str, str]],
        entered: date | None,
        over_episodes: dict[int, Quantity | None],
        group: str,
        episode: str,
        values: dict[str, Stored],
    ) -> None:
        self.form, self.answers, self.reached, self.entered = form, answers, reached, entered
        self.over_episodes, self.group, self.episode, self.values = over_episodes, group, episode, values

    def value(self, key: str) -> Quantity | None:
        """The answer to a question in this episode or outside of groups."""
        if key not in self.form.by_key:
            return self.entered if key == ENTERED else None
        question, group = self.form.by_key[key]
        if group is not None and group.key != self.group:
            return None  # answers of another group are no single answer
        stored = (self.values if group else self.answers.values).get(key)
        if stored is None or (key, self.episode if group else "") not in self.reached:
            return None
        try:
            value = value_of(question, stored)
        except ValueError:
            return None
        if isinstance(value, list):
            return frozenset(value)
        return Decimal(value) if isinstance(value, int) and not isinstance(value, bool) else value

    def over(self, argument: Node) -> Sequence[Scope] | None:
        """The episodes of the group whose questions an argument reads."""
        read = {str(node.value) for node in argument.walk() if node.op == "name"}
        groups = {group.key for key in read if key in self.form.by_key and (group := self.form.by_key[key][1])}
        return self._episodes(groups.pop()) if len(groups) == 1 else None

    def count(self, key: str) -> int | None:
        """Episodes of a group, episodes in which a question is answered, or chosen options."""
        if key not in self.form.by_key:
            return None
        question, group = self.form.by_key[key]
        if question.type == "group":
            return len(self._episodes(key))
        if group is not None:
            return sum(place.value(key) is not None for place in self._episodes(group.key))
        chosen = self.value(key)
        return len(chosen) if isinstance(chosen, frozenset) else None

    def _episodes(self, group: str) -> list[_Place]:
        if (group, "") not in self.reached:
            return []
        return [
            _Place(self.form, self.answers, self.reached, self.entered, self.over_episodes, group, episode, values)
            for episode, values in self.answers.episodes.get(group, ())
        ]
