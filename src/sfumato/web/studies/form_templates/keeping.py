"""Changes of templates: save a part of a form, edit its questions, share, copy and delete."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.accounts.models import Event
from sfumato.web.studies.forms import editing
from sfumato.web.studies.forms.checks import problems
from sfumato.web.studies.forms.formulas import names
from sfumato.web.studies.forms.tree import Form, Question
from sfumato.web.studies.models import ChoiceList, Template

__all__ = [
    "SIMPLE_TYPES",
    "TemplateRefused",
    "change_template",
    "copy_template",
    "delete_template",
    "edit_question",
    "new_question",
    "save_part",
]

SIMPLE_TYPES = ("string", "integer", "decimal", "date", "yes_no", "title")  # that need nothing beside a text


class TemplateRefused(ParameterError):
    """A template that cannot be kept; the sentence is shown where it was asked for."""


def save_part(form: Form, keys: Iterable[str], user: Any, name: str) -> Template:
    """Save chosen questions of a form as a template, with their branching, options and lists."""
    part = editing.part_of(form, keys)
    if not part.questions:
        raise TemplateRefused(_("Choose at least one question."))
    for question, _group in part.walk():
        if outside := sorted((names(question.formula) & form.by_key.keys()) - part.by_key.keys()):
            texts = ", ".join(form.question(key).text(form.languages[0]) for key in outside)
            raise TemplateRefused(
                _("%(question)s is calculated from questions that you did not choose: %(texts)s.")
                % {"question": question.text(form.languages[0]), "texts": texts}
            )
    wanted = _require_name(user, name, None)
    with transaction.atomic():
        created = Template.objects.create(owner=user, name=wanted, tree=part.to_json())
        Event.record(user, "create template", f"template {created.id}")
    return created


def change_template(template: Template, user: Any, name: str, *, shared: bool) -> int:
    """Rename and share a template; own lists that it uses are shared with it.  Returns how many lists were shared."""
    template.name, template.shared = _require_name(user, name, template), shared
    with transaction.atomic():
        template.save(update_fields=["name", "shared"])
        Event.record(user, "change template", f"template {template.id}")
        if not shared:
            return 0
        used = {question.choice_list for question, _group in Form.from_json(template.tree).walk()} - {""}
        return ChoiceList.objects.filter(id__in=used, owner=user, shared=False).update(shared=True)


def edit_question(template: Template, user: Any, key: str, do: str, **fields: Any) -> None:
    """Change a question of a template (its texts, type, whether it is required), move it up or down, or remove it.

    Studies that used the template keep their questions as they are.
    """

    def edited(form: Form) -> Form:
        if do == "remove":
            rest = [question.key for question, _group in form.walk() if question.key != key]
            return editing.part_of(editing.remove(form, key), rest)
        if do in ("up", "down"):
            return _moved(form, key, do)
        return editing.change(form, key, **fields)

    _keep(template, user, edited)


def new_question(template: Template, user: Any, text: str, kind: str) -> None:
    """Add a question at the end of a template."""
    if kind not in SIMPLE_TYPES:
        raise TemplateRefused(_("Choose a type from the list."))

    def edited(form: Form) -> Form:
        return editing.add(form, Question(editing.new_key(form), kind, {form.languages[0]: text}))

    _keep(template, user, edited)


def copy_template(name: str, form: Form, user: Any) -> Template:
    """An own copy of a template, under a name that the user does not have yet."""
    with transaction.atomic():
        taken = set(Template.objects.filter(owner=user).values_list("name", flat=True))
        wanted = [name, *(f"{name[:190]} {number}" for number in range(2, len(taken) + 3))]
        free = next(text for text in wanted if text not in taken)
        created = Template.objects.create(owner=user, name=free, tree=form.to_json())
        Event.record(user, "copy template", f"template {created.id}")
    return created


def delete_template(template: Template, user: Any) -> None:
    """Delete a template; studies that used it keep their questions."""
    with transaction.atomic():
        Event.record(user, "delete template", f"template {template.id}")
        template.delete()


def _keep(template: Template, user: Any, edited: Any) -> None:
    with transaction.atomic():
        current = Template.objects.select_for_update().get(pk=template.pk)
        before = Form.from_json(current.tree)
        after = edited(before)
        if not after.questions:
            raise TemplateRefused(_("A template needs at least one question. Delete the template instead."))
        known = set(problems(before))
        if faults := [problem for problem in problems(after) if problem not in known]:
            raise TemplateRefused(faults[0].sentence)
        current.tree = after.to_json()
        current.save(update_fields=["tree"])
        Event.record(user, "edit template", f"template {current.id}")


def _moved(form: Form, key: str, do: str) -> Form:
    if key not in form.by_key:
        raise TemplateRefused(_("This question is no longer in the template."))
    group = form.group_of(key)
    row = [question.key for question in (group.questions if group else form.questions)]
    other = row.index(key) + (-1 if do == "up" else 1)
    if not 0 <= other < len(row):
        return form
    return editing.move(form, key, **{"before" if do == "up" else "after": row[other]})


def _require_name(user: Any, name: str, template: Template | None) -> str:
    wanted = " ".join(name.split())[:200]
    if not wanted:
        raise TemplateRefused(_("Type a name for the template."))
    others = Template.objects.filter(owner=user, name=wanted)
    if (others if template is None else others.exclude(pk=template.pk)).exists():
        raise TemplateRefused(_("You have a template with this name already."))
    return wanted
