"""The flows of the design, click by click, as a person does them."""

from __future__ import annotations

import re
from typing import Any

from web.browser.driving_pages import Site, assert_accessible, button, keep_picture
from web.browser.scenes import PATIENTS
from web.browser.six_clicks import SLOW, six_clicks

CSV = "\n".join([",".join(PATIENTS), *(",".join(map(str, row)) for row in zip(*PATIENTS.values(), strict=True))])


def identity(page: Any) -> str:
    """The id of the project whose page this is."""
    return re.search(r"/p/([0-9a-f-]{36})/", page.url).group(1)  # type: ignore[union-attr]


def test_from_a_csv_file_to_a_certified_release_in_six_clicks(page: Any, site: Site) -> None:
    def shown(name: str) -> None:
        keep_picture(page, name)
        assert_accessible(page)

    assert six_clicks(page, CSV.encode(), shown, seconds=15) <= 6
    assert site.scene("counts", project_id=identity(page))["published"] == 1


def test_three_methods_over_k(page: Any, site: Site, username: str) -> None:
    project = site.scene("project", owner=username)
    for method in ("cluster", "top-down", "bottom-up"):
        page.goto(f"{site.url}/p/{project}/compare/new/")
        with page.expect_response("**/compare/fields/"):
            page.select_option("select[name=method]", method)
        page.get_by_text(f"sfumato methods {method}").or_(
            page.locator(f"option[value={method}]:checked")
        ).first.wait_for(state="attached")
        button(page, "Add to the list").click()
        page.wait_for_url(f"**/p/{project}/compare/#list")
    page.select_option("select[name=vary]", "k")
    page.fill("input[name=start]", "2")
    page.fill("input[name=end]", "6")
    page.fill("input[name=step]", "4")
    page.fill("input[name=repetitions]", "1")
    keep_picture(page, "compare")
    assert_accessible(page)
    button(page, "Run all").click()
    page.wait_for_url("**/runs/**")
    page.locator("[data-chart] svg").first.wait_for(timeout=SLOW)
    keep_picture(page, "comparison")
    page.get_by_text("Report").first.wait_for(timeout=SLOW)
    keep_picture(page, "compared")
    assert_accessible(page)
