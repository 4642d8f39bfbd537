"""What an administrator does at a desk also works on a phone: design, export, and the way to a release."""

from __future__ import annotations

import re
from typing import Any

import pytest

from web.browser.driving_pages import Site, assert_accessible, button, panel_of

PAGES = ("", "entries/", "people/", "export/codebook/", "export/import/", "release/rehearsal/", "design/settings/")


def test_a_form_is_designed_published_and_opened(phone: Any, site: Site, username: str) -> None:
    site.scene("leader", username=username)
    phone.goto(site.url)
    phone.locator("#study-name").fill("Infections")
    button(phone, "New study").click()
    phone.wait_for_url("**/s/**")
    study = re.search(r"/s/([0-9a-f-]{36})/", phone.url).group(1)  # type: ignore[union-attr]
    phone.goto(f"{site.url}/s/{study}/design/")
    palette = phone.locator(".palette")
    kind = palette.get_by_role("button", name="Whole number").first
    if not kind.is_visible():
        palette.locator("summary").first.click()
    kind.click()
    panel_of(phone, "Whole number")
    text = phone.locator("#panel-form textarea[name=text-en]")
    with phone.expect_response("**/design/question/**"):
        text.fill("Age")
        text.blur()
    phone.locator("#canvas-form .words", has_text="Age").first.wait_for()
    phone.goto(f"{site.url}/s/{study}/design/changes/")
    with phone.expect_navigation():
        button(phone, "Publish version 1").click()
    phone.goto(f"{site.url}/s/{study}/")
    button(phone, "Open for entry").click()
    phone.get_by_role("link", name="New entry").wait_for()
    assert site.scene("study_counts", study_id=study)["state"] == "open"


@pytest.fixture
def study(phone: Any, site: Site, username: str) -> str:
    """The address of a study of the user."""
    return f"{site.url}/s/{site.scene('study', owner=username, entries=20)}/"


def test_every_page_fits(phone: Any, study: str) -> None:
    for address in PAGES:
        assert phone.goto(study + address).status == 200
        assert_accessible(phone, only=["target-size"])


def test_answers_are_taken_away_and_sent_on(phone: Any, study: str) -> None:
    phone.goto(study + "export/")
    with phone.expect_download() as download:
        button(phone, "Download").click()
    assert download.value.path().stat().st_size > 500
    phone.goto(study + "release/")
    assert_accessible(phone, only=["target-size"])
    button(phone, "Check what would be sent").click()
    button(phone, "Send to the workbench").wait_for()
    assert_accessible(phone, only=["target-size"])
    button(phone, "Send to the workbench").click()
    phone.wait_for_url("**/p/**")
