"""The service: what it is called, how often it may be called, and how it refuses."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI, Schema
from ninja.errors import HttpError, Throttled, ValidationError
from ninja.throttling import AuthRateThrottle

from sfumato import __version__
from sfumato.errors import Bug, SfumatoError
from sfumato.web.api.permission import any_user
from sfumato.web.interface.sentences import is_unstorable, without_places

__all__ = ["ERRORS", "Refusal", "refused", "service"]


class Refusal(Schema):
    """Why something was not done: a sentence; where it is about a field, that field."""

    sentence: str
    field: str = ""


ERRORS = dict.fromkeys((400, 401, 404, 409, 413, 422, 429), Refusal)
"""What every operation may answer besides what it is for."""


class _EachUser(AuthRateThrottle):
    """Counts the requests of each user."""

    def get_cache_key(self, request: HttpRequest) -> str:
        """The key under which the times of a user's requests are kept."""
        return f"api-{request.user.pk}"


class _Service(NinjaAPI):
    """Operations are known by the names of their functions."""

    def get_openapi_operation_id(self, operation: Any) -> str:
        """The name of the function."""
        return str(operation.view_func.__name__)


service = _Service(
    title="Sfumato",
    version=__version__,
    description=(
        "What the pages do, as JSON. Send the header `Authorization: Bearer <token>`; tokens are made on the page of "
        "your account. Work that takes long is a job: ask for its state until it has ended."
    ),
    urls_namespace="api",
    openapi_url="",
    docs_url="",
    auth=any_user,
    throttle=[_EachUser(settings.SFUMATO_API_RATE)],
)


def refused(request: HttpRequest, status: int, sentence: str, field: str = "") -> HttpResponse:
    """An answer that says why not."""
    return service.create_response(request, {"sentence": sentence, "field": field}, status=status)


@service.exception_handler(SfumatoError)
def _library(request: HttpRequest, error: Any) -> HttpResponse:
    if isinstance(error, Bug):
        raise error
    return refused(request, 422, without_places(str(error)))


@service.exception_handler(ValueError)
def _unstorable(request: HttpRequest, error: Any) -> HttpResponse:
    if not is_unstorable(error):
        raise error
    return refused(request, 400, "the request holds a text that cannot be kept")


@service.exception_handler(Http404)
def _missing(request: HttpRequest, error: Any) -> HttpResponse:  # noqa: ARG001
    return refused(request, 404, "there is no such thing, or it is not yours to see")


@service.exception_handler(RequestDataTooBig)
def _large(request: HttpRequest, error: Any) -> HttpResponse:  # noqa: ARG001
    return refused(request, 413, "the request is too large")


@service.exception_handler(HttpError)
def _http(request: HttpRequest, error: Any) -> HttpResponse:
    sentences = {
        400: "the body of the request cannot be read as JSON",
        401: "wanted the header Authorization: Bearer with a token that is valid, found none",
    }
    if isinstance(error, Throttled):
        return refused(request, 429, "too many requests; wait as long as the header Retry-After says")
    return refused(request, error.status_code, sentences.get(error.status_code, str(error)))


@service.exception_handler(ValidationError)
def _invalid(request: HttpRequest, error: Any) -> HttpResponse:
    """The first field that is wrong; never what was sent."""
    first = error.errors[0]
    field = ".".join(str(part) for part in first["loc"][1:])
    return refused(request, 422, f"{field or first['loc'][0]}: {first['msg']}", field)
