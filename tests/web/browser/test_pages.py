"""Every page of a project: on a desktop in light and dark, on a phone, and by the keyboard alone."""

from __future__ import annotations

from typing import Any

from web.browser.driving_pages import Site, assert_accessible, in_the_dark, keep_picture, press
from web.browser.six_clicks import SLOW

PAGES = ("", "data/", "config/", "queries/", "audit/", "advise/", "evaluate/", "compare/", "runs/", "releases/")
MORE = ("ledger/", "export/", "members/")


def test_every_page_of_a_project_in_light_dark_and_on_a_phone(page: Any, phone: Any, site: Site, username: str) -> None:
    project = site.scene("project", owner=username)
    release = site.scene("release", project_id=project)
    dataset = site.scene("dataset_of", project_id=project)
    own = (f"data/{dataset}/", f"data/{dataset}/figures/", f"releases/{release}/")
    for path in (*PAGES, *MORE, *own):
        name = {own[0]: "dataset", own[1]: "figures", own[2]: "certificate"}.get(path) or path.strip("/") or "project"
        for opened in (page, phone):
            assert opened.goto(f"{site.url}/p/{project}/{path}").status == 200, path
            opened.wait_for_load_state("networkidle")
            keep_picture(opened, f"page-{name}")
            assert_accessible(opened)
        in_the_dark(page)
    for path in ("/", "/jobs/", "/me/", "/api/"):
        assert page.goto(f"{site.url}{path}").status == 200, path
        assert_accessible(page)
        in_the_dark(page)


def test_an_audit_by_the_keyboard_alone(page: Any, site: Site, username: str) -> None:
    project = site.scene("project", owner=username)
    page.goto(f"{site.url}/p/{project}/")
    press(page, "link", "Skip to the content")
    assert page.evaluate("document.activeElement.id") == "content"
    page.reload()
    press(page, "link", "Audit")
    page.wait_for_url("**/audit/")
    press(page, "button", "Audit")
    page.wait_for_url("**/runs/**")
    page.get_by_text("How to read it").wait_for(timeout=SLOW)
    page.locator("[data-chart] svg").first.wait_for(timeout=SLOW)
    keep_picture(page, "audit")
    assert_accessible(page)
    in_the_dark(page)
