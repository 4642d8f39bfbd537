"""Data, hierarchies and queries are edited, undone and saved."""

from __future__ import annotations

from typing import Any

from web.browser.driving_pages import Site, assert_accessible, button, keep_picture
from web.browser.six_clicks import SLOW


def test_a_row_is_edited_undone_and_saved_as_a_version(page: Any, site: Site, username: str) -> None:
    project = site.scene("project", owner=username)
    dataset = f"{site.url}/p/{project}/data/{site.scene('dataset_of', project_id=project)}/"
    page.goto(f"{dataset}row/0/")
    assert_accessible(page)
    for value in ("37", "38"):
        page.goto(f"{dataset}row/0/")
        page.get_by_label("age").fill(value)
        button(page, "Change the row").click()
        page.get_by_text(value, exact=True).first.wait_for()
    button(page, "Undo").click()
    page.get_by_text("37", exact=True).first.wait_for()
    keep_picture(page, "dataset-edited")
    assert_accessible(page)
    with page.expect_navigation():
        button(page, "Save version").click()
    page.goto(f"{dataset}versions/")
    for _ in range(120):
        if site.scene("counts", project_id=project)["versions"] == 2:
            break
        page.wait_for_timeout(500)
    page.reload()
    keep_picture(page, "dataset-versions")
    assert_accessible(page)
    assert site.scene("first_value", project_id=project, column="age") == 37


def test_a_hierarchy_is_derived_edited_and_saved(page: Any, site: Site, username: str) -> None:
    project = site.scene("project", owner=username)
    dataset = site.scene("dataset_of", project_id=project)
    page.goto(f"{site.url}/p/{project}/config/{dataset}/add/hierarchy/0/")
    assert_accessible(page)
    button(page, "Derive").click()
    page.wait_for_url("**/config/asset/**", timeout=SLOW)
    page.locator("#tree button.name").nth(1).click()
    page.get_by_role("button", name="Remove the node, keep what is below").wait_for()
    page.fill("#new-name", "a group of ages")
    button(page, "Rename").click()
    page.get_by_text("1 change is not saved").wait_for()
    assert_accessible(page)
    keep_picture(page, "hierarchy")
    button(page, "Save").click()
    page.get_by_text("is not saved").wait_for(state="detached")
    assert page.locator("#tree").get_by_text("a group of ages").count() == 1
    assert site.scene("counts", project_id=project)["assets"] >= 1


def test_queries_are_generated_counted_and_added(page: Any, site: Site, username: str) -> None:
    project = site.scene("project", owner=username)
    dataset = site.scene("dataset_of", project_id=project)
    page.goto(f"{site.url}/p/{project}/queries/{dataset}/new/")
    assert_accessible(page)
    page.fill("#queries", "8")
    button(page, "Generate").click()
    page.get_by_text("of 8 queries").wait_for(timeout=SLOW)
    page.get_by_text("Add a query", exact=True).click()
    page.select_option("#col-new-1", "illness")
    page.fill("#val-new-1", "hiv")
    button(page, "Add").click()
    page.get_by_text("1 change is not saved").wait_for()
    button(page, "Save").click()
    page.get_by_text("of 9 queries").wait_for()
    page.locator("table.queries tr").nth(9).get_by_text("10", exact=True).wait_for(timeout=SLOW)  # of 60, 10 have hiv
    keep_picture(page, "queries")
    assert_accessible(page)
