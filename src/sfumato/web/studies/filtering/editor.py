"""What the template `filtering/condition.html` shows of a draft.

Another page edits a condition with it like this:

    draft = posted_draft(request.POST, form)             in the view, also for its own buttons
    {"editor": editor_of(request, study, draft)}         in the context
    {% include "filtering/condition.html" %}             inside a form with method post and {% csrf_token %}
    condition = posted_condition(request.POST, form)     where the page is sent

and links `interface/pages/studies_filtering.css` in its head.  Without JavaScript the buttons of the editor (fields
named "do") post to the page itself, so it shows itself again for every post with such a field.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from sfumato.web.studies.filtering.checking import check, tests_of
from sfumato.web.studies.filtering.compiling import entries_where
from sfumato.web.studies.filtering.conditions import to_json
from sfumato.web.studies.filtering.drafts import ROOT, Draft, condition_of
from sfumato.web.studies.filtering.sentences import sentence
from sfumato.web.studies.filtering.tree import (
    STATES,
    All,
    Answered,
    Between,
    Condition,
    ConditionRefused,
    Contains,
    OneOf,
)
from sfumato.web.studies.filtering.values import StoredValue, label_of, range_of, stored_values
from sfumato.web.studies.filtering.visible import Visible
from sfumato.web.studies.forms.tree import Form, Question
from sfumato.web.studies.models import Study

__all__ = ["FEW", "SHOWN_VALUES", "Node", "editor_of", "node_of", "reading_of"]

SHOWN_VALUES = 40
FEW = 10  # entries; a shorter list is warned about


@dataclass
class Node:
    """A part of a draft with what the template shows of it."""

    path: str
    draft: Draft
    title: str = ""
    error: str = ""
    tests: list[tuple[str, str]] = field(default_factory=list)
    values: list[StoredValue] = field(default_factory=list)
    more: bool = False
    range: tuple[str, str] = ("", "")
    input: str = "text"
    unit: str = ""
    parts: list[Node] = field(default_factory=list)
    addable: list[tuple[str, list[tuple[str, str]]]] = field(default_factory=list)
    joins: bool = False


def editor_of(request: Any, study: Study, draft: Draft) -> dict[str, Any]:
    """The context `editor` of the template."""
    visible = Visible.of(request, study)
    return {
        "root": node_of(visible, draft, ROOT, None, 1),
        **reading_of(visible, draft),
    }


def reading_of(visible: Visible, draft: Draft) -> dict[str, Any]:
    """The sentence that reads the condition back, how many entries it selects, and its JSON; or what is wrong."""
    try:
        condition = condition_of(draft, visible.form)
        entries = entries_where(visible.study, condition, visible.entries, visible.author, visible.form)
    except ConditionRefused as refusal:
        return {"error": str(refusal), "few": FEW}
    language = get_language() or "en"
    return {
        "sentence": sentence(condition, visible.form, visible.choices, language, visible.names),
        "count": entries.count(),
        "few": FEW,
        "condition": json.dumps(to_json(condition)),
    }


def node_of(visible: Visible, draft: Draft, path: str, group: Question | None, depth: int) -> Node:
    """A part with what the page shows of it; `group` is the recurring group inside of which it is."""
    node = Node(path, draft)
    if draft.kind in ("all", "any"):
        node.addable = _addable(visible, group)
        node.parts = [
            node_of(visible, part, f"{path}-{number}", group, depth + 1) for number, part in enumerate(draft.parts)
        ]
    elif draft.kind == "is":
        _show_question(visible, node, group)
    elif draft.kind == "about":
        _show_about(visible, node)
    else:
        _show_episodes(visible, node, depth)
    return node


def _show_question(visible: Visible, node: Node, inside: Question | None) -> None:
    draft, form, language = node.draft, visible.form, get_language() or "en"
    if draft.key not in form.by_key or not form.question(draft.key).is_answered:
        node.title, node.error = draft.key, _("This question is no longer asked: remove it.")
        return
    question, group = form.by_key[draft.key]
    node.title = question.text(language)
    if group is not None and inside is None:
        node.title = f"{group.text(language)}: {node.title}"
    node.unit = question.unit
    names = {
        Between: ("between", _("from … to")),
        OneOf: ("one_of", _("one of")),
        Contains: ("contains", _("contains")),
    }
    names[Answered] = ("answered", _("answered"))
    node.tests = [names[test] for test in (Between, OneOf, Contains, Answered) if test in tests_of(question)]
    if draft.test not in dict(node.tests):
        draft.test = node.tests[0][0]
    if draft.test == "one_of":
        _show_values(visible, node, question)
    elif draft.test == "between":
        node.range = range_of(visible.study, draft.key, visible.entries, visible.author, form)
        is_day = question.type == "date" or "-" in node.range[0][1:]
        node.input = "date" if is_day else "text"
    node.error = _problem(draft, form)


def _show_values(visible: Visible, node: Node, question: Question) -> None:
    choices = visible.choices.get(question.key, ())
    values = stored_values(
        visible.study,
        question.key,
        visible.entries,
        visible.author,
        limit=SHOWN_VALUES + 1,
        search=node.draft.search,
        form=visible.form,
        choices=choices,
    )
    node.more = len(values) > SHOWN_VALUES or bool(node.draft.search)
    node.values = values[:SHOWN_VALUES]
    shown = {value.text for value in node.values}
    unseen = [StoredValue(word, label_of(question, choices, word), 0) for word in node.draft.words if word not in shown]
    node.values = [*unseen, *node.values]


def _show_about(visible: Visible, node: Node) -> None:
    titles = {"created": _("Created"), "author": _("Author"), "centre": _("Centre"), "state": _("State")}
    draft = node.draft
    node.title = titles.get(draft.key, draft.key)
    if draft.key == "created":
        draft.test, node.tests, node.input = "between", [("between", _("from … to"))], "date"
    else:
        draft.test, node.tests = "one_of", [("one_of", _("one of"))]
        node.values = [StoredValue(word, name, -1) for word, name in _about_values(visible, draft.key)]
    node.error = _problem(draft, visible.form)


def _about_values(visible: Visible, key: str) -> list[tuple[str, str]]:
    if key == "state":
        return list(zip(STATES, (_("a draft"), _("complete"), _("withdrawn")), strict=True))
    return list((visible.authors if key == "author" else visible.centres).items())


def _show_episodes(visible: Visible, node: Node, depth: int) -> None:
    draft = node.draft
    if draft.kind in ("then", "during"):
        node.parts = [
            node_of(visible, part, f"{node.path}-{number}", None, depth + 1) for number, part in enumerate(draft.parts)
        ]
        return
    group = visible.form.by_key[draft.key][0] if draft.key in visible.form.by_key else None
    if group is None or group.type != "group":
        node.title, node.error = draft.key, _("This group is no longer asked: remove it.")
        return
    node.title, node.joins = group.text(get_language() or "en"), bool(group.starts)
    inside = draft.parts[0] if draft.parts else Draft("all")
    node.parts = [node_of(visible, inside, f"{node.path}-0", group, depth + 1)]


def _problem(draft: Draft, form: Form) -> str:
    """What is wrong with one part, as a sentence."""
    try:
        condition: Condition = condition_of(draft, form)
        if condition != All():
            check(condition, form)
    except ConditionRefused as refusal:
        return str(refusal)
    return ""


def _addable(visible: Visible, group: Question | None) -> list[tuple[str, list[tuple[str, str]]]]:
    """What can be added to a group, under headings: inside of an episode only its own questions and brackets."""
    language = get_language() or "en"
    if group is not None:
        own = [(f"is:{inner.key}", inner.text(language)) for inner in group.questions if inner.is_answered]
        return [(group.text(language), own), (_("More"), [("group", _("Group (brackets)"))])]
    plain = [
        (f"is:{question.key}", question.text(language)) for question in visible.form.questions if question.is_answered
    ]
    menu = [(_("Questions"), plain)]
    for question in visible.form.questions:
        if question.type == "group":
            name = question.text(language)
            inner = [(f"is:{part.key}", part.text(language)) for part in question.questions if part.is_answered]
            menu.append((name, [(f"has:{question.key}", _("One episode of “%(group)s”") % {"group": name}), *inner]))
    fields = [("created", _("Created")), ("state", _("State"))]
    if visible.author is None:
        fields += [("author", _("Author")), ("centre", _("Centre"))]
    menu.append((_("About the entry"), [(f"about:{key}", name) for key, name in fields]))
    return [*menu, (_("More"), [("group", _("Group (brackets)"))])]
