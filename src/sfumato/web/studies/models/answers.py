"""Entries with their answers and history, and the index of answers by which they are filtered."""

from __future__ import annotations

import uuid
from typing import Any

from django.db import models
from django.utils import timezone

from sfumato.web.studies.models.design import FormVersion, Question
from sfumato.web.studies.models.people import Centre, Study

__all__ = ["Cell", "Conflict", "Entry", "Episode", "Note", "Revision"]


class Entry(models.Model):
    """The answers about a person.

    answers : as `sfumato.web.studies.forms.answers.Answers` writes them, by permanent keys.  revision : the number of
    the last change.  missing : required questions that are asked and not answered.  complete : when the author said
    that it is finished; before, it is a draft.  client_key : given by the browser, so that an entry that is sent twice
    is kept once.  double_of : the first entry of a pair that two
    persons made about the same person.  withdrawn : when the person withdrew; the entry is in no later release.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField()
    author = models.ForeignKey("accounts.User", on_delete=models.PROTECT, related_name="entries")
    centre = models.ForeignKey(Centre, null=True, blank=True, on_delete=models.SET_NULL, related_name="entries")
    form_version = models.ForeignKey(FormVersion, on_delete=models.PROTECT)
    answers = models.JSONField(default=dict)
    revision = models.PositiveIntegerField(default=0)
    missing = models.PositiveIntegerField(default=0)
    complete = models.DateTimeField(null=True, blank=True)
    client_key = models.CharField(max_length=64)
    double_of = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="doubles")
    created = models.DateTimeField(default=timezone.now)
    changed = models.DateTimeField(default=timezone.now)
    deleted = models.DateTimeField(null=True, blank=True)
    withdrawn = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created", "-number")
        constraints = (
            models.UniqueConstraint(fields=["study", "author", "client_key"], name="one_entry_per_client_key"),
            models.UniqueConstraint(fields=["study", "author", "number"], name="one_entry_number_each"),
        )
        indexes = (
            models.Index(fields=["study", "author", "-created"], name="entry_of_author"),
            models.Index(fields=["study", "-created"], name="entry_of_study"),
            # selects and counts entries without reading their answers
            models.Index(fields=["study", "author", "deleted", "double_of", "id"], name="entry_counted"),
        )

    @classmethod
    def visible_in(cls, study: Study, user: Any, role: str) -> models.QuerySet[Entry]:
        """The entries of a study that a person with this role sees: a participant sees own ones only."""
        entries = cls.objects.filter(study=study, deleted=None)
        return entries.filter(author=user) if role == "participant" else entries

    @classmethod
    def counted_in(cls, study: Study, user: Any, role: str) -> models.QuerySet[Entry]:
        """The visible entries that filters, charts, exports and releases count: of a pair the first only."""
        return cls.visible_in(study, user, role).filter(double_of=None)


class Revision(models.Model):
    """A change of an entry.

    patch : the list of changes, as `sfumato.web.studies.entry.saving` takes them, each with the value before it.
    conflict_with : the revision that changed the same answer meanwhile.  reason : why, where somebody chose.
    """

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    patch = models.JSONField(default=list)
    by = models.ForeignKey("accounts.User", null=True, on_delete=models.SET_NULL)
    at = models.DateTimeField(default=timezone.now)
    reason = models.CharField(max_length=500, blank=True, default="")
    conflict_with = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("-number",)
        constraints = (models.UniqueConstraint(fields=["entry", "number"], name="one_revision_each"),)


class Conflict(models.Model):
    """An answer that was not stored, as somebody had changed the same one meanwhile; it waits until somebody chooses.

    value : what was typed, as it would be stored.  revision : the change that it met.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="conflicts")
    question = models.CharField(max_length=40)
    episode = models.CharField(max_length=40, blank=True, default="")
    value = models.JSONField(null=True)
    revision = models.PositiveIntegerField()
    by = models.ForeignKey("accounts.User", null=True, on_delete=models.SET_NULL)
    at = models.DateTimeField(default=timezone.now)
    resolved = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("at",)


class Note(models.Model):
    """A remark about an entry or one of its answers; never exported or published."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="notes")
    question = models.CharField(max_length=40, blank=True, default="")
    episode = models.CharField(max_length=40, blank=True, default="")
    text = models.TextField(max_length=2000)
    by = models.ForeignKey("accounts.User", null=True, on_delete=models.SET_NULL)
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("created",)


class Episode(models.Model):
    """A filled-in recurring group of an entry: part of the index, made anew whenever the entry is saved.

    key : its permanent key in the answers.  starts, ends : day numbers (`date.toordinal`) of the questions that the
    group names as its start and end; None where they are not answered.
    """

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="episodes", db_index=False)
    author = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+", db_index=False)
    group = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=40)
    position = models.PositiveIntegerField()
    starts = models.IntegerField(null=True)
    ends = models.IntegerField(null=True)

    class Meta:
        indexes = (
            models.Index(fields=["entry", "group", "starts"], name="episode_of_entry"),
            models.Index(fields=["author", "group", "entry", "starts"], name="episode_of_author"),
        )


class Cell(models.Model):
    """An answer in the index: enabled answers only, one row for each chosen option.

    word : the text (a long one is cut, and ends in a digest), the key of an option, or yes and no.  number : of
    integers, decimals and calculated numbers.  day : of dates, as `date.toordinal`.  search : the text of a string in
    lower case without accents.  author : of the entry, so that what a participant asks touches own rows only.
    """

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="cells", db_index=False)
    episode = models.ForeignKey(Episode, null=True, on_delete=models.CASCADE, related_name="cells", db_index=False)
    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="+", db_index=False)
    author = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+", db_index=False)
    word = models.CharField(max_length=200, null=True)
    number = models.FloatField(null=True)
    day = models.IntegerField(null=True)
    search = models.TextField(null=True)

    class Meta:
        # the first six answer a test of a question without reading the row; see benchmarks/claims/studies_filter.py.
        # Those that begin with the author are there so that a participant's test touches own rows only.
        indexes = (
            *(
                models.Index(
                    fields=[*whose, "question", column, "entry", "episode"],
                    name=f"cell_{kind}_{column}",
                    condition=models.Q(**{f"{column}__isnull": False}),
                )
                for kind, whose in (("by", ()), ("own", ("author",)))
                for column in ("word", "number", "day")
            ),
            models.Index(fields=["entry", "question"], name="cell_of_entry"),
            models.Index(
                fields=["episode", "question"], name="cell_of_episode", condition=models.Q(episode__isnull=False)
            ),
        )
