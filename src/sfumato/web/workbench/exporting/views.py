"""Everything of a project to take away, listed, each with its download."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

from django.db.models import Prefetch
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.http import content_disposition_header

from sfumato.web.accounts.access import project_page
from sfumato.web.accounts.models import Event
from sfumato.web.workbench.exporting.contents import asset_entries, csv_parts, entries_of, file_name
from sfumato.web.workbench.exporting.zipping import zipped
from sfumato.web.workbench.models import Asset, Project, Version
from sfumato.web.workbench.releases.downloads import attached, zip_of

__all__ = ["asset", "dataset", "export", "project_archive", "release"]


@project_page("member")
def export(request: HttpRequest, project: Project) -> HttpResponse:
    """The list."""
    current = Asset.objects.filter(current=True)
    datasets = list(project.datasets.prefetch_related("versions", Prefetch("assets", current, "current_assets")))
    context = {
        "datasets": datasets,
        "assets": [asset for dataset in datasets for asset in dataset.current_assets],
        "comparisons": project.runs.filter(mode="compare").exclude(summary={}),
        "releases": project.releases.all(),
    }
    return render(request, "exporting/export.html", context)


@project_page("member")
def dataset(request: HttpRequest, project: Project, version_id: uuid.UUID) -> StreamingHttpResponse:
    """A version of a dataset as CSV."""
    versions = Version.objects.filter(dataset__project=project).select_related("dataset__project")
    version = get_object_or_404(versions, pk=version_id)
    if not version.path.is_file():
        raise Http404
    Event.record(request.user, "download", f"version {version.id}", project=project)
    return _sent(csv_parts(version.path), f"{file_name(version.dataset.name)}.csv", "text/csv; charset=utf-8")


@project_page("member")
def asset(request: HttpRequest, project: Project, asset_id: uuid.UUID) -> StreamingHttpResponse:
    """A hierarchy, a policy, a workload or other side knowledge, as its file, or as a zip where it has several."""
    chosen = get_object_or_404(Asset.objects.filter(dataset__project=project), pk=asset_id)
    entries = list(asset_entries(chosen))
    if not entries:
        raise Http404
    Event.record(request.user, "download", f"asset {chosen.id}", project=project)
    if len(entries) > 1:
        return _sent(zipped(entries), f"{file_name(chosen.dataset.name, chosen.kind)}.zip", "application/zip")
    name, content = entries[0]
    parts = content() if callable(content) else (content.read_bytes(),)
    return _sent(parts, name, "text/csv; charset=utf-8" if name.endswith(".csv") else "text/plain; charset=utf-8")


@project_page("member")
def release(request: HttpRequest, project: Project, release_id: uuid.UUID) -> FileResponse:
    """The directory of a published release as a zip; of files that are not as they were published, a sentence."""
    chosen = get_object_or_404(project.releases, pk=release_id, published__isnull=False, withdrawn=None)
    content = zip_of(chosen)
    Event.record(request.user, "download", f"release {chosen.id}", project=project)
    return attached(content, f"{file_name(chosen.name)}.zip", "application/zip")


@project_page("member")
def project_archive(request: HttpRequest, project: Project) -> StreamingHttpResponse:
    """The whole project as a zip, which is private."""
    Event.record(request.user, "download", f"project {project.id}", project=project)
    return _sent(zipped(entries_of(project)), f"{file_name(project.name)}-private.zip", "application/zip")


def _sent(parts: Iterable[bytes], name: str, content_type: str) -> StreamingHttpResponse:
    answer = StreamingHttpResponse(parts, content_type=content_type)
    answer["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name)
    answer["Cache-Control"] = "no-store"
    return answer
