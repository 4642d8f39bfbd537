"""Charts as pictures."""

from __future__ import annotations

import pytest

from sfumato.errors import ParameterError
from sfumato.experiments.reports import charts

SPEC = {
    "mark": "point",
    "data": {"values": [{"a": 1}]},
    "encoding": {"x": {"field": "a", "type": "quantitative"}},
}


def test_charts_in_every_format() -> None:
    files = charts.rendered(SPEC, charts.EVERY_FORMAT)
    starts = {"png": b"\x89PNG", "pdf": b"%PDF", "jpg": b"\xff\xd8\xff", "bmp": b"BM", "svg": b"<svg"}
    assert {ending: content[: len(starts[ending])] for ending, content in files.items()} == starts


def test_another_format_is_refused() -> None:
    with pytest.raises(ParameterError, match="wanted png, svg, pdf, jpg or bmp, got 'gif'"):
        charts.rendered(SPEC, ("gif",))
