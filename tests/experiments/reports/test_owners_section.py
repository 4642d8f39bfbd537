"""The owners' section: its rows, and the page it stands on."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato import Places, Trajectories
from sfumato.attacks import Audit, OwnerAudit
from sfumato.experiments.reports.audit_page import write_audit
from sfumato.experiments.reports.owners_section import owner_head, owner_rows, owners_html

PLACES = Places.from_frame({"location": ["a", "b"], "owner": ["A<script>", "B"]})
WALKS = Trajectories.from_lists([["a", "b"], ["a"]], persons=["name-ann", "name-bob"], places=PLACES)


def test_rows_fit_their_head() -> None:
    found = OwnerAudit().run(WALKS)
    assert owner_head(found) == ("owner", "sees", "certain", "<100%", "to 75%", "to 50%", "to 25%", "mean")
    assert owner_rows(found) == [
        ("A<script>", "2", "0", "0", "0", "2", "0", "50%"),
        ("B", "1", "1", "0", "0", "0", "0", "100%"),
    ]
    matched = OwnerAudit().run(WALKS, original=WALKS)
    assert owner_head(matched)[-1] == "matched"
    assert [row[-1] for row in owner_rows(matched)] == ["0", "1"]


def test_the_section_escapes_names_and_names_nobody() -> None:
    html = owners_html(OwnerAudit().run(WALKS))
    assert html.count("<tr><td>") == 2
    assert "A&lt;script&gt;" in html
    assert "<script>" not in html
    assert "name-" not in html
    assert html.startswith("<h2>Owners of places</h2>\n<p>B sees 1 person. It can infer a visit")


def test_the_page_has_it_only_where_there_are_owners(tmp_path: Path) -> None:
    pytest.importorskip("altair")
    found = Audit(known=1).run(WALKS)
    write_audit(found, tmp_path / "with.html", owners=OwnerAudit().run(WALKS))
    write_audit(found, tmp_path / "without.html")
    assert "Owners of places" in (tmp_path / "with.html").read_text()
    assert "A<script>" not in (tmp_path / "with.html").read_text()
    assert "Owners of places" not in (tmp_path / "without.html").read_text()
