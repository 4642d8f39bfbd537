"""People of a study: a participant is invited and joins, an IT administrator gives a reason, the study sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from web.browser.driving_pages import Site, assert_accessible, button, keep_picture


@pytest.fixture
def team(site: Site) -> Iterator[None]:
    """A server for several people."""
    site.scene("team", several=True)
    yield
    site.scene("team", several=False)


def test_a_participant_is_invited_and_joins_on_a_phone(
    page: Any, open_page: Callable[..., Any], site: Site, username: str, team: None
) -> None:
    study = site.scene("study", owner=username, entries=60, title="Infections in Athens")
    page.goto(f"{site.url}/s/{study}/people/")
    assert_accessible(page)
    page.get_by_label("Name of a centre").fill("Evangelismos")
    with page.expect_navigation():
        button(page, "Add centre").click()
    page.locator("#invite-centre").select_option("Evangelismos")
    button(page, "Make a link").click()
    link = page.locator("code.once").inner_text()
    keep_picture(page, "study-people", height=1500)

    guest = open_page(None, "phone")
    guest.goto(link)
    assert "Evangelismos" in guest.locator("main").inner_text()
    assert_accessible(guest)
    guest.get_by_label("Sign-in name").fill(f"gia-{username}")
    guest.get_by_label("Password").fill("a sentence of my own")
    button(guest, "Make my account").click()
    guest.wait_for_url(f"**/s/{study}/**")
    keep_picture(guest, "study-joined")
    assert_accessible(guest)
    assert guest.goto(f"{site.url}/s/{study}/people/").status == 404
    assert guest.goto(f"{site.url}/s/{study}/design/").status == 404
    page.reload()
    assert f"gia-{username}" in page.locator("main").inner_text()


def test_an_it_administrator_gives_a_reason(
    page: Any, open_page: Callable[..., Any], site: Site, username: str, team: None
) -> None:
    study, root = site.scene("study", owner=username, entries=120, title="Bacteremia"), f"root-{username}"
    site.scene("person", username=root, is_ita=True)
    desk = open_page(root)
    assert desk.goto(f"{site.url}/s/{study}/").status == 404
    desk.goto(f"{site.url}/desk/studies/")
    assert_accessible(desk)
    row = desk.locator("li", has_text=username).first
    row.get_by_text("Look into it").first.click()
    row.get_by_label("Why (the study reads this)").first.fill("the server is slow for them")
    keep_picture(desk, "study-desk")
    with desk.expect_navigation():
        row.get_by_role("button", name="Look into it").click()
    assert desk.goto(f"{site.url}/s/{study}/").status == 200
    page.goto(f"{site.url}/s/{study}/")
    assert "the server is slow for them" in page.locator("main").inner_text()
    keep_picture(page, "study-overview")
    assert_accessible(page)
