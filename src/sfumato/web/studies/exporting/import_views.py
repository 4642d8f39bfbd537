"""Import a spreadsheet: upload it, see how its columns and cells are understood, and only then write entries."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from sfumato.errors import SfumatoError
from sfumato.web.accounts.access import study_page
from sfumato.web.studies.entry.options import choices_of_form
from sfumato.web.studies.exporting.importing import import_rows, new_rows
from sfumato.web.studies.exporting.matching import Target, check_rows, guess_targets, question_of, targets_of
from sfumato.web.studies.exporting.spreadsheets import LARGEST, MOST_ROWS, MOST_TITLES, heading_row, read_spreadsheet
from sfumato.web.studies.exporting.uploading import packed, require_small, small_uploads, unpacked
from sfumato.web.studies.filtering.compiling import form_of
from sfumato.web.studies.forms.tree import Form
from sfumato.web.studies.models import Study

__all__ = ["import_page"]

_SHOWN_ROWS = 5


@csrf_exempt  # checked by small_uploads
@study_page("participant", grant="enter")
@never_cache
@small_uploads
def import_page(request: HttpRequest, study: Study) -> HttpResponse:
    """The upload, the preview, and the import."""
    if request.method != "POST":
        return _page(request, study)
    try:
        require_small(request)
        if "file" in request.FILES:
            return _preview(request, study, _first_sheet(read_spreadsheet(request.FILES["file"])), None)
        rows = unpacked(request.POST.get("rows", ""))
        return _preview(request, study, rows, [request.POST.get(f"column-{n}", "")[:90] for n in range(len(rows[0]))])
    except SfumatoError as refusal:
        return _page(request, study, error=str(refusal), status=422)


def _page(request: HttpRequest, study: Study, *, status: int = 200, **context: Any) -> HttpResponse:
    limits = {"megabytes": LARGEST // 2**20, "most_rows": MOST_ROWS, "is_open": study.state == Study.OPEN}
    language = get_language() or "en"
    pairs = ((group.text(language), row.text(language)) for row, group in form_of(study).walk() if group)
    return render(request, "exporting/import.html", {**limits, "example": next(pairs, None), **context}, status=status)


def _first_sheet(sheets: dict[str, list[list[str]]]) -> list[list[str]]:
    rows = next((rows for rows in sheets.values() if sum(map(any, rows)) > 1), None)
    if rows is None:
        raise SfumatoError(_("wanted a row of headings and at least one row below it"))
    return rows


def _head(request: HttpRequest, rows: list[list[str]], form: Form, language: str, *, whole: bool) -> int:
    """The number of the row with the headings: as it was chosen, or the one that fits the questions best."""
    chosen = request.POST.get("head", "")
    if chosen.isdecimal() and 0 < int(chosen[:6]) < len(rows):
        return int(chosen[:6])

    cells = list(dict.fromkeys(cell for row in rows[:MOST_TITLES] for cell in row if cell))
    guessed = guess_targets(cells, form, language, whole_study=whole)
    known = {cell for cell, target in zip(cells, guessed, strict=True) if target}
    return min(heading_row(rows, known.__contains__) + 1, len(rows) - 1)


def _preview(request: HttpRequest, study: Study, rows: list[list[str]], chosen: list[str] | None) -> HttpResponse:
    """Show what would be written; write it if the button "import" was pressed."""
    form, language = form_of(study), get_language() or "en"
    whole = request.study_role == "administrator"
    targets = targets_of(form, language, whole_study=whole)
    head = _head(request, rows, form, language, whole=whole)
    guessed = guess_targets(rows[head - 1], form, language, whole_study=whole)
    names = ["" if target is None else target.name for target in guessed]
    if chosen is not None and request.POST.get("guessed", str(head)) == str(head):
        names = [name if _is_target(name, form, targets) else "" for name in chosen]
    twice = {name for name in names if name and names.count(name) > 1}
    centres = {centre.name: str(centre.pk) for centre in study.centres.all()} if whole else {}
    checked = check_rows(rows, names, form, choices_of_form(form), centres, head)
    new = new_rows(study, request.user, checked)
    centre = _centre(request, study)
    do = request.POST.get("do", "")
    finish = chosen is None or "finish" in request.POST
    if do in ("import", "import-good") and new and not twice and (do == "import-good" or not checked.bad):
        count = import_rows(study, request.user, form, checked, centre, finish=finish)
        words = ngettext("%(count)d entry was imported.", "%(count)d entries were imported.", count)
        messages.success(request, words % {"count": count})
        return redirect("study", study.id)
    row_count = sum(map(any, rows[head:]))
    extra = [target for target in guessed if target is not None and target not in targets]
    columns = [
        {
            "number": place,
            "head": text,
            "target": names[place],
            "samples": [row[place] for row in rows[head : head + _SHOWN_ROWS]],
            "is_double": names[place] in twice,
        }
        for place, text in enumerate(rows[head - 1])
    ]
    context = {
        "rows": packed(rows),
        "columns": columns,
        "targets": [*targets, *extra],
        "head": head,
        "most_head": min(len(rows) - 1, MOST_TITLES),
        "finish": finish,
        "row_count": row_count,
        "checked": checked,
        "bad_count": len(checked.bad),
        "before_count": len(checked.answers) - len(new),
        "new_count": len(new),
        "empty_count": row_count - len(checked.answers) - len(checked.bad),
        "twice": bool(twice),
        "centres": study.centres.all() if whole else (),
        "centre": centre,
        "is_matched": any(names),
    }
    return _page(request, study, preview=True, status=200, **context)


def _is_target(name: str, form: Any, targets: list[Target]) -> bool:
    return any(name == target.name for target in targets) or question_of(name, form) is not None


def _centre(request: HttpRequest, study: Study) -> Any:
    """The centre of the entries: that of the person, or the one that an administrator chose."""
    if request.study_role == "administrator":
        chosen = request.POST.get("centre", "")
        return next((centre for centre in study.centres.all() if str(centre.pk) == chosen), None)
    membership = study.memberships.filter(user=request.user).select_related("centre").first()
    return None if membership is None else membership.centre
