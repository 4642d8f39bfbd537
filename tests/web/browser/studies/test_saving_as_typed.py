"""Entries are saved as they are typed, changed by two people, and finished, in a browser; large forms stay usable."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from web.browser.driving_pages import TREE, Site, assert_accessible, button, in_the_dark, keep_picture

SAVED = "All answers are saved."
PAGES = TREE / "src" / "sfumato" / "web" / "interface" / "static" / "interface" / "pages"


def wait_saved(page: Any) -> None:
    """Leave the field, and wait until what was typed is stored."""
    page.keyboard.press("Tab")
    page.get_by_text(SAVED).wait_for()


def opened(page: Any, url: str) -> None:
    """Open the form of an entry and wait for its script."""
    page.goto(url)
    page.locator("form.live").wait_for()
    page.evaluate("StudyEntry.ready")


def test_the_script_asks_what_the_server_asks(browser: Any) -> None:
    vectors = json.loads((TREE / "tests/web/studies/forms/branching_vectors.json").read_text(encoding="utf-8"))
    page = browser.new_context().new_page()
    page.evaluate(
        (PAGES / "studies_branching.js").read_text(encoding="utf-8") + ";window.StudyBranching = StudyBranching"
    )
    results = page.evaluate("list => list.map(([form, answers]) => StudyBranching.asked(form, answers))", [
        [vector["form"], vector.get("calculated", vector["answers"])] for vector in vectors
    ])  # fmt: skip
    assert len(vectors) > 50
    for vector, result in zip(vectors, results, strict=True):
        assert sorted(result) == sorted(vector["asked"]), vector
    page.context.close()


def test_an_entry_is_saved_as_typed_and_finished(open_page: Callable[..., Any], site: Site) -> None:
    study = site.scene("entry_study", administrator="ada1", participants=["bob1"])
    page = open_page("bob1")
    opened(page, f"{site.url}/s/{study}/enter/")
    assert_accessible(page)
    assert page.get_by_label("Drug name").is_hidden()
    page.get_by_label("Yes").check()
    page.get_by_label("Drug name").fill("Aspirin")
    page.get_by_label("Temperature").fill("38,5")
    page.get_by_role("group", name="Admitted").get_by_label("Day").focus()
    page.keyboard.type("31/12/2025")
    page.get_by_label("Town").fill("Town 33")
    for number in (1, 2):
        button(page, "Add: Episode").click()
        page.locator(".episode").last.get_by_label("Dose").fill(f"{number}.5")
    wait_saved(page)
    page.locator("output", has_text="4").wait_for()
    page.get_by_label("Age").fill("200")
    page.keyboard.press("Tab")
    page.get_by_text("at most 120").wait_for()
    button(page, "Finish").click()
    assert page.get_by_label("Age").input_value() == "200"
    keep_picture(page, "study-entry")
    page.get_by_label("Age").fill("63")
    wait_saved(page)
    button(page, "Finish").click()
    page.get_by_text("1 required question has no answer").wait_for()
    assert_accessible(page)
    in_the_dark(page)
    page.get_by_label("Patient name").fill("Ann")
    site.scene("change_answer", study_id=study, username="ada1", question="age", value="64")
    page.get_by_label("Age").fill("65")
    page.keyboard.press("Tab")
    page.get_by_role("link", name="Choose").first.click()
    page.get_by_text("stored now").wait_for()
    assert_accessible(page)
    keep_picture(page, "study-conflict")
    page.get_by_label("65").check()
    page.get_by_label("Why?").fill("asked again")
    button(page, "Choose").click()
    page.locator("form.live").wait_for()
    button(page, "Finish").click()
    page.get_by_text("This is the form of the next person").wait_for()
    entry = site.scene("entries_of", study_id=study)[0]
    assert entry["finished"]
    values = {"drugs": "yes", "drug": "Aspirin", "temperature": "38.5", "admitted": "2025-12-31", "town": "c33"}
    assert entry["answers"]["values"] == {**values, "age": "65", "name": "Ann"}
    page.goto(f"{site.url}/s/{study}/entries/{entry['id']}/history/")
    in_the_dark(page)


def test_a_phone_shows_a_section_at_a_time_and_survives_a_lost_connection(
    open_page: Callable[..., Any], site: Site
) -> None:
    study = site.scene("entry_study", administrator="ada2", participants=["bob2"])
    page = open_page("bob2", "phone")
    opened(page, f"{site.url}/s/{study}/enter/?language=el")
    page.get_by_label("Όνομα").fill("Άννα")
    assert page.get_by_label("Yes").is_hidden()
    button(page, "Next section").click()
    wait_saved(page)
    page.context.set_offline(True)
    page.get_by_label("Yes").check()
    page.get_by_text("not saved yet. We try again").wait_for()
    assert_accessible(page)
    keep_picture(page, "study-entry")
    page.context.set_offline(False)
    wait_saved(page)
    assert site.scene("entries_of", study_id=study)[0]["answers"]["values"] == {"name": "Άννα", "drugs": "yes"}


def test_5000_questions_and_200_episodes_stay_usable(open_page: Callable[..., Any], site: Site) -> None:
    study = site.scene("entry_study", administrator="ada4", participants=["bob4"], form="large")
    page = open_page("bob4")
    answer = page.goto(f"{site.url}/s/{study}/enter/?section=6")
    page.locator("form.live").wait_for()
    assert len(answer.body()) < 150_000
    page.get_by_label("Question 3.44").fill("1")
    page.get_by_label("Question 3.45").fill("2")
    wait_saved(page)
    button(page, "Next section").click()
    page.wait_for_url("**section=7**")
    entry = site.scene("entries_of", study_id=study)[0]
    assert entry["answers"]["values"] == {"q3_44": "1", "q3_45": "2"}
    study = site.scene("entry_study", administrator="ada4", participants=["bob4"], form="episodes")
    filled = site.scene("fill_entry", study_id=study, username="bob4", episodes=200)
    answer = page.goto(f"{site.url}/s/{study}/entries/{filled}/")
    page.locator("form.live").wait_for()
    assert len(answer.body()) < 300_000
    page.get_by_text("191 to 200 of 200").wait_for()
    start = time.perf_counter()
    page.get_by_label("Part 3", exact=True).last.press_sequentially("123")
    assert time.perf_counter() - start < 30  # on a busy machine
    wait_saved(page)
    page.get_by_role("link", name="Earlier ones").click()
    page.get_by_text("181 to 190 of 200").wait_for()
