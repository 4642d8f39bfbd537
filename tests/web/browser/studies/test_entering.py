"""A participant enters a patient on a phone, section by section; two devices change the same answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from web.browser.driving_pages import Site, assert_accessible, button, keep_picture

SAVED = "All answers are saved."


def date(page: Any, label: str, day: str, month: str, year: str) -> None:
    """Type a date."""
    parts = page.get_by_role("group", name=label)
    parts.get_by_label("Day").fill(day)
    parts.get_by_label("Month").fill(month)
    parts.get_by_label("Year").fill(year)


def choose(page: Any, question: str, option: str) -> None:
    """Choose an option of a question."""
    page.get_by_role("group", name=question).get_by_label(option, exact=True).check()


def saved(page: Any) -> None:
    """Leave the field, and wait until everything that was typed is stored."""
    page.keyboard.press("Tab")
    page.locator("#save-state", has_text=SAVED).wait_for()


def accessible(page: Any) -> None:
    """Check the page at its end, where the bar below covers nothing."""
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    assert_accessible(page)


def step(page: Any) -> None:
    """Go to the next section."""
    page.locator("button:visible", has_text="Next section").click()


def test_a_patient_is_entered_on_a_phone(open_page: Callable[..., Any], site: Site, username: str) -> None:
    study = site.scene("study", owner=f"lead-{username}", entries=4, title="Infections")
    site.scene("participant", study_id=study, username=username, centre="Laiko")
    phone = open_page(username, "phone")
    phone.goto(f"{site.url}/s/{study}/")
    phone.get_by_role("link", name="New entry").click()
    phone.get_by_role("textbox", name="Patient name").fill("Zoi Made-Up")
    phone.get_by_role("combobox", name="Hospital").select_option("Laiko")
    choose(phone, "Gender", "female")
    date(phone, "Date of birth", "1", "2", "1960")
    date(phone, "Date of admission", "3", "4", "2026")
    saved(phone)
    assert phone.get_by_label("Age", exact=True).inner_text().startswith("66")
    keep_picture(phone, "study-enter")
    accessible(phone)

    step(phone)
    assert not phone.get_by_role("textbox", name="Patient name").is_visible()
    phone.get_by_role("textbox", name="Temperature").fill("99")
    saved_or_not = phone.locator(".error:visible")
    phone.keyboard.press("Tab")
    saved_or_not.first.wait_for()
    assert "43" in saved_or_not.first.inner_text()
    phone.get_by_role("textbox", name="Temperature").fill("38.7")
    choose(phone, "Microorganisms", "Pseudomonas")
    phone.get_by_role("button", name="Add: Episodes of a diagnosis").click()
    choose(phone, "Diagnosis", "Bacteremia")
    saved(phone)
    keep_picture(phone, "study-episode")
    accessible(phone)

    step(phone)
    add = phone.get_by_role("button", name="Add: Treatments")
    assert not add.is_visible()
    choose(phone, "Received drugs", "Yes")
    add.wait_for()
    choose(phone, "Received drugs", "No")
    add.wait_for(state="hidden")
    saved(phone)
    step(phone)
    button(phone, "Finish").click()
    phone.get_by_text("This is the form of the next person.").wait_for()
    (entry,) = site.scene("answers", study_id=study, username=username)
    assert entry["complete"]
    assert entry["values"]["birth"] == "1960-02-01"
    assert entry["values"]["microorganisms"] == ["pse"]
    assert [row["values"] for row in entry["episodes"]["episodes"]] == [{"diagnosis": "bacteremia"}]
    phone.goto(f"{site.url}/s/{study}/entries/")
    assert phone.get_by_role("link", name=re.compile(r"^Entry \d")).count() == 1  # of others nothing
    assert_accessible(phone, only=["target-size"])


def test_two_devices_change_the_same_answer(open_page: Callable[..., Any], site: Site, username: str) -> None:
    study = site.scene("study", owner=f"lead-{username}", entries=4, title="Infections")
    site.scene("participant", study_id=study, username=username, centre="Attikon")
    entry = site.scene("entry", study_id=study, username=username, values={"name": "A", "temperature": "37"})
    desktop, phone = open_page(username), open_page(username, "phone")
    for page in (desktop, phone):
        page.goto(f"{site.url}/s/{study}/entries/{entry}/#section-1")
    for page, degrees in ((desktop, "38"), (phone, "39")):
        page.get_by_role("textbox", name="Temperature").fill(degrees)
        page.keyboard.press("Tab")
        if page is desktop:
            page.locator("#save-state", has_text=SAVED).wait_for()
    phone.get_by_role("link", name="Choose").first.click()
    phone.get_by_label("39").check()
    phone.get_by_label("Why?").fill("read again")
    keep_picture(phone, "study-conflict")
    assert_accessible(phone)
    button(phone, "Choose").click()
    phone.get_by_text("No answer waits for a choice.").or_(phone.get_by_text("All answers are saved.")).first.wait_for()
    assert site.scene("answers", study_id=study, username=username)[0]["values"]["temperature"] == "39"
    desktop.goto(f"{site.url}/s/{study}/entries/{entry}/history/")
    assert "read again" in desktop.locator("main").inner_text()
    desktop.get_by_label("New note about this entry").fill("ask the ward")
    button(desktop, "Add the note").click()
    desktop.get_by_text("ask the ward").wait_for()
    keep_picture(desktop, "study-history")
