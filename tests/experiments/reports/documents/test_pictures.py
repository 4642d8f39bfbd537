"""Pictures: well-formed whatever the names, and as long as the figures."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from hostile_documents import NAMES
from sfumato.experiments.reports.documents.document import visible
from sfumato.experiments.reports.documents.pictures import bars, shares


@pytest.mark.parametrize("name", NAMES)
def test_names_cannot_break_a_picture(name: str) -> None:
    for figure in (bars("t", [(name, 1, 2)]), shares("t", [(name, (1.0,))], (name,))):
        tree = ET.fromstring(figure.svg)
        texts = [element.text or "" for element in tree.iter("{http://www.w3.org/2000/svg}text")]
        assert any(text.rstrip("…") and visible(name).startswith(text.rstrip("…")) for text in texts)


def test_bars_are_as_long_as_their_figures() -> None:
    tree = ET.fromstring(bars("t", [("a", None, 4), ("b", None, 1), ("c", None, 0)]).svg)
    widths = [float(element.get("width", "0")) for element in tree.iter("{http://www.w3.org/2000/svg}rect")]
    assert widths[0] == pytest.approx(4 * widths[1], abs=0.2)
    assert widths[2] == 0


def test_shares_fill_the_row() -> None:
    tree = ET.fromstring(shares("t", [("a", (0.25, 0.5, 0.25))], ("x", "y", "z")).svg)
    parts = [one for one in tree.iter("{http://www.w3.org/2000/svg}rect") if "edge" in (one.get("class") or "")]
    widths = [float(one.get("width", "0")) for one in parts]
    assert widths[1] == pytest.approx(2 * widths[0], abs=0.2)
    assert sum(widths) == pytest.approx(360 - 128 - 4, abs=0.3)
