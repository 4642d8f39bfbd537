"""A real browser on a real server.  Where there is none, one line says that the browser tests did not run."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from web.browser.driving_pages import PROGRAM, SIZES, Site, Watched

_NUMBERS = itertools.count(1)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The server, with a worker, for all tests of a process; `site.url` is its address."""
    server = Site(tmp_path_factory.mktemp("site"))
    yield server
    server.close()


# of a module, not of the session: while playwright runs in a thread, Django refuses its database there
@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The chromium of the system."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without a browser, the tests that need one are left out; `test_there_is_a_browser` says so, in one line."""
    if PROGRAM is not None:
        return
    without = [item for item in items if "browser" in getattr(item, "fixturenames", ())]
    config.hook.pytest_deselected(items=without)
    items[:] = [item for item in items if item not in without]


@pytest.fixture
def open_page(browser: Any, site: Site) -> Iterator[Callable[..., Any]]:
    """Open a page of a given size, in which a user is signed in: `open_page("ann", "phone")`; None for nobody.

    A test fails at its end if a page had an error of a script, broke the content security policy, was answered by
    status 500, or asked another server for anything.
    """
    watched = []

    def opened(username: str | None, size: str = "desktop", **options: Any) -> Any:
        context = browser.new_context(viewport=SIZES[size], has_touch=size == "phone", **options)
        context.set_default_timeout(120_000)  # a busy machine
        if username is not None:
            context.add_cookies([{**site.scene("person", username=username), "url": site.url}])
        page = context.new_page()
        watched.append(Watched(page, site))
        return page

    yield opened
    for page in watched:
        page.page.context.close()
    problems = [problem for page in watched for problem in page.problems]
    assert not problems, "\n".join(problems)


@pytest.fixture
def username(browser: Any) -> str:
    """The name of a user of this test alone."""
    return f"ann{next(_NUMBERS)}"


@pytest.fixture
def page(open_page: Callable[..., Any], username: str, site: Site) -> Any:
    """A page on a desktop, signed in, at home."""
    opened = open_page(username)
    opened.goto(site.url)
    return opened


@pytest.fixture
def phone(open_page: Callable[..., Any], username: str, site: Site) -> Any:
    """A page on a phone, signed in as the same user, at home."""
    opened = open_page(username, "phone")
    opened.goto(site.url)
    return opened
