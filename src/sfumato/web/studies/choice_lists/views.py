"""Pages of lists: own and shared ones, a list with its options, and what is done to them."""

from __future__ import annotations

import csv
import io
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.errors import ParameterError
from sfumato.web.accounts.access import leads_studies
from sfumato.web.studies.choice_lists import options
from sfumato.web.studies.choice_lists.lines import LinesRefused, read_groups, read_lines
from sfumato.web.studies.choice_lists.using import use_of
from sfumato.web.studies.design.words import language_name
from sfumato.web.studies.forms.values import is_plain
from sfumato.web.studies.models import ChoiceList, Study

__all__ = ["add", "change", "choice_list", "choice_lists", "copy", "delete", "download", "new", "option"]

_A_PAGE = 100
_LARGEST = 5 * 2**20


@leads_studies
def choice_lists(request: HttpRequest) -> HttpResponse:
    """Own lists and shared ones."""
    visible = ChoiceList.visible_to(request.user).prefetch_related("options").select_related("owner")
    context = {
        "own": [row for row in visible if row.owner_id == request.user.pk],
        "shared": [row for row in visible if row.owner_id != request.user.pk],
    }
    return render(request, "choice_lists/lists.html", context)


@leads_studies
@require_POST
def new(request: HttpRequest) -> HttpResponse:
    """Make a list and go to it."""
    try:
        created = options.new_list(request.user, _posted(request, "name"))
    except ParameterError as refusal:
        messages.error(request, str(refusal))
        return redirect("lists")
    return redirect("list", created.id)


@leads_studies
def choice_list(request: HttpRequest, list_id: Any) -> HttpResponse:
    """A list with its options; of another person to read and copy only."""
    return _page(request, _visible(request, list_id))


@leads_studies
@require_POST
def change(request: HttpRequest, list_id: Any) -> HttpResponse:
    """Rename a list; share it or not."""
    choices = _own(request, list_id)
    try:
        options.rename(choices, request.user, _posted(request, "name"), shared="shared" in request.POST)
    except ParameterError as refusal:
        choices.refresh_from_db()
        return _page(request, choices, name_error=str(refusal), name=request.POST.get("name", ""))
    messages.success(request, _("Saved."))
    return redirect("list", choices.id)


@leads_studies
@require_POST
def add(request: HttpRequest, list_id: Any) -> HttpResponse:
    """Add options from lines that were typed or pasted, or from a file."""
    choices, lines = _own(request, list_id), request.POST.get("lines", "")
    try:
        added, changed = options.add_options(
            choices, request.user, read_lines(_uploaded(request) or lines), _languages(choices)[0]
        )
    except ParameterError as refusal:
        return _page(request, choices, lines_error=str(refusal), lines=lines)
    sentence = ngettext("%(count)d option was added.", "%(count)d options were added.", added) % {"count": added}
    if changed:
        more = ngettext("%(count)d got other groups.", "%(count)d got other groups.", changed)
        sentence += " " + more % {"count": changed}
    messages.success(request, sentence)
    return redirect("list", choices.id)


@leads_studies
@require_POST
def option(request: HttpRequest, list_id: Any, option_key: str) -> HttpResponse:
    """Change, move, retire or restore an option."""
    choices, do = _own(request, list_id), request.POST.get("do", "")
    languages = _languages(choices)
    try:
        if do in ("up", "down"):
            options.move_option(choices, request.user, option_key, -1 if do == "up" else 1)
        elif do in ("retire", "restore"):
            options.retire_option(choices, request.user, option_key, retired=do == "retire")
        else:
            texts = {language: _posted(request, f"text_{language}") for language in languages}
            groups = read_groups(_posted(request, "ancestors"))
            options.change_option(
                choices, request.user, option_key, texts=texts, ancestors=groups, language=languages[0]
            )
    except ParameterError as refusal:
        return _page(request, choices, option_error=str(refusal), option_key=option_key)
    return redirect(f"{reverse('list', args=[choices.id])}?page={_number(request)}#option-{option_key}")


@leads_studies
@require_POST
def copy(request: HttpRequest, list_id: Any) -> HttpResponse:
    """Copy a list and go to the copy."""
    created = options.copy_list(_visible(request, list_id), request.user)
    messages.success(request, _("This is your copy. It changes on its own."))
    return redirect("list", created.id)


@leads_studies
@require_POST
def delete(request: HttpRequest, list_id: Any) -> HttpResponse:
    """Delete a list that no study uses."""
    choices = _own(request, list_id)
    try:
        options.delete_list(choices, request.user)
    except ParameterError as refusal:
        return _page(request, choices, delete_error=str(refusal))
    messages.success(request, _("The list was deleted."))
    return redirect("lists")


@leads_studies
def download(request: HttpRequest, list_id: Any) -> HttpResponse:
    """The options with their groups as a CSV file, which can be uploaded again."""
    choices = _visible(request, list_id)
    language = _languages(choices)[0]
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\n")
    for row in choices.options.filter(retired=None):
        writer.writerow([row.texts.get(language) or next(iter(row.texts.values()), row.key), *row.ancestors])
    response = HttpResponse("\N{BYTE ORDER MARK}" + text.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="list.csv"'
    response["Cache-Control"] = "no-store"
    return response


def _page(request: HttpRequest, choices: ChoiceList, **extra: Any) -> HttpResponse:
    languages, use = _languages(choices), use_of(choices, request.user)
    page = Paginator(choices.options.all(), _A_PAGE).get_page(_number(request))
    rows = [
        {
            "option": row,
            "text": row.texts.get(languages[0]) or next(iter(row.texts.values()), row.key),
            "texts": [(name, language_name(name), row.texts.get(name, "")) for name in languages],
            "ancestors": "; ".join(row.ancestors),
            "answers": use.answers[row.key],
            "error": extra.get("option_error", "") if row.key == extra.get("option_key") else "",
        }
        for row in page
    ]
    context = {
        "list": choices,
        "own": choices.owner_id == request.user.pk,
        "page": page,
        "rows": rows,
        "use": use,
        **extra,
    }
    status = 422 if extra else 200
    return render(request, "choice_lists/list.html", context, status=status)


def _visible(request: HttpRequest, list_id: Any) -> ChoiceList:
    choices = ChoiceList.visible_to(request.user).filter(id=list_id).first()
    if choices is None:
        raise Http404
    return choices


def _own(request: HttpRequest, list_id: Any) -> ChoiceList:
    choices = ChoiceList.objects.filter(id=list_id, owner=request.user).first()
    if choices is None:
        raise Http404
    return choices


def _languages(choices: ChoiceList) -> list[str]:
    """The languages of the texts: those of the studies of its owner, those that it has, or the one of the page."""
    studies = Study.objects.filter(memberships__user=choices.owner, memberships__role="administrator", deleted=None)
    known = [name for languages in studies.values_list("languages", flat=True) for name in languages]
    known += [name for texts in choices.options.values_list("texts", flat=True)[:50] for name in texts]
    return list(dict.fromkeys(known)) or [get_language() or "en"]


def _posted(request: HttpRequest, name: str) -> str:
    text = " ".join(request.POST.get(name, "").split())
    if not is_plain(text) or len(text) > 2000:
        raise LinesRefused(_("wanted a text of at most 2000 characters without control characters"))
    return text


def _uploaded(request: HttpRequest) -> str:
    file = request.FILES.get("file")
    if file is None:
        return ""
    if file.size > _LARGEST:
        raise LinesRefused(_("wanted a file of at most 5 MB"))
    try:
        return file.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise LinesRefused(_("wanted a text file in UTF-8; in a spreadsheet, save it as “CSV UTF-8”")) from None


def _number(request: HttpRequest) -> str:
    number = request.POST.get("page") or request.GET.get("page") or "1"
    return number if number.isascii() and number.isdigit() and len(number) < 7 else "1"
