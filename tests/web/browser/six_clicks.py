"""From a CSV file to a certified release in six clicks, as tests, pictures and benchmarks do it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from web.browser.driving_pages import button

SLOW = 180_000  # milliseconds; for jobs


def six_clicks(page: Any, csv: bytes, shown: Callable[[str], None], *, seconds: int) -> int:
    """Click from home to a published release; `shown` is called with the name of each page.  Returns the clicks.

    seconds : to spend on advice.
    """
    clicks = 0

    def click(place: Any) -> None:
        nonlocal clicks
        place.click(timeout=SLOW)
        clicks += 1

    shown("home")
    page.set_input_files("#drop-file", {"name": "patients.csv", "mimeType": "text/csv", "buffer": csv})
    click(button(page, "Start with this file"))
    looks = button(page, "Looks right")
    looks.wait_for(timeout=SLOW)
    shown("looks-right")
    click(looks)
    click(page.get_by_role("navigation", name="Main").get_by_role("link", name="Advice"))
    page.fill("#seconds", str(seconds))
    shown("advise")
    click(button(page, "Advise"))
    take = button(page, "Take it")
    take.wait_for(timeout=SLOW)
    shown("advice")
    click(take)
    publish = button(page, "Publish")
    publish.wait_for(timeout=SLOW)
    shown("evaluation")
    click(publish)
    page.get_by_text("in the ledger").first.wait_for(timeout=SLOW)
    shown("release")
    return clicks
