"""Side knowledge and workloads of a dataset: list, add and download them."""

from __future__ import annotations

from typing import Any, Literal
from uuid import UUID

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Field, Router, Schema, Status

from sfumato.errors import DataError
from sfumato.web.accounts.models import Event
from sfumato.web.api.answers import AssetAnswer, file_answer
from sfumato.web.api.operations.datasets import version_of
from sfumato.web.api.permission import member
from sfumato.web.api.service import ERRORS
from sfumato.web.workbench.configuration.assets import kinds_of
from sfumato.web.workbench.configuration.loading_files import load_text
from sfumato.web.workbench.queries.workloads import free_name, make_default, workloads_of
from sfumato.web.workbench.releases.downloads import attached

__all__ = ["router"]

router = Router(tags=["assets"])
_ASSETS = "/projects/{project_id}/datasets/{dataset_id}/assets"


class NewAsset(Schema):
    """Side knowledge as the rows of a CSV file."""

    kind: Literal[
        "hierarchy", "taxonomy", "privacy_policy", "utility_policy", "places", "constraints", "workplaces", "workload"
    ]
    attribute: str = Field("", max_length=200, description="the column of a hierarchy")
    name: str = Field("", max_length=180, description="of a workload")
    text: str = Field(min_length=1, max_length=5_000_000)


@router.get(_ASSETS, auth=member, response={200: list[AssetAnswer], **ERRORS})
def list_assets(request: HttpRequest, project_id: UUID, dataset_id: UUID) -> Any:  # noqa: ARG001
    """Hierarchies, taxonomies, policies, places, constraints, networks and workloads of a dataset."""
    return get_object_or_404(request.project.datasets, pk=dataset_id).assets.all()


@router.post(_ASSETS, auth=member, response={201: AssetAnswer, **ERRORS})
def add_asset(request: HttpRequest, project_id: UUID, dataset_id: UUID, body: NewAsset) -> Any:  # noqa: ARG001
    """Add side knowledge or a workload; it takes the place of what was there if it has no problems."""
    version = version_of(request.project, dataset_id)
    dataset, fields = version.dataset, {"by": request.user}
    if body.kind not in (*kinds_of(dataset.kind), "workload"):
        raise DataError(f"wanted one of {', '.join(kinds_of(dataset.kind))} for {dataset.kind}, found {body.kind}")
    if body.kind == "hierarchy" and body.attribute not in version.reading.get("quasi_identifiers", []):
        raise DataError("wanted a quasi-identifier as the attribute of a hierarchy, found another name")
    is_first = body.kind == "workload" and not workloads_of(dataset)
    if body.kind == "workload":
        fields |= {"name": free_name(dataset, body.name)}
    elif body.kind == "hierarchy":
        fields |= {"attribute": body.attribute}
    asset = load_text(dataset, body.kind, body.text, **fields)
    if is_first:
        make_default(asset)
    Event.record(request.user, "load", f"{body.kind} {asset.id}", project=request.project)
    return Status(201, asset)


@router.get(
    f"{_ASSETS}/{{asset_id}}/file", auth=member, response={200: None, **ERRORS}, openapi_extra=file_answer("text/csv")
)
def download_asset(request: HttpRequest, project_id: UUID, dataset_id: UUID, asset_id: UUID) -> Any:  # noqa: ARG001
    """The CSV file of side knowledge or of a workload."""
    dataset = get_object_or_404(request.project.datasets, pk=dataset_id)
    asset = get_object_or_404(dataset.assets.exclude(file=""), pk=asset_id)
    if not asset.path.is_file():
        raise Http404
    Event.record(request.user, "download", f"{asset.kind} {asset.id}", project=request.project)
    return attached(asset.path.open("rb"), f"{asset.kind}.csv", "text/csv")
