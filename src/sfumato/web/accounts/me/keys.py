"""Tokens of the JSON interface and client certificates of one's own account."""

from __future__ import annotations

import secrets
import uuid
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import signed_in
from sfumato.web.accounts.me.views import show
from sfumato.web.accounts.models import Certificate, Event, Token
from sfumato.web.accounts.sign_in.client_certificates import fingerprint_of

__all__ = ["new_certificate", "new_token", "revoke_certificate", "revoke_token"]

MOST_DAYS = 366


@signed_in
@require_POST
def new_token(request: HttpRequest) -> HttpResponse:
    """Make a token and show it, this once."""
    name, days = request.POST.get("name", "").strip()[:100], request.POST.get("days", "")
    if not name:
        return show(request, 422, errors={"token": _("Give the token a name, so that you know it again.")})
    if not days.isdecimal() or not 1 <= int(days) <= MOST_DAYS:
        return show(request, 422, errors={"days": _("Give a number of days from 1 to 366.")})
    secret = "sfumato_" + secrets.token_urlsafe(32)
    expires = timezone.now() + timedelta(days=int(days))
    token = Token.objects.create(
        user=request.user, name=name, sha256=sha256(secret.encode()).hexdigest(), expires=expires
    )
    Event.record(request.user, "create", f"token {token.id}")
    return show(request, new_token=secret)


@signed_in
@require_POST
def revoke_token(request: HttpRequest, token_id: uuid.UUID) -> HttpResponse:
    """End a token."""
    token = get_object_or_404(request.user.tokens, pk=token_id)
    Event.record(request.user, "revoke", f"token {token.id}")
    token.delete()
    return redirect("me")


@signed_in
@require_POST
def new_certificate(request: HttpRequest) -> HttpResponse:
    """Add the certificate that the browser presents, which proves that the key is in its hands.

    A fingerprint is public; without proof, others would be signed in to an account that is not theirs.
    """
    if not settings.SFUMATO_TEAM:
        raise Http404
    digest = fingerprint_of(request)
    if not digest:
        return show(request, 422, errors={"certificate": _("Your browser presents no certificate to this server.")})
    try:
        with transaction.atomic():
            name = request.POST.get("name", "").strip()[:200]
            row = Certificate.objects.create(user=request.user, sha256=digest, name=name)
    except IntegrityError:
        return show(request, 422, errors={"certificate": _("This certificate is registered already or was revoked.")})
    Event.record(request.user, "create", f"certificate {row.pk}")
    return redirect("me")


@signed_in
@require_POST
def revoke_certificate(request: HttpRequest, certificate_id: int) -> HttpResponse:
    """End a certificate for good: it cannot be added again."""
    row = get_object_or_404(request.user.certificates.filter(revoked=None), pk=certificate_id)
    row.revoked = timezone.now()
    row.save(update_fields=["revoked"])
    Event.record(request.user, "revoke", f"certificate {row.pk}")
    return redirect("me")
