"""The preview: the entry form itself in a frame of our own pages only, and nothing is stored."""

from __future__ import annotations

from typing import Any

import pytest


def test_the_form_is_shown_in_a_frame_of_our_own_page(client: Any, study: Any) -> None:
    page = client.get(f"/s/{study.id}/design/preview/?on=desktop&language=el")
    assert "frame-src 'self'" in page["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in page["Content-Security-Policy"]
    assert f"/s/{study.id}/design/preview/form/?language=el" in page.content.decode()
    form = client.get(f"/s/{study.id}/design/preview/form/?language=el")
    assert form["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in form["Content-Security-Policy"]
    assert "default-src 'none'" in form["Content-Security-Policy"]
    content = form.content.decode()
    assert "Ασθενής" in content
    assert "data-preview" in content
    assert not study.entries.exists()


def test_the_draft_is_shown_and_not_the_published_form(client: Any, study: Any) -> None:
    study.draft["questions"][1]["texts"]["en"] = "Name on the paper"
    study.save()
    assert "Name on the paper" in client.get(f"/s/{study.id}/design/preview/form/").content.decode()


@pytest.mark.parametrize("query", ["language=xx&on=toaster", "section=99999", "section=-1", "section=" + "9" * 4000])
def test_odd_addresses_show_the_form(client: Any, study: Any, query: str) -> None:
    for page in ("", "form/"):
        assert client.get(f"/s/{study.id}/design/preview/{page}?{query}").status_code == 200


def test_an_unfinished_form_can_be_looked_at(client: Any, study: Any) -> None:
    study.draft = {
        "languages": ["en"],
        "questions": [{"key": f"q{kind}", "type": kind} for kind in ("list", "one", "group")],
    }
    study.save()
    assert client.get(f"/s/{study.id}/design/preview/form/").status_code == 200
    study.draft = {"languages": ["en"], "questions": []}
    study.save()
    assert "no questions yet" in client.get(f"/s/{study.id}/design/preview/").content.decode()
    assert client.get(f"/s/{study.id}/design/preview/form/").status_code == 200
