"""A job, and the workers that are alive."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from django.db import models
from django.utils import timezone

__all__ = ["Heartbeat", "Job"]

_LOST = timedelta(seconds=30)


class Job(models.Model):
    """Work that takes long.

    kind : of `sfumato.web.jobs.kinds.KINDS`.  arguments : JSON, with paths relative to the project's folder and no
    values of the data.  sentence : why it failed, or a word about how it ended.  result : JSON that the work returned.
    Every write of a worker is fenced: it counts only while `worker` and `attempt` are still its own.
    """

    WAITING, RUNNING, DONE, FAILED, CANCELLED = "waiting", "running", "done", "failed", "cancelled"
    ENDED = (DONE, FAILED, CANCELLED)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=40)
    title = models.CharField(max_length=200, blank=True)
    project = models.ForeignKey("workbench.Project", null=True, blank=True, on_delete=models.CASCADE)
    user = models.ForeignKey("accounts.User", null=True, on_delete=models.SET_NULL)
    arguments = models.JSONField(default=dict)
    state = models.CharField(max_length=10, default=WAITING)
    worker = models.CharField(max_length=100, blank=True, default="")
    lease = models.DateTimeField(null=True, blank=True)
    attempt = models.IntegerField(default=0)
    cancel = models.BooleanField(default=False)
    phase = models.CharField(max_length=100, blank=True, default="")
    done = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    sentence = models.CharField(max_length=1000, blank=True, default="")
    remedy = models.CharField(max_length=60, blank=True, default="")
    result = models.JSONField(null=True, blank=True)
    created = models.DateTimeField(default=timezone.now)
    started = models.DateTimeField(null=True, blank=True)
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created",)
        indexes = (
            models.Index(fields=["created"], name="job_waiting", condition=models.Q(state="waiting")),
            models.Index(fields=["lease"], name="job_running", condition=models.Q(state="running")),
        )

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in self.ENDED

    @property
    def percent(self) -> int | None:
        """How much of the phase is done, where that is known."""
        return min(100, 100 * self.done // self.total) if self.total else None

    @property
    def seconds(self) -> float | None:
        """How long it ran, or has been running."""
        if self.started is None:
            return None
        end: Any = self.finished or timezone.now()
        return float((end - self.started).total_seconds())

    @classmethod
    def visible_to(cls, user: Any) -> models.QuerySet[Job]:
        """The jobs of projects in which the user has a role, and those without a project that the user started."""
        return cls._of(user, ("viewer", "member", "owner"))

    @classmethod
    def changeable_by(cls, user: Any) -> models.QuerySet[Job]:
        """The jobs that a user may cancel: of projects of which the user is member or owner, and own ones without."""
        return cls._of(user, ("member", "owner"))

    @classmethod
    def _of(cls, user: Any, roles: tuple[str, ...]) -> models.QuerySet[Job]:
        projects = models.Q(project__owner=user) | models.Q(
            project__members__user=user, project__members__role__in=roles
        )
        own = models.Q(project=None, user=user)
        return cls.objects.filter(own | (projects & models.Q(project__deleted=None))).distinct()


class Heartbeat(models.Model):
    """A worker, and when it was last alive."""

    worker = models.CharField(max_length=100, primary_key=True)
    at = models.DateTimeField()

    @classmethod
    def any_alive(cls) -> bool:
        """Whether a worker was alive within the last 30 seconds."""
        return cls.alive() > 0

    @classmethod
    def alive(cls) -> int:
        """How many workers were alive within the last 30 seconds."""
        return cls.objects.filter(at__gt=timezone.now() - _LOST).count()
