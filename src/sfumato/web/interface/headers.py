"""Headers of every answer, and the limit on what a request may carry."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from sfumato.web.interface.failures import page_of

__all__ = ["Headers"]


class Headers:
    """Middleware: browsers keep no private pages, and a request that is too large is refused before it is read."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        limit = settings.SFUMATO_QUOTAS["upload_bytes"]
        if limit is not None and _length(request) > limit:
            sentence = _("A request may carry at most %(size)s MB; this one is larger.") % {"size": limit // 2**20}
            answer = page_of(request, 413, sentence)
        else:
            answer = self.get_response(request)
        answer.headers.setdefault("Cache-Control", "no-store")
        answer.headers["Permissions-Policy"] = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        answer.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        return answer


def _length(request: HttpRequest) -> int:
    text = request.META.get("CONTENT_LENGTH") or "0"
    return int(text) if text.isdecimal() else 0
