"""The list of datasets, and the rows of one: a window of a hundred with the edits that are not saved yet."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache

from sfumato.web.accounts.access import project_page
from sfumato.web.jobs.models import Job
from sfumato.web.workbench.datasets.cell_values import cell_text
from sfumato.web.workbench.datasets.drafts import Draft, draft_of
from sfumato.web.workbench.datasets.grid import TESTS, WINDOW, Grid
from sfumato.web.workbench.datasets.operations import ROW, TYPES, step_words
from sfumato.web.workbench.datasets.readings import after, role_choices, role_of
from sfumato.web.workbench.models import Dataset, Project, Version

__all__ = ["bar_context", "dataset", "datasets", "window_context"]


@project_page("viewer")
def datasets(request: HttpRequest, project: Project) -> HttpResponse:
    """The datasets of a project."""
    running = Job.objects.filter(
        project=project, kind__in=("read", "generate", "save-edits"), state__in=(Job.WAITING, Job.RUNNING)
    )
    rows = [(dataset, dataset.latest) for dataset in project.datasets.all()]
    return render(request, "datasets/list.html", {"rows": rows, "jobs": running, "role": request.role})


@project_page("member")
@never_cache
def dataset(request: HttpRequest, project: Project, dataset_id: Any) -> HttpResponse:
    """The rows of a dataset, to look at and to edit."""
    chosen = get_object_or_404(project.datasets, pk=dataset_id)
    draft, version = draft_of(chosen, request.user)
    grid = draft.grid(version)
    reading = after(version.reading, draft.done)
    context = {
        **window_context(grid, reading, request.GET.get("row", "1")),
        **bar_context(chosen, draft, version),
        "tests": TESTS,
        "types": list(TYPES),
        "roles": role_choices(reading["kind"]),
        "view": draft.view,
        "editable": True,
        "command": f"sfumato describe {chosen.name}",
    }
    return render(request, "datasets/dataset.html", context)


def bar_context(dataset: Dataset, draft: Draft, version: Version) -> dict[str, Any]:
    """The bar above the rows: edits that are not saved, undo and redo, the job that saves."""
    latest = dataset.latest
    return {
        "dataset": dataset,
        "version": version,
        "draft": draft,
        "steps": step_words(draft.done),
        "overtaken_by": latest if latest != version and draft.operations else None,
        "saving": Job.objects.filter(pk=draft.saving).first() if draft.saving else _last_save(dataset, draft),
    }


def _last_save(dataset: Dataset, draft: Draft) -> Job | None:
    """The last try to save these edits, if it was refused."""
    if not draft.operations:
        return None
    last = Job.objects.filter(project=dataset.project, kind="save-edits", arguments__dataset=str(dataset.id)).first()
    return last if last is not None and last.state == Job.FAILED else None


def window_context(grid: Grid, reading: dict[str, Any], first: str) -> dict[str, Any]:
    """A hundred rows from a place on, and where the buttons lead."""
    total = len(grid)
    start = int(first) - 1 if first.isdecimal() and len(first) < 12 else 0
    start = max(0, min(start, total - 1))
    window = grid.window(start)
    names = [name for name in window.columns if name != ROW]
    numeric = [grid.types[name].is_numeric() for name in names]
    rows = [
        (number, place, [(column, cell_text(value), numeric[column]) for column, value in enumerate(values)])
        for place, (number, *values) in enumerate(window.select(ROW, *names).iter_rows(), start + 1)
    ]
    last = max(0, total - WINDOW)
    return {
        "columns": [
            {"number": number, "name": name, "type": str(grid.types[name].base_type()), "role": role_of(reading, name)}
            for number, name in enumerate(names)
        ],
        "rows": rows,
        "total": total,
        "first": start + 1 if total else 0,
        "last": start + len(rows),
        "previous": max(1, start + 1 - WINDOW) if start else None,
        "next": start + 1 + WINDOW if start + WINDOW < total else None,
        "end": last + 1,
        "reading": reading,
    }
