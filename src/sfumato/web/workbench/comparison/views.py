"""The list of configurations, what varies, and the button that runs them all."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from sfumato.catalogue import method_class
from sfumato.errors import CallerError, ParameterError, SfumatoError
from sfumato.web.accounts.access import project_page
from sfumato.web.interface.parameter_forms import FormErrors, fields_of, shown, values_of
from sfumato.web.workbench.comparison.drafts import (
    EMPTY,
    changing,
    copy,
    draft_of,
    move,
    put_configuration,
    version_of,
)
from sfumato.web.workbench.comparison.examples import STARTS, example_for
from sfumato.web.workbench.comparison.experiments import start_comparison
from sfumato.web.workbench.comparison.forms import (
    measures_for,
    methods_for,
    offered_by,
    read_settings,
    vary_texts,
    varying_parameters,
)
from sfumato.web.workbench.evaluation.choices import Choices
from sfumato.web.workbench.models import Dataset, Project, Version

__all__ = ["compare", "configuration", "fields"]

_P = "p-"


@project_page("member")
def compare(request: HttpRequest, project: Project) -> HttpResponse:
    """The draft; what a button asks for is done after the whole form was taken over."""
    if request.method != "POST":
        return _page(request, project, draft_of(project, request.user), {})
    verb, _colon, identity = request.POST.get("do", "save").partition(":")
    if verb == "example":
        return _example(request, project)
    with changing(project, request.user) as draft:
        version = version_of(project, draft)
        errors = {} if version is None else read_settings(draft, request.POST, version)
        _change_list(draft, verb, identity)
    if verb == "edit" and identity in [part["id"] for part in draft["configurations"]]:
        return redirect("compare-edit", project.id, identity)
    if verb == "add":
        return redirect("compare-new", project.id)
    if errors:
        return _page(request, project, draft, errors, status=422)
    if verb != "run":
        return redirect(reverse("compare", args=[project.id]) + ("#list" if identity else ""))
    try:
        run = start_comparison(project, request.user, draft)
    except SfumatoError as error:
        sentence = str(error)
        return _page(
            request, project, draft, {"all": sentence.partition("experiment.toml: ")[2] or sentence}, status=422
        )
    return redirect("run", project.id, run.id)


def _example(request: HttpRequest, project: Project) -> HttpResponse:
    """Fill an empty list with a few methods that fit a dataset, over their first parameter."""
    with changing(project, request.user) as draft:
        version = _version(request, project, draft)
        if version is not None and not draft["configurations"]:
            draft |= example_for(project, version)
    return redirect("compare", project.id)


def _change_list(draft: dict[str, Any], verb: str, identity: str) -> None:
    parts = draft["configurations"]
    if verb in ("up", "down"):
        move(parts, identity, -1 if verb == "up" else 1)
    elif verb == "copy":
        copy(parts, identity)
    elif verb == "remove":
        draft["configurations"] = [part for part in parts if part["id"] != identity]
    elif verb == "empty":
        draft.update(EMPTY)


def _page(
    request: HttpRequest, project: Project, draft: dict[str, Any], errors: dict[str, str], status: int = 200
) -> HttpResponse:
    version = version_of(project, draft)
    varying = draft["vary"]["parameter"] if draft["vary"] else ""
    choices = None if version is None else Choices(version)
    context: dict[str, Any] = {
        "draft": draft,
        "configurations": [_shown(part, varying, choices) for part in draft["configurations"]],
        "version": version,
        "errors": errors,
        "datasets": project.datasets.exists(),
        "command": "sfumato compare experiment.toml --out results",
        "runs": project.runs.filter(mode="compare").select_related("job")[:5],
    }
    if version is not None:
        sent = request.POST if status == 422 else None
        context |= {
            "parameters": varying_parameters(draft),
            "vary": vary_texts(draft) if sent is None else {**sent.dict(), "parameter": sent.get("vary", "")},
            "texts": draft if sent is None else sent,
            "measures": measures_for(version, draft),
            "seconds_claim": draft["claims"].get("seconds", ""),
        }
    return render(request, "comparison/compare.html", context, status=status)


def _shown(part: dict[str, Any], varying: str, choices: Choices | None) -> dict[str, Any]:
    """A configuration as the list shows it: its parameters that are not the usual ones, a method by its name."""
    method = method_class(part["method"])
    words = []
    for parameter in method.parameters():
        value = part["parameters"].get(parameter.name)
        inner = value.get("method", "") if isinstance(value, dict) else value
        label = parameter.name.replace("_", " ")
        if parameter.name == varying:
            words.append(_("%(parameter)s varies") % {"parameter": label})
        elif inner not in (None, "") and (parameter.required or inner != parameter.default):
            words.append(f"{label} {shown(inner)}")
    missing = [] if choices is None else choices.missing(method, part["parameters"])
    return {**part, "title": method.title, "words": [*words, *part.get("promises", ())], "missing": missing}


@project_page("member")
def configuration(request: HttpRequest, project: Project, identity: Any = None) -> HttpResponse:
    """Add a configuration, or change one."""
    draft = draft_of(project, request.user)
    known = None if identity is None else _found(draft, str(identity))
    version = _version(request, project, draft)
    if version is None:
        return redirect("compare", project.id)
    method = _method(request, version, known)
    errors: dict[str, str] = {}
    if request.method == "POST" and not request.POST.get("choose"):
        try:
            parameters = values_of(method, request.POST, _P, offered=offered_by(version))
            method.from_json(parameters)
            definition = {
                "version": str(version.id),
                "method": method.name,
                "parameters": parameters,
                "name": request.POST.get("name", ""),
                "promises": [] if known is None else known.get("promises", []),
            }
            replaces = "" if known is None else known["id"]
            with changing(project, request.user) as changed:
                put_configuration(project, changed, definition, identity=replaces)
            return redirect(reverse("compare", args=[project.id]) + "#list")
        except FormErrors as problem:
            errors = problem.errors
        except CallerError as error:
            errors = {"": str(error)}
    context = _form_context(request, project, version, method, known, errors)
    context |= {"identity": identity, "known": known, "draft": draft, "datasets": _datasets(project)}
    return render(request, "comparison/configuration.html", context, status=422 if errors else 200)


@project_page("member")
def fields(request: HttpRequest, project: Project) -> HttpResponse:
    """The methods of a dataset and the fields of the method that is chosen, as a part of a page."""
    version = _version(request, project, draft_of(project, request.user))
    if version is None:
        raise Http404
    context = _form_context(request, project, version, _method(request, version, None), None, {})
    return render(request, "comparison/fields.html", context)


def _form_context(
    request: HttpRequest, project: Project, version: Version, method: Any, known: Any, errors: dict[str, str]
) -> dict[str, Any]:
    values: Any = {name: value for name, value in STARTS.items() if name in _required(method)}
    if known is not None and known["method"] == method.name:
        values = known["parameters"]
    if errors:
        values = request.POST
    return {
        "version": version,
        "chosen": method.name,  # a template would call the class
        "missing": Choices(version).missing(method, values if isinstance(values, dict) else {}),
        "summary": (method.__doc__ or "").strip().partition("\n")[0],
        "methods": methods_for(version.dataset.kind),
        "fields": fields_of(method, values, prefix=_P, errors=errors, offered=offered_by(version)),
        "errors": errors,
        "command": f"sfumato methods {method.name}",
        "project": project,
    }


def _required(method: Any) -> list[str]:
    return [parameter.name for parameter in method.parameters() if parameter.required]


def _found(draft: dict[str, Any], identity: str) -> dict[str, Any]:
    for part in draft["configurations"]:
        if part["id"] == identity:
            return dict(part)
    raise Http404


def _datasets(project: Project) -> list[Dataset]:
    return [dataset for dataset in project.datasets.all() if methods_for(dataset.kind) and dataset.latest]


def _version(request: HttpRequest, project: Project, draft: dict[str, Any]) -> Version | None:
    """The version that the list is about, or the one that is chosen for a new list."""
    current = version_of(project, draft)
    if current is not None and draft["configurations"]:
        return current
    wanted = request.POST.get("dataset") or request.GET.get("dataset")
    if wanted:
        try:
            return get_object_or_404(project.datasets, pk=wanted).latest
        except (ValueError, TypeError, ParameterError):
            raise Http404 from None
    if current is not None:
        return current
    datasets = _datasets(project)
    return datasets[0].latest if datasets else None


def _method(request: HttpRequest, version: Version, known: Any) -> Any:
    """The method that is chosen, if it fits; otherwise the first."""
    names = [offer.name for offer in methods_for(version.dataset.kind)]
    wanted = request.POST.get("method") or (None if known is None else known["method"])
    if not names:
        raise ParameterError(_("No method fits data of this kind."))
    return method_class(wanted if wanted in names else names[0])
