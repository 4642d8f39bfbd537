"""Trees on a page: browsed a branch at a time, searched, and edited at the chosen node.  Names travel by POST."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_POST

from sfumato.errors import SfumatoError
from sfumato.web.accounts.access import project_page
from sfumato.web.workbench.configuration import pending
from sfumato.web.workbench.configuration.branches import Branch, branch_of, branches_of
from sfumato.web.workbench.configuration.page_frame import page_of
from sfumato.web.workbench.configuration.states import TREES
from sfumato.web.workbench.configuration.values import missing_values
from sfumato.web.workbench.models import Asset, Project

__all__ = ["branch", "edit", "find", "node", "tree_context"]

_SHOWN = 12  # problems, and values without a leaf
_PARENTS = 300  # names that the field of a new parent offers
_EDITS = ("rename", "move", "merge", "insert", "remove", "prune", "add", "mark", "unmark", "flatten")


def _tree_of(project: Project, asset_id: Any) -> Asset:
    chosen: Asset = get_object_or_404(Asset, pk=asset_id, dataset__project=project, kind__in=TREES)
    return chosen


def tree_context(asset: Asset, post: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """What the tree and the panel beside it show.

    post : `node`, the chosen node, and `open`, the nodes whose branches are open.
    """
    draft = pending.state_of(asset)
    chosen = more.pop("chosen", post.get("node", ""))
    chosen = chosen if chosen in draft else draft.tops[0]
    opened = set(post.getlist("open")) if hasattr(post, "getlist") else set()
    opened |= {chosen} if more.pop("renamed", "") in opened else set()
    lacking = missing_values(asset.dataset, asset.kind, asset.attribute, draft)
    return {
        "asset": asset,
        "draft": draft,
        "nodes": len(draft),
        "leaves": len(draft.leaves),
        "tree": branches_of(draft, chosen, opened),
        "pending": len(pending.edits_of(asset)),
        "problems": [(name, lines[0]) for name, lines in list(draft.problems.items())[:_SHOWN]],
        "problem_count": len(draft.problems),
        "lacking": lacking[:_SHOWN],
        "lacking_count": len(lacking),
        **_panel(draft, chosen),
        **more,
    }


def _panel(draft: Any, chosen: str) -> dict[str, Any]:
    inner = (name for name in draft if not draft.is_leaf(name))
    return {
        "chosen": chosen,
        "path": list(reversed(draft.path(chosen)[:12])),
        "is_leaf": draft.is_leaf(chosen),
        "is_root": not draft.parents(chosen),
        "below": draft.leaf_count(chosen),
        "marked": chosen in draft.marked,
        "is_sensitive": draft.is_sensitive(chosen),
        "chosen_problems": draft.problems.get(chosen, ()),
        "parents": [name for name, _ in zip(inner, range(_PARENTS), strict=False)],
    }


@project_page("member")
@require_POST
def branch(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:
    """A node with its children, or closed; or the next children of a node with many."""
    draft = pending.state_of(_tree_of(project, asset_id))
    name = request.POST.get("node", "")
    if name not in draft:
        raise Http404
    start = request.POST.get("start", "0")
    is_open = request.POST.get("expand") == "1"
    shown: Branch = branch_of(
        draft, name, "", {name} if is_open else set(), start=int(start) if start.isdecimal() else 0
    )
    template = "configuration/children.html" if start != "0" else "configuration/branch.html"
    return render(request, template, {"item": shown, "items": shown.children, "asset": {"id": asset_id}})


@project_page("member")
@require_POST
def node(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:
    """The panel of a node: where it is, and the forms that change it."""
    asset = _tree_of(project, asset_id)
    draft = pending.state_of(asset)
    name = request.POST.get("node", "")
    if name not in draft:
        raise Http404
    return render(request, "configuration/panel.html", {"asset": asset, "draft": draft, **_panel(draft, name)})


@project_page("member")
@require_POST
def find(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:
    """The nodes whose names hold a text."""
    asset = _tree_of(project, asset_id)
    text = request.POST.get("text", "").strip()
    draft = pending.state_of(asset)
    names = [(name, draft.path(name)[:3]) for name in draft.find(text)] if text else []
    template = "configuration/results.html" if request.htmx else "configuration/tree_results.html"
    return render(request, template, {"asset": asset, "results": names, "text": text})


@project_page("member")
@require_POST
def edit(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:
    """One operation on the tree; the page shows its outcome, or why it was refused."""
    asset = _tree_of(project, asset_id)
    operation = request.POST.get("operation", "")
    if operation not in _EDITS:
        raise Http404
    arguments = [text.strip() for text in request.POST.getlist("argument")]
    more: dict[str, Any] = {}
    try:
        pending.change(asset, (operation, *arguments))
        more["chosen"] = _next(operation, arguments, request.POST.get("node", ""))
        more["renamed"] = arguments[0] if operation == "rename" else ""
    except SfumatoError as error:
        more |= {"sentence": str(error), "failed": operation}
    context = {"dataset": asset.dataset, **tree_context(asset, request.POST, **more)}
    if request.htmx:
        return render(request, "configuration/tree_area.html", context, status=422 if "sentence" in more else 200)
    return page_of(request, asset, context, status=422 if "sentence" in more else 200)


def _next(operation: str, arguments: list[str], chosen: str) -> str:
    """The node that is chosen after an edit: the one with its new name, or the one it was done to."""
    if operation == "rename":
        return arguments[1]
    return arguments[0] if operation in ("insert", "merge", "add", "move") else chosen
