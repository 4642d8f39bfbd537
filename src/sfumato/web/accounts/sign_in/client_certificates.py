"""Sign in with a client certificate, known by the SHA-256 of its DER form.

It comes from a trusted proxy or, where gunicorn itself speaks TLS, from the connection.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode
from hashlib import sha256
from typing import Any
from urllib.parse import unquote

from allauth.account.internal.flows.login import perform_login, record_authentication
from allauth.account.models import Login
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from sfumato.web.accounts.access import anyone
from sfumato.web.accounts.models import Certificate
from sfumato.web.interface.failures import page_of

__all__ = ["fingerprint_from", "fingerprint_of", "page"]

_HEX = re.compile(r"[0-9a-f]{64}")
_PEM = re.compile(r"-----BEGIN CERTIFICATE-----(.+?)-----END CERTIFICATE-----", re.DOTALL)


@anyone
@require_POST
def page(request: HttpRequest) -> HttpResponse:
    """Sign in the person to whom the certificate belongs."""
    from django.utils.translation import gettext as _

    if not settings.SFUMATO_TEAM:
        raise Http404
    digest = fingerprint_of(request)
    known = Certificate.objects.filter(sha256=digest, revoked=None, user__is_active=True).select_related("user").first()
    if not digest or known is None:
        sentence = _("This certificate is not known here. Sign in another way and add it to your account.")
        return page_of(request, 403, sentence)
    record_authentication(request, known.user, "certificate")
    answer: HttpResponse = perform_login(request, Login(user=known.user, redirect_url="/"))
    return answer


def fingerprint_of(request: HttpRequest) -> str:
    """The fingerprint of the certificate that the browser presents, or an empty text."""
    header = request.META.get("sfumato.certificate", "")
    if header:
        return fingerprint_from(header)
    connection: Any = request.META.get("gunicorn.socket")
    peer = getattr(connection, "getpeercert", None)
    content = peer(binary_form=True) if peer is not None else None
    return sha256(content).hexdigest() if content else ""


def fingerprint_from(text: str) -> str:
    """The fingerprint in a text: a SHA-256 in hex (colons allowed), a certificate in PEM, or in base64.

    >>> fingerprint_from("AB:" * 31 + "AB") == "ab" * 32
    True
    >>> fingerprint_from("no certificate")
    ''
    """
    plain = re.sub(r"[:\s]", "", text).lower()
    if _HEX.fullmatch(plain):
        return plain
    text = unquote(text)
    block = _PEM.search(text)
    try:
        content = b64decode("".join((block[1] if block else text).split()), validate=True)
    except (binascii.Error, ValueError):
        return ""
    return sha256(content).hexdigest() if content[:1] == b"\x30" else ""  # a DER sequence
