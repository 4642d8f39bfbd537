"""Entries made without a connection: they wait in the browser, are whole when opened, are sent later, or deleted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from web.browser.driving_pages import Site, assert_accessible, button, keep_picture

KEPT = "async () => [(await caches.keys()).length, (await navigator.serviceWorker.getRegistrations()).length]"
WAITING = "async study => (await StudyOffline.waiting(study)).length"


def form_started(page: Any) -> None:
    """Wait until the script of a form has shown what waits in the browser."""
    page.locator("form.live").wait_for()
    page.evaluate("StudyEntry.ready")


def opened(page: Any, url: str) -> None:
    """Open the form of an entry and wait for its script."""
    page.goto(url)
    form_started(page)


def typed(page: Any, label: str, text: str, sentence: str = "All answers are saved.") -> None:
    """Type an answer, leave the field, and wait for what is said about it."""
    page.get_by_role("textbox", name=label).fill(text)
    page.keyboard.press("Tab")
    page.get_by_text(sentence).wait_for()


def without_connection(open_page: Callable[..., Any], site: Site, name: str) -> tuple[Any, str, str]:
    """A page of a participant that was opened once, the study and the address of new entries."""
    study = site.scene("entry_study", administrator=f"ada-{name}", participants=[name], offline=True)
    page, enter = open_page(name, "phone"), f"{site.url}/s/{study}/enter/"
    opened(page, enter)
    return page, study, enter


WAITS = "your answers wait in this browser"


def test_entries_wait_in_the_browser_until_they_are_sent(
    open_page: Callable[..., Any], site: Site, username: str
) -> None:
    page, study, enter = without_connection(open_page, site, username)
    page.reload()  # now the worker answers for it
    page.context.set_offline(True)
    for name in ("First", "Second"):
        opened(page, enter)
        typed(page, "Patient name", name, WAITS)
    opened(page, enter)
    page.get_by_text("Entries that wait in this browser: 2").wait_for()
    assert_accessible(page)
    keep_picture(page, "study-offline")
    page.context.set_offline(False)
    page.get_by_text("Entries that wait in this browser").wait_for(state="hidden")
    names = {entry["answers"]["values"]["name"] for entry in site.scene("entries_of", study_id=study)}
    assert names == {"First", "Second"}
    site.scene("change_study", study_id=study, offline=False)
    opened(page, enter)
    assert page.evaluate(KEPT) == [0, 0]


def test_an_entry_that_waits_is_whole_and_meets_the_change_of_somebody_else(
    open_page: Callable[..., Any], site: Site, username: str
) -> None:
    page, study, enter = without_connection(open_page, site, username)
    typed(page, "Patient name", "Ann")
    button(page, "Next section").click()
    button(page, "Add: Episode").click()
    typed(page, "Dose", "1,5")
    page.context.set_offline(True)
    typed(page, "Dose", "2,5", WAITS)
    button(page, "Back").click()
    typed(page, "Age", "40", WAITS)
    opened(page, enter)
    page.get_by_role("link", name="Open (").click()
    page.get_by_text("Entries that wait").wait_for(state="hidden")  # the link loads the page anew
    form_started(page)
    assert page.get_by_label("Patient name").input_value() == "Ann"
    assert page.get_by_label("Age").input_value() == "40"
    typed(page, "Patient name", "Anna", WAITS)  # an answer that was sent before is changed: no conflict with oneself
    site.scene("change_answer", study_id=study, username=f"ada-{username}", question="age", value="50")
    page.context.set_offline(False)
    page.get_by_role("link", name="Choose").first.wait_for()
    (entry,) = site.scene("entries_of", study_id=study)
    assert entry["answers"]["values"] == {"name": "Anna", "age": "50"}
    assert [row["values"] for row in entry["answers"]["episodes"]["episode"]] == [{"dose": "2.5"}]
    assert entry["conflicts"] == 1
    assert page.evaluate(WAITING, study) == 0


def test_a_deleted_entry_takes_no_other_with_it_and_the_end_of_a_membership_all(
    open_page: Callable[..., Any], site: Site, username: str
) -> None:
    page, study, enter = without_connection(open_page, site, username)
    typed(page, "Patient name", "Ann")
    page.context.set_offline(True)
    typed(page, "Age", "40", WAITS)
    site.scene("delete_newest", study_id=study)
    opened(page, enter)
    typed(page, "Patient name", "Bea", WAITS)
    page.context.set_offline(False)
    page.get_by_text("All answers are saved.").wait_for()
    page.get_by_text("This entry was deleted").wait_for()
    page.get_by_role("link", name="Open (").click()
    page.locator("#save-state", has_text="This entry was deleted").wait_for()
    assert page.evaluate(WAITING, study) == 0
    assert [entry["answers"]["values"] for entry in site.scene("entries_of", study_id=study)] == [
        {"name": "Ann"},
        {"name": "Bea"},
    ]
    opened(page, enter)
    page.context.set_offline(True)
    typed(page, "Patient name", "Cleo", WAITS)
    site.scene("end_membership", study_id=study, username=username)
    page.context.set_offline(False)
    page.get_by_text("You no longer take part in this study").wait_for()
    page.wait_for_function("async study => (await StudyOffline.waiting(study)).length === 0", arg=study)
    assert page.evaluate(KEPT) == [0, 0]


def test_signing_out_deletes_what_waits_after_a_question(
    open_page: Callable[..., Any], site: Site, username: str
) -> None:
    page, study, enter = without_connection(open_page, site, username)
    own = page.locator("#entry-form").get_attribute("data-user")
    for key, user in (("k" * 24, own), ("m" * 24, "another")):
        record = {"study": study, "key": key, "user": user, "changes": [], "at": 0, "refused": True}
        page.evaluate("record => StudyOffline.put(record)", record)
    site.scene("team", several=True)
    try:
        opened(page, enter)
        page.get_by_text("Entries that wait in this browser: 1").wait_for()
        page.get_by_text("Entries of another person wait in this browser too.").wait_for()
        with page.expect_event("dialog") as question:
            page.once("dialog", lambda dialog: dialog.dismiss())
            button(page, "Sign out").click()
        assert "Signing out deletes them" in question.value.message
        assert page.evaluate(WAITING, study) == 2
        page.goto(f"{site.url}/s/{study}/entries/")
        page.once("dialog", lambda dialog: dialog.accept())
        button(page, "Sign out").click()
        page.wait_for_url("**/sign-in/**")
    finally:
        site.scene("team", several=False)
    page.add_script_tag(url="/static/interface/pages/studies_offline.js")
    assert page.evaluate(WAITING, study) == 0
    assert page.evaluate(KEPT) == [0, 0]
