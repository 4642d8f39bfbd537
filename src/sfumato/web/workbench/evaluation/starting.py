"""Start an evaluation, and record what came out of it."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.shortcuts import get_object_or_404

from sfumato.methods.preparation_texts import step_of_text, step_words
from sfumato.web.accounts.models import Event
from sfumato.web.jobs.queue import enqueue
from sfumato.web.workbench.models import Asset, Project, Run, Version
from sfumato.web.workbench.withdrawals import require_nobody_withdrew

__all__ = ["arguments_of", "finish", "start_evaluation", "title_of"]


def start_evaluation(project: Project, user: Any, definition: dict[str, Any], *, title: str = "") -> Run:
    """A run of mode evaluate, and its job.

    definition : version (id), method, parameters, measures, promises, seed, vary, and the steps of a preparation, if
    there are any.  The run keeps it with its source: the files that it was made of, which stay the same when the
    dataset is given others, and the steps.  What the run calls the original are the data after these steps, as on the
    command line.
    """
    version = get_object_or_404(Version, pk=definition["version"], dataset__project=project)
    require_nobody_withdrew(version)
    steps = {"preparation": definition["preparation"]} if definition.get("preparation") else {}
    definition = {**definition, "source": {**version.source(), **steps}}
    with transaction.atomic():
        run = Run.objects.create(
            project=project,
            mode="evaluate",
            title=(title or title_of(definition))[:200],
            version=version,
            definition=definition,
            by=user,
        )
        run.job = enqueue(
            "evaluate", arguments_of(run, version, definition), user=user, project=project, title=run.title
        )
        run.save(update_fields=["job"])
        Event.record(user, "run", f"run {run.id}", project=project)
    return run


def arguments_of(run: Run, version: Version, definition: dict[str, Any]) -> dict[str, Any]:
    """What the job needs: files in place of ids."""
    names = ("method", "parameters", "promises", "seed", "vary")
    measures = [
        {"measure": table["measure"], "parameters": _with_file(version, table["parameters"])}
        for table in definition["measures"]
    ]
    return {
        **{name: definition[name] for name in names},
        "measures": measures,
        "source": definition["source"],
        "out": run.file,
    }


def title_of(definition: dict[str, Any]) -> str:
    """The name of a run without a given name: the method and its required parameters."""
    from sfumato.catalogue import method_class

    required = [parameter.name for parameter in method_class(definition["method"]).parameters() if parameter.required]
    vary = definition.get("vary")
    values = {**definition["parameters"], **({vary["parameter"]: "\u2026"} if vary else {})}
    words = [f"{name}={values[name]}" for name in required if name in values]
    steps = [step_words(step_of_text(text)) for text in definition.get("preparation") or ()]
    return f"{definition['method']} {', '.join(words)}{' on ' if steps else ''}{', '.join(steps)}".strip()


def finish(job: Any, result: dict[str, Any]) -> None:
    """Keep the figures of a run that is done."""
    Run.objects.filter(job=job).update(summary=result)


def _with_file(version: Version, parameters: dict[str, Any]) -> dict[str, Any]:
    if not parameters.get("workload"):
        return parameters
    asset = get_object_or_404(Asset, pk=parameters["workload"], kind="workload", dataset=version.dataset)
    return {**parameters, "workload": asset.file}
