"""The form of a release: whose answers, and the role of each question; from a browser to a `Definition`."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.studies.entry.options import choices_of_form
from sfumato.web.studies.filtering.conditions import All, Condition, from_json, from_text, to_json
from sfumato.web.studies.filtering.sentences import sentence
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Study, View
from sfumato.web.studies.releasing.definition import CENTRE, Definition, Part, parts_of
from sfumato.web.studies.releasing.roles import coarser_of, roles_of, summaries_of

__all__ = [
    "Row",
    "definition_of_text",
    "first_definition",
    "kept_condition",
    "posted",
    "rows_of",
    "words_of",
    "words_of_condition",
]

ROLE_WORDS = {
    "identifying": gettext_noop("identifying: left out"),
    "known": gettext_noop("known to others"),
    "sensitive": gettext_noop("sensitive"),
    "items": gettext_noop("items of a set"),
    "plain": gettext_noop("plain: published as it is"),
    "out": gettext_noop("left out"),
}
SUMMARY_WORDS = {
    "items": gettext_noop("all of them, as items"),
    "first": gettext_noop("the first"),
    "last": gettext_noop("the last"),
    "count": gettext_noop("how many"),
}
COARSER_WORDS = {
    "": gettext_noop("as entered"),
    "month": gettext_noop("month"),
    "year": gettext_noop("year"),
    "frequent": gettext_noop("texts of fewer than 5 people as “other”"),
    "1": gettext_noop("down to whole numbers"),
    "5": gettext_noop("down to steps of 5"),
    "10": gettext_noop("down to steps of 10"),
    "100": gettext_noop("down to steps of 100"),
}
WORDS = {"role": ROLE_WORDS, "summary": SUMMARY_WORDS, "coarser": COARSER_WORDS}
REASONS = (
    gettext_noop("the form says so"),
    gettext_noop("its text says that it names the person"),
    gettext_noop("it has several answers"),
    gettext_noop("it recurs"),
    gettext_noop("its text says that it may be sensitive"),
    gettext_noop("it recurs; give it a role to keep the first, the last or their number"),
    gettext_noop("its text says that others may know it"),
    gettext_noop("free text can name a person"),
    gettext_noop("it is measured, and others rarely know it exactly"),
    gettext_noop("nothing says that it is sensitive, so others may know it"),
    gettext_noop("it is left out unless you choose a role"),
)


class Row(NamedTuple):
    """A question on the page: its part of the snapshot, and what can be chosen: labels, and options as HTML."""

    part: Part
    key: str
    text: str
    group: str
    reason: str
    labels: dict[str, str]
    roles: SafeString
    summaries: SafeString
    coarser: SafeString


def first_definition(study: Study) -> Definition:
    """What the page offers first: the choices of the latest snapshot for everybody, or the guesses."""
    language = study.languages[0] if study.languages else "en"
    latest = study.snapshots.first()
    if latest is None:
        return Definition(language=language)
    earlier = Definition.from_json(latest.definition)
    return Definition(
        language=earlier.language, roles=earlier.roles, summaries=earlier.summaries, coarser=earlier.coarser
    )


def posted(study: Study, user: Any, form: Form, fields: Mapping[str, Any]) -> Definition:
    """The definition that the fields of the page say; refused by a sentence where they do not fit the form."""
    keys = [question.key for question, _group in form.walk() if question.is_answered] + [CENTRE]
    chosen = {
        name: {key: str(fields[f"{name}-{key}"]) for key in keys if f"{name}-{key}" in fields}
        for name in ("role", "summary", "coarser")
    }
    language = str(fields.get("language", ""))
    definition = Definition(
        condition=_condition(study, user, fields),
        drafts=bool(fields.get("drafts")),
        language=language if language in study.languages else first_definition(study).language,
        roles=chosen["role"],
        summaries=chosen["summary"],
        coarser=chosen["coarser"],
    )
    parts_of(form, definition, _centres(study))
    return definition


def definition_of_text(text: str, form: Form, study: Study) -> Definition:
    """The definition that the page of a check kept; refused by a sentence if somebody changed it to another thing."""
    try:
        content = json.loads(text)
        definition = Definition.from_json(content)
        named = (definition.roles, definition.summaries, definition.coarser)
        fits = all(isinstance(part, dict) and all(isinstance(v, str) for v in part.values()) for part in named)
        if not fits or not isinstance(definition.drafts, bool) or definition.language not in study.languages:
            raise ValueError
    except (ValueError, TypeError, RecursionError):
        raise ParameterError(_("release: wanted the choices of this page, found something else")) from None
    condition = kept_condition(from_json(definition.condition))
    parts_of(form, definition, _centres(study))
    return Definition(**{**definition.to_json(), "condition": condition})


def kept_condition(condition: Condition) -> dict[str, Any]:
    """The JSON of a condition in a definition; the one that holds for everybody is empty."""
    return {} if condition == All() else to_json(condition)


def rows_of(form: Form, definition: Definition, study: Study) -> list[Row]:
    """The questions of the page."""
    language = get_language() or definition.language

    @cache
    def options(words: str, values: tuple[str, ...], chosen: str) -> SafeString:
        """A form of thousands of questions has few different lists of options."""
        pairs = ((value, "selected" if value == chosen else "", _(WORDS[words][value])) for value in values)
        return format_html_join("", '<option value="{}" {}>{}</option>', pairs)

    labels = {
        "role": _("Role of %(name)s"),
        "summary": _("Which answers to %(name)s"),
        "coarser": _("Values of %(name)s"),
    }
    rows = []
    for part in parts_of(form, definition, _centres(study)):
        question, group = part.question, part.group
        steps = coarser_of(question)
        text = _("Centre") if question.key == CENTRE else question.text(language)
        rows.append(
            Row(
                part,
                question.key,
                text,
                "" if group is None else group.text(language),
                words_of(part.reason),
                {name: words % {"name": text} for name, words in labels.items()},
                options("role", roles_of(question), part.role),
                options("summary", summaries_of(question, group), part.summary),
                options("coarser", ("", *steps) if steps else (), part.coarser),
            )
        )
    return rows


def words_of(text: str) -> str:
    """A reason or a role in the language of the reader."""
    return _(ROLE_WORDS.get(text, text)) if text else ""


def words_of_condition(form: Form, definition: Definition) -> str:
    """The sentence that reads a condition back; "" for everybody."""
    if not definition.condition:
        return ""
    language = get_language() or definition.language
    return sentence(from_json(dict(definition.condition)), form, choices_of_form(form), language)


def _condition(study: Study, user: Any, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The condition of a saved filter of this person, or the one that came with the page."""
    who = str(fields.get("who", ""))
    if who == "condition":
        return kept_condition(from_text(str(fields.get("condition", ""))))
    if not who:
        return {}
    try:
        view = View.objects.filter(study=study, owner=user, id=uuid.UUID(who)).first()
    except ValueError:
        view = None
    if view is None:
        raise ParameterError(_("release: wanted a filter that you have saved in this study, found none"))
    return kept_condition(from_json(view.condition))


def _centres(study: Study) -> list[str]:
    return list(study.centres.values_list("name", flat=True))
