"""The script that draws charts: put together once, by another process, and kept by browsers."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from sfumato.web.interface import vega, vega_file


def test_it_is_compressed_and_kept_by_browsers(client: Any, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sfumato.experiments.reports.javascript.javascript", lambda: "vega = 1;")
    vega_file.write(vega.script_file())
    vega_file.write(vega.script_file())
    assert [path.suffix for path in (home / "compiled").iterdir()] == [".gz"]
    plain = client.get("/scripts/vega.js")
    assert plain.content == b"vega = 1;"
    packed = client.get("/scripts/vega.js", headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.content) == b"vega = 1;"
    assert (packed["Content-Encoding"], packed["Cache-Control"]) == ("gzip", "public, max-age=604800")
    assert client.get("/scripts/vega.js", headers={"If-None-Match": packed["ETag"]}).status_code == 304
    assert client.post("/scripts/vega.js").status_code == 405
