"""Questions, versions of the form, lists of options, and templates."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import models
from django.utils import timezone

from sfumato.web.studies.models.people import Study

__all__ = ["ChoiceList", "DraftEdit", "FormVersion", "Option", "Question", "Template"]


class ChoiceList(models.Model):
    """A named list of options, such as hospitals; its owner uses it in all own studies, others if it is shared."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="choice_lists")
    name = models.CharField(max_length=200)
    shared = models.BooleanField(default=False)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("name",)
        constraints = (models.UniqueConstraint(fields=["owner", "name"], name="one_list_each"),)

    def __str__(self) -> str:
        return self.name

    @classmethod
    def visible_to(cls, user: Any) -> models.QuerySet[ChoiceList]:
        """Own and shared lists."""
        return cls.objects.filter(models.Q(owner=user) | models.Q(shared=True))


class Option(models.Model):
    """An option of a list.

    key : permanent; answers hold it, so a new text changes no answer.  texts : by language.  ancestors : from the
    nearest to the root, in the first language; the hierarchy with which answers are generalized.  retired : no longer
    offered; answers that hold it stay.
    """

    choice_list = models.ForeignKey(ChoiceList, on_delete=models.CASCADE, related_name="options")
    key = models.CharField(max_length=40)
    texts = models.JSONField(default=dict)
    ancestors = models.JSONField(default=list)
    position = models.IntegerField(default=0)
    retired = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("position", "id")
        constraints = (models.UniqueConstraint(fields=["choice_list", "key"], name="one_option_each"),)


class Template(models.Model):
    """A part of a form that is used again, in JSON as `sfumato.web.studies.forms.tree` writes questions."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="form_templates")
    name = models.CharField(max_length=200)
    shared = models.BooleanField(default=False)
    tree = models.JSONField(default=dict)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("name",)
        constraints = (models.UniqueConstraint(fields=["owner", "name"], name="one_template_each"),)

    @classmethod
    def visible_to(cls, user: Any) -> models.QuerySet[Template]:
        """Own and shared templates."""
        return cls.objects.filter(models.Q(owner=user) | models.Q(shared=True))


class DraftEdit(models.Model):
    """A draft as it was before an edit, so that the edit can be undone; the last few of a study are kept.

    verb : what the edit did.  by : who did it.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="draft_edits")
    draft = models.JSONField()
    verb = models.CharField(max_length=40)
    by = models.ForeignKey("accounts.User", null=True, on_delete=models.SET_NULL, related_name="+")
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)


class FormVersion(models.Model):
    """A published form: labels, order and branching are only here.  It never changes."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="form_versions")
    number = models.PositiveIntegerField()
    tree = models.JSONField()
    created = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey("accounts.User", null=True, on_delete=models.SET_NULL)

    class Meta:
        ordering = ("-number",)
        constraints = (models.UniqueConstraint(fields=["study", "number"], name="one_form_version_each"),)


class Question(models.Model):
    """A question of a study, for ever: answers are kept under its key.

    group : the key of the recurring group in which it is asked.  privacy : identifying, known (others may know it),
    sensitive, items, or "" (plain).  retired : no longer asked; its answers stay.
    """

    PRIVACY = ("identifying", "known", "sensitive", "items", "")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="questions")
    key = models.CharField(max_length=40)
    type = models.CharField(max_length=16)
    group = models.CharField(max_length=40, blank=True, default="")
    privacy = models.CharField(max_length=16, blank=True, default="")
    retired = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["study", "key"], name="one_question_each"),)
