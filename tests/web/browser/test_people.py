"""People of a team: invitations, roles, and what each role sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from web.browser.driving_pages import Site, assert_accessible, button, keep_picture


def test_a_viewer_sees_certificates_and_no_rows(open_page: Callable[..., Any], site: Site, username: str) -> None:
    vera, member = f"vera-{username}", f"max-{username}"
    for name in (username, vera, member):
        site.scene("person", username=name)
    project = site.scene("project", owner=username, people={vera: "viewer", member: "member"})
    dataset = site.scene("dataset_of", project_id=project)
    for name, status in ((username, 200), (member, 200), (vera, 404), (f"nobody-{username}", 404)):
        answer = open_page(name).goto(f"{site.url}/p/{project}/data/{dataset}/")
        assert answer.status == status, name
    viewing = open_page(vera)
    assert viewing.goto(f"{site.url}/p/{project}/releases/").status == 200
    links = viewing.get_by_role("navigation", name="Main").get_by_role("link").all_text_contents()
    assert "Releases" in [text.strip() for text in links]
    assert "Evaluate" not in [text.strip() for text in links]
    anonymous = open_page(None)
    anonymous.goto(f"{site.url}/p/{project}/")
    assert "/sign-in/" in anonymous.url


def test_a_colleague_is_invited_and_becomes_a_viewer(
    page: Any, open_page: Callable[..., Any], site: Site, username: str
) -> None:
    project, vera = site.scene("project", owner=username), f"vera-{username}"
    site.scene("team", several=True)
    try:
        page.goto(f"{site.url}/p/{project}/members/")
        assert_accessible(page)
        button(page, "Make a link").click()
        link = page.locator("code.once").inner_text()
        guest = open_page(None)
        guest.goto(link)
        assert_accessible(guest)
        guest.get_by_label("Sign-in name").fill(vera)
        guest.get_by_label("Password").fill("a sentence of my own")
        button(guest, "Make my account").click()
        guest.wait_for_url(f"**/p/{project}/**")
        assert guest.goto(f"{site.url}/p/{project}/evaluate/").status == 200
        page.goto(f"{site.url}/p/{project}/members/")
        page.get_by_label(f"Role of {vera}").select_option("viewer")
        button(page, "Change").click()
        page.wait_for_load_state()
        keep_picture(page, "people")
        assert guest.goto(f"{site.url}/p/{project}/evaluate/").status == 404
        assert guest.goto(f"{site.url}/p/{project}/members/").status == 404
        assert open_page(None).goto(link).status in (404, 410)  # used
    finally:
        site.scene("team", several=False)
