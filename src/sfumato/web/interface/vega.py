"""The script that draws charts, as the package that renders them brings it along."""

from __future__ import annotations

import gzip
import subprocess
import threading
from functools import cache
from importlib.metadata import version
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import cache_control
from django.views.decorators.http import etag, require_safe

from sfumato.web.accounts.access import anyone
from sfumato.web.home import private_folder
from sfumato.web.jobs.processes import own_python

__all__ = ["script", "script_file"]

_WEEK_S = 7 * 86400
_ONE_AT_A_TIME = threading.Lock()


@cache
def _package() -> str:
    return version("vl-convert-python")


@anyone
@require_safe
@cache_control(public=True, max_age=_WEEK_S)
@etag(lambda request: f'"{_package()}"')  # noqa: ARG005
def script(request: HttpRequest) -> HttpResponse:
    """The bundle of Vega, Vega-Lite and Vega-Embed; browsers keep it."""
    content, packed = _content(), "gzip" in request.headers.get("Accept-Encoding", "")
    answer = HttpResponse(
        content if packed else gzip.decompress(content), content_type="text/javascript; charset=utf-8"
    )
    if packed:
        answer["Content-Encoding"] = "gzip"
    patch_vary_headers(answer, ["Accept-Encoding"])
    return answer


def script_file() -> Path:
    """Where the compressed script is kept; workers write it while they wait, otherwise the first request does."""
    return private_folder(Path(settings.SFUMATO_HOME) / "compiled") / f"vega-{_package()}.js.gz"


def _content() -> bytes:
    file = script_file()
    with _ONE_AT_A_TIME:
        if not file.exists():
            command, environment = own_python("sfumato.web.interface.vega_file")
            subprocess.run([*command, str(file)], env=environment, stdin=subprocess.DEVNULL, check=True)
    return file.read_bytes()
