"""Lists of rows on a page: places, constraints and workplaces, some rows at a time; values travel by POST."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST

from sfumato.errors import SfumatoError
from sfumato.web.accounts.access import project_page
from sfumato.web.workbench.configuration import pending
from sfumato.web.workbench.configuration.page_frame import page_of
from sfumato.web.workbench.configuration.states import ROWS
from sfumato.web.workbench.models import Asset, Project

__all__ = ["edit", "rows_context"]

_PAGE = 50
_OFFERED = ("category", "owner", "sensitive")


def rows_context(asset: Asset, post: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """What the table shows.  post : `text`, which rows hold, and `page`, from 1."""
    frame: pl.DataFrame = pending.state_of(asset)
    columns = [name for name in frame.columns if name != "derived"]
    numbered = frame.select(columns).with_row_index("number", offset=1)
    text = str(post.get("text", "")).strip()
    if text:
        holds = pl.any_horizontal(
            pl.col(columns).str.to_lowercase().str.contains(text.lower(), literal=True).fill_null(value=False)
        )
        numbered = numbered.filter(holds)
    pages = max(1, -(-len(numbered) // _PAGE))
    page = str(post.get("page", "1"))
    page_number = min(max(int(page), 1), pages) if page.isdecimal() else 1
    rows = numbered.slice((page_number - 1) * _PAGE, _PAGE)
    shown = [
        {"number": number, "cells": list(zip(columns, ("" if cell is None else cell for cell in cells), strict=True))}
        for number, *cells in rows.iter_rows()
    ]
    return {
        "columns": columns,
        "rows": shown,
        "count": len(frame),
        "matches": len(numbered),
        "text": text,
        "page": page_number,
        "pages": pages,
        "offered": [name for name in _OFFERED if name not in columns] if asset.kind == "places" else [],
        "owners": _owners(frame),
        "problem": _problem(asset, frame),
        **more,
    }


def _owners(frame: pl.DataFrame) -> list[tuple[str, int]]:
    """The owners of places with how many each has, the largest first."""
    if "owner" not in frame.columns:
        return []
    counts = frame["owner"].drop_nulls().value_counts(sort=True).head(20)
    return [(str(owner), number) for owner, number in counts.iter_rows()]


def _problem(asset: Asset, frame: pl.DataFrame) -> str:
    """Why the rows cannot be saved as they are."""
    from sfumato.data import Constraints, Places, Workplaces

    reader: Any = {"places": Places, "constraints": Constraints, "workplaces": Workplaces}[asset.kind]
    try:
        reader.from_frame(frame)
    except SfumatoError as error:
        return str(error)
    return ""


@project_page("member")
@require_POST
def edit(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:
    """Change the cells of a row, add or remove a row, or add a column."""
    asset: Asset = get_object_or_404(Asset, pk=asset_id, dataset__project=project, kind__in=ROWS)
    post = request.POST
    frame = pending.state_of(asset)
    operation, number = post.get("operation", ""), post.get("number", "")
    cells = [text.strip() for text in post.getlist("cell")]
    columns = [name for name in frame.columns if name != "derived"]
    more: dict[str, Any] = {}
    try:
        if operation in ("set", "add") and len(cells) != len(columns):
            raise Http404
        if operation == "set":
            before = dict(zip(columns, _row(frame, number, columns), strict=True))
            changes = [(name, cell) for name, cell in zip(columns, cells, strict=True) if (before[name] or "") != cell]
            if changes:
                pending.change(asset, *(("set", number, name, cell) for name, cell in changes))
        elif operation == "add":
            texts = dict(zip(columns, cells, strict=True)) | {"derived": "true"}
            pending.change(asset, ("add", *(texts[name] for name in frame.columns)))
        elif operation in ("remove", "column"):
            pending.change(asset, (operation, number if operation == "remove" else post.get("column", "")))
        else:
            raise Http404
    except SfumatoError as error:
        more = {"sentence": str(error)}
    return page_of(request, asset, rows_context(asset, post, **more), status=422 if more else 200)


def _row(frame: pl.DataFrame, number: str, columns: list[str]) -> tuple[Any, ...]:
    if not number.isdecimal() or not 1 <= int(number) <= len(frame):
        raise Http404
    return frame.select(columns).row(int(number) - 1)
