"""Lists, history, notes, conflicts and deletion of entries."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from sfumato.web.studies.entries.removing import remove_old_entries
from sfumato.web.studies.entry.saving import save
from sfumato.web.studies.models import Conflict, Entry, Study


def test_a_participant_lists_own_entries(
    study: Study, bob: Any, eve: Any, as_bob: Client, client: Client, enter: Any
) -> None:
    enter(bob, {"age": "63"})
    enter(bob, {"age": "64"})
    other = enter(eve, {"age": "65"})
    page = as_bob.get(f"/s/{study.id}/entries/")
    assert page.context["page"].paginator.count == 2
    assert b"Laiko" not in page.content
    assert str(other.id).encode() not in page.content
    assert as_bob.get(f"/s/{study.id}/entries/{other.id}/").status_code == 404
    assert client.get(f"/s/{study.id}/entries/").context["page"].paginator.count == 3
    assert client.get(f"/s/{study.id}/entries/", {"number": "2"}).context["page"].paginator.count == 1
    assert client.get(f"/s/{study.id}/entries/", {"centre": str(other.centre_id)}).context["page"].paginator.count == 1
    assert client.get(f"/s/{study.id}/entries/", {"state": "finished"}).context["page"].paginator.count == 0
    for query in ({"number": "x"}, {"centre": "x"}, {"state": "x"}, {"page": "x"}, {"number": "9" * 99}):
        assert client.get(f"/s/{study.id}/entries/", query).status_code == 200
    assert as_bob.get(f"/s/{study.id}/entries/", {"centre": str(other.centre_id)}).context["page"].paginator.count == 2


def test_history_of_an_answer(study: Study, bob: Any, owner: Any, as_bob: Client, enter: Any) -> None:
    entry = enter(bob, {"age": "63", "gender": "f"})
    save(entry, [{"question": "gender", "value": "m"}], owner, base=1, reason="the papers say so")
    page = as_bob.get(f"/s/{study.id}/entries/{entry.id}/history/", {"question": "gender"})
    assert [(line.revision.by.username, line.before, line.after) for line in page.context["lines"]] == [
        ("ann", "female", "male"),
        ("bob", "\u2013", "female"),
    ]
    assert b"the papers say so" in page.content


def test_notes_belong_to_an_entry_or_an_answer(
    study: Study, bob: Any, as_bob: Client, as_eve: Client, enter: Any
) -> None:
    entry = enter(bob, {"age": "63"})
    url = f"/s/{study.id}/entries/{entry.id}/note/"
    as_bob.post(url, {"text": "<b>looked up</b>", "question": "age"})
    as_bob.post(url, {"text": "of everything"})
    for place in ({"question": "none"}, {"question": "age", "episode": "63"}, {"question": "dose", "episode": "63"}):
        for text in ("x", ""):
            assert as_bob.post(url, {"text": text, **place}).status_code == 404, "no answer of the entry"
    assert as_eve.post(url, {"text": "x"}).status_code == 404
    page = as_bob.get(f"/s/{study.id}/entries/{entry.id}/history/", {"question": "age"})
    assert b"&lt;b&gt;looked up" in page.content
    assert b"of everything" not in page.content
    assert entry.notes.count() == 2
    assert b"1 note" in as_bob.get(f"/s/{study.id}/entries/{entry.id}/").content


def test_a_conflict_is_chosen_with_a_reason(study: Study, bob: Any, owner: Any, as_bob: Client, enter: Any) -> None:
    entry = enter(bob, {"age": "63", "name": "Ann"})
    save(entry, [{"question": "age", "value": "64"}, {"question": "name", "value": "Anna"}], owner, base=1)
    changes = [{"question": "age", "value": "65"}, {"question": "name", "value": "Anne"}]
    save(entry, changes, bob, base=1)
    save(entry, changes, bob, base=1)  # sent twice
    assert Conflict.objects.count() == 2
    assert as_bob.get(f"/s/{study.id}/entries/", {"state": "conflict"}).context["page"].paginator.count == 1
    url = f"/s/{study.id}/entries/{entry.id}/conflicts/"
    page = as_bob.get(url)
    assert [(row["mine"], row["theirs"], row["revision"].by.username) for row in page.context["rows"]] == [
        ("65", "64", "ann"),
        ("Anne", "Anna", "ann"),
    ]
    age, name = Conflict.objects.order_by("question")
    refused = as_bob.post(url, {"conflict": age.id, "choice": "mine", "reason": " "})
    assert refused.status_code == 422
    assert as_bob.post(url, {"conflict": age.id, "choice": "both", "reason": "x"}).status_code == 422
    assert as_bob.post(url, {"conflict": "junk", "choice": "mine", "reason": "x"}).status_code == 404
    answer = as_bob.post(url, {"conflict": age.id, "choice": "mine", "reason": "asked\0 again"})
    assert answer["Location"] == url  # another answer waits
    answer = as_bob.post(url, {"conflict": name.id, "choice": "theirs", "reason": "right"})
    assert answer["Location"] == f"/s/{study.id}/entries/{entry.id}/"
    entry.refresh_from_db()
    assert entry.answers["values"] == {"age": "65", "name": "Anna"}
    kept, chosen = entry.revisions.all()[:2]
    assert (chosen.conflict_with, chosen.reason, chosen.patch[0]["before"]) == (2, "asked again", "64")
    assert (kept.conflict_with, kept.patch[0]["declined"], kept.patch[0]["value"]) == (2, "Anne", "Anna")
    assert not Conflict.objects.filter(resolved=None).exists()


def test_an_episode_that_was_removed_is_restored_from_history(
    study: Study, bob: Any, as_bob: Client, enter: Any
) -> None:
    entry = enter(bob, {}, episode=[{"diagnosis": "first"}, {"diagnosis": "second"}])
    save(entry, [{"group": "episode", "episode": "episode0", "do": "retire"}], bob, base=1)
    lines = as_bob.get(f"/s/{study.id}/entries/{entry.id}/history/").context["lines"]
    assert {line.what for line in lines if line.question == "diagnosis"} == {"Diagnosis", "Episode 1: Diagnosis"}
    assert [line.restorable for line in lines if line.order] == [True, False, False]
    as_bob.post(f"/s/{study.id}/entries/{entry.id}/restore-episode/", {"group": "episode", "episode": "episode0"})
    entry.refresh_from_db()
    assert [row["values"]["diagnosis"] for row in entry.answers["episodes"]["episode"]] == ["first", "second"]


def test_deleted_entries_are_restored_or_removed(
    study: Study, bob: Any, as_bob: Client, as_eve: Client, client: Client, enter: Any
) -> None:
    entry = enter(bob, {"age": "63"})
    url = f"/s/{study.id}/entries/{entry.id}/"
    assert as_eve.post(f"{url}delete/").status_code == 404
    as_bob.post(f"{url}delete/", {"reason": " "})  # without a reason nothing is deleted
    assert as_bob.get(url).status_code == 200
    as_bob.post(f"{url}delete/", {"reason": "twice"})
    assert as_bob.get(url).status_code == 404
    assert as_bob.get(f"/s/{study.id}/entries/deleted/").status_code == 404
    assert len(client.get(f"/s/{study.id}/entries/deleted/").context["rows"]) == 1
    assert as_bob.post(f"{url}restore/").status_code == 404
    client.post(f"{url}restore/")
    assert as_bob.get(url).status_code == 200
    Entry.objects.update(deleted=timezone.now() - timedelta(days=29))
    remove_old_entries(timezone.now())
    assert Entry.objects.count() == 1
    remove_old_entries(timezone.now() + timedelta(days=2))
    assert Entry.objects.count() == 0
