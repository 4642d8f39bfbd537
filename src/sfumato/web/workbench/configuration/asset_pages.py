"""The page of an asset: its content by kind, its unsaved changes and its history; saving, undoing, downloading."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import project_page
from sfumato.web.accounts.models import Event
from sfumato.web.workbench.configuration import pending
from sfumato.web.workbench.configuration.asset_facts import network_facts
from sfumato.web.workbench.configuration.assets import KINDS, make_current
from sfumato.web.workbench.configuration.page_frame import page_of
from sfumato.web.workbench.configuration.pictures import network_picture
from sfumato.web.workbench.configuration.policy_pages import policy_context
from sfumato.web.workbench.configuration.row_pages import rows_context
from sfumato.web.workbench.configuration.states import POLICIES, ROWS, TREES, state_at
from sfumato.web.workbench.configuration.tree_pages import tree_context
from sfumato.web.workbench.configuration.values import missing_values
from sfumato.web.workbench.models import Asset, Project

__all__ = ["asset", "asset_of", "discard_changes", "download", "leave_out", "save_changes", "undo_change", "use"]


def asset_of(project: Project, asset_id: Any) -> Asset:
    """An asset of side knowledge of the project."""
    chosen: Asset = get_object_or_404(Asset, pk=asset_id, dataset__project=project, kind__in=list(KINDS))
    return chosen


@project_page("member")
def asset(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:
    """The page of an asset; a POST shows a node, a page of rows or rows that hold a text, and changes nothing."""
    chosen = asset_of(project, asset_id)
    if chosen.kind in TREES:
        return page_of(request, chosen, tree_context(chosen, request.POST))
    if chosen.kind in ROWS:
        return page_of(request, chosen, rows_context(chosen, request.POST))
    if chosen.kind in POLICIES:
        return page_of(request, chosen, policy_context(chosen, request.POST))
    from sfumato.io import read_network

    network = read_network(chosen.path)
    return page_of(request, chosen, {"picture": network_picture(network), "counts": network_facts(network)})


@project_page("member")
@require_POST
def save_changes(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:
    """Save the changes as a new state, which is used from now on if every value has a leaf."""
    chosen = asset_of(project, asset_id)
    lacking = 0
    if chosen.kind in TREES:
        lacking = len(missing_values(chosen.dataset, chosen.kind, chosen.attribute, pending.state_of(chosen)))
    saved = pending.save(chosen, request.user, current=not lacking)
    if lacking:
        saved.facts["missing"] = lacking
        saved.save(update_fields=["facts"])
        messages.warning(request, _("Saved. It is not used yet: some values of the data are no leaf."))
    else:
        messages.success(request, _("Saved. It is used from now on."))
    Event.record(request.user, "edit", f"{saved.kind} {saved.id}", project=project)
    return redirect("config-asset", project.id, saved.id)


@project_page("member")
@require_POST
def undo_change(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:  # noqa: ARG001
    """Take back the last change."""
    pending.undo(asset_of(project, asset_id))
    return redirect("config-asset", project.id, asset_id)


@project_page("member")
@require_POST
def discard_changes(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:
    """Take back all changes."""
    pending.discard(asset_of(project, asset_id))
    messages.info(request, _("The changes are taken back."))
    return redirect("config-asset", project.id, asset_id)


@project_page("member")
@require_POST
def use(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:
    """Use this state in place of the current one."""
    chosen = asset_of(project, asset_id)
    if chosen.kind in TREES:
        draft = state_at(chosen.kind, chosen.path)
        draft.taxonomy()
        if missing_values(chosen.dataset, chosen.kind, chosen.attribute, draft):
            messages.error(request, _("It is not used: some values of the data are no leaf."))
            return redirect("config-asset", project.id, asset_id)
    make_current(chosen)
    Event.record(request.user, "restore", f"{chosen.kind} {chosen.id}", project=project)
    messages.success(request, _("It is used from now on."))
    return redirect("config-asset", project.id, asset_id)


@project_page("member")
@require_POST
def leave_out(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:
    """Use no side knowledge of this kind; the state stays in the history."""
    chosen = asset_of(project, asset_id)
    chosen.current = False
    chosen.save(update_fields=["current"])
    Event.record(request.user, "leave out", f"{chosen.kind} {chosen.id}", project=project)
    messages.info(request, _("It is not used any more. You find it in its history."))
    return redirect("config-asset", project.id, asset_id)


@project_page("member")
def download(request: HttpRequest, project: Project, asset_id: Any, form: str) -> HttpResponse:
    """The saved content as a file; form : csv, or paths for a tree with a row a leaf."""
    chosen = asset_of(project, asset_id)
    content: bytes
    name = f"{chosen.attribute or chosen.kind}.csv"
    if form == "paths" and chosen.kind in TREES:
        from sfumato.io.taxonomies import hierarchy_text

        content = hierarchy_text(state_at(chosen.kind, chosen.path).taxonomy()).encode()
    elif form != "csv":
        raise Http404
    elif chosen.kind == "network":
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(chosen.path.iterdir()):
                archive.write(file, file.name)
        content, name = buffer.getvalue(), "network.zip"
    elif chosen.file:
        content = chosen.path.read_bytes()
    else:
        from sfumato.io.frames import csv_text

        content = csv_text(pending.state_of(chosen).to_polars()).encode()
    Event.record(request.user, "download", f"{chosen.kind} {chosen.id}", project=project)
    response = HttpResponse(content, content_type="application/octet-stream")
    response["Content-Disposition"] = _attachment(name)
    response["Cache-Control"] = "no-store"
    return response


def _attachment(name: str) -> str:
    return str(content_disposition_header(as_attachment=True, filename=name.replace("/", "_")))
