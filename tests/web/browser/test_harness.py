"""The watch and the check of accessibility can fail, and what the tests inject is what it says."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from web.browser.driving_pages import HERE, PROGRAM, Site, Watched, assert_accessible, keep_picture


def test_there_is_a_browser() -> None:
    if PROGRAM is None:
        pytest.skip("the browser tests did not run: they need playwright and the system's chromium")


def test_the_vendored_files_have_their_checksums() -> None:
    lines = (HERE / "vendor" / "SHA256SUMS").read_text().splitlines()
    assert len(lines) == 3
    for line in lines:
        digest, name = line.split()
        assert sha256((HERE / "vendor" / name).read_bytes()).hexdigest() == digest


def test_home_is_accessible(page: Any) -> None:
    keep_picture(page, "home")
    assert_accessible(page)


def test_home_on_a_phone(phone: Any) -> None:
    keep_picture(phone, "home")
    assert_accessible(phone)


def test_a_page_without_a_label_is_not_accessible(page: Any) -> None:
    page.evaluate("document.querySelector('main').append(document.createElement('input'))")
    with pytest.raises(AssertionError, match="label"):
        assert_accessible(page)


def test_an_inline_script_is_refused_and_seen(browser: Any, site: Site) -> None:
    opened = browser.new_context().new_page()
    watched = Watched(opened, site)
    opened.goto(f"{site.url}/sign-in/")
    assert watched.problems == []
    opened.evaluate(
        "const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s)"
    )
    opened.evaluate("document.body.setAttribute('onclick', 'window.ran = 1'); document.body.click()")
    opened.evaluate("document.body.innerHTML += '<p style=\"color: red\">'; undefined")
    assert opened.evaluate("window.ran") is None
    assert len(watched.problems) == 3
    assert all("Content Security Policy" in problem for problem in watched.problems)
    opened.context.close()


def test_what_is_not_there_is_not_found(open_page: Callable[..., Any], site: Site) -> None:
    opened = open_page("ann")
    answer = opened.goto(f"{site.url}/p/00000000-0000-4000-8000-000000000000/")
    assert answer.status == 404
    assert_accessible(opened)
