"""Templates that a user can use: own, shared, and those that come with the product."""

from __future__ import annotations

import uuid
from typing import Any, NamedTuple

from django.utils.translation import get_language

from sfumato.web.studies.form_templates.starters import STARTERS, starter_form, starter_name
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Template

__all__ = ["Available", "available", "template_form"]


class Available(NamedTuple):
    """id : of a template, or the key of one that comes with the product.  owner : None for these."""

    id: str
    name: str
    form: Form
    owner: Any = None

    @property
    def texts(self) -> list[str]:
        """The texts of its questions in the language of the reader, or in its first one."""
        language = get_language() or ""
        if language not in self.form.languages:
            language = self.form.languages[0]
        return [question.text(language) for question, _group in self.form.walk()]


def available(user: Any) -> list[Available]:
    """All templates that a user can put into a form: own ones first, then those of the product, then shared ones."""
    rows = [
        Available(str(row.id), row.name, Form.from_json(row.tree), row.owner)
        for row in Template.visible_to(user).select_related("owner")
    ]
    own = [row for row in rows if row.owner == user]
    built_in = [Available(key, starter_name(key), starter_form(key)) for key in STARTERS]
    return [*own, *built_in, *(row for row in rows if row.owner != user)]


def template_form(user: Any, template_id: str) -> tuple[str, Form] | None:
    """The name and the questions of a template; None if the user cannot use it."""
    if template_id in STARTERS:
        return starter_name(template_id), starter_form(template_id)
    try:
        number = uuid.UUID(template_id)
    except ValueError:
        return None
    row = Template.visible_to(user).filter(id=number).first()
    return None if row is None else (row.name, Form.from_json(row.tree))
