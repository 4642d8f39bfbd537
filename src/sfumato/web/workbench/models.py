"""Projects and what is in them.  Rows of datasets never enter the database: they are files of the project's folder."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

from django.db import models
from django.utils import timezone

from sfumato.web.home import project_folder

__all__ = ["Asset", "Dataset", "Draft", "Member", "Project", "Release", "Run", "Version"]


class Project(models.Model):
    """Data about people and the work on them.

    The owner may do everything; a member all but people, override and deletion; a viewer sees certificates and figures,
    no rows.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200)
    owner = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="projects")
    example = models.CharField(max_length=40, blank=True, default="")
    created = models.DateTimeField(default=timezone.now)
    retention = models.DateField(null=True, blank=True)
    deleted = models.DateTimeField(null=True, blank=True)
    quota_bytes = models.BigIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("-created",)

    def __str__(self) -> str:
        return self.name

    @property
    def folder(self) -> Path:
        """The private folder of its files."""
        return project_folder(self.id)

    @classmethod
    def visible_to(cls, user: Any) -> models.QuerySet[Project]:
        """The projects in which a user has a role."""
        if not user.is_authenticated:
            return cls.objects.none()
        own = models.Q(owner=user) | models.Q(members__user=user)
        return cls.objects.filter(own, deleted=None).distinct()

    def role_of(self, user: Any) -> str | None:
        """The role of a user: viewer, member or owner."""
        if self.owner_id == user.pk:
            return "owner"
        return self.members.filter(user=user).values_list("role", flat=True).first()


class Member(models.Model):
    """A person of a project besides its owner."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="members")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=[("viewer", "viewer"), ("member", "member"), ("owner", "owner")])
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["project", "user"], name="one_role_each"),)


class Dataset(models.Model):
    """A dataset of a project, as a line of versions."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="datasets")
    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=20)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-created",)

    def __str__(self) -> str:
        return self.name

    @property
    def latest(self) -> Version | None:
        """The newest version."""
        return self.versions.order_by("-number").first()


class Version(models.Model):
    """A state of a dataset: a Parquet file, and how to read it.

    file : relative to the project's folder.  reading : kind, columns, items, quasi_identifiers, sensitive, dates,
    missing, split_jumps, as `sfumato.read` takes them.  profile : figures about the data, private.  operation : what
    made it of its parent.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="versions")
    number = models.IntegerField()
    file = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    size = models.BigIntegerField(default=0)
    rows = models.BigIntegerField(default=0)
    reading = models.JSONField(default=dict)
    profile = models.JSONField(default=dict)
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL)
    operation = models.JSONField(default=dict)
    by = models.ForeignKey("accounts.User", null=True, on_delete=models.SET_NULL)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-number",)
        constraints = (models.UniqueConstraint(fields=["dataset", "number"], name="one_number_each"),)

    @property
    def path(self) -> Path:
        """The Parquet file."""
        return self.dataset.project.folder / self.file

    def source(self) -> dict[str, Any]:
        """What `sfumato.web.workbench.loading.load` needs, in JSON: the file, how to read it, the current assets."""
        assets: dict[str, Any] = {}
        for asset in self.dataset.assets.filter(current=True).exclude(kind="workload"):
            if asset.kind == "hierarchy":
                assets.setdefault("hierarchies", {})[asset.attribute] = asset.file
            else:
                assets[asset.kind] = asset.text or asset.file
        return {"file": self.file, "reading": self.reading, "assets": assets}


class Asset(models.Model):
    """Side knowledge or a workload of a dataset.

    kind : hierarchy (of the column `attribute`), taxonomy, places, constraints, workplaces, network, privacy_policy,
    utility_policy, workload.  file : relative to the project's folder (a folder for a network).  text : a policy that
    is a rule, such as ``all:2``.  derived : the rule that made it of the data, which keeps it private.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="assets")
    kind = models.CharField(max_length=20)
    attribute = models.CharField(max_length=200, blank=True, default="")
    name = models.CharField(max_length=200)
    file = models.CharField(max_length=200, blank=True, default="")
    text = models.CharField(max_length=200, blank=True, default="")
    sha256 = models.CharField(max_length=64, blank=True, default="")
    derived = models.CharField(max_length=200, blank=True, default="")
    facts = models.JSONField(default=dict)
    current = models.BooleanField(default=True)
    created = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey("accounts.User", null=True, on_delete=models.SET_NULL)

    class Meta:
        ordering = ("kind", "attribute", "-created")

    @property
    def path(self) -> Path:
        """The file (or folder, of a network)."""
        return self.dataset.project.folder / self.file


class Run(models.Model):
    """An evaluation, comparison, advice, audit or attack: what was asked, and the private figures that came out.

    definition : JSON of the form.  summary : JSON of figures.  Its files are in `folder`.
    """

    MODES = ("evaluate", "compare", "advise", "audit", "attack", "verify")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="runs")
    mode = models.CharField(max_length=10)
    title = models.CharField(max_length=200, blank=True, default="")
    version = models.ForeignKey(Version, null=True, blank=True, on_delete=models.SET_NULL)
    definition = models.JSONField(default=dict)
    summary = models.JSONField(default=dict)
    job = models.OneToOneField("jobs.Job", null=True, blank=True, on_delete=models.SET_NULL, related_name="run")
    created = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey("accounts.User", null=True, on_delete=models.SET_NULL)

    class Meta:
        ordering = ("-created",)

    @property
    def file(self) -> str:
        """Its folder, relative to the project's."""
        return f"runs/{self.id}"

    @property
    def folder(self) -> Path:
        """Its folder."""
        return self.project.folder / self.file


class Draft(models.Model):
    """The comparison that a person prepares in a project, in JSON; see `sfumato.web.workbench.comparison.drafts`."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="drafts")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    content = models.JSONField(default=dict)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["project", "user"], name="one_draft_each"),)


class Release(models.Model):
    """A directory that was made to be published.

    `file` is the directory, relative to the project's folder; `report` the private report of the run.  Unpublished
    until `published`; a published one can be withdrawn and stays listed.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="releases")
    run = models.ForeignKey(Run, null=True, blank=True, on_delete=models.SET_NULL, related_name="releases")
    version = models.ForeignKey(Version, null=True, blank=True, on_delete=models.SET_NULL)
    name = models.CharField(max_length=200)
    file = models.CharField(max_length=200)
    report = models.CharField(max_length=200, blank=True, default="")
    sha256 = models.CharField(max_length=64, blank=True, default="")
    certificate = models.JSONField(default=dict)
    number = models.IntegerField(null=True, blank=True)
    created = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey("accounts.User", null=True, on_delete=models.SET_NULL)
    published = models.DateTimeField(null=True, blank=True)
    withdrawn = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(max_length=500, blank=True, default="")

    class Meta:
        ordering = ("-created",)

    @property
    def folder(self) -> Path:
        """The published directory."""
        return self.project.folder / self.file
