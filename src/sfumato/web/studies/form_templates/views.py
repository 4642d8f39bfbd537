"""Pages of templates: those that can be used, a template with its questions, and saving a part of a study."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.errors import ParameterError
from sfumato.web.accounts.access import leads_studies, study_page
from sfumato.web.studies.design.words import type_name
from sfumato.web.studies.form_templates import keeping
from sfumato.web.studies.form_templates.preview import rows_of
from sfumato.web.studies.form_templates.starters import STARTERS, starter_form, starter_name
from sfumato.web.studies.form_templates.using import available
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.forms.values import is_plain
from sfumato.web.studies.models import Study, Template

__all__ = ["add", "change", "copy", "copy_starter", "delete", "question", "save", "starter", "template", "templates"]


@leads_studies
def templates(request: HttpRequest) -> HttpResponse:
    """All templates that can be used."""
    rows = available(request.user)
    context = {
        "own": [row for row in rows if row.owner == request.user],
        "built_in": [row for row in rows if row.owner is None],
        "shared": [row for row in rows if row.owner not in (None, request.user)],
        "studies": _studies(request.user),
    }
    return render(request, "form_templates/templates.html", context)


@leads_studies
def template(request: HttpRequest, template_id: Any) -> HttpResponse:
    """A template with its questions; of another person to read, use and copy only."""
    return _page(request, _visible(request, template_id))


@leads_studies
def starter(request: HttpRequest, name: str) -> HttpResponse:
    """A template that comes with the product."""
    if name not in STARTERS:
        raise Http404
    form = starter_form(name)
    context = {"name": starter_name(name), "use": name, "starter": name, "studies": _studies(request.user)}
    return render(request, "form_templates/template.html", {**context, "rows": rows_of(form, _language(form))})


@leads_studies
@require_POST
def change(request: HttpRequest, template_id: Any) -> HttpResponse:
    """Rename a template; share it or not."""
    row = _own(request, template_id)
    try:
        lists = keeping.change_template(row, request.user, _posted(request, "name"), shared="shared" in request.POST)
    except ParameterError as refusal:
        row.refresh_from_db()
        return _page(request, row, name_error=str(refusal))
    messages.success(request, _("Saved."))
    if lists:
        sentence = ngettext(
            "%(count)d list that it uses is shared now too.", "%(count)d lists that it uses are shared now too.", lists
        )
        messages.success(request, sentence % {"count": lists})
    return redirect("template", row.id)


@leads_studies
@require_POST
def add(request: HttpRequest, template_id: Any) -> HttpResponse:
    """Add a question to a template."""
    row = _own(request, template_id)
    try:
        keeping.new_question(row, request.user, _posted(request, "text"), request.POST.get("type", ""))
    except ParameterError as refusal:
        return _page(request, row, add_error=str(refusal), text=request.POST.get("text", ""))
    return redirect("template", row.id)


@leads_studies
@require_POST
def question(request: HttpRequest, template_id: Any, question_key: str) -> HttpResponse:
    """Change, move or remove a question of a template."""
    row, do = _own(request, template_id), request.POST.get("do", "")
    form = Form.from_json(row.tree)
    if question_key not in form.by_key:
        raise Http404
    before, fields = form.question(question_key), dict[str, Any]()
    try:
        if do == "save":
            typed = {language: _posted(request, f"text_{language}") for language in form.languages}
            kept = {name: text for name, text in before.texts.items() if name not in typed}
            fields["texts"] = {**kept, **{name: text for name, text in typed.items() if text}}
            fields["required"] = "required" in request.POST
            if before.type in keeping.SIMPLE_TYPES and request.POST.get("type") in keeping.SIMPLE_TYPES:
                fields["type"] = request.POST["type"]
        keeping.edit_question(row, request.user, question_key, do, **fields)
    except ParameterError as refusal:
        return _page(request, row, question_error=str(refusal), question_key=question_key)
    return redirect("template", row.id)


@leads_studies
@require_POST
def copy(request: HttpRequest, template_id: Any) -> HttpResponse:
    """Copy a template and go to the copy."""
    row = _visible(request, template_id)
    return redirect("template", keeping.copy_template(row.name, Form.from_json(row.tree), request.user).id)


@leads_studies
@require_POST
def copy_starter(request: HttpRequest, name: str) -> HttpResponse:
    """Copy a template that comes with the product, to change it."""
    if name not in STARTERS:
        raise Http404
    return redirect("template", keeping.copy_template(starter_name(name), starter_form(name), request.user).id)


@leads_studies
@require_POST
def delete(request: HttpRequest, template_id: Any) -> HttpResponse:
    """Delete a template."""
    keeping.delete_template(_own(request, template_id), request.user)
    messages.success(request, _("The template was deleted. Studies that used it keep their questions."))
    return redirect("templates")


@study_page("administrator")
def save(request: HttpRequest, study: Study) -> HttpResponse:
    """Choose questions of the draft of a study and save them as a template."""
    form, context = Form.from_json(study.draft), dict[str, Any]()
    chosen = request.POST.getlist("keys") if request.method == "POST" else request.GET.getlist("key")
    if request.method == "POST":
        try:
            created = keeping.save_part(form, chosen, request.user, _posted(request, "name"))
        except ParameterError as refusal:
            context = {"error": str(refusal), "name": request.POST.get("name", "")}
        else:
            messages.success(request, _("The template was saved. Any of your studies can use it."))
            return redirect("template", created.id) if request.user.leads_studies else redirect("study", study.id)
    context |= {"rows": rows_of(form, _language(form)), "chosen": set(chosen)}
    return render(request, "form_templates/save.html", context, status=422 if "error" in context else 200)


def _page(request: HttpRequest, row: Template, **extra: Any) -> HttpResponse:
    form = Form.from_json(row.tree)
    context = {
        "name": row.name,
        "template": row,
        "use": str(row.id),
        "own": row.owner_id == request.user.pk,
        "rows": rows_of(form, _language(form)),
        "types": [(kind, type_name(kind)) for kind in keeping.SIMPLE_TYPES],
        "studies": _studies(request.user),
        **extra,
    }
    return render(request, "form_templates/template.html", context, status=422 if extra else 200)


def _studies(user: Any) -> list[Study]:
    """The studies into which a user can put a template."""
    return list(
        Study.visible_to(user)
        .filter(memberships__user=user, memberships__role="administrator")
        .exclude(state=Study.CLOSED)
        .order_by("name")
    )


def _visible(request: HttpRequest, template_id: Any) -> Template:
    row = Template.visible_to(request.user).filter(id=template_id).select_related("owner").first()
    if row is None:
        raise Http404
    return row


def _own(request: HttpRequest, template_id: Any) -> Template:
    row = Template.objects.filter(id=template_id, owner=request.user).first()
    if row is None:
        raise Http404
    return row


def _language(form: Form) -> str:
    language = get_language() or ""
    return language if language in form.languages else form.languages[0]


def _posted(request: HttpRequest, name: str) -> str:
    text = " ".join(request.POST.get(name, "").split())
    if not is_plain(text) or len(text) > 2000:
        raise keeping.TemplateRefused(_("Wanted a text of at most 2000 characters without control characters."))
    return text
