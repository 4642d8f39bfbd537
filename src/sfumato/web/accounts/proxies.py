"""A reverse proxy in front of the server: its headers count only if it has a listed address and the shared key."""

from __future__ import annotations

import hmac
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

__all__ = ["TrustedProxies"]

_SECRET = "HTTP_X_SFUMATO_PROXY_SECRET"
_HEADERS = ("HTTP_X_SFUMATO_CERTIFICATE", "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST")


class TrustedProxies:
    """Middleware: takes address, protocol and client certificate from a trusted proxy, and drops them from all others.

    The proxy sends `X-Sfumato-Proxy-Secret`, `X-Forwarded-For`, `X-Forwarded-Proto`, and `X-Sfumato-Certificate` with
    the SHA-256 of the client certificate in hex, or the certificate itself (PEM, percent-encoded, or DER in base64).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        secret = request.META.pop(_SECRET, "")
        headers = {name: request.META.pop(name, "") for name in _HEADERS}
        if _trusted(request.META.get("REMOTE_ADDR", ""), secret):
            client = headers["HTTP_X_FORWARDED_FOR"].rpartition(",")[2].strip()
            if client:
                request.META["REMOTE_ADDR"] = client
            if headers["HTTP_X_FORWARDED_PROTO"] == "https":
                request.environ["wsgi.url_scheme"] = "https"
            if headers["HTTP_X_SFUMATO_CERTIFICATE"]:
                request.META["sfumato.certificate"] = headers["HTTP_X_SFUMATO_CERTIFICATE"]
        return self.get_response(request)


def _trusted(address: str, secret: str) -> bool:
    expected = settings.SFUMATO_PROXY_SECRET
    return (
        bool(expected)
        and address in settings.SFUMATO_PROXIES
        and hmac.compare_digest(secret.encode(), expected.encode())
    )
