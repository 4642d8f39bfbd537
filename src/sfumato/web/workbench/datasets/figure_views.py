"""Figures of a dataset: sizes and histograms of any attributes, which viewers see too, and a map.

A map draws each place, also one with a single visit, so that it is for those who may see rows.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache

from sfumato.api.drawing import draw_map
from sfumato.errors import SfumatoError
from sfumato.io.atomic_writes import write_text
from sfumato.web.accounts.access import project_page
from sfumato.web.home import private_folder
from sfumato.web.interface.library_words import translated
from sfumato.web.workbench.datasets.figures import Histogram, figure_pairs, histogram_of, stored_histograms
from sfumato.web.workbench.datasets.reading_job import profile_of
from sfumato.web.workbench.datasets.readings import role_of
from sfumato.web.workbench.loading import load
from sfumato.web.workbench.models import Project, Version

__all__ = ["figures", "map_picture"]

_AT_ONCE = 200_000  # rows that are described while the browser waits
_FIRST = 6  # histograms that are shown before somebody chooses
_DULL = ("trajectory", "record", "person", "lat", "lon", "x", "y")
_COORDINATES = ({"lat", "lon"}, {"x", "y"})


@project_page("viewer")
@never_cache
def figures(request: HttpRequest, project: Project, dataset_id: Any) -> HttpResponse:
    """The figures of the newest version, and the histograms of the chosen attributes."""
    chosen = get_object_or_404(project.datasets, pk=dataset_id)
    version = chosen.latest
    if version is None:
        raise Http404
    _fill_profile(version)
    names = _names(version)
    numbers = [
        int(text) for text in request.GET.getlist("a") if text.isdecimal() and len(text) < 6 and int(text) < len(names)
    ]
    shown = [names[number] for number in numbers] or _first(names, version.reading)
    visible = request.role != "viewer"
    histograms = [
        _in_language(histogram_of(version.path, name, version.reading, rows_visible=visible)) for name in shown
    ]
    context = {
        "dataset": chosen,
        "version": version,
        "attributes": [
            {"number": number, "name": name, "shown": name in shown, "role": role_of(version.reading, name)}
            for number, name in enumerate(names)
        ],
        "histograms": [histogram for histogram in histograms if histogram.bars],
        "bare": [histogram for histogram in histograms if not histogram.bars],
        "sizes": [
            replace(_in_language(size), title=translated(size.title)) for size in stored_histograms(version.profile)
        ],
        "figures": figure_pairs(version.profile),
        "has_map": visible and _has_map(version, names),
        "role": request.role,
        "command": f"sfumato describe {chosen.name}",
    }
    return render(request, "datasets/figures.html", context)


def _fill_profile(version: Version) -> None:
    """Describe a version that was stored without its figures, such as an example, and keep them with it."""
    if version.profile.get("figures") or version.rows > _AT_ONCE:
        return
    frame = pl.read_parquet(version.path, glob=False)
    try:
        data = load(version.source(), version.dataset.project.folder)
        version.profile = profile_of(frame, version.reading, data=data)
    except SfumatoError:
        return
    version.save(update_fields=["profile"])


def _first(names: list[str], reading: dict[str, Any]) -> list[str]:
    """The attributes to show first: what is more than a number of a row, and not a coordinate."""
    telling = [name for name in names if role_of(reading, name) not in _DULL]
    return (telling or names)[:_FIRST]


def _names(version: Version) -> list[str]:
    return list(pl.read_parquet_schema(version.path))


def _has_map(version: Version, names: list[str]) -> bool:
    kinds = set(version.dataset.assets.filter(current=True).values_list("kind", flat=True))
    if version.reading["kind"] == "roads":
        return "network" in kinds
    if version.reading["kind"] != "trajectories":
        return False
    roles = {role_of(version.reading, name) for name in names}
    return "places" in kinds or any(pair <= roles for pair in _COORDINATES)


@project_page("member")
def map_picture(request: HttpRequest, project: Project, dataset_id: Any) -> HttpResponse:  # noqa: ARG001
    """The map of visits and flows, or of the traffic on roads, as a picture; drawn once for a version."""
    chosen = get_object_or_404(project.datasets, pk=dataset_id)
    version = chosen.latest
    if version is None or not _has_map(version, _names(version)):
        raise Http404
    path = _map_file(version)
    if not path.exists():
        try:
            drawn = draw_map(load(version.source(), project.folder), titles=[chosen.name])
        except SfumatoError:
            raise Http404 from None
        write_text(drawn.svg, path)
    response = HttpResponse(path.read_bytes(), content_type="image/svg+xml")
    response["Cache-Control"] = "private, no-store"
    response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    return response


def _map_file(version: Version) -> Path:
    assets = version.dataset.assets.filter(current=True).values_list("id", "sha256", "file")
    content = f"{version.sha256} {version.reading} {version.dataset.name} {sorted(map(str, assets))}"
    folder = private_folder(private_folder(version.dataset.project.folder / "drafts") / "maps")
    return folder / f"{sha256(content.encode()).hexdigest()}.svg"


def _in_language(histogram: Histogram) -> Histogram:
    """The histogram with its unit in the language of the reader."""
    return replace(histogram, unit=translated(histogram.unit))
