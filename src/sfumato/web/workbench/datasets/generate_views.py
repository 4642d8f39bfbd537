"""Generate a dataset: a form of the generator's parameters, and the job."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from sfumato.errors import ParameterError
from sfumato.web.accounts.access import project_page
from sfumato.web.accounts.models import Event
from sfumato.web.interface.parameter_forms import FormErrors, fields_of, values_of
from sfumato.web.interface.templatetags.sfumato import words
from sfumato.web.jobs.models import Job
from sfumato.web.jobs.queue import enqueue
from sfumato.web.workbench.datasets.generating import FILES, generator_of, generators
from sfumato.web.workbench.models import Project

__all__ = ["generate", "generated"]


@project_page("member")
def generate(request: HttpRequest, project: Project, generator: str) -> HttpResponse:
    """The parameters of a generator; a POST starts it."""
    try:
        declared = generator_of(generator)
    except ParameterError:
        raise Http404 from None
    errors: dict[str, str] = {}
    sent = request.POST if request.method == "POST" else None
    seed = "" if sent is None else sent.get("seed", "").strip()
    title = generator if sent is None else sent.get("title", "").strip()[:200] or generator
    if sent is not None:
        try:
            parameters = values_of(declared, sent, without=FILES)
            declared.from_json(parameters)
            if seed and (not seed.isdecimal() or len(seed) > 18):
                raise FormErrors({"seed": _("wanted a whole number of at least 0, or nothing")})
        except FormErrors as wrong:
            errors = wrong.errors
        except ParameterError as wrong:
            errors = {"": str(wrong)}
        else:
            arguments = {"generator": generator, "parameters": parameters, "title": title}
            arguments["seed"] = int(seed) if seed else None
            job = enqueue(
                "generate",
                arguments,
                user=request.user,
                project=project,
                title=_("Generate: %(name)s") % {"name": words(generator)},
            )
            Event.record(request.user, "generate", f"job {job.id}", project=project)
            return redirect("data-generated", project.id, job.id)
    context = {
        "generator": generator,
        "about": generators()[generator],
        "fields": fields_of(declared, sent, errors=errors, without=FILES),
        "seed": seed,
        "title": title,
        "seed_error": errors.get("seed", ""),
        "sentence": errors.get("", ""),
        "command": f"sfumato generate {generator} --out FILE",
    }
    return render(request, "datasets/generate.html", context, status=422 if errors else 200)


@project_page("member")
def generated(request: HttpRequest, project: Project, job_id: Any) -> HttpResponse:
    """The job of a generator; when it is done, the dataset."""
    job = get_object_or_404(Job, pk=job_id, project=project, kind="generate")
    if "dataset" in (job.result or {}):
        return redirect("data-edit", project.id, job.result["dataset"])
    return render(request, "datasets/generated.html", {"job": job})
