"""The first query of the paper by clicks, its saved view, the chart of two variables, and files to take away."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from web.browser.driving_pages import Site, assert_accessible, button, keep_picture


def more(page: Any, question: str) -> Any:
    """Press F beside a question, and return the card of its condition."""
    cards = page.locator("fieldset.test")
    card = cards.nth(cards.count())
    page.get_by_role("button", name=f"F {question}", exact=True).click()
    card.locator("legend", has_text=re.compile(f"^{question}$")).wait_for()
    return card


def total(page: Any) -> int:
    """The count that the page shows."""
    return int(page.locator("#condition-reading .total b").inner_text())


def test_the_first_query_of_the_paper(page: Any, site: Site, username: str) -> None:
    study = site.scene("study", owner=username, entries=120, title="Infections")
    page.goto(f"{site.url}/s/{study}/filter/")
    assert total(page) == 120
    for question, bound in (("Age", "40"), ("Temperature", "38")):
        card = more(page, question)
        card.get_by_label("from").fill(bound)
        card.get_by_label("without the bounds themselves").check()
    for organism in ("Pseudomonas", "Candida"):
        more(page, "Microorganisms").get_by_label(organism).check()
    wanted = site.scene("view_count", study_id=study, view="Pseudomonas and Candida")
    page.locator("#condition-reading .total b", has_text=re.compile(f"^{wanted}$")).wait_for()
    assert 0 < wanted < 120
    page.locator("#condition-reading .sentence", has_text="Candida").wait_for()
    sentence = page.locator("#condition-reading .sentence").inner_text()
    assert all(word in sentence for word in ("Age", "40", "Temperature", "38", "Pseudomonas", "Candida"))
    keep_picture(page, "study-filter")
    assert_accessible(page)
    page.get_by_label("Save as").fill("Mine")
    button(page, "Save view").click()
    page.get_by_role("heading", name="Mine", level=1).wait_for()
    assert total(page) == wanted
    assert site.scene("study_counts", study_id=study)["views"] == 5


def test_filter_and_chart_on_a_phone(open_page: Callable[..., Any], site: Site, username: str) -> None:
    study = site.scene("study", owner=username, entries=60, title="Infections in winter")
    phone = open_page(username, "phone")
    phone.goto(f"{site.url}/s/{study}/filter/")
    phone.locator("summary", has_text="Saved views").click()
    phone.get_by_role("link", name="A second bacteremia").click()
    phone.get_by_text("then: each starts on a later day").first.wait_for(state="attached")
    assert_accessible(phone, only=["target-size"])
    phone.goto(f"{site.url}/s/{study}/chart/")
    phone.locator("summary", has_text="Saved charts").click()
    phone.get_by_role("link", name="Gender by hospital").click()
    phone.locator("[data-chart] svg").first.wait_for()
    keep_picture(phone, "study-chart", begin=phone.locator("#chart-title"))
    assert_accessible(phone)


def test_the_chart_of_the_paper(page: Any, site: Site, username: str) -> None:
    study = site.scene("study", owner=username, entries=100, title="Infections")
    page.goto(f"{site.url}/s/{study}/chart/")
    page.get_by_label("Question", exact=True).select_option(label="Hospital")
    page.get_by_label("Second question").select_option(label="Gender")
    page.locator("input[name=kind][value=column]").check()
    button(page, "Draw").last.click()
    page.locator("#chart-title", has_text="Hospital by Gender").wait_for()
    page.locator("[data-chart] svg").first.wait_for()
    cells = page.locator("section.card tbody tr", has_text="Attikon").locator("td").all_inner_texts()
    assert sum(map(int, cells[:2])) > 20
    keep_picture(page, "study-chart")
    assert_accessible(page)
    with page.expect_download() as download:
        button(page, "PNG").click()
    assert download.value.suggested_filename.endswith(".png")


def test_answers_are_taken_away_and_come_in(page: Any, site: Site, username: str) -> None:
    study = site.scene("study", owner=username, entries=20, title="Infections, a pilot")
    page.goto(f"{site.url}/s/{study}/export/")
    keep_picture(page, "study-export")
    assert_accessible(page)
    with page.expect_download() as download:
        button(page, "Download").click()
    assert download.value.path().stat().st_size > 500
    page.goto(f"{site.url}/s/{study}/export/codebook/")
    page.get_by_text("no longer asked").wait_for()
    assert_accessible(page)
    page.goto(f"{site.url}/s/{study}/export/import/")
    rows = b"Patient name,Gender,Date of admission,Received drugs\nZoi Made-Up,female,2026-02-01,no\n"
    page.set_input_files("#file", {"name": "patients.csv", "mimeType": "text/csv", "buffer": rows})
    button(page, "See what would be imported").click()
    take = page.get_by_role("button", name=re.compile("^Import 1 "))
    take.wait_for()
    keep_picture(page, "study-import")
    assert_accessible(page)
    with page.expect_navigation():
        take.click()
    assert site.scene("study_counts", study_id=study)["entries"] == 21
