"""Users, sessions, invitations, certificates, tokens, and the audit trail with its seals."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone

__all__ = ["Certificate", "Event", "Invitation", "Seal", "Session", "Token", "User"]


class User(AbstractUser):
    """A person who signs in.

    is_ita : an IT administrator, who manages people and sees no data but those of a study, with a reason.
    leads_studies : a study administrator, who may make studies.  quota_bytes, jobs_at_once : None means the server's
    own.  left : when the person asked for the end of the account.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    language = models.CharField(max_length=8, blank=True, default="")
    theme = models.CharField(max_length=8, blank=True, default="")
    is_ita = models.BooleanField(default=False)
    leads_studies = models.BooleanField(default=False)
    quota_bytes = models.BigIntegerField(null=True, blank=True)
    jobs_at_once = models.PositiveIntegerField(null=True, blank=True)
    left = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.get_full_name() or self.username


class Session(AbstractBaseSession):
    """A browser in which somebody is signed in (or has begun to), with what is needed to recognize and end it."""

    user = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="sessions")
    created = models.DateTimeField(default=timezone.now)
    seen = models.DateTimeField(default=timezone.now)
    agent = models.CharField(max_length=200, blank=True, default="")

    @classmethod
    def get_session_store_class(cls) -> Any:
        """The class that reads and writes sessions."""
        from sfumato.web.accounts.sessions import SessionStore

        return SessionStore


class Certificate(models.Model):
    """A client certificate with which a user signs in, by its fingerprint."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="certificates")
    sha256 = models.CharField(max_length=64, unique=True)
    name = models.CharField(max_length=200, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    revoked = models.DateTimeField(null=True, blank=True)


class Invitation(models.Model):
    """A link that makes an account, or a new password; its token is stored as a digest.

    project, role : the project to which the person is invited, as viewer, member or owner.  The role "ita" without a
    project makes an IT administrator, "leads studies" a study administrator.  study, centre, grants : the study to
    which the person is invited, with the role participant or administrator.  account : the person who gets a new
    password by this link.  inviter : None if the server itself invites its first administrator.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    token_sha256 = models.CharField(max_length=64, unique=True)
    inviter = models.ForeignKey(User, null=True, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(blank=True)
    project = models.ForeignKey("workbench.Project", null=True, blank=True, on_delete=models.CASCADE)
    study = models.ForeignKey("studies.Study", null=True, blank=True, on_delete=models.CASCADE)
    centre = models.ForeignKey("studies.Centre", null=True, blank=True, on_delete=models.CASCADE)
    grants = models.JSONField(default=list)
    role = models.CharField(max_length=16, blank=True)
    account = models.ForeignKey(User, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField()
    accepted = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        ordering = ("-created",)


class Token(models.Model):
    """A token of the JSON interface, stored as a digest."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    sha256 = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    expires = models.DateTimeField(null=True, blank=True)
    used = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created",)

    @property
    def expired(self) -> bool:
        """Whether its time is over."""
        return self.expires is not None and self.expires <= timezone.now()


class Event(models.Model):
    """An entry of the audit trail: who did what to which object; never a value of the data.

    project_id : of the project or the study.  Triggers of the database refuse to change or delete it, so nothing refers
    to it and it refers to nothing firmly.
    """

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    actor = models.ForeignKey(
        User, null=True, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False, related_name="+"
    )
    actor_name = models.CharField(max_length=150)
    verb = models.CharField(max_length=40)
    object = models.CharField(max_length=200, blank=True)
    project_id = models.UUIDField(null=True, db_index=True)
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ("-id",)

    @classmethod
    def record(cls, actor: Any, verb: str, subject: str = "", *, project: Any = None, reason: str = "") -> Event:
        """Add an entry; `subject` names the object by its kind and id, such as ``release 4f1c...``.

        project : a project or a study.
        """
        known = actor if isinstance(actor, User) else None
        return cls.objects.create(
            actor=known,
            actor_name="" if known is None else known.username,
            verb=verb,
            object=subject[:200],
            project_id=None if project is None else project.id,
            reason=reason[:500],
        )


class Seal(models.Model):
    """The digest of the events since the seal before it, and of that seal."""

    number = models.PositiveIntegerField(primary_key=True)
    at = models.DateTimeField(default=timezone.now)
    first = models.BigIntegerField()
    last = models.BigIntegerField()
    count = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
