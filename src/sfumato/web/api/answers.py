"""What operations answer, as schemas; each is made of an object of the database."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from ninja import Field, Schema

from sfumato.web.jobs.models import Job

__all__ = [
    "AssetAnswer",
    "Described",
    "JobAnswer",
    "ProjectAnswer",
    "ReleaseAnswer",
    "Rows",
    "RunAnswer",
    "VersionAnswer",
    "file_answer",
]


class ProjectAnswer(Schema):
    """A project, and the role of the caller in it."""

    id: UUID
    name: str
    role: str = Field(description="viewer, member or owner")
    created: datetime
    datasets: int
    releases: int


class VersionAnswer(Schema):
    """A dataset, and its newest version."""

    id: UUID = Field(description="of the dataset")
    name: str
    kind: str
    version: UUID | None = Field(description="the id of its newest version")
    number: int | None
    rows: int | None
    sha256: str | None
    reading: dict[str, Any] = Field(description="how the file is read: kind, columns, roles")


class Described(Schema):
    """What is in a dataset; private."""

    figures: dict[str, Any]
    histograms: dict[str, dict[str, int]]
    columns: list[dict[str, Any]]
    notes: list[str]


class Rows(Schema):
    """A window of the rows of a dataset; private."""

    columns: list[str]
    rows: list[list[Any]]
    first: int
    total: int


class AssetAnswer(Schema):
    """Side knowledge or a workload of a dataset."""

    id: UUID
    kind: str
    attribute: str
    name: str
    text: str
    sha256: str
    derived: str
    current: bool


class JobAnswer(Schema):
    """Work that takes long."""

    id: UUID
    kind: str
    state: str = Field(description="waiting, running, done, failed or cancelled")
    phase: str
    done: int
    total: int
    sentence: str = Field(description="why it failed, or how it ended")
    seconds: float | None
    created: datetime

    @staticmethod
    def resolve_sentence(job: Any, context: Any) -> str:
        """For people who may see rows: it may quote a value of a file."""
        visible = not job.sentence or Job.changeable_by(context["request"].user).filter(pk=job.pk).exists()
        return str(job.sentence) if visible else ""


class RunAnswer(Schema):
    """An evaluation, comparison, advice, audit or attack."""

    id: UUID
    mode: str
    title: str
    created: datetime
    job: JobAnswer | None
    definition: dict[str, Any] = Field(description="what was asked")
    summary: dict[str, Any] = Field(description="figures that came out")

    @staticmethod
    def resolve_definition(run: Any) -> dict[str, Any]:
        """Without the files of the server that were read."""
        return {name: value for name, value in run.definition.items() if name != "source"}


class ReleaseAnswer(Schema):
    """A directory that was made to be published."""

    id: UUID
    name: str
    sha256: str
    certificate: dict[str, Any]
    number: int | None = Field(description="in the ledger")
    created: datetime
    published: datetime | None
    withdrawn: datetime | None
    reason: str

    @staticmethod
    def resolve_certificate(release: Any, context: Any) -> dict[str, Any]:
        """To viewers without the records that show why a promise does not hold."""
        certificate: dict[str, Any] = release.certificate
        return certificate if context["request"].role != "viewer" else _without_witnesses(certificate)


def _without_witnesses(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_witnesses(part) for name, part in value.items() if name != "witnesses"}
    return [_without_witnesses(part) for part in value] if isinstance(value, list) else value


def file_answer(*content_types: str) -> dict[str, Any]:
    """What the OpenAPI document says of an operation that answers with a file."""
    content = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in content_types}
    return {"responses": {200: {"description": "the file", "content": content}}}
