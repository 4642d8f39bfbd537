"""A page with a chart: what data say is text on it, never markup."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from sfumato.errors import OutputError
from sfumato.experiments.reports.chart_page import chart_page, list_html, require_chart_file, table_html

pytest.importorskip("altair")


def test_names_cannot_end_the_script_or_add_markup() -> None:
    chart = SimpleNamespace(to_dict=lambda **_: {"title": "</script><b>"})
    page = chart_page("<i>", table_html(["<a>"], [["<b>"]]) + list_html(["<c>"]), chart)
    head, _, script = page.rpartition("vegaEmbed")
    assert "<title>&lt;i&gt;</title>" in head
    assert "<th>&lt;a&gt;</th>" in head
    assert "<td>&lt;b&gt;</td>" in head
    assert "<li>&lt;c&gt;</li>" in head
    assert script.index("\\u003c/script>") < script.index("</script>")


def test_without_a_chart_there_is_no_script() -> None:
    assert "<script" not in chart_page("Advice", "<p>none</p>", None)


def test_a_file_that_could_not_be_written_is_refused(tmp_path: Path) -> None:
    require_chart_file(tmp_path / "a.PNG", "an audit", (".png", ".csv"))
    with pytest.raises(OutputError, match=r"a\.gif: wanted a file that ends in \.png or \.csv for an audit"):
        require_chart_file(tmp_path / "a.gif", "an audit", (".png", ".csv"))
    with pytest.raises(OutputError):
        require_chart_file(tmp_path / "nowhere" / "a.png", "an audit", (".png", ".csv"))
