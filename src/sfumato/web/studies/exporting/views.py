"""The export page: what to take away and as what; each download is private and recorded."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import partial
from typing import Any

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from sfumato.errors import ParameterError
from sfumato.web.accounts.access import study_page
from sfumato.web.accounts.models import Event
from sfumato.web.studies.design.words import language_name
from sfumato.web.studies.exporting.choosing import Choosing, exported_form
from sfumato.web.studies.exporting.codebook import codebook, codebook_table, options_table
from sfumato.web.studies.exporting.csv_files import csv_files, csv_parts
from sfumato.web.studies.exporting.spss_files import sav_files
from sfumato.web.studies.exporting.tables import Export
from sfumato.web.studies.exporting.workbooks import workbook_parts
from sfumato.web.studies.exporting.xlsform_out import form_id_of, xlsform
from sfumato.web.studies.filtering.compiling import entries_where
from sfumato.web.studies.filtering.conditions import to_json
from sfumato.web.studies.filtering.posted import posted_condition
from sfumato.web.studies.filtering.sentences import sentence
from sfumato.web.studies.filtering.visible import Visible
from sfumato.web.studies.models import Study
from sfumato.web.workbench.exporting.contents import file_name
from sfumato.web.workbench.exporting.zipping import Content, zipped

__all__ = ["codebook_csv", "codebook_page", "download", "export", "xlsform_file"]

FORMATS = {"csv": "CSV", "xlsx": "Excel (XLSX)", "sav": "SPSS (SAV)"}
_CSV, _ZIP = "text/csv; charset=utf-8", "application/zip"
_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@study_page("participant", grant="export")
@never_cache
def export(request: HttpRequest, study: Study) -> HttpResponse:
    """The page; a filter sends its condition and columns here."""
    visible = Visible.of(request, study)
    condition = posted_condition(request.POST, visible.form)
    entries = entries_where(study, condition, visible.entries, visible.author, visible.form)
    columns = request.POST.getlist("column")[:5000]
    chosen = Choosing(get_language() or "en", columns=tuple(columns), identifying=True)
    form = exported_form(study, chosen)
    context = {
        "formats": FORMATS,
        "has_form": bool(visible.form.questions),
        "groups": [row for row in form.questions if row.type == "group"],
        "identifying": [row.text(chosen.language) for row, _group in form.walk() if row.privacy == "identifying"],
        "count": entries.count(),
        "sentence": sentence(condition, visible.form, visible.choices, chosen.language),
        "condition": json.dumps(to_json(condition)),
        "columns": columns,
        "is_filtered": bool(columns) or bool(request.POST.get("condition")),
        "retired": study.questions.filter(retired__isnull=False).exclude(type__in=("title", "group")).count(),
        "languages": [(code, language_name(code)) for code in visible.form.languages],
        "language": chosen.language,
    }
    return render(request, "exporting/study_export.html", context)


@study_page("participant", grant="export")
@require_POST
def download(request: HttpRequest, study: Study) -> HttpResponse:
    """The entries as a file."""
    ending = request.POST.get("format", "")
    if ending not in FORMATS:
        raise ParameterError(_("Choose CSV, Excel or SPSS."))
    visible = Visible.of(request, study)
    condition = posted_condition(request.POST, visible.form)
    entries = entries_where(study, condition, visible.entries, visible.author, visible.form)
    tables = Export(study, entries, _chosen(request, visible))
    Event.record(request.user, "export", f"entries of study {study.id} as {ending}", project=study)
    name = f"{file_name(study.name)}-private"
    if ending == "csv":
        files = csv_files(tables)
        if len(files) == 1:
            return _streamed(files[0][1](), f"{name}.csv", _CSV)
        return _streamed(zipped(files), f"{name}.zip", _ZIP)
    if ending == "sav":
        return _sav(tables, name)
    return _workbook(study, tables, name)


@study_page("participant", grant="export")
@require_GET
def codebook_page(request: HttpRequest, study: Study) -> HttpResponse:
    """The codebook as a page that can be printed."""
    languages, lines = codebook(study, get_language() or "en", retired=True)
    return render(request, "exporting/codebook.html", {"languages": map(language_name, languages), "lines": lines})


@study_page("participant", grant="export")
@require_GET
def codebook_csv(request: HttpRequest, study: Study) -> StreamingHttpResponse:
    """The codebook as CSV."""
    heads, rows = codebook_table(study, get_language() or "en", retired=True)
    Event.record(request.user, "download", f"codebook of study {study.id}", project=study)
    return _streamed(csv_parts(heads, rows), f"{file_name(study.name, 'codebook')}.csv", _CSV)


@study_page("participant", grant="export")
@require_GET
def xlsform_file(request: HttpRequest, study: Study) -> StreamingHttpResponse:
    """The form as an XLSForm."""
    visible = Visible.of(request, study)
    if not visible.form.questions:
        raise ParameterError(_("This study has no form yet."))
    Event.record(request.user, "download", f"form of study {study.id}", project=study)
    parts = workbook_parts(xlsform(visible.form, visible.choices, study.name, form_id_of(study.id)))
    return _streamed(parts, f"{file_name(study.name, 'form')}.xlsx", _XLSX)


def _chosen(request: HttpRequest, visible: Visible) -> Choosing:
    post, language = request.POST, request.POST.get("language", "")
    return Choosing(
        language=language if language in visible.form.languages else get_language() or "en",
        labels=post.get("values") != "codes",
        wide=post.get("groups") == "wide",
        identifying="identifying" in post,
        retired="retired" in post,
        columns=tuple(post.getlist("column")[:5000]),
        whole_study=request.study_role != "participant",
    )


def _workbook(study: Study, tables: Export, name: str) -> StreamingHttpResponse:
    retired = tables.chosen.retired
    codes = (_("codebook"), *codebook_table(study, tables.chosen.language, retired=retired))
    options = (_("options"), *options_table(study, retired=retired))
    sheets: list[Any] = [(table.name, table.titles, tables.rows(table)) for table in tables.tables]
    return _streamed(workbook_parts([*sheets, codes, options]), f"{name}.xlsx", _XLSX)


def _sav(tables: Export, name: str) -> HttpResponse:
    files = sav_files(tables)
    if len(files) == 1:
        return _streamed([files[0][1]], f"{name}.sav", "application/octet-stream")
    contents: list[tuple[str, Content]] = [(file, partial(_whole, content)) for file, content in files]
    return _streamed(zipped(contents), f"{name}.zip", _ZIP)


def _whole(content: bytes) -> tuple[bytes, ...]:
    return (content,)


def _streamed(parts: Iterable[bytes], name: str, kind: str) -> StreamingHttpResponse:
    answer = StreamingHttpResponse(parts, content_type=kind)
    answer["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name) or "attachment"
    answer["Cache-Control"] = "no-store"
    return answer
