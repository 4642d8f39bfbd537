"""A study, its centres, and who takes part in it."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import models
from django.utils import timezone

__all__ = ["Centre", "Inspection", "Membership", "Study"]


class Study(models.Model):
    """A study of several centres.

    state : design (no answers are taken yet), open, paused (answers are kept, none is taken), closed.  languages : of
    the questionnaire, the first is the one that every text has.  target : how many entries are expected.  offline :
    whether answers may wait in the browser of a participant.  double : whether every entry is made twice.  project :
    the project of the workbench in which its answers are published.  draft : the form that is being designed, in JSON
    as `sfumato.web.studies.forms.tree.Form` writes it.  rehearsal_of : the study of which this is a copy with made-up
    answers.
    """

    DESIGN, OPEN, PAUSED, CLOSED = "design", "open", "paused", "closed"
    STATES = (DESIGN, OPEN, PAUSED, CLOSED)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=200)
    state = models.CharField(max_length=10, default=DESIGN)
    languages = models.JSONField(default=list)
    target = models.PositiveIntegerField(null=True, blank=True)
    offline = models.BooleanField(default=False)
    double = models.BooleanField(default=False)
    draft = models.JSONField(default=dict)
    draft_revision = models.PositiveIntegerField(default=0)
    project = models.ForeignKey(
        "workbench.Project", null=True, blank=True, on_delete=models.SET_NULL, related_name="studies"
    )
    rehearsal_of = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="rehearsals")
    example = models.CharField(max_length=40, blank=True, default="")
    created = models.DateTimeField(default=timezone.now)
    retention = models.DateField(null=True, blank=True)
    deleted = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created",)

    def __str__(self) -> str:
        return self.name

    @classmethod
    def visible_to(cls, user: Any) -> models.QuerySet[Study]:
        """The studies in which a user takes part, and those that an IT administrator inspects at this moment."""
        if not user.is_authenticated:
            return cls.objects.none()
        own = models.Q(memberships__user=user, memberships__ended=None)
        if user.is_ita:
            own |= models.Q(inspections__user=user, inspections__until__gt=timezone.now())
        return cls.objects.filter(own, deleted=None).distinct()

    def role_of(self, user: Any) -> str | None:
        """The role of a user: participant, inspector (an IT administrator who gave a reason), or administrator."""
        role = self.memberships.filter(user=user, ended=None).values_list("role", flat=True).first()
        if role != "administrator" and user.is_ita:
            now = timezone.now()
            if self.inspections.filter(user=user, until__gt=now).exists():
                return "inspector"
        return role

    @property
    def form_version(self) -> Any:
        """The version of the form that is filled in now; None before the first is published."""
        return self.form_versions.order_by("-number").first()


class Centre(models.Model):
    """A hospital, clinic or research centre of a study."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="centres")
    name = models.CharField(max_length=200)
    created = models.DateTimeField(default=timezone.now)
    closed = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("name",)
        constraints = (models.UniqueConstraint(fields=["study", "name"], name="one_centre_each"),)

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A person of a study.

    role : administrator or participant.  grants : what a participant may do besides seeing own entries: enter, edit,
    delete, filter, chart, export.  ended : when the person left; the entries stay.
    """

    GRANTS = ("enter", "edit", "delete", "filter", "chart", "export")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="study_memberships")
    role = models.CharField(max_length=16)
    centre = models.ForeignKey(Centre, null=True, blank=True, on_delete=models.SET_NULL, related_name="memberships")
    grants = models.JSONField(default=list)
    created = models.DateTimeField(default=timezone.now)
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["study", "user"], name="one_membership_each"),)


class Inspection(models.Model):
    """An IT administrator looks into a study: with a reason that the study sees, and for a limited time."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="inspections")
    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="inspections")
    reason = models.CharField(max_length=500)
    created = models.DateTimeField(default=timezone.now)
    until = models.DateTimeField()

    class Meta:
        ordering = ("-created",)
