"""Advice in a browser: a click prepares the data and anonymizes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from web.browser.driving_pages import Site, assert_accessible, keep_picture

SLOW = 120_000  # milliseconds; for jobs


def test_a_click_runs_a_candidate_on_prepared_data(open_page: Callable[..., Any], site: Site, username: str) -> None:
    site.scene("person", username=username)
    project = site.scene("project", owner=username)
    run = site.scene("advised", project_id=project)
    for size in ("phone", "desktop"):
        page = open_page(username, size)
        page.goto(f"{site.url}/p/{project}/runs/{run}/")
        row = page.get_by_role("row").filter(has_text="on a grid of").first
        keep_picture(page, "prepared-candidates", begin=row)
        assert_accessible(page)
    row.get_by_role("link", name="change it first").click()
    page.get_by_role("checkbox", name="a grid of").first.wait_for()
    keep_picture(page, "prepared-form")
    assert_accessible(page)
    page.go_back()
    row.get_by_role("button").click()
    page.get_by_text("On prepared data: a grid of").wait_for(timeout=SLOW)
    page.get_by_role("heading", name="Promises").wait_for(timeout=SLOW)
    keep_picture(page, "prepared-run")
    assert_accessible(page)
