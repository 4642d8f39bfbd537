"""The first page of audits: audit data as they are, or attack a release."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.attacks import Audit
from sfumato.web.accounts.access import project_page
from sfumato.web.interface.parameter_forms import FormErrors, fields_of, values_of
from sfumato.web.workbench.auditing.forms import (
    attacks_for,
    audit_fields,
    audit_values,
    chosen_dataset,
    dataset_or_404,
    target_of,
    targets_of,
)
from sfumato.web.workbench.auditing.starting import start_run
from sfumato.web.workbench.models import Project

__all__ = ["attack", "audit", "run_audit"]

_TABLES = ("table", "mixed")
_LATEST = 12


@project_page("viewer")
def audit(request: HttpRequest, project: Project) -> HttpResponse:
    """The forms, and the audits and attacks that were run."""
    return _page(request, project)


@project_page("member")
@require_POST
def run_audit(request: HttpRequest, project: Project) -> HttpResponse:
    """Start an audit of a dataset as it is."""
    dataset = dataset_or_404(project, request.POST.get("dataset", ""))
    version = dataset.latest
    if version is None:
        return redirect("audit", project.id)
    try:
        parameters = audit_values(dataset.kind, request.POST)
    except FormErrors as wrong:
        return _page(request, project, dataset=str(dataset.id), audit_errors=wrong.errors)
    population = None
    if request.POST.get("population"):
        population = dataset_or_404(project, request.POST["population"]).latest
    collude = [group.strip() for group in request.POST.get("collude", "").split(";") if group.strip()]
    arguments: dict[str, Any] = {
        "source": version.source(),
        "out": "",
        "parameters": parameters,
        "collude": collude,
        "population": None if population is None else population.source(),
    }
    title = _("Audit of %(name)s") % {"name": dataset.name}
    definition = {"parameters": parameters, "population": population is not None, "collude": collude}
    run = start_run(project, request.user, "audit", arguments, version=version, title=title, definition=definition)
    return redirect("run", project.id, run.id)


@project_page("member")
@require_POST
def attack(request: HttpRequest, project: Project) -> HttpResponse:
    """Start an attack on a release, or on two together."""
    targets = targets_of(project)
    first = target_of(targets, request.POST.get("target", ""))
    chosen = [first]
    if request.POST.get("second"):
        chosen.append(target_of(targets, request.POST["second"]))
    try:
        parameters = values_of(Audit, request.POST, "attack-", without=("budget",))
    except FormErrors as wrong:
        return _page(request, project, attack_errors=wrong.errors)
    kind = first.source["reading"]["kind"]
    offered = [name for name, _title, _idea in attacks_for(kind)]
    names = [name for name in request.POST.getlist("attack") if name in offered]
    arguments = {
        "source": first.source,
        "folders": [target.folder for target in chosen],
        "report": first.report,
        "attacks": names,
        "known": parameters.get("known", 2),
        "ordered": parameters.get("ordered", True),
    }
    title = _("Attack on %(names)s") % {"names": ", ".join(target.name for target in chosen)}
    definition = {"targets": [target.key for target in chosen], "attacks": names, **parameters}
    version = first.version
    run = start_run(project, request.user, "attack", arguments, version=version, title=title, definition=definition)
    return redirect("run", project.id, run.id)


def _page(
    request: HttpRequest,
    project: Project,
    *,
    dataset: str = "",
    audit_errors: dict[str, str] | None = None,
    attack_errors: dict[str, str] | None = None,
) -> HttpResponse:
    chosen = chosen_dataset(project, dataset or request.GET.get("dataset", ""))
    kind = "" if chosen is None else chosen.kind
    targets = targets_of(project)
    wanted = request.POST.get("target") or f"release {request.GET.get('release', '')}"
    aimed = next((target for target in targets if target.key == wanted), targets[0] if targets else None)
    attacked_kind = "" if aimed is None else aimed.source["reading"]["kind"]
    context = {
        "datasets": project.datasets.all(),
        "chosen": chosen,
        "fields": [] if chosen is None else audit_fields(kind, request.POST if audit_errors else None, audit_errors),
        "populations": [item for item in project.datasets.all() if item != chosen and item.kind == "table"],
        "takes_population": kind in _TABLES,
        "takes_owners": kind == "trajectories",
        "collude": request.POST.get("collude", ""),
        "targets": targets,
        "aimed": aimed,
        "attacks": attacks_for(attacked_kind) if attacked_kind else [],
        "attack_fields": fields_of(
            Audit,
            request.POST if attack_errors else None,
            prefix="attack-",
            errors=attack_errors,
            without=("budget",) if attacked_kind == "trajectories" else ("budget", "ordered"),
        ),
        "runs": project.runs.filter(mode__in=("audit", "attack")).select_related("job", "version__dataset")[:_LATEST],
        "command": "sfumato audit FILE --known 2",
    }
    status = 422 if audit_errors or attack_errors else 200
    return render(request, "auditing/audit.html", context, status=status)
