"""The buttons of the builder as functions on forms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _

from sfumato.web.studies.design.canvas import place_of
from sfumato.web.studies.design.words import tidy, type_name
from sfumato.web.studies.form_templates.using import template_form
from sfumato.web.studies.forms import editing
from sfumato.web.studies.forms.tree import TYPES, Choice, Form, Question, When

__all__ = ["Outcome", "edit_canvas", "edit_options", "edit_rules"]

_MOST_OPTIONS = 1000


@dataclass
class Outcome:
    """A form after an edit, the key of the question that is chosen then, and a sentence that says what happened."""

    form: Form
    key: str
    sentence: str


def edit_canvas(form: Form, button: str, post: Any, language: str, user: Any) -> Outcome:
    """What a button of the palette or of a card does.

    button : a verb and what it is about, such as ``up:q7``, ``add:integer``, ``template:<id>``.
    """
    verb, _colon, subject = button.partition(":")
    if verb == "add" and subject in TYPES:
        return _add(form, subject, post.get("chosen", ""), language)
    if verb == "template":
        return _insert(form, subject, post.get("chosen", ""), user)
    if verb == "drop":
        return _drop(form, post, language)
    if subject not in form.by_key or verb not in _CARD:
        raise Http404
    return _CARD[verb](form, subject, post, language)


def edit_options(question: Question, button: str, post: Any, language: str, live: frozenset[str]) -> Question:
    """What a button of the options of a question does.

    live : keys of options that the form in use has: answers may hold them, so they are retired and not dropped.
    """
    verb, _colon, subject = button.partition(":")
    choices = list(question.choices)
    if verb == "option-add":
        lines = [tidy(line, 500) for line in post.get("new-options", "").splitlines()]
        known = {choice.text(language) for choice in choices if not choice.retired}
        fresh = [line for line in dict.fromkeys(lines) if line and line not in known]
        choices += [Choice(editing.new_key(prefix="c"), {language: line}) for line in fresh]
        return replace(question, choices=tuple(choices[:_MOST_OPTIONS]))
    place = next((place for place, choice in enumerate(choices) if choice.key == subject), None)
    if place is None:
        return question
    if verb == "option-remove":
        retired = replace(choices[place], retired=True)
        choices[place : place + 1] = [retired] if subject in live else []
    elif verb == "option-restore":
        choices[place] = replace(choices[place], retired=False)
    else:
        offered = [number for number, choice in enumerate(choices) if not choice.retired or number == place]
        beside = offered.index(place) + (-1 if verb == "option-up" else 1)
        if 0 <= beside < len(offered):
            choices.insert(offered[beside], choices.pop(place))
    return replace(question, choices=tuple(choices))


def edit_rules(when: When, button: str) -> When:
    """What the button beside a rule does: the rule is removed."""
    _verb, _colon, subject = button.partition(":")
    return When(tuple(rule for number, rule in enumerate(when.rules) if str(number) != subject), when.join)


def _add(form: Form, kind: str, chosen: str, language: str) -> Outcome:
    texts = {form.languages[0]: type_name(kind)}
    choices = (
        (Choice(editing.new_key(prefix="c"), {form.languages[0]: _("Option 1")}),) if kind in ("one", "many") else ()
    )
    question = Question(editing.new_key(form), kind, texts, choices=choices)
    after, group = _beside(form, chosen, kind)
    return _placed(editing.add(form, question, after=after, group=group), question.key, language, _added())


def _added() -> str:
    return _("%(text)s: added at position %(place)s of %(siblings)s.")


def _beside(form: Form, chosen: str, kind: str) -> tuple[str | None, str | None]:
    """Where a new question goes: after the chosen one, or to the end of a chosen group."""
    if chosen not in form.by_key:
        return None, None
    question, group = form.by_key[chosen]
    if question.type == "group" and kind != "group":
        return None, question.key
    if group is not None and kind == "group":
        return group.key, None
    return chosen, group.key if group else None


def _insert(form: Form, template_id: str, chosen: str, user: Any) -> Outcome:
    template = template_form(user, template_id)
    if template is None:
        raise Http404
    name, part = template
    after, _group = _beside(form, chosen, "group")
    changed, keys = editing.insert_template(form, part, after=after)
    fresh = list(keys.values())
    sentence = _("%(count)s questions of the template “%(name)s” were added.")
    return Outcome(changed, fresh[0] if fresh else chosen, sentence % {"count": len(fresh), "name": name})


def _placed(form: Form, key: str, language: str, sentence: str = "") -> Outcome:
    """The outcome of a move, or of what the sentence says, with the place of the question."""
    place, siblings = place_of(form, key)
    facts = {"text": form.question(key).text(language), "place": place, "siblings": siblings}
    return Outcome(form, key, (sentence or _("%(text)s: moved to position %(place)s of %(siblings)s.")) % facts)


def _siblings(form: Form, key: str) -> list[str]:
    group = form.group_of(key)
    return [question.key for question in (group.questions if group else form.questions)]


def _up(form: Form, key: str, _post: Any, language: str) -> Outcome:
    keys = _siblings(form, key)
    place = keys.index(key)
    changed = editing.move(form, key, before=keys[place - 1]) if place else form
    return _placed(changed, key, language)


def _down(form: Form, key: str, _post: Any, language: str) -> Outcome:
    keys = _siblings(form, key)
    place = keys.index(key)
    changed = editing.move(form, key, after=keys[place + 1]) if place + 1 < len(keys) else form
    return _placed(changed, key, language)


def _into(form: Form, key: str, _post: Any, language: str) -> Outcome:
    """Into the group before it, else into the one after it."""
    keys = _siblings(form, key)
    place = keys.index(key)
    beside = [keys[other] for other in (place - 1, place + 1) if 0 <= other < len(keys)]
    group = next((other for other in beside if form.question(other).type == "group"), None)
    if group is None or form.group_of(key) is not None:
        raise Http404
    sentence = _("%(text)s: moved into the group, position %(place)s of %(siblings)s.")
    return _placed(editing.move(form, key, group=group), key, language, sentence)


def _out(form: Form, key: str, _post: Any, language: str) -> Outcome:
    group = form.group_of(key)
    if group is None:
        raise Http404
    sentence = _("%(text)s: moved out of the group, position %(place)s of %(siblings)s.")
    return _placed(editing.move(form, key, after=group.key), key, language, sentence)


def _to(form: Form, key: str, post: Any, language: str) -> Outcome:
    """To the place among its siblings whose number was typed."""
    keys = [other for other in _siblings(form, key) if other != key]
    typed = post.get("place", "").strip()
    if not keys or not typed.isdecimal() or len(typed) > 9:
        return _placed(form, key, language, _("%(text)s: still at position %(place)s of %(siblings)s."))
    place = min(max(int(typed), 1), len(keys) + 1)
    target = {"before": keys[0]} if place == 1 else {"after": keys[place - 2]}
    return _placed(editing.move(form, key, **target), key, language)


def _duplicate(form: Form, key: str, _post: Any, language: str) -> Outcome:
    changed, copy = editing.duplicate(form, key)
    return _placed(changed, copy, language, _("%(text)s: copied to position %(place)s of %(siblings)s."))


def _remove(form: Form, key: str, _post: Any, language: str) -> Outcome:
    keys, group = _siblings(form, key), form.group_of(key)
    place, question = keys.index(key), form.question(key)
    beside = [*keys[place + 1 : place + 2], *keys[max(place - 1, 0) : place], *([group.key] if group else [])]
    sentence = _("%(text)s: removed. Answers that were given to it are kept.") % {"text": question.text(language)}
    return Outcome(editing.remove(form, key), beside[0] if beside else "", sentence)


def _drop(form: Form, post: Any, language: str) -> Outcome:
    """What was dragged (a question, or a type of the palette) goes before or after a question, or inside of a group."""
    dragged, target, place = post.get("dragged", ""), post.get("target", ""), post.get("where", "")
    if target and target not in form.by_key:
        raise Http404
    kind = dragged.removeprefix("type:")
    if dragged.startswith("type:") and kind in TYPES:
        outcome = _add(form, kind, "", language)
    elif dragged in form.by_key:
        outcome = Outcome(form, dragged, "")
    else:
        raise Http404
    if target and target != outcome.key:
        where = {"inside": "group", "before": "before"}.get(place, "after")
        outcome.form = editing.move(outcome.form, outcome.key, **{where: target})
    return _placed(outcome.form, outcome.key, language, _added() if kind != dragged else "")


_CARD: dict[str, Callable[[Form, str, Any, str], Outcome]] = {
    "up": _up,
    "down": _down,
    "in": _into,
    "out": _out,
    "to": _to,
    "duplicate": _duplicate,
    "remove": _remove,
}
