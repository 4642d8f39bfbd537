"""New side knowledge: load a file, type rows, or derive it from the data by a rule."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from sfumato.errors import SfumatoError
from sfumato.prepare.hierarchies import HierarchyRule
from sfumato.web.accounts.access import project_page
from sfumato.web.accounts.models import Event
from sfumato.web.interface.parameter_forms import FormErrors, fields_of, values_of
from sfumato.web.jobs.queue import enqueue
from sfumato.web.workbench.configuration import deriving
from sfumato.web.workbench.configuration.assets import KINDS, kinds_of, new_asset
from sfumato.web.workbench.configuration.loading_files import load_files, load_text
from sfumato.web.workbench.configuration.states import POLICIES, TREES
from sfumato.web.workbench.configuration.values import columns_of
from sfumato.web.workbench.models import Asset, Dataset, Project, Version

__all__ = ["add"]

_AT_ONCE = 100_000  # rows of data from which a hierarchy is derived while the browser waits
_SETS_AT_ONCE = 5_000  # rows in which sets of items are counted while the browser waits
_DERIVED = (*TREES, *POLICIES, "places", "constraints")


@project_page("member")
def add(request: HttpRequest, project: Project, dataset_id: Any, kind: str, number: int | None = None) -> HttpResponse:
    """The page on which side knowledge of a kind is loaded or derived; number : the column of a hierarchy."""
    dataset = get_object_or_404(project.datasets, pk=dataset_id)
    version = dataset.latest
    if version is None or kind not in kinds_of(dataset.kind) or (kind == "hierarchy") != (number is not None):
        raise Http404
    columns = columns_of(version) if kind == "hierarchy" else []
    if number is not None and number >= len(columns):
        raise Http404
    attribute = columns[number] if number is not None else ""
    context: dict[str, Any] = {"errors": {}}
    if request.method == "POST":
        action = request.POST.get("action", "")
        try:
            if action == "derive" and kind in _DERIVED:
                return _derive(request, version, kind, attribute)
            return _load(request, dataset, kind, attribute)
        except FormErrors as error:
            context["errors"] = error.errors
        except SfumatoError as error:
            context["sentence"], context["failed"] = str(error), action
    rule_fields = kind in TREES
    context |= {
        "dataset": dataset,
        "kind": kind,
        "title": _(KINDS[kind].title),
        "hint": _(KINDS[kind].hint),
        "attribute": attribute,
        "derives": kind in _DERIVED,
        "is_tree": rule_fields,
        "fields": fields_of(HierarchyRule, request.POST if request.method == "POST" else None, errors=context["errors"])
        if rule_fields
        else [],
        "rules": _RULES.get(kind, ()),
        "typed": request.POST.get("text", ""),
        "command": _command(dataset, kind, attribute),
    }
    return render(request, "configuration/add.html", context, status=422 if context.keys() & {"sentence"} else 200)


_RULES = {"privacy_policy": ("all", "rare", "frequent"), "utility_policy": ("siblings",)}


def _command(dataset: Dataset, kind: str, attribute: str) -> str:
    data = f"{dataset.name}.csv"
    if kind in TREES:
        return f"sfumato hierarchy derive {data}{f' {attribute}' if attribute else ''} --out {attribute or kind}.csv"
    if kind in POLICIES:
        which, rule = ("privacy", "all:2") if kind == "privacy_policy" else ("utility", "siblings:1")
        return f"sfumato policy derive {data} --{which} {rule} --out policy.csv"
    return f"sfumato describe {data}" + (f" --{kind} {kind}.csv" if kind in ("places", "network") else "")


def _load(request: HttpRequest, dataset: Dataset, kind: str, attribute: str) -> HttpResponse:
    text = request.POST.get("text", "")
    files = request.FILES.getlist("file")
    fields = {"attribute": attribute, "by": request.user}
    if text.strip() and not files and kind != "network":
        asset = load_text(dataset, kind, text, **fields)
    else:
        asset = load_files(dataset, kind, files, **fields)
    return _kept(request, asset, "load")


def _kept(request: HttpRequest, asset: Asset, verb: str) -> HttpResponse:
    Event.record(request.user, verb, f"{asset.kind} {asset.id}", project=asset.dataset.project)
    if asset.facts.get("problems"):
        messages.warning(
            request, _("The file has mistakes, which are marked below. It is used when they are corrected.")
        )
    elif asset.facts.get("missing"):
        messages.warning(request, _("Some values of the data are no leaf. The tree is used when each has one."))
    else:
        messages.success(request, _("Saved. It is used from now on."))
    return redirect("config-asset", asset.dataset.project_id, asset.id)


def _derive(request: HttpRequest, version: Version, kind: str, attribute: str) -> HttpResponse:
    dataset, project = version.dataset, version.dataset.project
    options = _options(request, kind)
    rule = str(options.get("rule", ""))
    if kind in POLICIES and rule.startswith("all:"):
        deriving.require_rule_of(kind, rule)
        asset = new_asset(dataset, kind, text=rule, facts={"size": int(rule.split(":")[1])}, by=request.user)
        return _kept(request, asset, "derive")
    arguments: dict[str, Any] = {
        "source": version.source(),
        "kind": kind,
        "attribute": attribute,
        "options": options,
        "file": f"assets/{uuid.uuid4()}.csv",
        "dataset": str(dataset.id),
    }
    counts_sets = rule.startswith(("rare", "frequent"))
    if version.rows > (_SETS_AT_ONCE if counts_sets else _AT_ONCE):
        enqueue("derive", arguments, user=request.user, project=project, title=_(KINDS[kind].title))
        messages.info(request, _("A job derives it; this page shows it when it is done."))
        return redirect("config", project.id)
    result = deriving.work(**arguments, folder=str(project.folder))
    asset = deriving.kept(dataset, arguments, result, request.user)
    return _kept(request, asset, "derive")


def _options(request: HttpRequest, kind: str) -> dict[str, Any]:
    post = request.POST
    if kind in POLICIES:
        numbers = [post.get(name, "").strip() for name in ("size", "bound")]
        rule = post.get("rule", "")
        return {"rule": ":".join([rule, *(numbers if rule in ("rare", "frequent") else numbers[:1])])}
    if kind not in TREES:
        return {}
    options: dict[str, Any] = values_of(HierarchyRule, post)
    largest = post.get("largest", "").strip()
    if largest and not (largest.isdecimal() and int(largest) >= 1):
        raise FormErrors({"largest": _("Wanted a whole number of at least 1.")})
    categories = [line.strip() for line in post.get("categories", "").splitlines() if line.strip()]
    return options | ({"largest": int(largest)} if largest else {}) | ({"categories": categories} if categories else {})
