"""Pages of failures; none of them quotes anything."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

__all__ = ["bad_request", "broken", "forbidden", "not_found", "page_of", "refused_form"]


def not_found(request: HttpRequest, exception: Any = None) -> HttpResponse:  # noqa: ARG001
    """There is no such page, or not for this user."""
    return page_of(request, 404, _("There is no such page, or it is not yours to see."))


def forbidden(request: HttpRequest, exception: Any = None) -> HttpResponse:  # noqa: ARG001
    """The request was refused."""
    return page_of(request, 403, _("This request was refused. Load the page anew and try again."))


def refused_form(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """A form without the token of its page."""
    return forbidden(request)


def bad_request(request: HttpRequest, exception: Any = None) -> HttpResponse:  # noqa: ARG001
    """The request could not be read."""
    return page_of(request, 400, _("This request could not be read."))


def broken(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """A bug of ours, or no database: the page asks for nothing, neither who is signed in nor what project this is."""
    sentence = _("Something is wrong with this server; the log says where. Your data are unchanged.")
    return HttpResponse(render_to_string("interface/sentence.html", {"sentence": sentence, "status": 500}), status=500)


def page_of(request: HttpRequest, status: int, sentence: str) -> HttpResponse:
    """A page of one sentence."""
    return render(request, "interface/sentence.html", {"sentence": sentence, "status": status}, status=status)
