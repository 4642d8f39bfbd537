"""Saved views, charts that left a study, and snapshots that became datasets."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from sfumato.web.studies.models.answers import Entry
from sfumato.web.studies.models.people import Study

__all__ = ["SharedChart", "Snapshot", "View"]


class View(models.Model):
    """A saved filter or chart of a person.

    condition : JSON of `sfumato.web.studies.filtering.conditions`.  projection : keys of questions.  chart : JSON
    of the chart tool, empty for a filter.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="views")
    owner = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=200)
    condition = models.JSONField(default=dict)
    projection = models.JSONField(default=list)
    chart = models.JSONField(default=dict)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("name",)
        constraints = (models.UniqueConstraint(fields=["study", "owner", "name"], name="one_view_each"),)


class SharedChart(models.Model):
    """A chart that left the study: what was shown, so that the next chart can be compared with it.

    definition : condition and questions.  shown : the published table.  counts : the true one, private.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="shared_charts")
    by = models.ForeignKey("accounts.User", null=True, on_delete=models.SET_NULL)
    title = models.CharField(max_length=200, blank=True, default="")
    definition = models.JSONField(default=dict)
    shown = models.JSONField(default=dict)
    counts = models.JSONField(default=dict)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-created",)


class Snapshot(models.Model):
    """Answers of a moment that became a dataset of the workbench, and whose they were.

    people : how many; `entries` has fewer when some were deleted for good.  version : as it was sent.  versions,
    releases : every version and release that was made of it, which stay known when the one that was sent is deleted.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="snapshots")
    version = models.ForeignKey("workbench.Version", null=True, on_delete=models.SET_NULL, related_name="+")
    versions = models.ManyToManyField("workbench.Version", related_name="snapshots")
    releases = models.ManyToManyField("workbench.Release", related_name="snapshots")
    entries = models.ManyToManyField(Entry, related_name="snapshots")
    people = models.PositiveIntegerField(default=0)
    definition = models.JSONField(default=dict)
    by = models.ForeignKey("accounts.User", null=True, on_delete=models.SET_NULL)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-created",)

    @property
    def gone(self) -> int:
        """How many of its people withdrew from the study since, or were deleted."""
        return self.people - self.entries.filter(withdrawn=None, deleted=None).count()
