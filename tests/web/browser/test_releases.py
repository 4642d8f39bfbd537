"""Releases in a browser: two about the same people, of which the second would break a promise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from web.browser.driving_pages import Site, assert_accessible, keep_picture

SLOW = 120_000  # milliseconds; for jobs


def button(page: Any, name: str) -> Any:
    return page.get_by_role("button", name=name, exact=True).first


def test_a_release_that_breaks_a_promise_together_with_another_is_refused(
    open_page: Callable[..., Any], site: Site, username: str
) -> None:
    member = f"max-{username}"
    for name in (username, member):
        site.scene("person", username=name)
    project = site.scene("project", owner=username, people={member: "member"})
    for k in (2, 3):
        site.scene("evaluated", project_id=project, k=k)
    page = open_page(member)
    for k, end in ((2, "in the ledger"), (3, "Nothing was published.")):
        page.goto(f"{site.url}/p/{project}/releases/")
        page.get_by_role("listitem").filter(has_text=f"k is {k}").get_by_role("button").click()
        button(page, "Publish").click()
        page.get_by_text(end).first.wait_for(timeout=SLOW)
    keep_picture(page, "refused")
    assert_accessible(page)
    assert page.get_by_label("Reason for an override").count() == 0
    owners = open_page(username)
    owners.goto(page.url)
    owners.get_by_label("Reason for an override").fill("Approved by the board")
    button(owners, "Publish although a promise does not hold").click()
    owners.get_by_text("in the ledger").first.wait_for(timeout=SLOW)
    assert owners.get_by_text("Approved by the board").count() == 1
    keep_picture(owners, "overridden")
    assert_accessible(owners)
    for opened in (owners, open_page(username, "phone")):
        opened.goto(f"{site.url}/p/{project}/ledger/")
        assert opened.get_by_text("k is 3").count()
        keep_picture(opened, f"ledger-{opened.viewport_size['width']}")
        assert_accessible(opened)
