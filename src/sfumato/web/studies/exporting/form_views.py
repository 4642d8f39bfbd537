"""Make the draft of a study from a file: an XLSForm, or a spreadsheet with answers whose columns are guessed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from sfumato.errors import DataError, SfumatoError
from sfumato.web.accounts.access import study_page
from sfumato.web.studies.design.drafts import edit_draft
from sfumato.web.studies.design.impact import all_questions
from sfumato.web.studies.exporting.guessing import guess_form
from sfumato.web.studies.exporting.spreadsheets import LARGEST, read_spreadsheet
from sfumato.web.studies.exporting.uploading import require_small, small_uploads
from sfumato.web.studies.exporting.xlsform_in import ReadForm, is_xlsform, read_xlsform, with_own_keys
from sfumato.web.studies.exporting.xlsform_out import form_id_of
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import ChoiceList, Study

__all__ = ["form_page"]


@csrf_exempt  # checked by small_uploads
@study_page("administrator")
@never_cache
@small_uploads
def form_page(request: HttpRequest, study: Study) -> HttpResponse:
    """The upload; the draft is replaced, which an administrator confirms if it has questions."""
    if request.method != "POST":
        return _page(request, study)
    try:
        require_small(request)
        content = _read(request, study)
        if not content.form.questions:
            raise DataError(_("this file has no question that a study can ask"))
        if study.draft.get("questions") and "replace" not in request.POST:
            raise DataError(_("the draft has questions; tick that they are replaced"))
        _keep(request, study, content.form)
    except SfumatoError as refusal:
        return _page(request, study, error=str(refusal), status=422)
    if content.problems:
        return _page(request, study, problems=content.problems, count=_count(content.form))
    words = ngettext(
        "The draft has %(count)d question now.", "The draft has %(count)d questions now.", _count(content.form)
    )
    messages.success(request, words % {"count": _count(content.form)})
    return redirect("study-design", study.id)


def _page(request: HttpRequest, study: Study, *, status: int = 200, **context: Any) -> HttpResponse:
    drafted = sum(1 for question, _group in Form.from_json(study.draft).walk() if question.type != "title")
    page = {"megabytes": LARGEST // 2**20, "drafted": drafted, **context}
    return render(request, "exporting/form_from_file.html", page, status=status)


def _read(request: HttpRequest, study: Study) -> ReadForm:
    sheets = read_spreadsheet(request.FILES.get("file"))
    language = (study.languages or ["en"])[0]
    if is_xlsform(sheets):
        lists = set(map(str, ChoiceList.visible_to(request.user).values_list("pk", flat=True)))
        content = read_xlsform(sheets, language, lists)
        is_own = content.form_id == form_id_of(study.id)
        return content if is_own else replace(content, form=with_own_keys(content.form, all_questions(study)))
    rows = next((rows for rows in sheets.values() if rows), [])
    if not rows:
        raise DataError(_("wanted a first row with the texts of questions"))
    return ReadForm(guess_form(rows, language))


def _keep(request: HttpRequest, study: Study, form: Form) -> None:
    """Make the form the draft, which can be undone; languages of a form that is in use stay."""
    kept = study.languages if study.form_version else ()
    languages = tuple(dict.fromkeys([*form.languages, *kept]))
    with transaction.atomic():
        edit_draft(
            study, request.user, str(study.draft_revision), lambda _before: replace(form, languages=languages), "import"
        )
        Study.objects.filter(pk=study.pk).update(languages=list(languages))


def _count(form: Form) -> int:
    return sum(1 for question, _group in form.walk() if question.is_answered)
