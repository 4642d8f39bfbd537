"""Double entry: paired by a code, entered without seeing each other, compared and settled by an administrator."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from sfumato.web.studies.entries.comparing import choose, disagreements
from sfumato.web.studies.entries.removing import delete_entry, restore_entry
from sfumato.web.studies.entry.current_form import current_form
from sfumato.web.studies.entry.pairing import code_of, first_with_code
from sfumato.web.studies.entry.saving import EntryRefused, save
from sfumato.web.studies.models import Entry, Membership, Study


@pytest.fixture
def pair(study: Study, bob: Any, eve: Any, as_eve: Client, enter: Any) -> tuple[Entry, Entry]:
    """Bob entered a person, then Eve, of the same centre, did."""
    study.double = True
    study.save()
    Membership.objects.filter(user=eve).update(centre=Membership.objects.get(user=bob).centre)
    first = enter(
        bob,
        {"age": "63", "gender": "f"},
        episode=[{"from": "2/1/2020", "dose": "1"}, {"from": "1/1/2020", "dose": "2"}],
    )
    changes: list[dict[str, Any]] = [{"question": "age", "value": "36"}, {"question": "gender", "value": "f"}]
    for key, day, dose in (("x", "1/1/2020", "2"), ("y", "2/1/2020", "3"), ("z", "3/1/2020", "4")):
        changes.append({"group": "episode", "episode": key, "do": "add"})
        changes += [
            {"question": "from", "episode": key, "value": day},
            {"question": "dose", "episode": key, "value": dose},
        ]
    body = {"user": str(eve.pk), "client_key": "e" * 24, "code": code_of(first).lower(), "changes": changes}
    answer = as_eve.post(f"/s/{study.id}/enter/save/", json.dumps(body), content_type="application/json")
    assert answer.status_code == 200
    assert answer.json()["code"] == ""
    second = Entry.objects.get(author=eve)
    assert second.double_of == first
    return first, second


def test_neither_sees_the_answers_of_the_other(
    study: Study, pair: tuple[Entry, Entry], as_bob: Client, as_eve: Client, owner: Any
) -> None:
    first, second = pair
    assert as_bob.get(f"/s/{study.id}/entries/{second.id}/").status_code == 404
    assert as_eve.get(f"/s/{study.id}/entries/{first.id}/").status_code == 404
    assert as_bob.get(f"/s/{study.id}/entries/pairs/").status_code == 404
    assert as_bob.get(f"/s/{study.id}/entries/pairs/{first.id}/").status_code == 404
    assert list(Entry.counted_in(study, owner, "administrator")) == [first]


def test_a_code_pairs_once_within_the_centre_and_with_somebody_else(
    study: Study, pair: tuple[Entry, Entry], bob: Any, eve: Any, owner: Any, enter: Any, as_eve: Client
) -> None:
    first, _second = pair
    third = enter(bob, {"age": "1"})
    assert first_with_code(study, eve, first.centre, code_of(third).replace("-", " ")) == third
    cases = ((eve, first.centre, first), (bob, first.centre, third), (owner, None, third))
    for user, centre, entry in cases:
        with pytest.raises(EntryRefused, match="waits for a second one"):
            first_with_code(study, user, centre, code_of(entry))
    for code in ("", "x", "ΑΒΓΔ-ΕΖΗΘ", "0" * 8, "%" * 99):
        with pytest.raises(EntryRefused):
            first_with_code(study, eve, first.centre, code)
    page = as_eve.get(f"/s/{study.id}/enter/", {"second": code_of(third)})
    assert b"You enter the person with the code" in page.content
    assert as_eve.get(f"/s/{study.id}/enter/", {"second": "0000-0000"}).status_code == 422


def test_differences_are_shown_and_settled_with_a_reason(
    study: Study, pair: tuple[Entry, Entry], client: Client, owner: Any
) -> None:
    first, second = pair
    current = current_form(study)
    assert current is not None
    form, url = current[1], f"/s/{study.id}/entries/pairs/{first.id}/"
    rows = disagreements(form, first, second)
    assert [(row.question, row.group, row.number, row.first, row.second) for row in rows] == [
        ("age", "", 0, "63", "36"),
        ("dose", "episode", 2, "1", "3"),  # compared in the order of their start
        ("", "episode", 3, None, None),
    ]
    page = client.get(url)
    assert [row["first_by"][0] + row["second_by"][0] for row in page.context["rows"]] == ["bobeve", "bobeve", "eve"]
    assert page.context["rows"][2]["second"] == ["From: 03/01/2020", "Dose: 4"]
    for choice, reason in (("second", ""), ("third", "why"), ("", "")):
        answer = client.post(url, {"name": rows[0].name, "choice": choice, "reason": reason})
        assert answer.status_code == 422
        assert answer.context["rows"][0]["error"]
    client.post(url, {"name": rows[0].name, "choice": "second", "reason": "as on paper"})
    client.post(url, {"name": rows[1].name, "choice": "first", "reason": "a slip"})
    client.post(url, {"name": rows[2].name, "choice": "second", "reason": "was forgotten"})
    first.refresh_from_db()
    assert first.answers["values"]["age"] == "36"
    assert [row["values"]["dose"] for row in first.answers["episodes"]["episode"]] == ["1", "2", "4"]
    left = disagreements(form, first, second)
    assert [(row.question, row.settled.reason if row.settled else "") for row in left] == [("dose", "a slip")]
    taken = first.revisions.get(reason="as on paper")
    assert (taken.by, taken.patch[0]["before"], taken.patch[0]["second"]) == (owner, "63", str(second.id))
    kept = first.revisions.get(reason="a slip")
    assert (kept.patch[0]["value"], kept.patch[0]["declined"]) == ("1", "3")
    assert client.get(f"/s/{study.id}/entries/pairs/").context["rows"][0]["left"] == 0
    key = first.answers["episodes"]["episode"][0]["key"]
    save(first, [{"question": "dose", "episode": key, "value": "9"}], owner, base=99)
    first.refresh_from_db()
    assert disagreements(form, first, second)[0].settled is None  # it differs in another way now
    with pytest.raises(EntryRefused, match="changed meanwhile"):
        choose(form, first, second, rows[0].name, "first", "late", owner)


def test_the_second_takes_the_place_of_a_deleted_first(study: Study, pair: tuple[Entry, Entry], owner: Any) -> None:
    first, second = pair
    delete_entry(first, owner, "twice")
    assert list(Entry.counted_in(study, owner, "administrator")) == [second]
    restore_entry(first, owner)
    assert list(Entry.counted_in(study, owner, "administrator")) == [second]
    assert Entry.objects.get(pk=first.pk).double_of == second
