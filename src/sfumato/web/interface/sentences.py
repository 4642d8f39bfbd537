"""A sentence of the library becomes a page of one sentence, unless its view shows it beside a field."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from sfumato.errors import Bug, SfumatoError
from sfumato.web.interface.failures import bad_request, not_found

__all__ = ["LibrarySentences", "is_unstorable", "without_places"]


def is_unstorable(error: Exception) -> bool:
    """Whether an error is about a text that no database keeps, or a number with thousands of digits.

    PostgreSQL refuses them itself, as well as what is too long or too large for a column.

    >>> is_unstorable(UnicodeEncodeError("utf-8", "\\ud800", 0, 1, "surrogates not allowed"))
    True
    >>> is_unstorable(DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes"))
    True
    >>> is_unstorable(ValueError("invalid literal"))
    False
    """
    sentences = ("NUL (0x00)", "Exceeds the limit (", "surrogates not allowed")
    refused = isinstance(error, ValueError) and any(sentence in str(error) for sentence in sentences)
    return refused or isinstance(error, DataError)


def without_places(sentence: str) -> str:
    """A sentence without the place of the server's files: a path begins in the folder of the project."""
    home = re.escape(str(settings.SFUMATO_HOME))
    return re.sub(home + r"[/\\](projects[/\\][0-9a-f-]{36}[/\\]?)?", "", sentence)


class LibrarySentences:
    """Middleware: a mistake of the caller is a page with status 422 and the sentence of the library."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Any) -> HttpResponse | None:
        """The page of a sentence."""
        if isinstance(error, SfumatoError) and not isinstance(error, Bug):
            template = "interface/sentence_part.html" if getattr(request, "htmx", False) else "interface/sentence.html"
            return render(request, template, {"sentence": without_places(str(error))}, status=422)
        if isinstance(error, ValidationError):  # an id that is none
            return not_found(request)
        if is_unstorable(error):
            return bad_request(request)
        return None
