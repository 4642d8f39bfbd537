"""The page of an asset around its content: title, unsaved changes, history and the command that repeats it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from sfumato.web.workbench.configuration import pending
from sfumato.web.workbench.configuration.assets import KINDS, line_of, title_of
from sfumato.web.workbench.configuration.states import ROWS, TREES
from sfumato.web.workbench.models import Asset

__all__ = ["page_of"]

_HISTORY = 20


def page_of(request: HttpRequest, asset: Asset, content: dict[str, Any], *, status: int = 200) -> HttpResponse:
    """The page of an asset with what its kind shows."""
    history = line_of(asset).select_related("by").order_by("-created")[: _HISTORY + 1]
    context = {
        "asset": asset,
        "dataset": asset.dataset,
        "title": title_of(asset),
        "hint": _(KINDS[asset.kind].hint),
        "history": [state for state in history if state.pk != asset.pk],
        "pending": len(pending.edits_of(asset)),
        "command": _command(asset),
        "pager_url": reverse("config-asset", args=[asset.dataset.project_id, asset.id]),
        **content,
    }
    kind = "tree" if asset.kind in TREES else "rows" if asset.kind in ROWS else asset.kind
    kind = "policy" if kind.endswith("_policy") else kind
    response = render(request, f"configuration/{kind}.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


def _command(asset: Asset) -> str:
    if asset.kind in TREES:
        return f"sfumato hierarchy show {asset.attribute or asset.kind}.csv"
    if asset.kind.endswith("_policy"):
        role = asset.kind.removesuffix("_policy")
        return f"sfumato policy check policy.csv --against {asset.dataset.name}.csv --role {role}"
    return f"sfumato describe {asset.dataset.name}.csv --{asset.kind} {asset.kind}.csv"
