"""From the answers of a study to a certified release, and a person who withdraws."""

from __future__ import annotations

import re
from typing import Any

from web.browser.driving_pages import Site, assert_accessible, button, keep_picture
from web.browser.six_clicks import SLOW


def test_answers_become_a_release(page: Any, site: Site, username: str) -> None:
    study = site.scene("study", owner=username, entries=120, title="Infections")
    page.goto(f"{site.url}/s/{study}/release/")
    for role in page.get_by_role("combobox", name=re.compile("^Role of (?!Gender|Age|Condition)")).all():
        if role.locator("option[value=out]").count():
            role.select_option("out")
    keep_picture(page, "study-release")
    assert_accessible(page)
    button(page, "Check what would be sent").click()
    button(page, "Send to the workbench").wait_for()
    keep_picture(page, "study-check")
    assert_accessible(page)
    button(page, "Send to the workbench").click()
    page.wait_for_url("**/p/**")
    project = re.search(r"/p/([0-9a-f-]{36})/", page.url).group(1)  # type: ignore[union-attr]
    page.goto(f"{site.url}/p/{project}/evaluate/")
    button(page, "Run").click()
    publish = button(page, "Publish")
    publish.wait_for(timeout=SLOW)
    publish.click()
    page.get_by_text("in the ledger").first.wait_for(timeout=SLOW)
    assert site.scene("counts", project_id=project)["published"] == 1
    page.goto(f"{site.url}/s/{study}/release/")
    page.get_by_text("1 release of this study is published.").wait_for()


def test_a_person_withdraws(page: Any, site: Site, username: str) -> None:
    study = site.scene("study", owner=username, entries=4)
    page.goto(f"{site.url}/s/{study}/entries/")
    page.get_by_role("link", name=re.compile(r"^Entry \d")).first.click()
    page.get_by_role("link", name="The person withdraws").click()
    assert_accessible(page)
    button(page, "The person withdraws").click()
    page.get_by_text("The person is in no release that is made from now on.").wait_for()
    keep_picture(page, "study-withdrawal")


def test_a_study_is_rehearsed(page: Any, site: Site, username: str) -> None:
    study = site.scene("study", owner=username, entries=4)
    page.goto(f"{site.url}/s/{study}/release/rehearsal/")
    assert_accessible(page)
    page.get_by_label("How many made-up patients").fill("12")
    with page.expect_navigation():
        button(page, "Make the rehearsal").click()
    page.goto(f"{site.url}/s/{study}/release/rehearsal/")
    page.get_by_role("link", name="Open it").click()
    page.get_by_role("heading", level=1).wait_for()
    assert page.url != f"{site.url}/s/{study}/"
