"""A study is designed: questions by palette, drag and keyboard, branching, preview on a phone, publication, launch."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from web.browser.driving_pages import Site, assert_accessible, button, keep_picture, panel_of

PAGES = {
    "design": "design/?q=gender",
    "branching": "design/branching/",
    "preview": "design/preview/?on=phone",
    "changes": "design/changes/",
}


def add(page: Any, kind: str, text: str) -> None:
    """Add a question of a type from the palette, and write its text."""
    with page.expect_response("**/design/edit/"):
        page.locator(".palette").get_by_role("button", name=kind).first.click()
    panel_of(page, kind)
    field = page.locator("#panel-form textarea[name=text-en]")
    with page.expect_response("**/design/question/**"):
        field.fill(text)
        page.keyboard.press("Tab")
    page.locator("#canvas-form .words", has_text=text).first.wait_for()


def order(site: Site, study: str) -> list[str]:
    """The texts of the questions of the draft."""
    texts: list[str] = site.scene("study_counts", study_id=study)["draft"]
    return texts


def test_a_study_is_designed_and_launched(page: Any, site: Site, username: str) -> None:
    site.scene("leader", username=username)
    page.goto(site.url)
    page.locator("#study-name").fill("Infections")
    button(page, "New study").click()
    page.wait_for_url("**/s/**")
    study = re.search(r"/s/([0-9a-f-]{36})/", page.url).group(1)  # type: ignore[union-attr]
    assert_accessible(page)
    page.goto(f"{site.url}/s/{study}/design/")
    for kind, text in (("Yes or no", "Received drugs"), ("Text", "Drug name"), ("Date", "Admission")):
        add(page, kind, text)
    assert order(site, study) == ["Received drugs", "Drug name", "Admission"]

    handle = page.locator(".q", has_text="Admission").locator(".handle").bounding_box()
    first = page.locator(".q").first.bounding_box()
    page.mouse.move(handle["x"] + 5, handle["y"] + 5)
    page.mouse.down()
    page.mouse.move(first["x"] + 30, first["y"] + 20, steps=4)
    with page.expect_response("**/design/edit/"):
        page.mouse.move(first["x"] + 30, first["y"] + 3)
        page.mouse.up()
    page.locator(".q").first.get_by_text("Admission").wait_for()
    with page.expect_response("**/design/edit/"):
        page.locator(".q .name").first.focus()
        page.keyboard.press("Alt+ArrowDown")
    page.locator(".q").first.get_by_text("Received drugs").wait_for()
    assert order(site, study) == ["Received drugs", "Admission", "Drug name"]

    page.locator(".q", has_text="Drug name").locator(".name").click()
    page.locator(".q.chosen", has_text="Drug name").wait_for()
    page.locator("#panel-form textarea", has_text="Drug name").wait_for()
    enabling = page.locator("#rule-new option", has_text="Received drugs").get_attribute("value")
    with page.expect_response("**/design/question/**"):
        page.locator("#rule-new").select_option(enabling)
    with page.expect_response("**/design/question/**"):
        page.locator("#panel").get_by_role("group", name="Enabling answers").get_by_label("Yes").check()
    page.locator(".q", has_text="Drug name").locator(".if").wait_for()
    assert_accessible(page)

    page.goto(f"{site.url}/s/{study}/design/preview/?on=phone")
    form = page.frame_locator("iframe")
    drug = form.get_by_label("Drug name")
    form.get_by_label("Yes", exact=True).check()
    drug.wait_for()
    form.get_by_label("No", exact=True).check()
    drug.wait_for(state="hidden")
    assert_accessible(page)

    page.goto(f"{site.url}/s/{study}/design/changes/")
    with page.expect_navigation():
        button(page, "Publish version 1").click()
    page.goto(f"{site.url}/s/{study}/")
    button(page, "Open for entry").click()
    page.get_by_role("link", name="New entry").wait_for()
    counts = site.scene("study_counts", study_id=study)
    assert (counts["state"], counts["version"]) == ("open", 1)


def test_the_pages_of_the_design(page: Any, open_page: Callable[..., Any], site: Site, username: str) -> None:
    study = site.scene("study", owner=username, entries=30, title="Infections")
    phone = open_page(username, "phone")
    for opened in (page, phone):
        for name, address in PAGES.items():
            opened.goto(f"{site.url}/s/{study}/{address}")
            keep_picture(opened, f"study-{name}", height=1500 if name == "branching" else None)
            assert_accessible(opened, only=["target-size"] if opened is phone else ())
    page.goto(f"{site.url}/s/{study}/design/?q=name")
    with page.expect_response("**/design/question/**"):
        page.locator("#p-type").select_option("integer")
    page.goto(f"{site.url}/s/{study}/design/changes/")
    page.get_by_role("link", name="Change it back").wait_for()
    keep_picture(page, "study-impact")
    assert button(page, "Apply these changes").is_disabled()
