"""Policies on a page: a rule or sets of items, edited a set at a time, and compared with the data for a k."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.errors import SfumatoError
from sfumato.web.accounts.access import project_page
from sfumato.web.accounts.models import Event
from sfumato.web.jobs.models import Job
from sfumato.web.jobs.queue import enqueue
from sfumato.web.workbench.configuration import checking, pending
from sfumato.web.workbench.configuration.page_frame import page_of
from sfumato.web.workbench.configuration.states import POLICIES
from sfumato.web.workbench.models import Asset, Project

__all__ = ["check", "edit", "policy_context"]

_PAGE = 50
_AT_ONCE = 5_000  # rows of data with which a policy is compared while the browser waits


def policy_context(asset: Asset, post: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """What the page of a policy shows.  post : `text`, which an item of a set holds, and `page`, from 1."""
    policy = pending.state_of(asset)
    text = str(post.get("text", "")).strip().casefold()
    numbered = list(enumerate(policy.sets, start=1))
    if text:
        numbered = [(number, items) for number, items in numbered if any(text in item.casefold() for item in items)]
    pages = max(1, -(-len(numbered) // _PAGE))
    page = str(post.get("page", "1"))
    page_number = min(max(int(page), 1), pages) if page.isdecimal() else 1
    shown = numbered[(page_number - 1) * _PAGE : page_number * _PAGE]
    return {
        "policy": policy,
        "sets": [(number, items, "\n".join(items)) for number, items in shown],
        "count": len(policy),
        "matches": len(numbered),
        "text": post.get("text", ""),
        "page": page_number,
        "pages": pages,
        "editable": not policy.private and not policy.size,
        "review": asset.facts.get("review"),
        "job": Job.objects.filter(project=asset.dataset.project, kind="check-policy", arguments__asset=str(asset.id))
        .order_by("-created")
        .first(),
        **more,
    }


def _policy_of(project: Project, asset_id: Any) -> Asset:
    chosen: Asset = get_object_or_404(Asset, pk=asset_id, dataset__project=project, kind__in=POLICIES)
    return chosen


@project_page("member")
@require_POST
def edit(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:
    """Add, change or remove a set, or take derived sets over as given ones."""
    asset = _policy_of(project, asset_id)
    post = request.POST
    operation, number = post.get("operation", ""), post.get("number", "")
    items = [line.strip() for line in post.get("items", "").splitlines() if line.strip()]
    edits = {
        "add": ("add", *items),
        "change": ("change", number, *items),
        "remove": ("remove", number),
        "own": ("own",),
    }
    if operation not in edits:
        raise Http404
    more = {}
    try:
        pending.change(asset, edits[operation])
        if operation == "own":
            Event.record(request.user, "make public", f"{asset.kind} {asset.id}", project=project)
    except SfumatoError as error:
        more = {"sentence": str(error), "failed": operation, "failed_number": number}
    return page_of(request, asset, policy_context(asset, post, **more), status=422 if more else 200)


@project_page("member")
@require_POST
def check(request: HttpRequest, project: Project, asset_id: Any) -> HttpResponse:
    """Compare the saved policy with the newest version of the data, for a k."""
    asset = _policy_of(project, asset_id)
    version = asset.dataset.latest
    k = request.POST.get("k", "").strip()
    if version is None:
        raise Http404
    if k and not (k.isdecimal() and int(k) >= 2):
        sentence = "k: wanted a whole number of at least 2, found something else"
        return page_of(request, asset, policy_context(asset, {}, sentence=sentence, failed="check"), status=422)
    source = version.source()
    source["assets"][asset.kind] = asset.text or asset.file
    arguments: dict[str, Any] = {
        "source": source,
        "role": asset.kind.removesuffix("_policy"),
        "k": int(k) if k else None,
        "asset": str(asset.id),
    }
    Event.record(request.user, "check", f"{asset.kind} {asset.id}", project=project)
    if version.rows > _AT_ONCE:
        enqueue("check-policy", arguments, user=request.user, project=project, title=_("Check of the policy"))
    else:
        try:
            asset.facts["review"] = checking.work(**arguments, folder=str(project.folder))
        except SfumatoError as error:
            return page_of(request, asset, policy_context(asset, {}, sentence=str(error), failed="check"), status=422)
        asset.save(update_fields=["facts"])
    return redirect("config-asset", project.id, asset.id)
