"""The page of a description: self-contained, private, and with a bar for every count."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest

from sfumato import SeqAnon, Table, Trajectories
from sfumato.errors import OutputError
from sfumato.experiments.description import describe
from sfumato.experiments.reports.description_page import write_description

WALKS = Trajectories.from_lists([["a", "b"], ["a", "b", "b"], ["a"]], places={"a": (0.0, 0.0), "b": (3.0, 4.0)})
PEOPLE = Table({"age": [30, 31, None], "<b>town": ["<i>Rome", "<i>Rome", "Oslo"]})


def page(data: object, tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    write_description(describe(data), path, title="<data>")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    return path.read_text()


def test_a_table_with_escaped_names(tmp_path: Path) -> None:
    text = page(PEOPLE, tmp_path)
    assert "What is in &lt;data&gt;" in text
    assert "&lt;i&gt;Rome" in text
    assert "<i>Rome" not in text
    assert "<b>town" not in text
    assert "http" not in text.replace("http-equiv", "")
    assert "Private" in text
    assert "made from the data" in text


def test_visits_are_on_the_map(tmp_path: Path) -> None:
    text = page(WALKS, tmp_path)
    assert len(re.findall("<rect ", text)) == 2
    assert "up to 3" in text
    assert "x -0.06 to 3.06, y -0.08 to 4.08" in text
    assert "records by length" in text


def test_where_a_page_may_not_be(tmp_path: Path) -> None:
    release = SeqAnon(k=2, m=1).anonymize(WALKS, seed=1).write(tmp_path / "release")
    with pytest.raises(OutputError, match="is private and must not be in"):
        write_description(describe(WALKS), release / "page.html", title="")
    with pytest.raises(OutputError, match=r"wanted a file that ends in .html"):
        write_description(describe(WALKS), tmp_path / "page.pdf", title="")


def test_a_chart_and_a_card() -> None:
    chart = describe(PEOPLE).chart().to_dict(validate=False)
    assert [panel["title"] for panel in chart["concat"]] == ["age", "<b>town"]
    card = describe(PEOPLE)._repr_html_()
    assert "Description: table" in card
    assert "&lt;b&gt;town" in card
